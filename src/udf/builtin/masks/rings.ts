/**
 * Stacks of rings as lists of weights: radial bins, and their Fourier masks. Weights are counted first, and then
 * written directly to their final place.
 *
 * @module
 */

import { angleOf, cosine, sine } from "../../../space/functions/functions.ts";
import { frameSides } from "../../../masks/frame.ts";
import {
  BINS_OPTIONS,
  FOURIER_OPTIONS,
  type RadialBinsOptions,
  type RadialFourierMaskOptions,
} from "../../../masks/options.ts";
import { divisor, eachRadialWeight, type RadialLayout, radialLayout } from "../../../masks/radial_bins.ts";
import { checkOrder } from "../../../masks/radial_fourier.ts";
import { checkOptionNames } from "../../../options.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { complexListed, listed, type MaskSteps, type WeightList } from "./packed.ts";

/** Pixels that are processed in one step. */
const STEP_PIXELS = 2 ** 16;

/** The masks of `radialBins`. */
export function* ringMasks(shape: Shape, options: RadialBinsOptions): MaskSteps {
  checkOptionNames("sparseRadialBins()", options, BINS_OPTIONS);
  const lists = yield* ringLists(shape, radialLayout(shape, options));
  for (const { values } of options.normalize ? lists : []) {
    let sum = 0;
    for (const weight of values) sum += weight;
    for (let i = 0; i < values.length; i++) values[i]! /= divisor(sum);
  }
  return lists.map((list) => listed(sizeOf(shape), list));
}

/** The masks of `radialFourierMasks`. */
export function* fourierMasks(shape: Shape, options: RadialFourierMaskOptions): MaskSteps {
  checkOptionNames("radialFourierMasks()", options, FOURIER_OPTIONS);
  const orders = checkOrder(options.maxOrder ?? 24) + 1;
  const layout = radialLayout(shape, { ...options, bins: options.bins ?? 1 });
  const lists = yield* ringLists(shape, layout);
  const masks = [];
  let held = lists.reduce((sum, { values }) => sum + 12 * values.length, 0);
  for (const { pixels, values } of lists) {
    const angles = anglesOf(pixels, shape, layout);
    for (let order = 0; order < orders; order++) {
      held += 16 * values.length;
      yield held;
      const [real, imaginary] = [new Float64Array(values.length), new Float64Array(values.length)];
      for (let i = 0; i < values.length; i++) {
        real[i] = values[i]! * cosine(order * angles[i]!);
        imaginary[i] = values[i]! * sine(order * angles[i]!);
      }
      masks.push(complexListed(sizeOf(shape), withoutZeros(pixels, real), withoutZeros(pixels, imaginary)));
    }
  }
  return masks;
}

interface RingList extends WeightList {
  readonly values: Float64Array;
}

/** The weights of each bin. */
function* ringLists(shape: Shape, layout: RadialLayout): Generator<number, RingList[]> {
  const [height, width] = frameSides(shape, "radial bins");
  const ends = new Uint32Array(layout.bins);
  const rows = Math.max(1, Math.floor(STEP_PIXELS / width));
  for (let y = 0; y < height; y += rows) {
    eachRadialWeight(shape, layout, (bin) => ends[bin]!++, [y, Math.min(height, y + rows)]);
    yield 0;
  }
  for (let bin = 1; bin < ends.length; bin++) ends[bin]! += ends[bin - 1]!;
  const total = ends.at(-1)!;
  yield 12 * total;
  const [pixels, values] = [new Uint32Array(total), new Float64Array(total)];
  const starts = Uint32Array.from(ends, (_, bin) => bin === 0 ? 0 : ends[bin - 1]!);
  const next = starts.slice();
  for (let y = 0; y < height; y += rows) {
    const store = (bin: number, pixel: number, weight: number) => {
      const at = next[bin]!++;
      pixels[at] = pixel;
      values[at] = weight;
    };
    eachRadialWeight(shape, layout, store, [y, Math.min(height, y + rows)]);
    yield 12 * total;
  }
  return Array.from(ends, (end, bin) => ({
    pixels: pixels.subarray(starts[bin], end),
    values: values.subarray(starts[bin], end),
  }));
}

/** The angles of pixels around the centre, as in `polarMap`. */
function anglesOf(pixels: Uint32Array, shape: Shape, { cy, cx }: RadialLayout): Float64Array {
  const width = shape[1]!;
  return Float64Array.from(pixels, (pixel) => angleOf(Math.floor(pixel / width) - cy, pixel % width - cx));
}

function withoutZeros(pixels: Uint32Array, values: Float64Array): WeightList {
  if (!values.includes(0)) return { pixels, values };
  return {
    pixels: pixels.filter((_, i) => values[i] !== 0),
    values: values.filter((weight) => weight !== 0),
  };
}
