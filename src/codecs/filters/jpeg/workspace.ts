/**
 * Where the kernels that undo JPEG have what they work with: tables, the coefficients of some units, rows of components.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { JPEG_CODE_BYTES } from "../../../kernels/families/filters.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { FilterStep } from "../common/filter.ts";
import { type HuffmanCode, wrong } from "./markers.ts";
import { jpegScratch, PLACES } from "./sizes.ts";

/** The memory of one image. */
export class JpegWorkspace {
  /** The kernels. */
  readonly kernels: Kernels["exports"];
  /** Addresses. */
  readonly status: number;
  readonly state: number;
  readonly plan: number;
  readonly codes: number;
  readonly blocks: number;
  readonly spare: number;
  /** Numbers of 32 bits at the beginning: `PLACES` says which. */
  readonly ints: Int32Array;
  readonly #memory: WebAssembly.Memory;
  readonly #end: number;
  #rows: number;

  /** In the scratch memory of a filter. */
  constructor({ kernels, scratch, output, values }: FilterStep) {
    this.kernels = kernels.exports;
    this.#memory = kernels.memory;
    this.ints = new Int32Array(kernels.memory.buffer, scratch, PLACES.stored / 4);
    this.status = scratch;
    [this.state, this.plan, this.codes] = [
      scratch + PLACES.state,
      scratch + PLACES.plan,
      scratch + PLACES.codes,
    ];
    [this.blocks, this.spare] = [scratch + PLACES.blocks, scratch + PLACES.spare];
    this.#rows = scratch + PLACES.rows;
    this.#end = scratch + jpegScratch(output.length, values);
  }

  /** Memory for rows. Errors: `unsupported`, for components of unusual sizes. */
  take(bytes: number): number {
    const at = this.#rows;
    this.#rows += bytes;
    if (this.#rows <= this.#end) return at;
    const problem = `${bytes} bytes for rows of a component are more than the ${this.#end - at} there are`;
    throw new TilewiseError("unsupported", `Cannot undo the filter jpeg: ${problem}`);
  }

  /** Coefficients. */
  coefficients(at: number, length: number): Int16Array {
    return new Int16Array(this.#memory.buffer, at, length);
  }

  /** Bytes. */
  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, length);
  }

  /** Puts a quantization table in place `which` of four. */
  table(which: number, table: Uint16Array): number {
    const at = this.status + PLACES.tables + 128 * which;
    new Uint16Array(this.#memory.buffer, at, 64).set(table);
    return at;
  }

  /** Makes the tables of a code in place `which` of eight; how far they are from `codes`. */
  code(which: number, { stored, place }: HuffmanCode): number {
    const from = this.status + PLACES.stored, distance = which * JPEG_CODE_BYTES;
    this.bytes(from, stored.length).set(stored);
    this.kernels.jpeg_codes_u8(this.status, this.codes + distance, from, from + 16, stored.length - 16);
    if (this.ints[0]! < 0) throw wrong("a Huffman table has too many codes", place);
    return distance;
  }
}
