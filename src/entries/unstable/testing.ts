/**
 * Tests for your own kernels.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example A kernel, and the same in TypeScript
 * ```ts
 * import { kernelUdf } from "@tilewise/tilewise/unstable/udf";
 * import { checkKernel } from "@tilewise/tilewise/unstable/testing";
 * import { asNumbers } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 *
 * const ref = kernelUdf({
 *   source: `
 *     export function frame(data: usize, rows: i32, cols: i32, first: usize): void {
 *       store<f32>(first, load<f32>(data));
 *     }`,
 *   buffers: { first: { kind: "nav" } },
 *   twin({ data, buffers }) {
 *     buffers.first.set(asNumbers(data).subarray(0, 1));
 *   },
 * });
 * assertEquals(await checkKernel(ref, { runs: 20 }), { runs: 20, dtypes: ["float32"], twin: "function" });
 * ```
 *
 * @module
 */

export {
  checkKernel,
  type KernelCheck,
  type KernelCheckOptions,
} from "../../udf/testing/kernels/check_kernel.ts";
export {
  checkViewKernel,
  type ViewKernelCheck,
  type ViewKernelCheckOptions,
} from "../../udf/testing/kernels/check_view_kernel.ts";
