/**
 * The words in which a row of the registry says what a kernel takes, so that tests and benches can call it.
 *
 * A row lists its parameters as functions of a few sizes (`Sizes`); a buffer says how long it is, what it holds and
 * whether the kernel writes it.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../space/dtype.ts";

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

/** A parameter of a kernel that is an address. */
export interface BufferParameter {
  /** Its name, for messages. */
  readonly name: string;
  /** Whether the kernel reads it, writes it, adds to it, or leaves there what does not matter. */
  readonly role: "in" | "out" | "inout" | "scratch";
  /** What lies there. */
  readonly dtype: DType;
  /** Its byte order; little when absent. */
  readonly order?: ByteOrder;
  /** How many bytes it takes, gaps included. */
  readonly bytes: (sizes: Sizes) => number;
  /** Where only parts of that are the kernel's: bytes of each, and from one to the next. What lies between is not touched. */
  readonly parts?: (sizes: Sizes) => { readonly bytes: number; readonly stride: number };
  /** Its first contents: a kind of values, or the numbers themselves. */
  readonly values: Values | ((sizes: Sizes) => readonly number[]);
}

/** A parameter of a kernel: an address, or a number that follows from the sizes. */
export type Parameter = BufferParameter | ((sizes: Sizes) => number);
