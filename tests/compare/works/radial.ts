/**
 * Fourier coefficients along rings, with everything that is derived from them.
 *
 * @module
 */

import { ndarray } from "../../../src/space/ndarray.ts";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import { radialFourier, type RadialFourierOptions } from "../../../src/udf/builtin/radial_fourier.ts";
import { gamma, perEntry, roundoff, SINGLE } from "../verdict/bounds.ts";
import type { Expectations, Results } from "../compare.ts";
import { isComplex, isImage, type Params, product } from "../data/spec.ts";
import { type AnyWork, compute, type Judged, work } from "../work.ts";
import { randomCentre } from "./detectors.ts";
import { overPixels } from "./plain.ts";

interface RadialParams extends Params {
  readonly cy?: number;
  readonly cx?: number;
  readonly ri?: number;
  readonly ro?: number;
  readonly bins: number;
  readonly maxOrder: number;
}

/** The weights of every ring, from the definition: a ramp of one pixel on both sides. */
function rings(sig: readonly number[], params: RadialParams): Float64Array[] {
  const [height, width] = sig as [number, number];
  const { cy = height / 2, cx = width / 2, ri = 0, bins } = params;
  const ro = params.ro ?? Math.ceil(Math.hypot(Math.max(cy, height - cy), Math.max(cx, width - cx))) + 1;
  const step = (ro - ri) / bins;
  return Array.from({ length: bins }, (_, bin) =>
    overPixels(sig, (y, x) => {
      const distance = Math.hypot(y - cy, x - cx);
      const isCentre = bin === 0 && ri < 0.5 && distance <= 1; // it has a weight of its own
      const weight = step / 2 + 0.5 - Math.abs(distance - (ri + (bin + 0.5) * step));
      return isCentre ? 1 : Math.min(1, Math.max(0, weight));
    }));
}

/**
 * Bounds of the coefficients. Both have masks of complex64, whose angles o·φ, up to 24π, are rounded to float32 before
 * the exponential; and the peer adds in single precision where samples are, as we do.
 */
function coefficientErrors({ opened: { data, truth }, params }: Judged<RadialParams>): Float64Array {
  const weights = rings(data.sig, params);
  const orders = params.maxOrder + 1;
  const rounding = gamma(truth.pixels + 16, roundoff(data)) + 16 * SINGLE + truth.sampleError;
  return perEntry(truth, params.bins * orders, (position) => {
    const magnitudes = truth.magnitudes(position);
    return weights.flatMap((ring) => {
      const size = ring.reduce((sum, weight, p) => weight === 0 ? sum : sum + weight * magnitudes[p]!, 0);
      return Array.from({ length: orders }, (_, order) => (rounding + 4 * Math.PI * order * SINGLE) * size);
    });
  });
}

function expectations(judged: Judged<RadialParams>): Expectations {
  const { opened: { data }, params: { bins, maxOrder }, theirs } = judged;
  const errors = coefficientErrors(judged);
  const orders = maxOrder + 1;
  const sizes = theirs.absolute!.data as Float64Array;
  const normal = (i: number) => Math.max(1, sizes[i - i % orders]!);
  const phase = errors.map((error, i) =>
    error < sizes[i]! / 2 ? 2 * error / sizes[i]! + 4 * SINGLE : error === 0 ? 0 : Infinity
  );
  const single = errors.map((error, i) => error + 4 * SINGLE * (sizes[i]! || 0));
  const normalised = errors.map((error, i) => {
    const zero = errors[i - i % orders]!;
    const ratio = (sizes[i]! || 0) / normal(i);
    return (error + ratio * zero) / Math.max(1, normal(i) - zero) + 12 * SINGLE * ratio;
  });
  return {
    intensity: errors,
    absolute: single,
    phase: { within: phase, period: 2 * Math.PI },
    normalised: withoutOrder0(normalised, orders),
    dominant: dominantErrors(judged, errors, [product(data.nav), bins, orders]),
  };
}

function withoutOrder0<A extends Float32Array | Float64Array>(values: A, orders: number): A {
  return values.filter((_, i) => i % orders !== 0) as A;
}

/** The dominant order is unbounded where two orders, or the strongest and the limit, are as near as their errors. */
function dominantErrors(
  { theirs }: Judged<RadialParams>,
  errors: Float64Array,
  shape: readonly number[],
): Float64Array {
  const [frames, bins, orders] = shape as [number, number, number];
  const sizes = theirs.absolute!.data as Float64Array;
  const strongest = (f: number, bin: number) => {
    const list = Array.from({ length: orders - 1 }, (_, o) => {
      const i = (f * bins + bin) * orders + o + 1;
      return { size: sizes[i]!, error: 2 * errors[i]! + 8 * SINGLE * sizes[i]! };
    }).sort((a, b) => b.size - a.size);
    return list;
  };
  return Float64Array.from({ length: frames * bins }, (_, entry) => {
    const [f, bin] = [Math.floor(entry / bins), entry % bins];
    const [first, second] = strongest(f, bin);
    if (!first || !Number.isFinite(first.size)) return 0;
    const isTied = second && first.size - second.size <= first.error + second.error;
    let limit = 0, slack = 0;
    for (let other = 0; other < frames; other++) {
      const most = strongest(other, bin)[0]!;
      if (0.2 * most.size > limit) [limit, slack] = [0.2 * most.size, most.error];
    }
    const isAtLimit = Math.abs(first.size - limit) <= first.error + slack;
    return isTied || isAtLimit ? Infinity : 0;
  });
}

function withRatios({ intensity, absolute, phase, normalised, dominant }: UdfResult): Results {
  const { data, shape } = normalised!;
  const orders = shape.at(-1)!;
  const rest = withoutOrder0(data as Float32Array, orders);
  return {
    intensity: intensity!,
    absolute: absolute!,
    phase: phase!,
    dominant: dominant!,
    normalised: ndarray(rest, [...shape.slice(0, -1), orders - 1], "float32"),
  };
}

/** The works. */
export const RADIAL: readonly AnyWork[] = [
  work<RadialParams>({
    word: "radialfourier",
    covers: ["radial_fourier"],
    suits: ({ data }) => isImage(data) && data.pattern !== "special" && !isComplex(data),
    params: (random, { data: { sig } }) => {
      const side = Math.min(...sig);
      return {
        ...randomCentre(random, sig),
        ...(random.chance(0.4) ? { ri: random.pick([0, random.real(0, side / 3)]) } : {}),
        ...(random.chance(0.5) ? { ro: random.real(side / 3, side) + 0.5 } : {}),
        bins: random.int(1, 4),
        maxOrder: random.pick([1, 2, 4, 8, 24]),
      };
    },
    ours: async (opened, params) =>
      withRatios(await compute(opened, radialFourier(params as RadialFourierOptions))),
    expect: expectations,
  }),
];
