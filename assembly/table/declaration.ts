/**
 * What the declaration of a family of kernels says. Signatures with their documentation, exports of the module, sample types
 * and the names in `rows/` all come from it: see `table.ts`.
 *
 * @module
 */

import type { Pack } from "../../src/kernels/families/packs.ts";
import type { SampleTypes } from "../../src/kernels/families/types.ts";
import type { DType } from "../../src/space/dtype.ts";

/** A number, as AssemblyScript calls its type. Counts are `i32`, distances in bytes `usize`. */
export type NumberType = "i32" | "u32" | "usize" | "f64";

/** Whether a kernel reads what lies at an address, writes it, adds to it, or leaves there what does not matter. */
export type Role = "in" | "out" | "inout" | "scratch";

/**
 * What lies at an address. `T`: samples of the type and byte order in the name of the kernel; `native T`: of that type,
 * little endian in any case; `float of T`: float32 where it holds all samples of that type, else float64.
 */
export type Content = DType | "T" | "native T" | "float of T";

/** An address. */
export type AddressType = `${Role} ${Content}`;

/** Parameters by name, in their order. */
export type Params = Readonly<Record<string, NumberType | AddressType>>;

/** A family of kernels that share one generic body. The comment in front of it is its documentation. */
export interface Declaration extends SampleTypes {
  /** The pack that has its kernels. */
  readonly pack: Pack;
  /** The file in `assembly/kernels/` that has the body. */
  readonly file: string;
  /** The body: `body<T>(…params)`, or `body<T>(…params, be)` where there are byte orders. */
  readonly body: string;
  /** What its kernels take. */
  readonly params: Params;
  /** Bodies for `float16`, which AssemblyScript does not have: little-endian samples, and big-endian ones. */
  readonly half?: readonly [little: string, big: string];
}

/** Families by name: the first part of the names of their kernels. */
export type Families = Readonly<Record<string, Declaration>>;

/** The frames of a tile. */
export const FRAMES = { data: "in T", frames: "i32", frameStride: "usize" } as const satisfies Params;

/** Where sums go. */
export const SUMS = { out: "inout float64", outStride: "usize" } as const satisfies Params;

/** How many masks there are, and how far apart they lie. */
export const MASKS = { maskCount: "i32", maskStride: "usize" } as const satisfies Params;

/** Runs of pixels. */
export const RUNS = { runs: "in int32", count: "i32" } as const satisfies Params;
