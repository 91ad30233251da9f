/**
 * A user function over views: an export of a module, or the function itself.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { checkOptionNames, defined, inWords, type OptionNames } from "../../options.ts";
import { callable, each, needed, text } from "../../options/rules.ts";
import { functionAt } from "../../runner/import_export.ts";
import { mustTravel } from "../../runner/travel.ts";
import { type DType, dtypeInfo, resultType } from "../../space/dtype.ts";
import { withHalo } from "../../space/halo.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { ValueRule } from "../../space/axes.ts";
import { meaningRule } from "../../space/meaning/rules.ts";
import { dtypeName } from "../../space/rules.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { calledFor } from "./called.ts";
import { functionArrays } from "./function_arrays.ts";
import {
  OF_USERS,
  type OperationEntry,
  orderOfArrays,
  type Radius,
  type ViewOperation,
} from "./operation.ts";
import { inputsRule, radiusRule } from "./rules.ts";

/**
 * Values that travel to workers with a function, by name.
 * @category Views
 */
export type FunctionParams = Readonly<Record<string, unknown>>;

/**
 * The argument of a function of views: the samples of a tile and of the halo around it. Do not write to them.
 * @category Views
 */
export interface FunctionView<
  I extends DType = "float32",
  P extends FunctionParams = FunctionParams,
  N extends string = never,
> extends NDArray<I> {
  /** The samples of joined arrays by name, see {@link ViewFunctionOptions.inputs}: the view itself is the first. */
  readonly arrays: Readonly<Record<N, NDArray<I>>>;
  /** Samples of halo before the tile, per dimension: position `p` of the tile is position `p + radius` here. */
  readonly radius: Shape;
  /** Samples of halo behind the tile, per dimension: the same as before it, unless `back` was given. */
  readonly back: Shape;
  /** Position in the whole array of the first sample of the tile. */
  readonly origin: Shape;
  /** {@link ViewFunctionOptions.params}. */
  readonly params: P;
}

/**
 * A function of one view. It writes the result of the tile to `out`: `out.shape` samples, row-major without gaps, zeros
 * before.
 * @category Views
 */
export type ViewFunction<
  I extends DType = "float32",
  D extends DType = "float32",
  P extends FunctionParams = FunctionParams,
  N extends string = never,
> = (view: FunctionView<I, P, N>, out: NDArray<D>) => void;

/**
 * Options of {@link viewFunction}.
 * @category Views
 */
export interface ViewFunctionOptions<
  I extends DType = DType,
  D extends DType = DType,
  P extends FunctionParams = FunctionParams,
  N extends string = string,
> {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /**
   * Samples of halo that it reads: one number for all dimensions, one per dimension, or `{ front, back }`. Default: the
   * radius of the views, or 0 if they have none.
   */
  readonly radius?: Radius;
  /** Type of the samples that it gets; data that would lose digits are refused. Default `float32`. */
  readonly input?: I;
  /** Type of its results. Default `float32`. */
  readonly dtype?: D;
  /** Passed to the function as `view.params`. */
  readonly params?: P;
  /** Names of the arrays that it takes, as {@link joinArrays} joins them. Default: one array. */
  readonly inputs?: readonly N[];
  /** What its results mean, see `ValueRule`: `same`, `sums`, or facts such as `{ kind: "amount", unit: "nm" }`. Default: what follows from their type. */
  readonly values?: ValueRule;
}

/** A function of views of unknown types. */
type AnyViewFunction = (view: FunctionView<DType>, out: NDArray) => unknown;

/** The part that travels to workers. */
interface FunctionUse {
  readonly module?: string;
  readonly export: string;
  readonly function?: AnyViewFunction;
  readonly radius?: Radius;
  readonly input: DType;
  readonly dtype: DType;
  readonly params: FunctionParams;
  readonly inputs?: readonly string[];
  readonly values?: ValueRule;
}

const parameters = each("an object of parameters by name", () => {});

// deno-fmt-ignore: written by `deno task build`
const FUNCTION_OPTIONS: OptionNames<ViewFunctionOptions> = {
  export: text, radius: radiusRule, input: dtypeName, dtype: dtypeName, params: parameters,
  inputs: inputsRule, values: meaningRule,
};

// deno-fmt-ignore: written by `deno task build`
const USE_NAMES: OptionNames<FunctionUse> = {
  ...FUNCTION_OPTIONS, module: text, export: needed(text), function: callable, input: needed(dtypeName),
  dtype: needed(dtypeName), params: needed(parameters),
};

/** What it is, and what for. */
const FUNCTION = ["function of views", "for views"] as const;

/** See {@link viewFunction}. */
export const VIEW_FUNCTION: OperationEntry<FunctionUse, "input" | "output"> = {
  name: "viewFunction",
  params: USE_NAMES,
  ...OF_USERS,
  result: (_, { dtype }) => dtype,
  values: (_, { values = "unknown" }) => values,
  async check({ params, dtype }) {
    await functionAt(params, ...FUNCTION);
    mustBeHeld(params.export, params.input, dtype);
  },
  scratch: ({ params: { input, dtype: result, inputs }, dtype, tile, halo }) => ({
    input: input === dtype ? 0 : bytesOf(withHalo(tile, halo), input) * (inputs?.length ?? 1),
    output: bytesOf(tile, result),
  }),
  async start({ params, dtype, radius, halo: { back }, name, kernels: { memory }, scratch, ...facts }) {
    const call = await functionAt(params, ...FUNCTION);
    const { inputs = [] } = params;
    const order = orderOfArrays(inputs, facts);
    const arrays = functionArrays({ memory, stored: dtype, ...params, scratch, order });
    const doing = { text: `function "${name}" of views`, details: { operation: name } };
    const callee = { who: `Function "${name}"`, doing };
    return (view, out, tile) => {
      const [given, made] = [arrays.of(view), arrays.room(out)];
      const named = Object.fromEntries(inputs.map((input, n) => [input, given[n]!]));
      const more = { radius, back, origin: tile.origin, params: params.params, arrays: named };
      clear(made);
      calledFor(callee, tile, () => mustWrite(call({ ...given[0]!, ...more }, made), made));
      arrays.deliver(made, out);
    };
  },
};

/** Sets all samples to zero, so that what a function leaves out is not what lay in the memory before. */
function clear({ data: { buffer, byteOffset, byteLength } }: NDArray): void {
  new Uint8Array(buffer, byteOffset, byteLength).fill(0);
}

/** Refuses samples that a function returns instead of writing them; gives all else that it returned. */
function mustWrite(given: unknown, { data }: NDArray): unknown {
  if (!ArrayBuffer.isView(given) && !Array.isArray(given) || given === data) return given;
  throw new Error(
    `it returned ${
      inWords(given)
    }, which is ignored; write to its second argument, as in out.data[i] = value`,
  );
}

/** Refuses samples that the type that code of users gets does not hold. */
export function mustBeHeld(name: string, input: DType, dtype: DType): void {
  const holds = resultType(dtype, input);
  if (holds === input) return;
  const text = `${name} gets samples of ${input}, which do not hold those of ${dtype}; ` +
    `use input: "${holds}"`;
  throw new TilewiseError("unsupported", text, { option: "input", expected: holds, found: dtype });
}

function bytesOf(shape: Shape, dtype: DType): number {
  return sizeOf(shape) * dtypeInfo(dtype).itemSize;
}

/**
 * An operation from your own function over views: an export of a module, which runs on workers, or the function itself,
 * which runs on the calling thread. The function gets a tile with its halo, and writes the result of the tile. The
 * options give its types: samples of `input`, results of `dtype`.
 *
 * @param source the address of a module, or the function itself
 * @param options radius, types, parameters, the name of the export
 * @returns the operation, for a chain, a plan or `mapViews`
 * @throws {TilewiseError} `udf`, with the place of the tile, if it throws or returns a promise; `unsupported` if `input`
 * cannot hold the samples
 *
 * @example The greatest difference to the next samples
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, viewFunction } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const steps = viewFunction(({ data }, out) => {
 *   for (const i of out.data.keys()) {
 *     const [left = 0, here = 0, right = 0] = data.subarray(i, i + 3); // one row, with one sample on both sides
 *     out.data[i] = Math.max(Math.abs(here - left), Math.abs(right - here));
 *   }
 * }, { radius: [0, 1], dtype: "float64" });
 * const image = await open(Uint8Array.of(3, 6, 9, 13), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, steps, { context });
 * assertEquals(data, Float64Array.of(3, 3, 4, 4));
 * ```
 * @category Views
 */
export function viewFunction<
  const I extends DType = "float32",
  const D extends DType = "float32",
  P extends FunctionParams = FunctionParams,
  const N extends string = never,
>(
  source: string | URL | ViewFunction<NoInfer<I>, NoInfer<D>, NoInfer<P>, NoInfer<N>>,
  options: ViewFunctionOptions<I, D, P, N> = {},
): ViewOperation<D> {
  checkOptionNames("viewFunction()", options, FUNCTION_OPTIONS);
  const { input = "float32", dtype = "float32", params = {}, radius, inputs, values } = options;
  const { export: name = "default" } = options;
  const optional = defined({ radius, inputs, values });
  const use = { export: name, input, dtype, params, ...optional };
  const operation = "viewFunction";
  if (typeof source === "function") {
    const shown = source.name || "viewFunction";
    return { operation, name: shown, here: true, params: { ...use, export: shown, function: source } };
  }
  const module = wholeUrl(source, "use the function");
  mustTravel(`Function "${name}" of views`, params);
  return { operation, name, modules: [module], params: { ...use, module } };
}
