/**
 * Entries of filters that are weighted sums: a product of weights, a sum of products, or the root of their squares.
 *
 * @module
 */

import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { defined, type OptionNames, type OptionRule } from "../../../options.ts";
import { oneOf } from "../../../options/rules.ts";
import { type DType, dtypeInfo, floatOf, typedArray } from "../../../space/dtype.ts";
import type { Shape } from "../../../space/shape.ts";
import type { OperationEntry, OperationFacts, OperationSetting, Radius } from "../operation.ts";
import {
  type Finish,
  type Float,
  type Separable,
  type SeparableScratch,
  separableScratch,
  separableWork,
} from "./separable.ts";
import type { Product } from "./weights.ts";

/**
 * Types of results of weighted sums.
 * @category Views
 */
export type ResultType =
  | "float32"
  | "float64"
  | "uint8"
  | "int8"
  | "uint16"
  | "int16"
  | "uint32"
  | "int32";

/** The rule for {@link ResultType}. */
export const resultRule: OptionRule<ResultType> = oneOf(
  "float32",
  "float64",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
);

/** The type that filters of weighted sums have by default, and the one that was asked for. */
interface HasResultType {
  readonly dtype?: ResultType;
}

/** What is made of products; undefined: there is only one. */
type Join = "sum" | "root of squares" | undefined;

/** What a filter declares. */
interface SeparableFilter<P extends HasResultType> {
  /** Its name. */
  readonly name: string;
  /** A rule for each parameter. */
  readonly params: OptionNames<P>;
  /** Samples of halo. */
  readonly radius: (params: P) => Radius;
  /** Its products; `radius` is that of the filter, per dimension. */
  readonly products: (params: P, radius: Shape) => readonly Product[];
  /** What is made of several products. */
  readonly join?: (params: P) => Join;
  /** Whether sums of integers of up to 16 bits are as good in f32 as in f64. */
  readonly isSingle: (params: P, dtype: DType) => boolean;
  /** Refuses uses that it does not support. */
  readonly check?: (facts: OperationFacts<P>) => void;
}

/** Names of scratch memory: that of the sums; the weights of a sum of products; joined sums of another type. */
export type FilterScratch = SeparableScratch | "ones" | "joined";

/** The entry of a filter of weighted sums. */
export function separableEntry<P extends HasResultType>(
  filter: SeparableFilter<P>,
): OperationEntry<P, FilterScratch> {
  const { name, params, radius, products, isSingle, check } = filter;
  const joinOf = filter.join ?? (() => undefined);
  const separable = (facts: OperationFacts<P>): Separable => {
    const terms = products(facts.params, facts.radius).map((product) => ({ product }));
    const float = sumType(facts, isSingle(facts.params, facts.dtype));
    return { ...facts, terms, float, finished: joinOf(facts.params) !== undefined || float !== facts.result };
  };
  return {
    name,
    params,
    kernels: ["weigh_f64"],
    calls: ["convert_f32"],
    usualRadius: 1,
    radius,
    result: (dtype, { dtype: result }) => result ?? floatOf(dtype),
    values: () => "sums",
    ...defined({ check }),
    scratch: (facts) => {
      const what = separable(facts);
      const join = joinOf(facts.params);
      const { itemSize } = dtypeInfo(what.float);
      return {
        ...separableScratch(what),
        ones: join === "sum" ? itemSize * what.terms.length : 0,
        joined: join !== undefined && what.float !== facts.result ? itemSize * facts.tile.at(-1)! : 0,
      };
    },
    start: (setting) => {
      const what = separable(setting);
      const finish = what.finished ? finishOf(setting, what, joinOf(setting.params)) : undefined;
      return separableWork(what, setting.kernels, setting.scratch, finish);
    },
  };
}

/** The type of sums: f32 only for small integers, and only if f64 would not be better. */
export function sumType({ dtype, result }: OperationFacts<object>, isSingle: boolean): Float {
  return isSingle && result !== "float64" && isSmall(dtype) ? "float32" : "float64";
}

function isSmall(dtype: DType): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind !== "f" && itemSize <= 2;
}

/** Whether samples have no sign: weights without signs do not cancel each other then. */
export function isUnsigned(dtype: DType): boolean {
  return ["u", "b"].includes(dtypeInfo(dtype).kind);
}

/** One row of results from one row of sums of each product. */
type RowWork = (out: number, sums: number, n: number) => void;

/** Joins products, and converts them to the type of the result. */
function finishOf<P extends object>(
  setting: OperationSetting<P, FilterScratch>,
  { float, terms }: Separable,
  join: Join,
): Finish {
  const { kernels, result, scratch } = setting;
  const root: KernelFamilies["root_of_squares"] = kernel(kernels, "root_of_squares", float);
  const weigh: KernelFamilies["weigh_f64"] = kernel(
    kernels,
    float === "float32" ? "weigh_f32" : "weigh_f64",
    float,
  );
  const ones = join === "sum" ? scratch.at("ones") : undefined;
  if (ones !== undefined) typedArray(float, kernels.memory.buffer, ones, terms.length).fill(1);
  const deliver: RowWork | undefined = float === result ? undefined : castOf(setting, float);
  const joined = join && deliver ? scratch.at("joined") : undefined;
  return (sums, out, _, rows, n) => {
    for (let y = 0; y < rows; y++) {
      const [from, to] = [sums.pointer + y * sums.rowStride, out.pointer + y * out.rowStride];
      const between = joined ?? to;
      if (ones !== undefined) weigh(between, 0, from, 0, 1, n, sums.termStride, ones, terms.length, 0);
      else if (join) root(between, from, n, sums.termStride, terms.length);
      deliver?.(to, joined ?? from, n);
    }
  };
}

/** The kernel that makes results of sums of another type. */
export function castOf<P extends object, S extends string>(
  { kernels, result }: OperationSetting<P, S>,
  float: Float,
): RowWork {
  if (result === "float32") return kernel(kernels, "convert_f32", float);
  return kernel(kernels, float === "float32" ? "round_f32" : "round_f64", result);
}
