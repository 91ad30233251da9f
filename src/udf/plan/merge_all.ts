/**
 * UDFs that get the partial results of all partitions at once, instead of merging them in pairs.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type TypedArray, unitsOf } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import { copyRows, copyValues } from "../buffers/buffers.ts";
import { guarded } from "../interface/guard.ts";
import { type AllBuffers, jsonCopies } from "../buffers/object_buffers.ts";
import type { ObjectRows, ResultValue } from "../interface/objects.ts";
import { asDeclared, checkGiven } from "../buffers/result_values.ts";
import type { PartialResult, ResultsContext, Udf } from "../interface/udf.ts";

/** The inputs of `mergeAll`. */
interface MergeAllInit {
  /** The UDF. */
  readonly planned: { readonly udf: Udf };
  /** Its buffers of numbers. */
  readonly plans: readonly BufferPlan[];
  /** Its object buffers. */
  readonly objectPlans: readonly ObjectPlan[];
  /** The partial results, in the order of partitions. */
  readonly parts: readonly PartialResult[];
  /** Facts of the run. */
  readonly context: ResultsContext;
  /** The rows of a nav buffer that belong to scan positions. */
  rowsOf(plan: Pick<BufferPlan, "compressed">, positions: Uint32Array): Uint32Array;
}

/** Calls `mergeAll`, and writes its results into `whole`: buffers of the whole scan. */
export function mergeAllInto(whole: AllBuffers, init: MergeAllInit): void {
  const { planned: { udf }, plans, objectPlans, parts, context } = init;
  if (parts.length === 0) return;
  const facts = { plans, objects: objectPlans };
  const given = guarded(udf.name, "mergeAll()", () => udf.mergeAll!(parts, context), facts);
  checkGiven(udf.name, "mergeAll()", given);
  const numbers = plans.filter(({ offset }) => offset !== undefined);
  const values = objectPlans.filter(({ resultOnly }) => !resultOnly);
  const known = [...numbers, ...values];
  for (const name of Object.keys(given)) {
    if (known.some((plan) => plan.name === name)) continue;
    fail(
      udf,
      `gave "${name}", which is not a buffer that it can merge; those are ${
        known.map((plan) => plan.name).join(", ")
      }`,
    );
  }
  for (const { name, kind } of known) {
    if (kind === "nav" || given[name] !== undefined) continue;
    fail(udf, `did not give the ${kind} buffer "${name}"; only nav buffers merge by themselves`);
  }
  const positions = positionsOf(parts);
  const rows = (plan: BufferPlan | ObjectPlan) =>
    plan.kind === "nav" ? init.rowsOf(plan, positions) : undefined;
  for (const plan of numbers) {
    const value = given[plan.name];
    if (value) placeNumbers(udf, plan, value, whole.buffers[plan.name]!, rows(plan));
  }
  for (const plan of values) {
    const value = given[plan.name];
    if (value) placeObjects(udf, plan, value, whole.objects[plan.name]!, rows(plan));
  }
}

function positionsOf(parts: readonly PartialResult[]): Uint32Array {
  const frames = parts.reduce((sum, { positions }) => sum + positions.length, 0);
  const positions = new Uint32Array(frames);
  let at = 0;
  for (const part of parts) {
    positions.set(part.positions, at);
    at += part.positions.length;
  }
  return positions;
}

function placeNumbers(
  udf: Udf,
  plan: BufferPlan,
  value: ResultValue,
  to: TypedArray,
  rows: Uint32Array | undefined,
): void {
  const values = asDeclared(udf.name, plan, value);
  checkLength(udf, plan, values.length, rows ? rows.length * plan.entry * unitsOf(plan.dtype) : to.length);
  if (rows) copyRows(plan, to, values, rows);
  else copyNumbers(to, values);
}

function placeObjects(
  udf: Udf,
  plan: ObjectPlan,
  value: ResultValue,
  to: ObjectRows,
  rows: Uint32Array | undefined,
): void {
  if (!Array.isArray(value)) {
    return fail(udf, `gave a ${value.constructor.name} for "${plan.name}", it needs a list`);
  }
  const values = jsonCopies(udf.name, plan.name, value);
  checkLength(udf, plan, values.length, rows ? rows.length * plan.entry : to.values.length);
  if (rows) copyValues(plan.entry, to.values, values, rows);
  else values.forEach((item, i) => to.values[i] = item);
}

function checkLength(
  udf: Udf,
  { name, kind }: BufferPlan | ObjectPlan,
  found: number,
  expected: number,
): void {
  if (found === expected) return;
  const what = kind === "nav" ? "the frames of all parts" : `a ${kind} buffer`;
  fail(udf, `gave ${found} values for "${name}"; ${what} need ${expected}`, { expected, found });
}

function fail(udf: Udf, text: string, details: Record<string, number> = {}): never {
  throw new TilewiseError("udf", `UDF "${udf.name}": mergeAll() ${text}`, { udf: udf.name, ...details });
}
