/**
 * What results say of themselves, from what a UDF declares of its buffers and what the data set says of its samples.
 *
 * @module
 */

import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { spectral } from "../../space/meaning/axes.ts";
import { isUsual, valuesBy } from "../../space/meaning/values.ts";
import type { BufferSpec, UdfMeta } from "../interface/udf.ts";

/** What one result says of itself. */
export interface ResultMeaning {
  /** Of `sig` buffers: the dimensions in place of those of the frame. */
  readonly own?: readonly AxisFacts[];
  /** The dimensions of an entry. */
  readonly entry?: readonly AxisFacts[];
  /** What its numbers mean, if that is more than what follows from their type. */
  readonly values?: ValueFacts;
}

/** What results say of themselves, by name. */
export function meaningsOf(
  declared: readonly (readonly [name: string, spec: BufferSpec])[],
  meta: UdfMeta,
): Readonly<Record<string, ResultMeaning>> {
  return Object.fromEntries(declared.map(([name, spec]) => [name, meaningOf(spec, meta)]));
}

function meaningOf(
  { kind, dtype = "float32", values: rule = "unknown", axes }: BufferSpec,
  meta: UdfMeta,
): ResultMeaning {
  const frame = meta.axes.slice(meta.navShape.length);
  const named = typeof axes === "string"
    ? axes === "frame" ? frame : frame.map((axis, d) => spectral(axis, meta.sigShape[d]!))
    : axes;
  const values = valuesBy(rule, meta.values, dtype);
  return {
    ...(named ? kind === "sig" && axes === "spectrum" ? { own: named } : { entry: named } : {}),
    ...(isUsual(values, dtype) ? {} : { values }),
  };
}
