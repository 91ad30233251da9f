/**
 * From a stored chunk to its samples: undoes its filters one after another.
 *
 * @module
 */

import { mostBytes } from "../../../codecs/filters/registry.ts";
import { TilewiseError } from "../../../errors.ts";
import { unravel } from "../../../space/shape.ts";
import {
  chunkBytes,
  type ChunkFilterSpec,
  type ChunkLayout,
  gridOfChunks,
  heldBytes,
  isEdge,
} from "../../layout/chunks.ts";
import type { UndoFilter } from "../common/block_reader.ts";
import type { Cuts } from "./cuts.ts";
import type { ChunkTools } from "./tools.ts";

/** Where a stored chunk lies, for errors. */
export interface StoredPlace {
  /** The name of its file. */
  readonly name: string;
  /** Its first byte there. */
  readonly offset: number;
}

/** The filters of an array in chunks, with the memory that they need. */
export class FilterChain {
  readonly #passes: readonly number[];
  readonly #spare: Uint8Array;
  readonly #stored: number;
  readonly #scratch: number;
  readonly #memory: WebAssembly.Memory;
  readonly #filters = new Map<string, UndoFilter>();

  /** Takes its memory from the slab of `tools`; `nameOf` gives file and address of a chunk for errors. */
  constructor(
    private readonly chunks: ChunkLayout,
    private readonly nameOf: (cell: number) => StoredPlace,
    private readonly tools: ChunkTools,
    { passes, stored, spare, scratch }: Cuts,
  ) {
    const { slab } = tools;
    this.#memory = slab.memory;
    this.#stored = stored;
    this.#passes = Array.from({ length: passes }, () => slab.take(stored, "chunks"));
    this.#spare = new Uint8Array(slab.memory.buffer, slab.take(spare, "filters"), spare);
    this.#scratch = slab.take(scratch, "filters");
  }

  /** Undoes the filters of a stored chunk, last applied first; the last one writes to `target`. */
  undo(cell: number, stored: Uint8Array, target: Uint8Array): void | Promise<void> {
    const { chunks } = this;
    const isPlain = chunks.plainEdges && isEdge(chunks, cell);
    const mask = chunks.shards ? 0 : chunks.masks[cell] ?? 0;
    const active = chunks.filters.filter((_, f) => !isPlain && !(mask >> f & 1)).reverse();
    if (active.length === 0 && this.#fits(cell, stored.length)) return put(stored, target);
    const most = mostBytes(stored.length, active.map(({ name }) => name));
    if (most < heldBytes(chunks, cell)) throw this.#wrong(cell, `at most ${most}`); // before any memory is written
    return this.#steps(cell, active, 0, stored, target);
  }

  /** Undoes the filters from number `step` on; synchronous as long as the filters are. */
  #steps(
    cell: number,
    active: readonly ChunkFilterSpec[],
    step: number,
    input: Uint8Array,
    target: Uint8Array,
  ): void | Promise<void> {
    if (step === active.length) {
      if (!this.#fits(cell, input.length)) throw this.#wrong(cell, input.length);
      return;
    }
    const { name, values } = active[step]!;
    const undo = this.#filters.get(name);
    if (!undo) return this.#filter(name).then(() => this.#steps(cell, active, step, input, target));
    const output = step === active.length - 1 ? target : this.#pass(step); // not the one that is read
    const { kernels } = this.tools;
    const goOn = (written: number) =>
      this.#steps(cell, active, step + 1, output.subarray(0, written), target);
    const located = (error: unknown) => this.#located(cell, error);
    let written: number | Promise<number>;
    try {
      written = undo({ kernels, input, output, values, cell, scratch: this.#scratch, spare: this.#spare });
    } catch (error) {
      throw located(error);
    }
    if (typeof written === "number") return goOn(written);
    return written.then(goOn, (error) => {
      throw located(error);
    });
  }

  /** Whether `bytes` are those of chunk `cell`; a clipped chunk may have more rows than exist. */
  #fits(cell: number, bytes: number): boolean {
    const whole = chunkBytes(this.chunks);
    return bytes === whole ||
      (bytes < whole && this.chunks.clipped === true && bytes >= heldBytes(this.chunks, cell));
  }

  #pass(which: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#passes[which % this.#passes.length]!, this.#stored);
  }

  async #filter(name: string): Promise<UndoFilter> {
    const filter = await this.tools.filterOf(name);
    this.#filters.set(name, filter);
    return filter;
  }

  /** The error of a filter, with the chunk added. */
  #located(cell: number, error: unknown): unknown {
    if (!(error instanceof TilewiseError)) return error;
    const { name, offset, at } = this.#where(cell);
    const text = `Cannot read ${name}: chunk ${at} at byte ${offset}: ${error.message}`;
    return new TilewiseError(error.code, text, { ...error.details, file: name, offset }, { cause: error });
  }

  #wrong(cell: number, found: number | string): TilewiseError {
    const { name, offset, at } = this.#where(cell);
    const expected = heldBytes(this.chunks, cell);
    const text = `Cannot read ${name}: chunk ${at} at byte ${offset} gives ${found} bytes, not ${expected}`;
    return new TilewiseError("malformed", text, { file: name, offset, expected, found });
  }

  #where(cell: number): StoredPlace & { readonly at: string } {
    const { chunks } = this;
    return { ...this.nameOf(cell), at: `(${unravel(cell, gridOfChunks(chunks)).join(", ")})` };
  }
}

/** Copies bytes, unless they are there already. */
function put(bytes: Uint8Array, target: Uint8Array): void {
  if (bytes.buffer !== target.buffer || bytes.byteOffset !== target.byteOffset) target.set(bytes);
}
