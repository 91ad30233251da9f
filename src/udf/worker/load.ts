/**
 * Loads UDFs from references: imports modules, and checks what they export.
 *
 * @module
 */

import { type Activity, begin, during, end, isWatched } from "../../activity.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { exportOf, importExport } from "../../runner/import_export.ts";
import type { Derivation } from "../interface/derivation.ts";
import type { DataMeta, Udf } from "../interface/udf.ts";
import { BUILTIN, isRef, runsUserCode, type UdfRef } from "../interface/udf_ref.ts";
import { followRules, userRules } from "../interface/guard.ts";
import { BUILTINS } from "./builtins.ts";

/** The functions that user code may provide. */
const HOOKS = [
  "buffers",
  "inputDType",
  "tiling",
  "method",
  "pixels",
  "backends",
  "kernels",
  "order",
  "explain",
  "constants",
  "scratch",
  "aux",
  "warnings",
  "taskData",
  "preprocess",
  "processTile",
  "processFrame",
  "processPartition",
  "postprocess",
  "cleanup",
  "merge",
  "mergeAll",
  "results",
] as const satisfies readonly (keyof Udf)[];

/** No function takes more than three arguments. */
type Hook = (a?: unknown, b?: unknown, c?: unknown) => unknown;

/**
 * The same UDF, whose functions leave a note when they are called, if the thread is watched. `ours`: they run no user
 * code.
 */
function noted(udf: Udf, ours: boolean): Udf {
  if (!isWatched()) return udf;
  const given: Readonly<Partial<Record<typeof HOOKS[number], unknown>>> = udf;
  const hooks = HOOKS.filter((hook) => typeof given[hook] === "function").map((hook) => {
    const activity = activityOf(udf.name, hook, ours);
    const own = given[hook] as Hook;
    const call: Hook = (a, b, c) => {
      const before = begin(activity);
      try {
        return own.call(udf, a, b, c);
      } finally {
        end(before);
      }
    };
    return [hook, call] as const;
  });
  return Object.assign(likeness(udf), Object.fromEntries(hooks));
}

/** The activity of a thread that calls `hook` of a UDF. */
function activityOf(udf: string, hook: string, ours: boolean): Activity {
  return { text: `${hook}() of UDF "${udf}"`, details: { udf, hook }, ours };
}

/** A copy whose functions can be replaced; a class instance keeps its class. */
function likeness(udf: Udf): Udf {
  return Object.getPrototypeOf(udf) === Object.prototype ? { ...udf } : Object.create(udf);
}

/** The UDF that `ref` refers to. */
export async function loadUdf(ref: UdfRef): Promise<Udf> {
  return noted(await checked(await valueOf(ref), ref), !runsUserCode(ref));
}

/** A UDF, ready to run. */
interface PreparedUdf {
  /** The reference from which workers make it. */
  readonly ref: UdfRef;
  /** The UDF. */
  readonly udf: Udf;
  /** The derivations of its results. */
  readonly derived: readonly Derivation[];
}

/** The UDF that `ref` refers to, for this data, and the reference from which workers make it. */
export async function prepareUdf({ derived = [], ...ref }: UdfRef, data: DataMeta): Promise<PreparedUdf> {
  const found = await prepareBase(ref, data);
  if (derived.length > 0) await loadUserRules(); // which apply to derived results as well
  return { ...found, derived: [...found.derived, ...derived] };
}

async function prepareBase(ref: UdfRef, data: DataMeta): Promise<PreparedUdf> {
  if (ref.prepare) return prepareUdf(await ref.prepare(data), data);
  const value = await valueOf(ref);
  // A module may export a reference: a kernel, or a built-in UDF with its parameters.
  if (isRef(value)) return prepareUdf(value, data);
  return { ref, udf: noted(await checked(value, ref), !runsUserCode(ref)), derived: [] };
}

/** The exported value that `ref` refers to, unchecked. */
async function valueOf(ref: UdfRef): Promise<unknown> {
  if (ref.inline) return ref.inline;
  const value = await exportNamed(ref);
  if (typeof value !== "function") return value;
  try {
    return await during(activityOf(ref.name, ref.export, !runsUserCode(ref)), () => value(ref.params));
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const text = `Cannot make the UDF "${ref.name}" from its parameters: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { udf: ref.name }, { cause: error });
  }
}

async function exportNamed({ module, export: name }: UdfRef): Promise<unknown> {
  if (module !== BUILTIN) return await importExport(module, name, "UDF");
  const make = exportOf(BUILTINS, module, name, "UDF") as () => Promise<unknown>;
  return await make();
}

/** A UDF, checked; the members of those that come with Tilewise are right. */
async function checked(value: unknown, ref: UdfRef): Promise<Udf> {
  const udf = value as Partial<Udf> | null;
  if (typeof udf === "object" && udf !== null && runsUserCode(ref)) {
    const { checkMembers } = await import("../interface/members.ts");
    await loadUserRules();
    checkMembers(udf, udf.name || ref.name);
  }
  if (typeof udf === "object" && udf !== null && udf.buffers) {
    if (udf.processTile || udf.processFrame || udf.processPartition) {
      return udf.name ? udf as Udf : withName(udf as Udf, ref.name);
    }
    const text = `UDF "${ref.name}" has none of processTile, processFrame, processPartition`;
    throw new TilewiseError("udf", text, { udf: ref.name });
  }
  const what = ref.inline ? `UDF "${ref.name}"` : `"${ref.export}" of ${ref.module}`;
  const text = `${what} is not a UDF: it needs buffers and a process method`;
  throw new TilewiseError("udf", text, { udf: ref.name });
}

/** Adds a name to a UDF without one; not for instances of classes, which need their methods and private members. */
function withName(udf: Udf, name: string): Udf {
  if (Object.getPrototypeOf(Object.getPrototypeOf(udf) ?? {}) === null) return { ...udf, name };
  throw new TilewiseError("udf", `The UDF "${name}" is an instance of a class without a name; give it one`, {
    udf: name,
    option: "name",
  });
}

/** Lets this thread follow the rules for UDFs of users. */
async function loadUserRules(): Promise<void> {
  if (userRules()) return;
  const [{ checkBuffer }, { hintFor, mustWrite }] = await Promise.all([
    import("../buffers/buffer_checks.ts"),
    import("../interface/hints.ts"),
  ]);
  followRules({ checkBuffer, hintFor, mustWrite });
}
