/**
 * Types for rows, which describe what a kernel gets in a call of tests and benches.
 *
 * The table (`table/`) has names and types of the parameters, and says which memory the kernel writes. A row adds their
 * values, as functions of a few sizes (`Sizes`): numbers, and for addresses the number of bytes and their contents.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../../../src/space/dtype.ts";
import type { Role } from "../../../../assembly/table/declaration.ts";

/** The sizes of one call. A family uses those that it needs. */
export interface Sizes {
  /** Number of frames in the tile. */
  readonly frames: number;
  /** Number of rows of the tile. */
  readonly rows: number;
  /** Samples per row. */
  readonly rowLength: number;
  /** Samples per frame: `rows * rowLength`. */
  readonly pixels: number;
  /** Number of masks. */
  readonly masks: number;
  /** Bytes between the end of a frame (or row of results) and the start of the next. */
  readonly gap: number;
  /** Any number; a family uses it to choose between cases. */
  readonly seed: number;
}

/** The values with which a buffer starts. */
export type Values =
  /** Any value of its dtype, including NaN, infinities, -0 and extremes. */
  | "any"
  /** Small whole numbers: sums of them are exact, also in f64 accumulators. */
  | "whole"
  /** Finite numbers of ordinary size. */
  | "finite";

/** What a call puts at an address: everything that the declaration of the kernel does not say. */
export interface BufferContents {
  /** Number of bytes, including gaps. */
  readonly bytes: (sizes: Sizes) => number;
  /**
   * If the kernel may only use parts of that: bytes of each part, and bytes from one part to the next. The bytes
   * between are not touched.
   */
  readonly parts?: (sizes: Sizes) => { readonly bytes: number; readonly stride: number };
  /** Its initial contents: a kind of values, or the numbers themselves. */
  readonly values: Values | ((sizes: Sizes) => readonly number[]);
}

/** A parameter of a kernel that is an address. */
export interface BufferParameter extends BufferContents {
  /** Its name, for messages. */
  readonly name: string;
  /** How the kernel uses it. */
  readonly role: Role;
  /** Type of the numbers at the address. */
  readonly dtype: DType;
  /** Its byte order. */
  readonly order: ByteOrder;
}

/** A parameter of a kernel that is a number, computed from the sizes. */
export type NumberParameter = (sizes: Sizes) => number;

/** A parameter of a kernel: an address, or a number. */
export type Parameter = BufferParameter | NumberParameter;
