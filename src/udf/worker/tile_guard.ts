/**
 * Detects whether a UDF has changed data that other UDFs see: samples of a tile, constants, auxiliary data.
 *
 * JavaScript has no read-only arrays, so a checksum of the data is computed before and after a UDF sees them. This
 * takes as long as a plain pass over the samples, so it is meant for tests.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { Convert, RawSamples, SparseForm, SparseTiles } from "../interface/tile.ts";

/** Data that a UDF has seen. */
interface Seen {
  readonly what: string;
  readonly array: ArrayBufferView;
  readonly sum: number;
}

/** The data that one UDF sees, with their checksums before it saw them. */
export class TileGuard {
  readonly #seen = new Map<string, Seen>();

  /** A guard for the UDF with the name `udf`. */
  constructor(private readonly udf: string) {}

  /** The same samples; their checksum is stored when the UDF reads them. */
  dense(convert: Convert): Convert {
    return (tile) => {
      const data = convert(tile);
      this.see("tile.data", data);
      return data;
    };
  }

  /** The same entries, guarded likewise. */
  sparse(make: SparseForm): SparseForm {
    return <F extends keyof SparseTiles>(form: F, frame?: number) => {
      const tile = make(form, frame);
      for (const [name, array] of Object.entries(tile)) {
        if (ArrayBuffer.isView(array)) this.see(`tile.${form}.${name}`, array);
      }
      return tile;
    };
  }

  /** The same raw samples in `memory`, of `frames` × `pixels`, guarded likewise. */
  raw(look: () => RawSamples, memory: WebAssembly.Memory, frames: number, pixels: number): () => RawSamples {
    return () => {
      const raw = look();
      const bytes = (frames - 1) * raw.frameStride + pixels * dtypeInfo(raw.dtype).itemSize;
      this.see("tile.raw", new Uint8Array(memory.buffer, raw.pointer, bytes));
      return raw;
    };
  }

  /** Stores the checksum of `array`. */
  see(what: string, array: ArrayBufferView): void {
    const key = `${what} ${array.byteOffset}`;
    if (this.#seen.has(key)) return; // its checksum was stored before the UDF could change it
    this.#seen.set(key, { what, array, sum: sumOf(array) });
  }

  /** Throws if guarded data have changed, and forgets the checksums. */
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

/** A checksum that depends on every byte and its place (FNV). */
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
