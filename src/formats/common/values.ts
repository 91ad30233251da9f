/**
 * What files say of the values of their samples.
 *
 * @module
 */

import { usualValues, type ValueFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";

/** How programs write that nothing is known. */
const UNSET = /^(|_None_|None|<undefined>|t\.BaseUndefined)$/;

/** What a file says. */
interface Said {
  /** The unit of the samples. */
  readonly unit?: unknown;
  /** The number that stands for a missing one. */
  readonly missing?: unknown;
}

/**
 * Facts about samples of `dtype` of which a file gives a unit, or the number of missing ones; nothing if it gives neither. Units are
 * kept as they are written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(valuesSaid("uint16", { unit: " counts " }), { values: { kind: "amount", unit: "counts" } });
 * assertEquals(valuesSaid("uint16", { unit: "<undefined>", missing: NaN }), {});
 * ```
 */
export function valuesSaid(dtype: DType, { unit, missing }: Said): { readonly values?: ValueFacts } {
  const text = typeof unit === "string" ? unit.trim() : "";
  const facts = {
    ...(UNSET.test(text) ? {} : { unit: text }),
    ...(typeof missing === "number" && Number.isFinite(missing) ? { missing } : {}),
  };
  return Object.keys(facts).length === 0 ? {} : { values: { ...usualValues(dtype), ...facts } };
}

/** The unit in text such as `Intensity (counts)`, as HyperSpy writes quantities. */
export function unitOfQuantity(quantity: unknown): string | undefined {
  return typeof quantity === "string" ? /\(([^()]+)\)\s*$/.exec(quantity)?.[1] : undefined;
}

/** The unit of a scale from samples to values, where these are the same numbers: otherwise it is not the unit of the samples. */
export function unitOfSame(unit: unknown, scale: unknown, offset: unknown): unknown {
  return (scale ?? 1) === 1 && (offset ?? 0) === 0 ? unit : undefined;
}
