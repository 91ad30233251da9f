/**
 * References to UDFs: module, export and parameters, which are enough to make the UDF on a worker.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { checkOptionNames, inWords, isThenable, type OptionNames } from "../../options.ts";
import { each, text } from "../../options/rules.ts";
import { mustTravel } from "../../runner/travel.ts";
import { type DType, type TypedArray, zeros } from "../../space/dtype.ts";
import { type AuxSpec, isAuxData } from "./aux_data.ts";
import type { BufferTypes, DTypeWish, ResultTypesOf } from "./buffer_types.ts";
import type { DeclaredUdf } from "./define_udf.ts";
import type { Derivation } from "./derivation.ts";
import type { BufferSpecs, DataMeta, Udf } from "./udf.ts";

// Checks that parameters can travel to workers, before anything is sent.

/** Refuses parameters that cannot be sent to a worker unchanged; the error names the path of the first one. */
export function checkParams(udf: string, params: Readonly<Record<string, unknown>>): void {
  mustTravel(`UDF "${udf}"`, params, { udf });
}

/**
 * Values that travel to workers as parameters.
 * @category User-defined functions
 */
export type ParamValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | bigint
  | TypedArray
  | AuxSpec
  | readonly ParamValue[]
  | {
    /** A value by its name. */
    readonly [key: string]: ParamValue;
  };

/**
 * The parameters of a UDF.
 * @category User-defined functions
 */
export type Params = Readonly<Record<string, ParamValue>>;

/** Parameters as they travel to workers: without the numbers of {@link auxData}, which lie in shared memory. */
export function travelling(params: Params): Params {
  const light = ([key, value]: [string, ParamValue]): [string, ParamValue] => {
    if (typeof value !== "object" || value === null || !isAuxData(value)) return [key, value];
    return [key, { ...value, data: zeros(value.dtype, 0) }];
  };
  return Object.fromEntries(Object.entries(params).map(light));
}

/** Stands for the module of the UDFs that come with Tilewise. */
export const BUILTIN = "tilewise:builtin";

/**
 * A UDF by reference.
 * @category User-defined functions
 */
export interface UdfRef<R extends BufferTypes = BufferTypes> {
  /** What it is called in messages. */
  readonly name: string;
  /** URL of the module that exports it, or {@link BUILTIN}. */
  readonly module: string;
  /** The export: a {@link Udf}, or a function that makes one from the parameters. */
  readonly export: string;
  /** The parameters. */
  readonly params: Params;
  /** The UDF itself, when it is not in a module: it runs on the calling thread only. */
  readonly inline?: Udf;
  /** The dtypes of its results, used by the compiler only: it is never set. */
  readonly resultTypes?: R;
  /**
   * Work to do before the reference can travel, such as compiling; the planner calls it and uses the reference it
   * returns.
   */
  readonly prepare?: (data: DataMeta) => Promise<UdfRef>;
  /**
   * The derivations of its results, see {@link derive}, in the order in which they are applied. They stay on the side
   * that collects results.
   */
  readonly derived?: readonly Derivation[];
}

/** Whether this UDF runs user code: a kernel, or JavaScript. */
export function runsUserCode(ref: UdfRef): boolean {
  return runsUserScript(ref) || ref.export === "kernel" || ref.export === "family";
}

/** Whether this UDF runs JavaScript of the user, which needs a heap. */
export function runsUserScript({ module, export: name, params }: UdfRef): boolean {
  const hasModule = (value: unknown) =>
    (value as { module?: unknown } | null | undefined)?.module !== undefined;
  return module !== BUILTIN || name === "map_frames" || Object.values(params).flat().some(hasModule);
}

/** URLs of the user modules that workers import for a UDF: its own, and those that its parameters name. */
export function modulesOf({ module, params }: UdfRef): string[] {
  const named = Object.values(params).flat().map((value) =>
    (value as { module?: unknown } | null | undefined)?.module
  );
  return [module, params.module, ...named].filter((url): url is string =>
    typeof url === "string" && url !== "" && url !== BUILTIN
  );
}

/** Paths of files that a UDF writes on workers. */
export function filesOf({ module, export: name, params }: UdfRef): string[] {
  return module === BUILTIN && name === "record_frames" ? [String(params.part)] : [];
}

/**
 * `unknown` for a UDF whose type names its buffers, else `never`: with any names allowed, a misspelt name would go
 * unnoticed.
 * @category User-defined functions
 */
export type Named<B extends BufferTypes> = string extends keyof B ? never : unknown;

/**
 * The dtypes of the results of a reference to a UDF, or of a UDF.
 * @category User-defined functions
 */
export type UdfTypes<U> = "resultTypes" extends keyof U ? Extract<U["resultTypes" & keyof U], BufferTypes>
  : U extends Udf<infer B> ? B
  : BufferTypes;

/**
 * The dtypes of the results of the UDF that a module exports, from the type of the export: a UDF, a reference to a UDF,
 * or a function that makes a UDF. If the type is already a record of dtypes, it is used unchanged.
 * @category User-defined functions
 */
export type ExportTypes<E> = E extends BufferTypes ? E
  : E extends (params: never) => infer Made ? UdfTypes<Awaited<Made>>
  : UdfTypes<E>;

/**
 * Options of {@link udf}.
 * @category User-defined functions
 */
export interface UdfOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Given to the export when it is a function. */
  readonly params?: Params;
}

// deno-fmt-ignore: written by `deno task build`
const UDF_OPTIONS: OptionNames<UdfOptions> = {
  export: text, params: each("an object of parameters by name", () => {}),
};

/**
 * Refers to a UDF of your own: by the URL of its module, so that workers can import it, or by the UDF itself, which
 * then runs on the calling thread.
 *
 * @param source the address of a module, as `import.meta.resolve` gives it, or the UDF itself
 * @param options parameters, and the name of the export
 * @returns what plans take for the UDF, with the types of its results
 * @throws {TilewiseError} `udf` for parameters that cannot travel to workers, with the path of the first one, and for a path
 * instead of a whole URL: use `import.meta.resolve`
 *
 * @example In a module of its own
 * ```ts
 * import { udf } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const ref = udf(import.meta.resolve("./my_udf.ts"), { params: { threshold: 3 } });
 * assertEquals(ref.export, "default");
 * ```
 *
 * With `import type mine from "./my_udf.ts"`, `udf<typeof mine>(…)` gives results the types that {@link defineUdf} has
 * inferred there; the module itself is loaded where it runs.
 * @category User-defined functions
 */
export function udf<
  const S extends BufferSpecs,
  const C extends Readonly<Record<string, TypedArray>>,
  const W extends Readonly<Record<string, DType>>,
  const A extends Readonly<Record<string, AuxSpec>>,
  T,
  I extends DTypeWish = "float32",
>(source: DeclaredUdf<S, C, W, A, T, I>, options?: UdfOptions): UdfRef<ResultTypesOf<S>>;
/** Refers to a UDF that is given as an object. */
export function udf<B extends BufferTypes>(source: Udf<B> & Named<B>, options?: UdfOptions): UdfRef<B>;
/** Refers to the UDF that a module exports; the type of the export gives the types of its results. */
export function udf<E = BufferTypes>(source: string | URL, options?: UdfOptions): UdfRef<ExportTypes<E>>;
export function udf(source: string | URL | object, options: UdfOptions = {}): UdfRef {
  checkOptionNames("udf()", options, UDF_OPTIONS);
  const { export: name = "default", params = {} } = options;
  if (typeof source === "string" || source instanceof URL) {
    const module = wholeUrl(source, "load the UDF");
    checkParams(name === "default" ? baseName(module) : name, params);
    return { name: name === "default" ? baseName(module) : name, module, export: name, params };
  }
  const odd = typeof source !== "object" || source === null || isRef(source) || isThenable(source);
  if (odd) throw noUdf(source);
  const inline = source as Udf;
  return { name: inline.name, module: "", export: "", params: {}, inline };
}

/** The error for an argument that {@link udf} does not accept. */
function noUdf(source: unknown): TilewiseError {
  const why = typeof source === "function"
    ? "a function; call it to make the UDF, or export it from a module and give the URL of that"
    : isRef(source)
    ? "a UDF by reference already; use it as it is"
    : `${inWords(source)}; give a UDF, or the URL of the module that exports one`;
  return new TilewiseError("udf", `Cannot make a UDF: udf() was given ${why}`, { found: inWords(source) });
}

/**
 * A reference to a UDF that comes with Tilewise. Its options are its parameters; they are checked here to be able to
 * travel.
 */
export function builtin<R extends BufferTypes>(name: string, options: object = {}): UdfRef<R> {
  const params = options as Params; // an interface of options has no index signature, so the compiler cannot see it
  checkParams(name, params);
  return { name, module: BUILTIN, export: name, params };
}

/** Whether a value is a reference to a UDF. */
export function isRef(value: unknown): value is UdfRef {
  const { module, export: name, params } = (value ?? {}) as Partial<UdfRef>;
  return typeof module === "string" && typeof name === "string" && typeof params === "object";
}

function baseName(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/^.*\//, "").replace(/\.[jt]sx?$/, "") || "udf";
}
