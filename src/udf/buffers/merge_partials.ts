/**
 * Merges two partial results of a UDF: first by its own function, then by the rules that its buffers declare.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { type TypedArray, unitsOf } from "../../space/dtype.ts";
import { fillNumbers } from "../../space/numbers.ts";
import { identityOf } from "../../space/numbers.ts";
import { type BufferPlan, concatenated, mergeNumbers, type ObjectPlan } from "../interface/buffer_plan.ts";
import type { Buffers } from "../interface/buffer_types.ts";
import { copyRows, copyValues } from "./buffers.ts";
import { settled, unchanged, userRules } from "../interface/guard.ts";
import type { AllBuffers } from "./object_buffers.ts";
import type { JsonValue } from "../interface/objects.ts";
import type { MergeContext, Udf } from "../interface/udf.ts";

/** The buffers of one UDF. */
interface MergePlans {
  /** Those of numbers. */
  readonly plans: readonly BufferPlan[];
  /** Those of JSON values. */
  readonly objects: readonly ObjectPlan[];
}

/** Adds `from`, of later frames, to `into`: `sig` and `single` buffers, all in the memory of the kernels. */
export function mergePartials(
  udf: Udf,
  { plans, objects }: MergePlans,
  into: AllBuffers,
  from: AllBuffers,
  context: Omit<MergeContext, "objects">,
): void {
  const lists = { into: into.objects, from: from.objects };
  const work = () => udf.merge?.(into.buffers, from.buffers, { ...context, objects: lists });
  const given = settled(udf.name, "merge()", unchanged(udf.name, "merge()", into.buffers, work));
  if (given) userRules()?.mustWrite(udf, "merge()", given, into.buffers);
  for (const { name, kind, merge, dtype } of plans) {
    if (kind === "nav" || !merge) continue;
    mergeNumbers(merge, dtype, into.buffers[name]!, from.buffers[name]!, context.kernels);
  }
  for (const { name, kind, merge } of objects) {
    if (kind === "nav" || !merge) continue;
    const [all, more] = [into.objects[name]!.values, from.objects[name]!.values];
    for (let i = 0; i < all.length; i++) all[i] = joined(udf, name, all[i]!, more[i]!);
  }
}

/** Fills the buffers whose rule has a start value other than zero. */
export function startRuled(
  plans: readonly Pick<BufferPlan, "name" | "dtype" | "merge">[],
  buffers: Buffers,
): void {
  for (const { name, dtype, merge } of plans) {
    if (!merge || merge === "sum" || !buffers[name]) continue;
    fillNumbers(buffers[name], identityOf(merge, dtype));
  }
}

/** Merges the entries of `from` into `rows` of `to`, by the rule of the buffer; rows ascend. */
export function placeRows(plan: BufferPlan, to: TypedArray, from: TypedArray, rows: Uint32Array): void {
  const { merge, dtype, entry } = plan;
  if (!merge) return copyRows(plan, to, from, rows);
  const unit = entry * unitsOf(dtype);
  const part = (array: TypedArray, start: number, count: number) =>
    array.subarray(start * unit, (start + count) * unit);
  const contiguous = rows.length > 0 && rows.at(-1)! - rows[0]! === rows.length - 1;
  if (contiguous) mergeNumbers(merge, dtype, part(to, rows[0]!, rows.length), from);
  else rows.forEach((row, i) => mergeNumbers(merge, dtype, part(to, row, 1), part(from, i, 1)));
}

/** The same for JSON values. */
export function placeValues(
  udf: Udf,
  { name, entry, merge }: ObjectPlan,
  to: JsonValue[],
  from: readonly JsonValue[],
  rows: Uint32Array,
): void {
  if (!merge) return copyValues(entry, to, from, rows);
  rows.forEach((row, i) => {
    for (let e = row * entry, own = i * entry; e < (row + 1) * entry; e++, own++) {
      to[e] = joined(udf, name, to[e]!, from[own]!);
    }
  });
}

function joined(udf: Udf, name: string, first: JsonValue, second: JsonValue): JsonValue {
  try {
    return concatenated(name, first, second);
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    const details = { ...error.details, udf: udf.name };
    throw new TilewiseError("udf", `UDF "${udf.name}": ${error.message}`, details);
  }
}
