/**
 * Which chains a border can continue; for planners.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { mustHold, type ViewLayout } from "../plan.ts";
import type { ChainStep } from "./steps.ts";

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
