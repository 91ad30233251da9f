/**
 * Hints at the likely cause of an error in a function of a UDF, where the JavaScript error does not say it: bigints
 * mixed with numbers, buffers that are not found where the function looks for them, results that were returned.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, isNamed } from "../../options.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { BufferPlan, ObjectPlan } from "./buffer_plan.ts";
import type { Buffers } from "./buffer_types.ts";
import type { Udf } from "./udf.ts";
import { runsUserCode, type UdfRef } from "./udf_ref.ts";

/** Facts of the UDF. */
export interface HintFacts {
  /** Its buffers of numbers. */
  readonly plans: readonly BufferPlan[];
  /** Its buffers of JSON values. */
  readonly objects: readonly ObjectPlan[];
  /** Type of `tile.data`; absent if there is no tile. */
  readonly inputDType?: DType;
}

/**
 * Refuses that the function `where` of a UDF gives results with `return`: it returned an object with names of buffers, or,
 * of the UDF that `ref` refers to, anything else while its buffers are zero and nothing but them can hold results.
 */
export function mustWrite(udf: Udf, where: string, given: unknown, buffers: Buffers, ref?: UdfRef): void {
  const all = Object.entries(buffers);
  const isResults = isNamed(given) && given !== buffers && all.some(([name]) => Object.hasOwn(given, name));
  if (!isResults && (!ref || mayKeep(udf, ref) || all.some(([, own]) => own === given || hasNumbers(own)))) {
    return;
  }
  const found = inWords(given);
  const text =
    `UDF "${udf.name}": ${where} returned ${found}, which is ignored; write to the buffers that it is ` +
    `given, as in ${all[0]![0]}[0] = value, and return nothing`;
  throw new TilewiseError("udf", text, { udf: udf.name, method: where.replace(/\(.*$/, ""), found });
}

/** Whether a UDF may have its results from elsewhere than what it writes to buffers while it processes samples. */
function mayKeep({ taskData, preprocess, postprocess, results, buffers }: Udf, ref: UdfRef): boolean {
  if (taskData || preprocess || postprocess || results || !runsUserCode(ref)) return true;
  return typeof buffers === "function" || Object.values(buffers).some(({ dtype }) => dtype === "object");
}

function hasNumbers(buffer: TypedArray): boolean {
  return (buffer as Float64Array).some((value) => Number(value) !== 0); // bigints as well
}

/** The text to add to the message of `error`; empty if no hint applies. */
export function hintFor(error: unknown, facts: HintFacts): string {
  if (!(error instanceof Error)) return "";
  if (/bigint/i.test(error.message)) return bigintHint(facts);
  if (error instanceof TypeError && /undefined/.test(error.message)) return nameHint(facts);
  if (error instanceof TypeError && /is not a function/.test(error.message)) {
    return " (tile.data and buffers are typed arrays, which have reduce, map, set and fill)";
  }
  if (error instanceof TypeError && /only a getter/.test(error.message)) {
    return " (samples cannot be replaced: compute with a copy, as tile.data.slice() makes it)";
  }
  if (error instanceof RangeError && /out of bounds/.test(error.message)) return sizeHint(facts);
  return "";
}

function bigintHint({ plans, inputDType }: HintFacts): string {
  const big = plans.filter(({ dtype }) => isBig(dtype)).map(({ name, dtype }) => `"${name}" is ${dtype}`);
  const parts = [
    big.length === 0
      ? ""
      : `${big.join(", ")}: such buffers hold bigints; write BigInt(number) to them, or declare float64`,
    inputDType && isBig(inputDType)
      ? `samples are ${inputDType}: bigints; Number(sample) makes numbers of them`
      : "",
    big.length === 0 ? "buffers of numbers take no bigints: Number(value)" : "",
  ];
  return said(parts);
}

function isBig(dtype: DType): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return "ui".includes(kind) && itemSize === 8;
}

function nameHint({ plans, objects }: HintFacts): string {
  const [seen, results] = [
    plans.filter(({ offset }) => offset !== undefined),
    plans.filter(({ offset }) => offset === undefined),
  ];
  const list = (some: readonly { readonly name: string }[]) => some.map(({ name }) => `"${name}"`).join(", ");
  const first = objects[0]?.name;
  return said([
    seen.length === 0 ? "" : `its buffers are ${list(seen)}`,
    results.length === 0 ? "" : `${list(results)} are filled by results() alone`,
    first === undefined
      ? ""
      : `${list(objects)} hold objects: they are in context.objects, as in objects.${first}.set(0, value)`,
  ]);
}

/** What a tile shows of each buffer; more numbers than that do not fit. */
function sizeHint({ plans }: HintFacts): string {
  const shown = { nav: "per frame", sig: "per pixel", single: "in total" };
  return said(
    plans.map(({ name, kind, entry }) =>
      `"${name}" has ${entry} ${entry === 1 ? "number" : "numbers"} ${shown[kind]}`
    ),
  );
}

function said(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== "").join("; ");
  return words === "" ? "" : ` (${words})`;
}
