/**
 * Antialiased rings that cover a frame together: where one fades out, the next one fades in.
 *
 * ```
 * weight   1 |    ____      ____          clip(w/2 + 0.5 − |r − r0|, 0, 1)
 *            |   /    \    /    \         w: width of a bin, r0: radius of its middle; computed from
 *            |  /      \  /      \        its borders, as a middle far away would leave no digits for r
 *          0 |__/______\__/______\__ r    the ramp is 1 px wide, whatever w is
 * ```
 *
 * The weight of the innermost pixel is set directly: no bin overlaps it from inside, so the ramp would make it too
 * small.
 *
 * @module
 */

import { checkOptionNames } from "../options.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import type { Shape } from "../space/shape.ts";
import { eachPixel, frameSides, roundHalfEven } from "./frame.ts";
import { checkRadii, eachRingRun, noRing } from "./geometry.ts";
import { BINS_OPTIONS, type Centre, type RadialBinsOptions } from "./options.ts";
import { boundingRadius } from "./polar.ts";
import { type SparseMasks, sparseMasks } from "./sparse.ts";

/** The bins of {@link radialBins} as numbers. */
export interface RadialLayout {
  /** Row of the centre. */
  readonly cy: number;
  /** Column of the centre. */
  readonly cx: number;
  /** Inner radius. */
  readonly ri: number;
  /** Outer radius. */
  readonly ro: number;
  /** Number of bins. */
  readonly bins: number;
  /** Width of a bin. */
  readonly width: number;
  /** The pixel at the centre, if it is set in bin 0. */
  readonly patch?: { readonly pixel: number; readonly weight: number };
}

/** The parameters with their defaults, checked. */
export function radialLayout(shape: Shape, options: RadialBinsOptions): RadialLayout {
  const [height, width] = frameSides(shape, "radial bins");
  const { cy, cx, ri = 0 } = options;
  const ro = options.ro ?? boundingRadius(shape, { cy, cx });
  checkRadii("radial bins", { ri, ro });
  const bins = options.bins ?? Math.max(1, roundHalfEven(ro - ri));
  const layout = { cy, cx, ri, ro, bins, width: (ro - ri) / bins };
  const [y, x] = [roundHalfEven(cy), roundHalfEven(cx)];
  const hasPatch = ri < 0.5 && y >= 0 && y < height && x >= 0 && x < width;
  if (hasPatch) return { ...layout, patch: { pixel: y * width + x, weight: 1 - ri } };
  if (!hasWeight([height, width], layout)) throw noRing("radial bins", shape, { cy, cx, ro, ri });
  return layout;
}

function distance({ cy, cx }: Centre, y: number, x: number): number {
  const [dy, dx] = [y - cy, x - cx];
  return Math.sqrt(dy * dy + dx * dx);
}

/** Whether a pixel has a weight above 0: where a ring has faded out, half a pixel beyond its radii, none has. */
function hasWeight(sides: readonly [number, number], layout: RadialLayout): boolean {
  const { cy, cx, ri, ro } = layout;
  let some = false;
  const look = (y: number, x: number) => eachBinAt(layout, distance(layout, y, x), () => some = true);
  eachRingRun(sides, { cy, cx, ro: ro + 1, ri: ri - 1 }, (y, start, stop) => {
    for (let x = start; x < stop && !some; x++) look(y, x);
  });
  return some;
}

/** Average number of bins to which a pixel of the ring belongs: the bins whose ramps include it. */
export function binsPerPixel({ bins, width }: RadialLayout): number {
  return Math.min(bins, Math.max(1, 1 / width));
}

/** Visits the bins that reach the radius `r`, with their weights above 0. */
export function eachBinAt(
  { ri, bins, width }: RadialLayout,
  r: number,
  visit: (bin: number, weight: number) => void,
): void {
  const reach = width / 2 + 0.5;
  const first = Math.max(0, Math.floor((r - reach - ri) / width - 0.5));
  const last = Math.min(bins - 1, Math.ceil((r + reach - ri) / width - 0.5));
  for (let bin = first; bin <= last; bin++) {
    const weight = Math.min(1, 0.5 + Math.min(r - (ri + bin * width), ri + (bin + 1) * width - r));
    if (weight > 0) visit(bin, weight);
  }
}

/**
 * Visits every weight above 0, pixel by pixel, in the half-open range of rows (default: all rows). A pixel belongs to
 * every bin whose ramps include it.
 */
export function eachRadialWeight(
  shape: Shape,
  layout: RadialLayout,
  visit: (bin: number, pixel: number, weight: number) => void,
  rows?: readonly [start: number, stop: number],
): void {
  const { patch } = layout;
  const [height, width] = frameSides(shape, "radial bins");
  const [start, stop] = rows ?? [0, height];
  eachPixel([stop - start, width], (row, x, inside) => {
    const [y, pixel] = [start + row, start * width + inside];
    const isPatch = pixel === patch?.pixel;
    if (isPatch) visit(0, pixel, patch.weight);
    eachBinAt(layout, distance(layout, y, x), (bin, weight) => {
      if (!(isPatch && bin === 0)) visit(bin, pixel, weight);
    });
  });
}

/**
 * A stack of antialiased rings, float64, shape (bins, height, width). Neighbours overlap by 1 px and add up to 1.
 *
 * @param shape shape of a frame: rows, columns
 * @param options centre, radii, number of bins, and whether each is divided by its sum
 * @returns the masks, one per bin
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/masks";
 * import { assertEquals } from "@std/assert";
 * const { data } = masks.radialBins([4, 5], { cy: 1.5, cx: 2, ro: 3, bins: 2 });
 * const [inner, outer] = [data.subarray(0, 20), data.subarray(20)];
 * assertEquals(inner.map((weight, i) => weight + (outer[i] ?? 0)).slice(5, 8), Float64Array.of(1, 1, 1));
 * ```
 * @category Masks
 */
export function radialBins(shape: Shape, options: RadialBinsOptions): NDArray<"float64"> {
  checkOptionNames("radialBins()", options, BINS_OPTIONS);
  const layout = radialLayout(shape, options);
  const [height, width] = frameSides(shape, "radial bins");
  const data = new Float64Array(layout.bins * height * width);
  const sums = new Float64Array(layout.bins);
  eachRadialWeight(shape, layout, (bin, pixel, weight) => {
    data[bin * height * width + pixel] = weight;
    sums[bin]! += weight;
  });
  if (options.normalize) {
    for (let i = 0; i < data.length; i++) data[i]! /= divisor(sums[Math.floor(i / (height * width))]!);
  }
  return ndarray(data, [layout.bins, height, width], "float64");
}

/**
 * As {@link radialBins}, with only the weights above 0: for many narrow bins.
 * @category Masks
 */
export function sparseRadialBins(shape: Shape, options: RadialBinsOptions): SparseMasks {
  checkOptionNames("sparseRadialBins()", options, BINS_OPTIONS);
  const layout = radialLayout(shape, options);
  const bins: number[] = [], pixels: number[] = [], weights: number[] = [];
  const sums = new Float64Array(layout.bins);
  eachRadialWeight(shape, layout, (bin, pixel, weight) => {
    bins.push(bin);
    pixels.push(pixel);
    weights.push(weight);
    sums[bin]! += weight;
  });
  const scale = (weight: number, i: number) => options.normalize ? weight / divisor(sums[bins[i]!]!) : weight;
  const values = Float64Array.from(weights, scale);
  return sparseMasks([layout.bins, ...shape], bins, pixels, values, "float64");
}

/** The number by which a bin is divided: its sum, or 1 if it has no pixel in the frame. */
export function divisor(sum: number): number {
  return sum <= 1e-8 ? 1 : sum;
}
