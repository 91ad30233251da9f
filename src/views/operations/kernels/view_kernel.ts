/**
 * Kernels of users over views: AssemblyScript, compiled when a run is planned.
 *
 * @module
 */

import { checkOptionNames, defined } from "../../../options.ts";
import type { DType } from "../../../space/dtype.ts";
import { compileKernel } from "../../../user_kernels/compile.ts";
import { callOf, type Convention } from "../../../user_kernels/signature.ts";
import { checkSource, generic, nameOf, sampleDType, sourceOf } from "../../../user_kernels/source.ts";
import type { ViewOperation } from "../operation.ts";
import {
  KERNEL_OPTIONS,
  type KernelUse,
  type ReadyKernel,
  type ViewKernelCall,
  type ViewKernelOptions,
} from "./options.ts";

/**
 * An operation that is a kernel over views, in AssemblyScript. It is compiled when a run with it is planned, cached by its
 * content, and runs in each worker on the memory of the run. The address `data` is that of the first sample of the tile;
 * its neighbours lie around it, in rows at a distance of `stride` bytes. Results have no gaps.
 *
 * Errors, when a run is planned: `udf` with file, line and column (the source does not compile), or with the expected
 * and the found signature. During the run: `udf` with kernel, tile and line (it traps, or writes outside of its result),
 * `timeout` (it never ends).
 *
 * @example The difference to the sample above, at least a number
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { viewKernel } from "@tilewise/tilewise/unstable/views";
 * import { mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const rise = viewKernel({
 *   source: `
 *     import { Sample } from "tilewise";
 *     export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32, least: f64): void {
 *       for (let y = 0; y < rows; y++) {
 *         for (let x = 0; x < cols; x++, out += 4) {
 *           const at = data + y * stride + x * sizeof<Sample>();
 *           store<f32>(out, <f32>max(<f64>load<Sample>(at) - <f64>load<Sample>(at - stride), least));
 *         }
 *       }
 *     }`,
 *   radius: [1, 0],
 *   params: { least: 1 },
 * });
 * const image = await open({ data: Uint8Array.of(3, 6, 9, 6, 8, 8), shape: [3, 2] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, rise, { context })).data, Float32Array.of(1, 1, 6, 1, 1, 2));
 * ```
 * @category Views
 */
export function viewKernel<const D extends DType | "native" = "float32">(
  options: ViewKernelOptions<D>,
): ViewOperation<D extends DType ? D : DType> {
  checkOptionNames("viewKernel()", options, KERNEL_OPTIONS);
  const name = nameOf(options);
  checkSource(`Cannot make an operation of kernel "${name}"`, name, options, options.params);
  const { radius, dtype = "float32", arrays = {}, scratch = {}, params = {}, inputs, values } = options;
  const optional = defined({ radius, inputs, values });
  const use: KernelUse = { dtype, arrays, scratch, params, ...optional };
  const operation = { name, operation: "viewKernel", params: use };
  const prepare = async (stored: DType) => {
    return { ...operation, params: { ...use, ready: await readyFor(options, stored) } };
  };
  return { ...operation, prepare };
}

/** Compiles for samples of `stored`, and checks the module. */
async function readyFor(options: ViewKernelOptions, stored: DType): Promise<ReadyKernel> {
  const source = await sourceOf(options);
  const input = sampleDType(source, options.input, stored);
  const { dtype = "float32" } = options;
  const types = { ...generic(source, input), result: dtype === "native" ? stored : dtype };
  const kernel = await compileKernel({ ...source, ...types });
  const call = callOf(kernel, source.name, conventionOf(options), options.export);
  return { kernel, call, input };
}

/** What kernels over views are called with. */
function conventionOf(
  { arrays = {}, scratch = {}, params = {}, inputs = [] }: ViewKernelOptions,
): Convention<ViewKernelCall> {
  const of = (name: string, type: string) =>
    (inputs.length > 0 ? inputs : [name]).map((one) => `${one}: ${type}`);
  return {
    calls: {
      plane: [...of("data", "usize"), "stride: usize", "out: usize", "rows: i32", "cols: i32"],
      tile: [...of("view", "View"), "out: usize"],
    },
    addresses: [arrays, scratch].flatMap((group) => Object.keys(group)),
    numbers: Object.keys(params),
  };
}
