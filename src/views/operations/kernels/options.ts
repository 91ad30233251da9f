/**
 * The options of kernels over views.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { inWords, type OptionNames, type OptionRule } from "../../../options.ts";
import { each, either, inner, must, needed, number, oneOf, text, whole } from "../../../options/rules.ts";
import { type DType, DTYPES, type TypedArray } from "../../../space/dtype.ts";
import type { ValueRule } from "../../../space/axes.ts";
import { meaningRule } from "../../../space/meaning/rules.ts";
import { dtypeName } from "../../../space/rules.ts";
import type { CompiledKernel } from "../../../user_kernels/compile.ts";
import { typeName } from "../../../user_kernels/prelude.ts";
import type { GivenSource } from "../../../user_kernels/source.ts";
import type { Radius } from "../operation.ts";
import { inputsRule, radiusRule } from "../rules.ts";

/**
 * How a kernel over views is called: once for every plane of the last two dimensions of a tile, or once per tile.
 * @category Views
 */
export type ViewKernelCall = "plane" | "tile";

/**
 * An array for intermediate values of a kernel over views, one per worker. It is not cleared between calls, so a kernel
 * must fill it before it reads it.
 * @category Views
 */
export interface ViewScratch {
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Its length, independent of the tile. Whole, at least 0. Default 0. */
  readonly length?: number;
  /** Additional length per sample of a view, with its halo. Whole, at least 0. Default 0. */
  readonly perSample?: number;
}

/**
 * Options of {@link viewKernel}. The source exports one of these functions, with an address (`usize`) for each array and
 * scratch array, and an `f64` for each parameter, in the order in which they are declared:
 *
 * ```
 * plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32, …arrays, …scratch, …params): void
 * tile(view: View, out: usize, …arrays, …scratch, …params): void
 * ```
 *
 * With `inputs` there is one `data`, or one `view`, for each of them.
 * @category Views
 */
export interface ViewKernelOptions<D extends DType | "native" = DType | "native"> {
  /** Its name in messages. Default: the name of the file. */
  readonly name?: string;
  /** The source. */
  readonly source?: string;
  /** A path or URL of the source. Give either `source` or `file`. */
  readonly file?: string | URL;
  /** The function to call. Default: the one that the source exports. */
  readonly export?: ViewKernelCall;
  /**
   * Samples of halo that it reads: one number for all dimensions, one per dimension, or `{ front, back }`. Default: the
   * radius of the views, or 0 if they have none.
   */
  readonly radius?: Radius;
  /**
   * Type of the samples that it gets; data that would lose digits are refused. Default `native`, those of the array, if
   * the source imports `Sample`, else `float32`.
   */
  readonly input?: DType | "native";
  /** Type of its results, which the source may import as `Result`; `native`: that of the array. Default `float32`. */
  readonly dtype?: D;
  /** Arrays that the kernel reads, such as weights. */
  readonly arrays?: Readonly<Record<string, TypedArray>>;
  /** Arrays for intermediate values. */
  readonly scratch?: Readonly<Record<string, ViewScratch>>;
  /** Numbers that are the last arguments of the kernel. */
  readonly params?: Readonly<Record<string, number>>;
  /** Names of the arrays that it takes, as {@link joinArrays} joins them: it gets an address or a `View` for each. */
  readonly inputs?: readonly string[];
  /** What its results mean, see `ValueRule`: `same`, `sums`, or facts such as `{ kind: "amount", unit: "nm" }`. Default: what follows from their type. */
  readonly values?: ValueRule;
}

/** A kernel that was compiled for one type of samples. */
export interface ReadyKernel {
  /** The module. */
  readonly kernel: CompiledKernel;
  /** The export to call. */
  readonly call: ViewKernelCall;
  /** Type of the samples that it gets. */
  readonly input: DType;
}

/** The part that travels to workers. */
export interface KernelUse {
  /** Samples of halo that it reads. */
  readonly radius?: Radius;
  /** Type of its results. */
  readonly dtype: DType | "native";
  /** Arrays that it reads. */
  readonly arrays: Readonly<Record<string, TypedArray>>;
  /** Arrays for intermediate values. */
  readonly scratch: Readonly<Record<string, ViewScratch>>;
  /** Its parameters. */
  readonly params: Readonly<Record<string, number>>;
  /** Names of the arrays that it takes. */
  readonly inputs?: readonly string[];
  /** What its results mean. */
  readonly values?: ValueRule;
  /** The compiled kernel; absent before a run is planned. */
  readonly ready?: ReadyKernel;
}

// deno-fmt-ignore: written by `deno task build`
const SCRATCH_NAMES: OptionNames<ViewScratch> = {
  dtype: needed(dtypeName), length: whole(0), perSample: whole(0),
};

/** Types of samples, or those of the array. */
const typeRule = either("a type of samples, or native", oneOf("native"), dtypeName);

/** Types of results: those that AssemblyScript has. */
const resultRule: OptionRule<DType | "native"> = (call, option, value) => {
  typeRule(call, option, value);
  const dtype = DTYPES.find((one) => one === value);
  if (dtype === undefined || typeName(dtype) !== undefined) return;
  const takes = DTYPES.filter((one) => typeName(one) !== undefined).join(", ");
  const words = `${call}: a kernel cannot make ${
    inWords(value)
  }: AssemblyScript has no such type; there are ${takes}`;
  throw new TilewiseError("invalid", words, { option, expected: takes, found: String(value) });
};

const arraysRule = each(
  "an object of typed arrays by name",
  must<TypedArray>("a typed array", ArrayBuffer.isView),
);
const scratchRule = each("an object of scratch arrays by name", inner(SCRATCH_NAMES));
const numbers = each("an object of numbers by name", number);

// deno-fmt-ignore: written by `deno task build`
const SHARED: OptionNames<Omit<ViewKernelOptions, keyof GivenSource | "export" | "input">> = {
  radius: radiusRule, dtype: resultRule, arrays: arraysRule, scratch: scratchRule, params: numbers,
  inputs: inputsRule, values: meaningRule,
};

/** The names of the options of kernels over views. */
// deno-fmt-ignore: written by `deno task build`
export const KERNEL_OPTIONS: OptionNames<ViewKernelOptions> = {
  ...SHARED, name: text, source: text, file: true, export: oneOf("plane", "tile"), input: typeRule,
};

/** The names of what travels. */
// deno-fmt-ignore: written by `deno task build`
export const USE_NAMES: OptionNames<KernelUse> = {
  ...SHARED, dtype: needed(resultRule), arrays: needed(arraysRule), scratch: needed(scratchRule),
  params: needed(numbers), ready: true,
};
