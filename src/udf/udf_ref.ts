/**
 * References to UDFs: module, export and parameters, which is all that has to travel to a worker.
 *
 * @module
 */

import { during } from "../activity.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import { wholeUrl } from "../executor/module_url.ts";
import { deniedError, isDenied } from "../io/permission.ts";
import { checkOptionNames, inWords, isThenable, type OptionNames } from "../options.ts";
import { each, text } from "../options/rules.ts";
import { reasonOf } from "../reason.ts";
import { BUILTINS } from "./builtin/index.ts";
import type { Derivation } from "./derive.ts";
import { activityOf, noted } from "./hooks.ts";
import { checkMembers } from "./members.ts";
import { checkParams } from "./params.ts";
import type { DataMeta, Params, Udf } from "./udf.ts";

/** Names the module of the UDFs that come with Tilewise. */
export const BUILTIN = "tilewise:builtin";

/** A UDF by reference. */
export interface UdfRef {
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
  /** What has to be done before it can travel, such as compiling; the planner calls it and uses what it gives. */
  readonly prepare?: (data: DataMeta) => Promise<UdfRef>;
  /** What is made of its results, see {@link derive}: first things first. It stays on the side that collects results. */
  readonly derived?: readonly Derivation[];
}

/** Whether code of users runs when this UDF does: a kernel, or JavaScript. */
export function runsUserCode(ref: UdfRef): boolean {
  return runsUserScript(ref) || ref.export === "kernel" || ref.export === "family";
}

/** Whether JavaScript of users runs when this UDF does; it needs a heap. */
export function runsUserScript({ module, export: name, params }: UdfRef): boolean {
  const hasModule = (value: unknown) =>
    (value as { module?: unknown } | null | undefined)?.module !== undefined;
  return module !== BUILTIN || name === "map" || Object.values(params).flat().some(hasModule);
}

/** Options of {@link udf}. */
export interface UdfOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Given to the export when it is a function. */
  readonly params?: Params;
}

const UDF_OPTIONS: OptionNames<UdfOptions> = {
  export: text,
  params: each("an object of parameters by name", () => {}),
};

/**
 * A UDF of your own: the URL of its module, so that workers can import it, or the UDF itself, which then runs
 * on the calling thread.
 *
 * Errors: `udf` for parameters that cannot travel to workers, with the path of the first one, and for a path instead of
 * a whole URL: `import.meta.resolve` makes one.
 *
 * @example In a module of its own
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ref = udf(import.meta.resolve("./my_udf.ts"), { params: { threshold: 3 } });
 * assertEquals(ref.export, "default");
 * ```
 */
export function udf<N extends string>(source: string | URL | Udf<N>, options: UdfOptions = {}): UdfRef {
  checkOptionNames("udf()", options, UDF_OPTIONS);
  const { export: name = "default", params = {} } = options;
  if (typeof source === "string" || source instanceof URL) {
    const module = wholeUrl(source, "load the UDF");
    checkParams(name === "default" ? baseName(module) : name, params);
    return { name: name === "default" ? baseName(module) : name, module, export: name, params };
  }
  const odd = typeof source !== "object" || source === null || isRef(source) || isThenable(source);
  if (odd) throw noUdf(source);
  return { name: source.name, module: "", export: "", params: {}, inline: source as Udf };
}

/** The error for what {@link udf} cannot take. */
function noUdf(source: unknown): TilewiseError {
  const why = typeof source === "function"
    ? "a function; call it to make the UDF, or export it from a module and give the URL of that"
    : isRef(source)
    ? "a UDF by reference already; use it as it is"
    : `${inWords(source)}; give a UDF, or the URL of the module that exports one`;
  return new TilewiseError("udf", `Cannot make a UDF: udf() was given ${why}`, { found: inWords(source) });
}

/** A reference to a UDF that comes with Tilewise. */
export function builtin(name: string, params: Params = {}): UdfRef {
  checkParams(name, params);
  return { name, module: BUILTIN, export: name, params };
}

/** The UDF that `ref` names. */
export async function loadUdf(ref: UdfRef): Promise<Udf> {
  return noted(checked(await valueOf(ref), ref), !runsUserCode(ref));
}

/** A UDF, ready to run. */
export interface PreparedUdf {
  /** The reference under which workers find it. */
  readonly ref: UdfRef;
  /** The UDF. */
  readonly udf: Udf;
  /** What is made of its results. */
  readonly derived: readonly Derivation[];
}

/** The UDF that `ref` names for this data, and the reference under which workers find it. */
export async function prepareUdf({ derived = [], ...ref }: UdfRef, data: DataMeta): Promise<PreparedUdf> {
  const found = await prepareBase(ref, data);
  return { ...found, derived: [...found.derived, ...derived] };
}

async function prepareBase(ref: UdfRef, data: DataMeta): Promise<PreparedUdf> {
  if (ref.prepare) return prepareUdf(await ref.prepare(data), data);
  const value = await valueOf(ref);
  // A module may export a reference: a kernel, or a UDF of ours with its parameters.
  if (isRef(value)) return prepareUdf(value, data);
  return { ref, udf: noted(checked(value, ref), !runsUserCode(ref)), derived: [] };
}

/** What `ref` names, whatever it is. */
async function valueOf(ref: UdfRef): Promise<unknown> {
  if (ref.inline) return ref.inline;
  const value = await importExport(ref.module, ref.export, "UDF");
  if (typeof value !== "function") return value;
  try {
    return await during(activityOf(ref.name, ref.export, !runsUserCode(ref)), () => value(ref.params));
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const text = `Cannot make the UDF "${ref.name}" from its parameters: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { udf: ref.name }, { cause: error });
  }
}

/** Whether a value names a UDF. */
export function isRef(value: unknown): value is UdfRef {
  const { module, export: name, params } = (value ?? {}) as Partial<UdfRef>;
  return typeof module === "string" && typeof name === "string" && typeof params === "object";
}

/** An export of a module, which is a `what`, such as a UDF. */
export async function importExport(module: string, name: string, what: string): Promise<unknown> {
  const isOurs = module === BUILTIN;
  const exports = isOurs ? BUILTINS : await importModule(module, what);
  if (!Object.hasOwn(exports, name) || exports[name] === undefined) {
    const has = Object.keys(exports).join(", ") || "nothing";
    throw new TilewiseError("udf", `Cannot load ${what}: ${module} has no export "${name}", it has ${has}`);
  }
  return isOurs ? await BUILTINS[name]!() : exports[name];
}

async function importModule(module: string, what: string): Promise<Record<string, unknown>> {
  try {
    return await import(module);
  } catch (error) {
    const problem = `Cannot import the ${what} module ${module}`;
    if (isDenied(error)) throw deniedError(problem, error, { file: module });
    const text = `${problem}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { file: module }, { cause: error });
  }
}

function checked(value: unknown, ref: UdfRef): Udf {
  const udf = value as Partial<Udf> | null;
  if (typeof udf === "object" && udf !== null) checkMembers(udf, udf.name || ref.name);
  if (typeof udf === "object" && udf !== null && udf.buffers) {
    if (udf.processTile || udf.processFrame || udf.processPartition) {
      return udf.name ? udf as Udf : withName(udf as Udf, ref.name);
    }
    const text = `UDF "${ref.name}" has none of processTile, processFrame, processPartition`;
    throw new TilewiseError("udf", text, { udf: ref.name });
  }
  const text = `"${ref.export}" of ${
    ref.module || ref.name
  } is no UDF: it needs buffers and a process method`;
  throw new TilewiseError("udf", text, { udf: ref.name });
}

/** A UDF without a name; that of a class needs its methods, and what they alone can see. */
function withName(udf: Udf, name: string): Udf {
  if (Object.getPrototypeOf(Object.getPrototypeOf(udf) ?? {}) === null) return { ...udf, name };
  throw new TilewiseError("udf", `The UDF "${name}" is an instance of a class without a name; give it one`, {
    udf: name,
    option: "name",
  });
}

function baseName(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/^.*\//, "").replace(/\.[jt]sx?$/, "") || "udf";
}
