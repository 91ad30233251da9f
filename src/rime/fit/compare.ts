/**
 * Observed visibilities less those of a model.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Residuals, and their weighted squares. */
export interface Compared {
  /** Observed less model, 0 for what does not count. */
  readonly residual: Float64Array;
  /** `Σ weight |observed − model|²`. */
  readonly chiSquared: number;
}

/** Compares pairs. Samples with the weight 0 do not count, whatever they are. Errors: `invalid` for other lengths. */
export function compared(
  observed: Float64Array,
  model: Float64Array,
  weight: Float64Array | undefined,
): Compared {
  mustHave("observed", observed.length, model.length);
  if (weight) mustHave("weight", weight.length, model.length / 2);
  const residual = new Float64Array(model.length);
  let chiSquared = 0;
  for (let i = 0; i < model.length; i += 2) {
    const w = weight ? weight[i >> 1]! : 1;
    if (w === 0) continue;
    const [re, im] = [observed[i]! - model[i]!, observed[i + 1]! - model[i + 1]!];
    residual[i] = re;
    residual[i + 1] = im;
    chiSquared += w * (re * re + im * im);
  }
  return { residual, chiSquared };
}

function mustHave(option: string, found: number, expected: number): void {
  if (found === expected) return;
  const text =
    `fitSources(): ${option} has ${found} numbers; it must have ${expected}: rows, channels, 4 correlations`;
  throw new TilewiseError("invalid", text, { option, found, expected });
}
