/**
 * Finds out whether a UDF has changed what others see: samples of a tile, constants, auxiliary data.
 *
 * JavaScript has no arrays that can only be read. So what a UDF looks at is summed up before and after. That takes as long as
 * a plain pass over the samples, so it is for tests.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { SparseForm, SparseTiles } from "../interface/sparse_tile.ts";
import type { Convert, RawSamples } from "../interface/tile.ts";

/** Something that a UDF has looked at. */
interface Seen {
  readonly what: string;
  readonly array: ArrayBufferView;
  readonly sum: number;
}

/** What one UDF sees, and what it was before. */
export class TileGuard {
  readonly #seen = new Map<string, Seen>();

  /** A guard of the UDF called `udf`. */
  constructor(private readonly udf: string) {}

  /** The same samples; they are remembered when the UDF looks at them. */
  dense(convert: Convert): Convert {
    return (tile) => {
      const data = convert(tile);
      this.see("tile.data", data);
      return data;
    };
  }

  /** The same entries, likewise. */
  sparse(make: SparseForm): SparseForm {
    return <F extends keyof SparseTiles>(form: F, frame?: number) => {
      const tile = make(form, frame);
      for (const [name, array] of Object.entries(tile)) {
        if (ArrayBuffer.isView(array)) this.see(`tile.${form}.${name}`, array);
      }
      return tile;
    };
  }

  /** The same raw samples in `memory`, of `frames` × `pixels`, likewise. */
  raw(look: () => RawSamples, memory: WebAssembly.Memory, frames: number, pixels: number): () => RawSamples {
    return () => {
      const raw = look();
      const bytes = (frames - 1) * raw.frameStride + pixels * dtypeInfo(raw.dtype).itemSize;
      this.see("tile.raw", new Uint8Array(memory.buffer, raw.pointer, bytes));
      return raw;
    };
  }

  /** Remembers what `array` holds now. */
  see(what: string, array: ArrayBufferView): void {
    const key = `${what} ${array.byteOffset}`;
    if (this.#seen.has(key)) return; // it was seen before it could be changed
    this.#seen.set(key, { what, array, sum: sumOf(array) });
  }

  /** Throws if something that was seen is not as it was, and forgets it. */
  check(): void {
    const changed = [...this.#seen.values()].find(({ array, sum }) => sumOf(array) !== sum);
    this.#seen.clear();
    if (!changed) return;
    const { what } = changed;
    const way = what === "tile.data"
      ? "change a copy (slice), or declare writesTile: true, and the UDF gets tiles of its own"
      : "change a copy (slice)";
    const text = `UDF "${this.udf}" has changed ${what}, which others see as well: ${way}`;
    throw new TilewiseError("udf", text, { udf: this.udf, found: what });
  }
}

/** Depends on every byte and its place (FNV). */
function sumOf({ buffer, byteOffset, byteLength }: ArrayBufferView): number {
  const words = byteOffset % 4 === 0 ? Math.floor(byteLength / 4) : 0;
  const sum = words > 0 ? summed(new Int32Array(buffer, byteOffset, words), 0) : 0;
  return summed(new Uint8Array(buffer, byteOffset + 4 * words, byteLength - 4 * words), sum);
}

function summed(numbers: Int32Array | Uint8Array, start: number): number {
  let sum = start;
  for (let i = 0; i < numbers.length; i++) sum = Math.imul(sum ^ numbers[i]!, 0x01000193) + 1 | 0;
  return sum;
}
