/**
 * Checks what callers of a run give: the data set, the UDFs. Invalid values are refused before any work.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import type { Udf } from "../interface/udf.ts";
import { isRef, udf, type UdfRef } from "../interface/udf_ref.ts";
import type { UdfPlan } from "./plan_facts.ts";

/**
 * A UDF as callers give it: a reference, or the UDF itself, which then runs on the calling thread.
 * @category User-defined functions
 */
export type UdfInput = UdfRef | Udf;

/** References to UDFs by the names of their results. */
export function refsOf(call: string, udfs: Readonly<Record<string, UdfInput>>): Record<string, UdfRef> {
  if (isUdfInput(udfs)) {
    const text = `${call} takes an object that maps names to UDFs, such as { it: udf }`;
    throw new TilewiseError("invalid", text, {
      option: "udfs",
      found: "a UDF without a name for its results",
    });
  }
  if (typeof udfs !== "object" || udfs === null || isPromised(udfs)) throw noUdfs(call, udfs);
  const entries = Object.entries(udfs);
  if (entries.length === 0) throw noUdfs(call, {});
  return Object.fromEntries(entries.map(([key, given]) => [key, refOf(call, key, given)]));
}

/** A reference to the UDF that was given. */
function refOf(call: string, key: string, given: UdfInput): UdfRef {
  if (isRef(given)) return given;
  if (isUdfInput(given)) return udf(given);
  const hint = typeof given === "function"
    ? "call it to make the UDF"
    : isPromised(given)
    ? "await it"
    : "give what sumFrames(), udf() or mapFrames() return, or a UDF";
  const text = `${call}: "${key}" is ${inWords(given)}, which is not a UDF; ${hint}`;
  throw new TilewiseError("invalid", text, { option: `udfs.${key}`, found: inWords(given) });
}

function noUdfs(call: string, found: unknown): TilewiseError {
  const what = typeof found === "object" && found !== null && !isPromised(found) ? "none" : inWords(found);
  const text = `Cannot plan a run without a UDF: ${call} takes UDFs by the names of their results, ` +
    `such as { sum: sumFrames() }, and was given ${what}`;
  return new TilewiseError("invalid", text, { option: "udfs", found: what });
}

/**
 * Whether a value is a UDF or a reference to one. A UDF is told from a record of UDFs by its buffers, which are not
 * UDFs.
 */
export function isUdfInput(value: unknown): value is UdfInput {
  if (isRef(value)) return true;
  const { buffers, name } = (value ?? {}) as Partial<Udf>;
  if (typeof value !== "object" || buffers === undefined || isRef(buffers)) return false;
  return typeof name === "string" ||
    ["processTile", "processFrame", "processPartition"].some((own) => own in value!);
}

function isPromised(value: unknown): boolean {
  return inWords(value) === "a promise";
}

/** Refuses what is not a data set, most often a promise of one; afterwards the compiler knows its internal type. */
export function checkDataset(call: string, dataset: unknown): asserts dataset is StoredDataset {
  const { layout, navShape } = (dataset ?? {}) as Partial<StoredDataset>;
  if (typeof layout === "object" && Array.isArray(navShape)) return;
  throw notThat(call, "a data set, as await open() gives it", dataset);
}

/** The error about something that is not `what`. */
function notThat(call: string, what: string, found: unknown): TilewiseError {
  const hint = isPromised(found) ? "; await it" : "";
  return new TilewiseError("invalid", `${call} takes ${what}; it was given ${inWords(found)}${hint}`, {
    expected: what,
    found: inWords(found),
  });
}

/** Refuses what is not a plan, most often a promise of one; afterwards the compiler knows its internal type. */
export function checkPlan(call: string, plan: unknown): asserts plan is UdfPlan {
  const { dataset, udfs, explain } = (plan ?? {}) as Partial<UdfPlan>;
  if (dataset && Array.isArray(udfs) && typeof explain === "function") return;
  throw notThat(call, "a plan, as await plan() gives it", plan);
}
