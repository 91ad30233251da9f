/**
 * What the declaration of a family of kernels says. Signatures with their documentation, exports of the module, sample types
 * and the names in `rows/` all come from it: see `table.ts`.
 *
 * @module
 */

import type { DType } from "../../../space/dtype.ts";
import type { Pack } from "./packs.ts";

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
