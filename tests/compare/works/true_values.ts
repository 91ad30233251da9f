/**
 * Results that follow from the samples alone, for data that the peer is known to read wrongly.
 *
 * @module
 */

import { dtypeInfo } from "../../../src/space/dtype.ts";
import { fromParam } from "../data/arrays.ts";
import { type Approx, DOUBLE, gamma, root, SINGLE } from "../verdict/bounds.ts";
import type { Found } from "../verdict/excuses.ts";
import type { Case, Json } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";
import { ringWeights } from "./plain.ts";

/** Number `i` of a result, or nothing where it is not known. */
type Value = (found: Found, i: number) => Approx | undefined;

/** Results by work and name. */
const VALUES: Readonly<Record<string, Value>> = {
  "own-moments sum": ({ truth }, i) => ofFrame(truth, i, () => 1, DOUBLE),
  "own-moments squares": ({ truth }, i) => ofPixel(truth, i, 2),
  "sumsig intensity": ({ truth }, i) => ofFrame(truth, i, () => 1, SINGLE),
  "sum intensity": ({ truth }, i) => ofPixel(truth, i, 1),
  "pick intensity": sample,
  "record frames": sample,
  "stddev sum": ({ truth }, i) => ofPixel(truth, i, 1),
  "stddev mean": ({ truth }, i) => perFrame(truth, ofPixel(truth, i, 1)),
  "stddev varsum": ({ truth }, i) => squaredDistances(truth, i),
  "stddev var": ({ truth }, i) => perFrame(truth, squaredDistances(truth, i)),
  "stddev std": ({ truth }, i) => root(perFrame(truth, squaredDistances(truth, i)), DOUBLE),
  "disk intensity": ({ truth, at }, i) => {
    return ofFrame(truth, Math.floor(i / truth.units), leastDisk(at), SINGLE, i % truth.units);
  },
  "masks intensity": product,
  "masks-double intensity": product,
};

/** Whether number `i` of a result of ours is what the samples say, within what rounding may do to them. */
export function isTrueValue(found: Found, i: number): boolean {
  const { mismatch: { name, what, ours }, at: { word }, truth } = found;
  if (what !== "values" || (truth.units !== 1 && word !== "disk")) return false;
  const expected = VALUES[`${word} ${name}`]?.(found, i);
  const value = Number(ours?.data[i]);
  return expected !== undefined &&
    (Object.is(value, expected.value) || Math.abs(value - expected.value) <= expected.error);
}

/** The weighted sum of one frame; of complex ones of their real parts, or of the imaginary ones (`part` 1). */
function ofFrame(
  truth: Truth,
  position: number,
  weightOf: (pixel: number) => number,
  unit: number,
  part = 0,
): Approx | undefined {
  if (!truth.present.includes(position)) return undefined;
  const [samples, magnitudes] = [truth.samples(position), truth.magnitudes(position)];
  let [value, size] = [0, 0];
  for (let p = 0; p < truth.pixels; p++) {
    const weight = weightOf(p);
    if (weight === 0) continue;
    value += weight * samples[truth.units * p + part]!;
    size += Math.abs(weight) * magnitudes[truth.units * p + part]!;
  }
  return { value, error: (gamma(truth.pixels + 8, unit) + truth.sampleError) * size };
}

/** The weights of the smallest disk that has a pixel wherever its centre is. */
function leastDisk({ data: { sig }, params: { cy = sig[0]! / 2, cx = sig[1]! / 2 } }: Case) {
  const weights = ringWeights(sig, { cy: Number(cy), cx: Number(cx), ro: Math.SQRT1_2 });
  return (pixel: number): number => weights[pixel]!;
}

/** The sum over all frames of a power of one pixel. */
function ofPixel({ present, samples, magnitudes, sampleError }: Truth, pixel: number, power: 1 | 2): Approx {
  const sum = (of: (position: number) => Float64Array) =>
    present.reduce((total, position) => total + of(position)[pixel]! ** power, 0);
  const relative = gamma(present.length + 8, DOUBLE) + 2 * power * sampleError;
  return { value: sum(samples), error: relative * sum(magnitudes) };
}

function perFrame({ present: { length } }: Truth, { value, error }: Approx): Approx {
  return { value: value / length, error: error / length };
}

/** The sum of squared distances from the mean of one pixel. */
function squaredDistances(truth: Truth, pixel: number): Approx {
  const { present, sampleError } = truth;
  const mean = perFrame(truth, ofPixel(truth, pixel, 1)).value;
  const value = present.reduce((sum, position) => sum + (truth.samples(position)[pixel]! - mean) ** 2, 0);
  const size = present.reduce((sum, position) => sum + truth.magnitudes(position)[pixel]! ** 2, 0);
  return { value, error: (16 * gamma(present.length + 8, DOUBLE) + 8 * sampleError) * size };
}

/** A sample of a copy of the frames: of all positions, or of those that are selected. */
function sample({ mismatch: { ours }, truth }: Found, i: number): Approx | undefined {
  const { pixels, frames, selected, imagesFrom: { start, stop }, sampleError } = truth;
  const row = Math.floor(i / pixels);
  const position = ours!.data.length === frames * pixels ? row : selected[row]!;
  if (position < start || position >= stop) return undefined;
  const at = i % pixels;
  return { value: truth.samples(position)[at]!, error: sampleError * truth.magnitudes(position)[at]! };
}

/** The product of a frame with a mask that is not shifted. */
function product({ mismatch: { ours }, at: { params }, truth }: Found, i: number): Approx | undefined {
  const masks = params.masks as readonly Json[];
  if (params.shifts !== null) return undefined;
  const units = dtypeInfo(ours!.dtype).kind === "c" ? 2 : 1;
  const entry = Math.floor(i / units);
  const { data, dtype } = fromParam(masks[entry % masks.length]!);
  const [each, part] = [dtypeInfo(dtype).kind === "c" ? 2 : 1, i % units];
  const weightOf = (p: number) => part < each ? Number(data[each * p + part]) : 0;
  return ofFrame(truth, Math.floor(entry / masks.length), weightOf, SINGLE);
}
