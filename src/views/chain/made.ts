/**
 * What results of a chain mean, and which chains a border can continue: for plans; workers do not load it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type AxisFacts, usualValues, type ValueFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";
import { thinned } from "../../space/meaning/axes.ts";
import { valuesBy } from "../../space/meaning/values.ts";
import { mustHold, type ViewLayout } from "../plan.ts";
import { type ChainStep, type LoadedStep, matching, typeAt } from "./steps.ts";

/** Refuses steps whose results a border cannot continue. */
export function checkBorders(
  steps: readonly ChainStep[],
  { array, borders, fill }: Pick<ViewLayout, "array" | "borders" | "fill">,
): void {
  let before = array.shape;
  for (const [k, { factors, name, facts: { result } }] of steps.entries()) {
    const later = steps.slice(k + 1).some(({ facts: { halo } }) =>
      [...halo.front, ...halo.back].some((r) => r > 0)
    );
    const odd = before.findIndex((n, d) => borders[d] === "wrap" && n % factors[d]! !== 0);
    if (later && odd >= 0) {
      const text =
        `Cannot wrap around the result of ${name} in a chain: ${before[odd]} samples are not a multiple ` +
        `of ${factors[odd]}; use another border, or one run per step`;
      throw new TilewiseError("unsupported", text, { option: "border", found: "wrap" });
    }
    if (later && borders.includes("constant")) mustHold(result, fill);
    before = before.map((n, d) => Math.ceil(n / factors[d]!));
  }
}

/** What the samples mean that the last step makes of samples of `dtype` that mean `given`. */
export function valuesMade(
  steps: readonly LoadedStep[],
  dtype: DType,
  given: ValueFacts = usualValues(dtype),
): ValueFacts {
  return steps.reduce((values, { entry, params }, k) => {
    return valuesBy(entry.values(values, params), values, typeAt(steps, dtype, k + 1));
  }, given);
}

/** The axes of what the last step makes of an array with these axes. */
export function axesMade(
  steps: readonly LoadedStep[],
  given: readonly AxisFacts[] | undefined,
): readonly AxisFacts[] | undefined {
  return given && steps.reduce((axes, { entry, params }) => {
    const factors = matching(entry.factors?.(params) ?? 1, axes.length);
    return axes.map((axis, d) => thinned(axis, factors[d]!, entry.place?.(params) ?? "middle"));
  }, given);
}
