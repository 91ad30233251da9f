/**
 * Kernels as UDFs: AssemblyScript of the user, compiled when a run is planned, or a kernel that comes with Tilewise.
 *
 * @module
 */

import type { ImportRow } from "../../channels/files/import_table.ts";
import { channelLibrary, type LibraryPart } from "../../channels/files/library_text.ts";
import { LAUNCH_PARTS } from "../../channels/launch/library.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import {
  callable,
  each,
  either,
  inner,
  list,
  needed,
  number,
  oneOf,
  text,
  truth,
} from "../../options/rules.ts";
import type { DType, TypedArray } from "../../space/dtype.ts";
import { entryAxesRule, meaningRule } from "../../space/meaning/rules.ts";
import { dtypeName, shapeFrom } from "../../space/rules.ts";
import type { Source } from "../../user_kernels/asc.ts";
import { type CompiledKernel, compileKernel } from "../../user_kernels/compile.ts";
import { callOf, type Convention } from "../../user_kernels/signature.ts";
import { generic, nameOf, sampleDType, sourceOf, sourceProblem } from "../../user_kernels/source.ts";
import type { ResultTypesOf } from "../interface/buffer_types.ts";
import { NUMBER_RULES } from "../../space/numbers.ts";
import { ruleProblem } from "../interface/buffer_plan.ts";
import type { DataMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import type { KernelSpec } from "./compiled.ts";
import type {
  BuiltinKernel,
  FamilyTypes,
  KernelBuffer,
  KernelBuffers,
  KernelCall,
  KernelParams,
  KernelRef,
  KernelScratch,
  MergeName,
  SourceKernel,
} from "./options.ts";

// The names of the options of kernels, with the rules for their values.

// deno-fmt-ignore: written by `deno task build`
const BUFFER_NAMES: OptionNames<KernelBuffer> = {
  kind: needed(oneOf("nav", "sig", "single")), extraShape: shapeFrom(0, "[2]"), compressed: truth,
  values: meaningRule, axes: entryAxesRule, dtype: true, use: oneOf("private"), merge: true,
};

// deno-fmt-ignore: written by `deno task build`
const SCRATCH_NAMES: OptionNames<KernelScratch> = {
  dtype: needed(dtypeName), length: number, perPixel: number,
};

/** The names of the options of a kernel in AssemblyScript. */
// deno-fmt-ignore: written by `deno task build`
const SOURCE_OPTIONS: OptionNames<SourceKernel> = {
  name: text, source: text, file: true, export: oneOf("frame", "tile"), input: text,
  buffers: needed(each("an object of buffers by name", inner(BUFFER_NAMES))),
  arrays: each("an object of typed arrays by name", list),
  scratch: each("an object of scratch arrays by name", inner(SCRATCH_NAMES)), params: true, merge: true,
  twin: either("a function, or the name of an export", callable, text),
};

/** The names of the options of a kernel that comes with Tilewise. */
// deno-fmt-ignore: written by `deno task build`
const BUILTIN_OPTIONS: OptionNames<BuiltinKernel> = {
  kernel: needed(oneOf("sum_pixels", "sum_frames", "min_max")), name: text,
};

/** The name of the only import of this part. */
const FRAME_POSITION = "frame_position";

const FRAME_LIBRARY: LibraryPart = {
  imports: { [FRAME_POSITION]: ["frame: i32", "f64"] satisfies ImportRow },
  text: `
/** The flat scan position of frame \`frame\` of this call; a \`frame\` kernel has frame 0 alone. */
@inline export function framePosition(frame: i32 = 0): f64 { return frame_position(frame); }
`,
};

/** The library of channels for UDFs. */
const UDF_LIBRARY = channelLibrary([...LAUNCH_PARTS, FRAME_LIBRARY]);

/**
 * A UDF that is a kernel. AssemblyScript is compiled when a run with it is planned, cached by its content, and
 * instantiated in each worker on the memory of the run. A kernel that comes with Tilewise is given by name.
 *
 * Errors, when a run is planned: `udf` with file, line and column (the source does not compile), or with the expected
 * and the found signature. During the run: `udf` with kernel, partition and line (it traps), `timeout` (it never ends).
 *
 * @example The sum of the samples above a threshold
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { kernelUdf } from "@tilewise/tilewise/unstable/udf";
 * import { assertEquals } from "@std/assert";
 * const bright = kernelUdf({
 *   source: `
 *     import { Sample } from "tilewise";
 *     export function frame(data: usize, rows: i32, cols: i32, sum: usize, least: f64): void {
 *       let total = 0.0;
 *       for (let i = 0; i < rows * cols; i++) {
 *         const value = <f64>load<Sample>(data + i * sizeof<Sample>());
 *         if (value >= least) total += value;
 *       }
 *       store<f64>(sum, total);
 *     }`,
 *   buffers: { sum: { kind: "nav", dtype: "float64" } },
 *   params: { least: 3 },
 * });
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const results = await run(await plan(scan, { bright }));
 * assertEquals([...results.bright.sum.data], [0, 7]);
 * ```
 * @category Kernels of your own
 */
export function kernelUdf<
  const S extends KernelBuffers,
  A extends Readonly<Record<string, TypedArray>> = Readonly<Record<string, TypedArray>>,
  N extends KernelParams = KernelParams,
>(
  options: SourceKernel<S, A, N>,
): KernelRef<ResultTypesOf<S>>;
/** A UDF from a kernel that comes with Tilewise, by the name of its family. */
export function kernelUdf<K extends BuiltinKernel["kernel"]>(
  options: BuiltinKernel & {
    /** The family. */
    readonly kernel: K;
  },
): UdfRef<FamilyTypes[K]>;
/** A UDF from a kernel of either kind. */
export function kernelUdf(options: SourceKernel | BuiltinKernel): UdfRef;
export function kernelUdf(options: SourceKernel | BuiltinKernel): UdfRef {
  checkNamesOf(options);
  if ("kernel" in options) {
    const { kernel, name = kernel } = options;
    return { ...builtin("family", { kernel, name }), name };
  }
  checkOptions(options);
  const name = nameOf(options);
  const prepare = async (data: DataMeta) => {
    return { ...builtin("kernel", await prepareKernel(options, data)), name };
  };
  const ref: KernelRef = { name, module: "", export: "", params: {}, prepare, kernel: options };
  return ref;
}

function checkNamesOf(options: SourceKernel | BuiltinKernel): void {
  const isNamed = typeof options === "object" && options !== null && "kernel" in options;
  if (isNamed) checkOptionNames("kernelUdf()", options, BUILTIN_OPTIONS);
  else checkOptionNames("kernelUdf()", options, SOURCE_OPTIONS);
}

function checkOptions(options: SourceKernel): void {
  const { buffers } = options;
  const name = nameOf(options);
  const fail = (text: string) => {
    throw new TilewiseError("udf", `Cannot make a UDF of kernel "${name}": ${text}`, { kernel: name });
  };
  const wrong = sourceProblem(options, options.params);
  if (wrong !== undefined) fail(wrong);
  if (Object.keys(buffers ?? {}).length === 0) fail("it has no buffers; declare at least one");
  const named = typeof options.merge === "object" ? Object.keys(options.merge) : [];
  const of = (buffer: string) => ruleOption(options, buffer);
  const odd = named.find((buffer) => (buffers[buffer]?.kind ?? "nav") === "nav");
  if (odd !== undefined) fail(`merge names "${odd}", which is not a sig or single buffer`);
  const twice = named.find((buffer) => (buffers[buffer]?.merge ?? of(buffer)) !== of(buffer));
  if (twice !== undefined) fail(`its buffer "${twice}" declares another merge than the option merge`);
  for (const [buffer, { kind, dtype = "float32", merge }] of Object.entries(ruledBuffers(options))) {
    if (dtype as string === "object") fail(`its buffer "${buffer}" holds objects; a kernel writes numbers`);
    if (merge && !NUMBER_RULES.includes(merge)) {
      fail(`merge "${merge}" of "${buffer}" is none of ${NUMBER_RULES.join(", ")}`);
    }
    const problem = merge && ruleProblem(merge, dtype);
    if (problem) fail(`its buffer "${buffer}" ${problem}`);
    if (kind !== "nav" && !merge) fail(`its ${kind} buffer "${buffer}" needs merge: "sum", "min" or "max"`);
  }
}

/** The buffers, each with its rule of merging: `sig` and `single` buffers may get it from the option `merge`. */
function ruledBuffers(options: SourceKernel): Record<string, KernelBuffer> {
  return Object.fromEntries(
    Object.entries(options.buffers).map(([name, buffer]) => {
      const rule = buffer.merge ?? (buffer.kind === "nav" ? undefined : ruleOption(options, name));
      return [name, rule === undefined ? buffer : { ...buffer, merge: rule }];
    }),
  );
}

function ruleOption({ merge }: SourceKernel, buffer: string): MergeName | undefined {
  return typeof merge === "string" ? merge : merge?.[buffer];
}

/** Compiles for the type of the samples, and checks the module. */
async function prepareKernel(options: SourceKernel, data: DataMeta): Promise<KernelSpec> {
  const source = await sourceOf(options);
  const dtype = sampleDType(source, options.input, data.nativeDType);
  const library = callsHost(source) ? { library: UDF_LIBRARY } : {};
  return specOf(options, await compileKernel({ ...source, ...generic(source, dtype), ...library }), dtype);
}

/** Whether a kernel uses the channels of its run. */
export function callsHost({ text }: Pick<Source, "text">): boolean {
  return /\bfrom\s*["']tilewise\/channels["']/.test(text);
}

/** The data of a compiled kernel for workers. */
export function specOf(options: SourceKernel, kernel: CompiledKernel, input: DType): KernelSpec {
  const name = nameOf(options);
  const { arrays = {}, scratch = {}, params = {} } = options;
  return {
    name,
    kernel,
    call: callOf(kernel, name, conventionOf(options), options.export),
    input,
    buffers: ruledBuffers(options),
    arrays,
    scratch,
    params: Object.values(params),
  };
}

/** What kernels over frames are called with. */
export function conventionOf(
  { buffers, arrays = {}, scratch = {}, params = {} }: SourceKernel,
): Convention<KernelCall> {
  return {
    calls: {
      frame: ["data: usize", "rows: i32", "cols: i32"],
      tile: ["data: usize", "frames: i32", "frameStride: usize", "rows: i32", "cols: i32"],
    },
    addresses: [buffers, arrays, scratch].flatMap((group) => Object.keys(group)),
    numbers: Object.keys(params),
  };
}
