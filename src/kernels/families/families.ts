/**
 * The families of kernels: what each computes, and its parameters.
 *
 * Conventions: addresses (`acc`, `data`, `out`, …) and strides are in bytes, counts in samples. Frame `f` of a tile
 * starts at `data + f * frameStride` and has its samples without gaps. Addresses need not be aligned. Kernels write
 * only to their outputs, and keep no state.
 *
 * @module
 */

import type { KernelFamilies } from "./kernels_families.ts";

export type {
  FilterFamilies,
  KernelFamilies,
  LanesFamilies,
  RimeFamilies,
  SparseFamilies,
  TermFamilies,
  ViewFamilies,
} from "./kernels_families.ts";

/**
 * The name of a family.
 * @category Kernels
 */
export type KernelFamily = keyof KernelFamilies;

/**
 * The parameters of the kernels of mask products; mask `m` starts at `masks + m * maskStride`.
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
 * The parameters of a kernel that unpacks: its input, and the place of the result.
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
 * The places for the arrays of a sparse form.
 * @category Kernels
 */
export type ToForm = Parameters<KernelFamilies["csr_csc"]> extends [...infer To, ...CsrArguments, number] ? To
  : never;

/**
 * The places for results.
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
