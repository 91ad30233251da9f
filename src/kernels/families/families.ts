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
 * The signature of the kernels that correct samples.
 * @category Kernels
 */
export type CorrectKernel = KernelFamilies["correct_f32"];

/**
 * The parameters of a kernel that unpacks: its input, and the place of the result.
 * @category Kernels
 */
export type UnpackArguments = Parameters<KernelFamilies["lz4"]>;
