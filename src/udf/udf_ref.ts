/**
 * References to UDFs: module, export and parameters, which is all that has to travel to a worker.
 *
 * @module
 */

import { during } from "../activity.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { activityOf, noted } from "./hooks.ts";
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
}

/** Those of our UDFs that run code of users. */
const CARRIERS = ["map", "kernel", "family"];

/** Whether code of users runs when this UDF does. */
export function runsUserCode({ module, export: name, params }: UdfRef): boolean {
  const hasModule = (value: unknown) =>
    (value as { module?: unknown } | null | undefined)?.module !== undefined;
  return module !== BUILTIN || CARRIERS.includes(name) || Object.values(params).flat().some(hasModule);
}

/** Options of {@link udf}. */
export interface UdfOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Given to the export when it is a function. */
  readonly params?: Params;
}

/**
 * A UDF of your own: the URL of its module, so that workers can import it, or the UDF itself, which then runs
 * on the calling thread.
 *
 * Errors: `udf` for parameters that cannot travel to workers, with the path of the first one.
 *
 * @example In a module of its own
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ref = udf(import.meta.resolve("./my_udf.ts"), { params: { threshold: 3 } });
 * assertEquals(ref.export, "default");
 * ```
 */
export function udf<N extends string>(source: string | URL | Udf<N>, options: UdfOptions = {}): UdfRef {
  const { export: name = "default", params = {} } = options;
  if (typeof source === "string" || source instanceof URL) {
    const module = String(source);
    checkParams(name === "default" ? baseName(module) : name, params);
    return { name: name === "default" ? baseName(module) : name, module, export: name, params };
  }
  return { name: source.name, module: "", export: "", params: {}, inline: source as Udf };
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

/** The UDF that `ref` names for this data, and the reference under which workers find it. */
export async function prepareUdf(ref: UdfRef, data: DataMeta): Promise<{ ref: UdfRef; udf: Udf }> {
  if (ref.prepare) return prepareUdf(await ref.prepare(data), data);
  const value = await valueOf(ref);
  // A module may export a reference: a kernel, or a UDF of ours with its parameters.
  return isRef(value)
    ? prepareUdf(value, data)
    : { ref, udf: noted(checked(value, ref), !runsUserCode(ref)) };
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

function isRef(value: unknown): value is UdfRef {
  const { module, export: name, params } = (value ?? {}) as Partial<UdfRef>;
  return typeof module === "string" && typeof name === "string" && typeof params === "object";
}

/** An export of a module, which is a `what`, such as a UDF. */
export async function importExport(module: string, name: string, what: string): Promise<unknown> {
  const exports = module === BUILTIN ? await import("./builtin/index.ts") : await importModule(module, what);
  const value = (exports as Record<string, unknown>)[name];
  if (value !== undefined) return value;
  const has = Object.keys(exports).join(", ") || "nothing";
  throw new TilewiseError("udf", `Cannot load ${what}: ${module} has no export "${name}", it has ${has}`);
}

async function importModule(module: string, what: string): Promise<object> {
  try {
    return await import(module);
  } catch (error) {
    const text = `Cannot import the ${what} module ${module}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { file: module }, { cause: error });
  }
}

function checked(value: unknown, ref: UdfRef): Udf {
  const udf = value as Partial<Udf> | null;
  if (typeof udf === "object" && udf !== null && udf.buffers) {
    if (udf.processTile || udf.processFrame || udf.processPartition) {
      return udf.name ? udf as Udf : { ...(udf as Udf), name: ref.name };
    }
    const text = `UDF "${ref.name}" has none of processTile, processFrame, processPartition`;
    throw new TilewiseError("udf", text, { udf: ref.name });
  }
  const text = `"${ref.export}" of ${
    ref.module || ref.name
  } is no UDF: it needs buffers and a process method`;
  throw new TilewiseError("udf", text, { udf: ref.name });
}

function baseName(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/^.*\//, "").replace(/\.[jt]sx?$/, "") || "udf";
}
