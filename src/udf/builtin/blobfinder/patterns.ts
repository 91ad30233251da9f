/**
 * Match patterns: weights that describe a diffraction disk, to correlate frames with.
 *
 * A pattern is plain data, so that it can be a parameter of a UDF. `search` is how far from its expected position a
 * disk is searched, edge included: cut-outs have sides of `2 ⌈search⌉` pixels.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { LanesPlan } from "../../../kernels/families/lanes_plan.ts";
import { centredSpectrum } from "../../../kernels/spectrum.ts";
import { circular as disk } from "../../../masks/disks.ts";
import {
  backgroundSubtraction as balanced,
  radialGradient as cone,
  radialGradientBackgroundSubtraction as coneWithRing,
} from "../../../masks/gradients.ts";
import { polarMap } from "../../../masks/polar.ts";
import { checkOptionNames } from "../../../options.ts";
import { cosine, sine } from "../../../space/functions/functions.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { type Shape, showShape } from "../../../space/shape.ts";
import {
  BACKGROUND_OPTIONS,
  type BackgroundOptions,
  type BackgroundSubtractionPattern,
  type CircularPattern,
  DISK_OPTIONS,
  type DiskOptions,
  GRADIENT_OPTIONS,
  type GradientBackgroundOptions,
  type GradientBackgroundPattern,
  type MatchPattern,
  pattern as checkPattern,
  type RadialGradientPattern,
  TEMPLATE_OPTIONS,
  type TemplateOptions,
  type TemplatePattern,
} from "./options/patterns.ts";

/**
 * The pattern of a disk of uniform brightness.
 *
 * @example
 * ```ts
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * assertEquals(blobs.circularPattern({ radius: 8 }).search, 16);
 * ```
 * @category Blob finding
 */
export function circularPattern(options: DiskOptions): CircularPattern {
  checkOptionNames("circular()", options, DISK_OPTIONS);
  const { radius, search = 2 * radius } = options;
  return checked({ kind: "circular", radius, search }, { radius });
}

/**
 * The pattern of a disk whose edge counts more than its inside.
 * @category Blob finding
 */
export function radialGradientPattern(options: DiskOptions): RadialGradientPattern {
  checkOptionNames("radialGradient()", options, DISK_OPTIONS);
  const { radius, search = 2 * radius } = options;
  return checked({ kind: "radial-gradient", radius, search }, { radius });
}

/**
 * The pattern of a disk on a background; `search` is at least the outer radius.
 * @category Blob finding
 */
export function backgroundSubtractionPattern(options: BackgroundOptions): BackgroundSubtractionPattern {
  checkOptionNames("backgroundSubtraction()", options, BACKGROUND_OPTIONS);
  const { radius, outer = 1.5 * radius, search = Math.max(2 * radius, outer) } = options;
  checkRing(radius, outer);
  return checked({ kind: "background-subtraction", radius, outer, search }, { outer });
}

/**
 * The pattern of a disk whose edge counts more than its inside, on a background.
 * @category Blob finding
 */
export function radialGradientBackgroundSubtractionPattern(
  options: GradientBackgroundOptions,
): GradientBackgroundPattern {
  checkOptionNames("radialGradientBackgroundSubtraction()", options, GRADIENT_OPTIONS);
  const { radius, outer = 1.5 * radius, search = Math.max(2 * radius, outer), delta = 1, radiusMap } =
    options;
  checkRing(radius, outer);
  if (!(delta > 0)) throw refused(`delta is ${delta}; it must be above 0`);
  const pattern = { kind: "radial-gradient-background-subtraction", radius, outer, delta, search } as const;
  if (!radiusMap) return checked(pattern, { outer });
  checkImage(radiusMap, "radius map");
  return checked({ ...pattern, radiusMap }, {});
}

/**
 * A pattern of your own weights, padded with 0 or cropped around its centre if another size is needed.
 * @category Blob finding
 */
export function userTemplate(options: TemplateOptions): TemplatePattern {
  checkOptionNames("userTemplate()", options, TEMPLATE_OPTIONS);
  const { template, search } = options;
  checkImage(template, "template");
  const [height, width] = template.shape as [number, number];
  const reach = search ?? Math.hypot(height, width) / 2;
  return checked({ kind: "template", template, search: reach }, {
    "half of the template": Math.max(height, width) / 2,
  });
}

/** Half the side of the cut-outs that are correlated with `pattern`. */
export function halfSize({ search }: MatchPattern): number {
  return Math.ceil(search);
}

/** How far from its centre a pattern may have weights, without the half pixel of the ramp at its edge. */
export function reachOf(pattern: MatchPattern): number {
  if (pattern.kind === "template") return Math.max(...pattern.template.shape) / 2;
  if ("radiusMap" in pattern && pattern.radiusMap) return Math.max(...pattern.radiusMap.shape) / 2;
  return "outer" in pattern ? pattern.outer : pattern.radius;
}

/**
 * The weights of a pattern on an image of `shape`, float64, its centre at pixel ⌊size / 2⌋.
 *
 * @example
 * ```ts
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const pattern = blobs.circularPattern({ radius: 1, search: 2 });
 * assertEquals([...blobs.patternMask(pattern, [1, 4]).data], [0, 0.5, 1, 0.5]);
 * ```
 * @category Blob finding
 */
export function patternMask(pattern: MatchPattern, shape: Shape): NDArray<"float64"> {
  checkPattern("patternMask()", "pattern", pattern);
  const centre = { cy: Math.floor(shape[0]! / 2), cx: Math.floor(shape[1]! / 2) };
  const { kind } = pattern;
  if (kind === "template") return placed(pattern.template, shape, 0);
  const r = pattern.radius;
  if (kind === "circular") return disk(shape, { ...centre, r, antialiased: true });
  if (kind === "radial-gradient") return cone(shape, { ...centre, r, antialiased: true });
  if (kind === "background-subtraction") {
    return balanced(shape, { ...centre, ri: r, ro: pattern.outer, antialiased: true });
  }
  const radii = pattern.radiusMap
    ? placed(pattern.radiusMap, shape, Infinity)
    : polarMap(shape, centre).radius;
  return coneWithRing(radii, { r, ro: pattern.outer, delta: pattern.delta });
}

/** An image of another shape with the same centre. */
function placed({ data, shape }: NDArray, [height, width]: Shape, fill: number): NDArray<"float64"> {
  const out = new Float64Array(height! * width!).fill(fill);
  const numbers = asNumbers(data);
  const [rows, columns] = shape as [number, number];
  const [top, left] = [
    Math.floor(height! / 2) - Math.floor(rows / 2),
    Math.floor(width! / 2) - Math.floor(columns / 2),
  ];
  for (let i = 0; i < rows * columns; i++) {
    const [y, x] = [top + Math.floor(i / columns), left + i % columns];
    if (y >= 0 && y < height! && x >= 0 && x < width!) out[y * width! + x] = numbers[i]!;
  }
  return { data: out, shape: [height!, width!], stride: [width!, 1], dtype: "float64" };
}

function checked<P extends MatchPattern>(pattern: P, inside: Readonly<Record<string, number>>): P {
  const sizes = {
    ...inside,
    search: pattern.search,
    ...("radius" in pattern ? { radius: pattern.radius } : {}),
  };
  for (const [name, value] of Object.entries(sizes)) {
    if (!Number.isFinite(value) || value <= 0) throw refused(`${name} is ${value}; it must be above 0`);
  }
  for (const [name, value] of Object.entries(inside)) {
    if (pattern.search < value) {
      throw refused(`search is ${pattern.search}, ${name} is ${value}; search must contain the pattern`);
    }
  }
  return pattern;
}

function checkRing(radius: number, outer: number): void {
  if (!(outer > radius)) throw refused(`outer is ${outer}, radius is ${radius}; the ring must have a width`);
}

function checkImage({ data, shape, dtype }: NDArray, what: string): void {
  if (shape.length !== 2 || dtype.startsWith("complex")) {
    throw refused(`the ${what} is ${showShape(shape)} ${dtype}; it must have 2 dimensions and be real`);
  }
  for (const value of data) {
    if (what === "template" && !Number.isFinite(Number(value))) {
      throw refused(`a weight of the ${what} is ${value}; weights are finite numbers`);
    }
  }
}

function refused(reason: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot make a match pattern: ${reason}`);
}

// The spectrum to multiply with the spectrum of a cut-out; the product is the spectrum of its correlation with a
// pattern.
//
// `correlation[p] = Σ_q image[q] · pattern[q − p + centre]`: it is largest where the pattern, centred on p, fits best.
// A product of spectra without conjugation is a convolution, which mirrors the pattern; both are the same for patterns
// that are symmetric about their centre.

/**
 * The patterns of cut-outs with a longer side, in pixels, are transformed by an FFT; otherwise it would take many
 * seconds.
 */
const LARGE = 1024;

/** Whether cut-outs of `side` pixels are transformed by an FFT. */
export function isLarge(side: number): boolean {
  return side > LARGE;
}

/** Pairs (re, im) in the order of `lanes_fft` along both axes, divided by the number of samples. */
export function lanesSpectrum(pattern: MatchPattern, { n, order }: LanesPlan): Float32Array {
  const half = halfSize(pattern);
  const weights = patternMask(pattern, [n, n]).data;
  if (isLarge(n)) return largeSpectrum(weights, { n, order });
  const turns = Float64Array.from({ length: n }, (_, j) => 2 * Math.PI * j / n);
  const [cos, sin] = [turns.map(cosine), turns.map(sine)];
  const rows = new Float64Array(2 * n * n); // rows are transformed, frequencies in order
  for (let y = 0; y < n; y++) {
    for (let i = 0; i < n; i++) {
      let re = 0, im = 0;
      for (let x = 0; x < n; x++) {
        const turn = mod(order[i]! * (x - half), n);
        re += weights[y * n + x]! * cos[turn]!;
        im += weights[y * n + x]! * sin[turn]!; // +: conjugated
      }
      rows.set([re, im], 2 * (y * n + i));
    }
  }
  const spectrum = new Float32Array(2 * n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      let re = 0, im = 0;
      for (let y = 0; y < n; y++) {
        const turn = mod(order[k]! * (y - half), n);
        const [r, m] = [rows[2 * (y * n + i)]!, rows[2 * (y * n + i) + 1]!];
        re += r * cos[turn]! - m * sin[turn]!;
        im += r * sin[turn]! + m * cos[turn]!;
      }
      spectrum.set([re / (n * n), im / (n * n)], 2 * (k * n + i));
    }
  }
  return spectrum;
}

/**
 * The same as {@link lanesSpectrum}, by an FFT of all weights. The centre is pixel n / 2, so that moving it to pixel 0
 * only changes signs.
 */
export function largeSpectrum(
  weights: Float64Array,
  { n, order }: Pick<LanesPlan, "n" | "order">,
): Float32Array {
  const centred = centredSpectrum(weights, n, n);
  const spectrum = new Float32Array(2 * n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const [y, x] = [mod(order[k]! + n / 2, n), mod(order[i]! + n / 2, n)];
      const scale = ((order[k]! + order[i]!) % 2 ? -1 : 1) / (n * n);
      const from = 2 * (y * n + x), to = 2 * (k * n + i);
      spectrum[to] = scale * centred[from]!;
      spectrum[to + 1] = -scale * centred[from + 1]!; // conjugated
    }
  }
  return spectrum;
}

/** The weights of a pattern on a whole frame, with its centre at pixel (0, 0) and the rest wrapped into the corners. */
export function wrappedMask(pattern: MatchPattern, [height, width]: readonly [number, number]): Float32Array {
  const weights = patternMask(pattern, [height, width]).data;
  const [cy, cx] = [Math.floor(height / 2), Math.floor(width / 2)];
  const out = new Float32Array(height * width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      out[mod(y - cy, height) * width + mod(x - cx, width)] = weights[y * width + x]!;
    }
  }
  return out;
}

/** The remainder of a floor division: never negative. */
export function mod(i: number, n: number): number {
  return ((i % n) + n) % n;
}
