/**
 * Hints at the likely cause of an error in a function of a UDF, where the JavaScript error does not say it: bigints
 * mixed with numbers, buffers that are not found where the function looks for them.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { BufferPlan, ObjectPlan } from "./buffer_plan.ts";

/** Facts of the UDF. */
export interface HintFacts {
  /** Its buffers of numbers. */
  readonly plans: readonly BufferPlan[];
  /** Its buffers of JSON values. */
  readonly objects: readonly ObjectPlan[];
  /** Type of `tile.data`; absent if there is no tile. */
  readonly inputDType?: DType;
}

/** The text to add to the message of `error`; empty if no hint applies. */
export function hintFor(error: unknown, facts: HintFacts): string {
  if (!(error instanceof Error)) return "";
  if (/bigint/i.test(error.message)) return bigintHint(facts);
  if (error instanceof TypeError && /undefined/.test(error.message)) return nameHint(facts);
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

function said(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== "").join("; ");
  return words === "" ? "" : ` (${words})`;
}
