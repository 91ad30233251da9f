/**
 * The families of kernels: what each computes and what it takes.
 *
 * Conventions: addresses (`acc`, `data`, `out`, …) and strides are in bytes, counts in samples. Frame `f` of a tile
 * starts at `data + f * frameStride` and holds its samples without gaps. No address needs to be aligned. Nothing
 * but the output is written, and kernels keep no state.
 *
 * @module
 */

import type { KernelFamilies } from "./kernels_families.ts";

export type { FilterFamilies, KernelFamilies, LanesFamilies, SparseFamilies } from "./kernels_families.ts";

/**
 * The name of a family.
 * @category Kernels
 */
export type KernelFamily = keyof KernelFamilies;

/**
 * What the kernels of mask products take; mask `m` starts at `masks + m * maskStride`.
 * @category Kernels
 */
export type DotParameters = Parameters<KernelFamilies["dot_f32"]>;

/**
 * The signature of the kernels that fold frames.
 * @category Kernels
 */
export type FoldKernel = KernelFamilies["fold_f32"];

/**
 * The signature of the kernels that correct samples.
 * @category Kernels
 */
export type CorrectKernel = KernelFamilies["correct_f32"];

/**
 * Where a kernel that unpacks gets its input, and where the result goes.
 * @category Kernels
 */
export type UnpackArguments = Parameters<KernelFamilies["lz4"]>;

/**
 * A CSR tile.
 * @category Kernels
 */
export type CsrArguments = Parameters<KernelFamilies["csr_sum_frames"]> extends [number, ...infer Csr] ? Csr
  : never;

/**
 * Where the arrays of a sparse form go.
 * @category Kernels
 */
export type ToForm = Parameters<KernelFamilies["csr_csc"]> extends [...infer To, ...CsrArguments, number] ? To
  : never;

/**
 * Where results go.
 * @category Kernels
 */
export type OutArguments = Parameters<KernelFamilies["csr_dot_seq"]> extends
  [...infer Out, ...CsrArguments, number, number, number] ? Out : never;

/**
 * Dense masks; mask `m` starts at `masks + m * maskStride`.
 * @category Kernels
 */
export type MaskArguments = Parameters<KernelFamilies["csr_dot_seq"]> extends
  [number, number, ...CsrArguments, ...infer Masks] ? Masks : never;
