/**
 * Lists of sample types and parameters that several families take. The table of runs, `families/kernels_sample_types.ts`, uses them by name.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { Pack } from "./packs.ts";

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

// What the declaration of a family of kernels says. Signatures with their documentation, exports of the module, sample types
// and the names in `rows/` all come from it: see `table.ts`.

/** A number, as AssemblyScript calls its type. Counts are `i32`, distances in bytes `usize`. */
export type NumberType = "i32" | "u32" | "usize" | "f64";

/** Whether a kernel reads what lies at an address, writes it, adds to it, or leaves there what does not matter. */
export type Role = "in" | "out" | "inout" | "scratch";

/**
 * What lies at an address. `T`: samples of the type and byte order in the name of the kernel; `native T`: of that type,
 * little endian in any case.
 */
export type Content = DType | "T" | "native T";

/** An address. */
export type AddressType = `${Role} ${Content}`;

/** Parameters by name, in their order. */
export type Params = Readonly<Record<string, NumberType | AddressType>>;

/** A family of kernels that share one generic body. The comment in front of it is its documentation. */
export interface Declaration {
  /** The pack that has its kernels. */
  readonly pack: Pack;
  /** The file in `assembly/kernels/` that has the body. */
  readonly file: string;
  /** The body: `body<T>(…params)`, or `body<T>(…params, be)` where there are byte orders. */
  readonly body: string;
  /** What its kernels take. */
  readonly params: Params;
  /** The sample types there are kernels for. */
  readonly types: readonly DType[];
  /** Bodies for `float16`, which AssemblyScript does not have: little-endian samples, and big-endian ones. */
  readonly half?: readonly [little: string, big: string];
  /** Whether the types of two bytes and more also come in big-endian order. */
  readonly orders?: true;
}

/** Families by name: the first part of the names of their kernels. */
export type Families = Readonly<Record<string, Declaration>>;

/** The samples that a family takes. */
export type SampleTypes = Pick<Declaration, "types" | "orders">;

/** The frames of a tile. */
export const FRAMES = { data: "in T", frames: "i32", frameStride: "usize" } as const satisfies Params;

/** Where sums go. */
export const SUMS = { out: "inout float64", outStride: "usize" } as const satisfies Params;

/** How many masks there are, and how far apart they lie. */
export const MASKS = { maskCount: "i32", maskStride: "usize" } as const satisfies Params;

/** Runs of pixels. */
export const RUNS = { runs: "in int32", count: "i32" } as const satisfies Params;
