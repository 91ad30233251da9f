/**
 * Lists of sample types that several families take. The table of runs, `families/kernels_sample_types.ts`, uses them by name.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";

/** Integers of one and two bytes. */
export const SMALL: readonly DType[] = ["uint8", "int8", "uint16", "int16"];
/** The other sample types of detectors. */
export const LARGE: readonly DType[] = ["uint32", "int32", "float32", "float64"];
/** All eight. */
export const ALL: readonly DType[] = [...SMALL, ...LARGE];
/** All eight, and integers of eight bytes. */
export const WIDE: readonly DType[] = [...ALL, "uint64", "int64"];
/** Those of all eight that float32 does not hold. */
export const BEYOND_SINGLE: readonly DType[] = ["uint32", "int32", "float64"];
/** Those that float32 holds as they are. */
export const SINGLE_EXACT: readonly DType[] = [...SMALL, "float32"];
/** Integers of up to four bytes. */
export const INTEGERS: readonly DType[] = [...SMALL, "uint32", "int32"];
/** Integers in whose order samples of all eight types can be compared. */
export const KEYS: readonly DType[] = [...INTEGERS, "int64"];
/** Unsigned integers, by their size in bytes. */
export const SIZES: readonly DType[] = ["uint8", "uint16", "uint32", "uint64"];
/** Unsigned integers that packed bits become. */
export const UNSIGNED: readonly DType[] = ["uint8", "uint16", "uint32"];
/** Bytes. */
export const BYTES: readonly DType[] = ["uint8"];
/** Unsigned integers of two bytes. */
export const WORDS: readonly DType[] = ["uint16"];
/** Floats. */
export const FLOATS: readonly DType[] = ["float32", "float64"];
/** Floats of four bytes. */
export const SINGLE: readonly DType[] = ["float32"];
/** Floats of eight bytes. */
export const DOUBLE: readonly DType[] = ["float64"];

/** The samples that a family takes. */
export interface SampleTypes {
  /** The sample types there are kernels for. */
  readonly types: readonly DType[];
  /** Whether the types of two bytes and more also come in big-endian order. */
  readonly orders?: true;
}
