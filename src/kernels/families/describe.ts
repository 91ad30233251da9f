/**
 * The words in which a row says what a kernel gets in a call of tests and benches.
 *
 * The table (`table/`) has names and types of the parameters, and whether the kernel writes them. A row adds their values, as
 * functions of a few sizes (`Sizes`): numbers, and for addresses how many bytes lie there and what they hold.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../space/dtype.ts";
import type { Role } from "../table/declaration.ts";

/** The sizes of one call. A family uses those that mean something to it. */
export interface Sizes {
  /** Frames in the tile. */
  readonly frames: number;
  /** Rows of the tile. */
  readonly rows: number;
  /** Samples of a row. */
  readonly rowLength: number;
  /** Samples of a frame: `rows * rowLength`. */
  readonly pixels: number;
  /** Masks. */
  readonly masks: number;
  /** Bytes between the end of a frame (or row of results) and the start of the next. */
  readonly gap: number;
  /** Any number; what a family wants a choice by. */
  readonly seed: number;
}

/** Which values a buffer starts with. */
export type Values =
  /** Anything its dtype can hold, with NaN, infinities, -0 and extremes among them. */
  | "any"
  /** Small whole numbers: sums of them are exact, also in f64 accumulators. */
  | "whole"
  /** Finite numbers of everyday size. */
  | "finite";

/** What a call puts at an address: all that the declaration of the kernel does not say. */
export interface BufferContents {
  /** How many bytes it takes, gaps included. */
  readonly bytes: (sizes: Sizes) => number;
  /** Where only parts of that are the kernel's: bytes of each, and from one to the next. What lies between is not touched. */
  readonly parts?: (sizes: Sizes) => { readonly bytes: number; readonly stride: number };
  /** Its first contents: a kind of values, or the numbers themselves. */
  readonly values: Values | ((sizes: Sizes) => readonly number[]);
}

/** A parameter of a kernel that is an address. */
export interface BufferParameter extends BufferContents {
  /** Its name, for messages. */
  readonly name: string;
  /** What the kernel does there. */
  readonly role: Role;
  /** What lies there. */
  readonly dtype: DType;
  /** Its byte order. */
  readonly order: ByteOrder;
}

/** A parameter of a kernel that is a number, which follows from the sizes. */
export type NumberParameter = (sizes: Sizes) => number;

/** A parameter of a kernel: an address, or a number. */
export type Parameter = BufferParameter | NumberParameter;
