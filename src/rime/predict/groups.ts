/**
 * Sources in groups of at most 32, which are summed up together, and their weights.
 *
 * @module
 */

import type { CubeArray } from "../../hypercube/providers/provider.ts";
import { GROUP, type PredictSettings } from "./options.ts";
import { placeAxes } from "./shapelets.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";

/** The arrays of a tile by name. */
type Arrays = Readonly<Record<string, CubeArray>>;

/** Sources `from` to `from + size`, at most 32, of one shape. */
export interface Group {
  /** The number of the first one. */
  readonly from: number;
  /** How many there are. */
  readonly size: number;
  /** 0 point, 1 Gaussian, 2 exponential disk, 3 shapelet. */
  readonly shape: 0 | 1 | 2 | 3;
  /** The number of the first one among those of its shape. */
  readonly own: number;
}

/** The constant in front of ν / c of each shape: for Gaussians from FWHM to the exponent, for disks. */
export const TAPERS: readonly number[] = [0, Math.PI * Math.SQRT2 / Math.sqrt(Math.log(256)), 2 * Math.PI];

/** The sources of a tile in groups, none of which has sources of two shapes. */
export function* groupsOf(arrays: Arrays): Generator<Group> {
  const sources = arrays["lm"]!.shape[0]!;
  const gaussians = arrays["gaussian_shape"]?.shape[1] ?? 0;
  const disks = arrays["sersic_shape"]?.shape[1] ?? 0;
  const shapelets = arrays["shapelet_shape"]?.shape[1] ?? 0;
  const counts = [sources - gaussians - disks - shapelets, gaussians, disks, shapelets];
  let from = 0;
  for (const [shape, count] of counts.entries()) {
    for (let own = 0; own < count; own += GROUP) {
      yield { from: from + own, size: Math.min(GROUP, count - own), shape: shape as Group["shape"], own };
    }
    from += Math.max(0, count);
  }
}

/** Whether Q, U and V of a group are 0, at all times and in all channels. */
export function isUnpolarised(
  { from, size }: Group,
  arrays: Arrays,
  doubles: (name: string) => Float64Array,
): boolean {
  const stokes = doubles("stokes");
  const each = arrays["stokes"]!.shape.slice(1).reduce((a, b) => a * b, 1);
  for (let i = from * each; i < (from + size) * each; i += 4) {
    if (stokes[i + 1] !== 0 || stokes[i + 2] !== 0 || stokes[i + 3] !== 0) return false;
  }
  return true;
}

/** Writes directions (l, m, n − 1) and shapes of a group to `work_sources`, one after the other. */
export function placeSources(
  { from, size, shape, own }: Group,
  arrays: Arrays,
  doubles: (name: string) => Float64Array,
): void {
  const lm = doubles("lm"), out = doubles("work_sources");
  for (let s = 0; s < size; s++) {
    const [l, m] = [lm[2 * (from + s)]!, lm[2 * (from + s) + 1]!];
    const square = l * l + m * m;
    out.set([l, m, -square / (1 + Math.sqrt(1 - square))], 3 * s);
  }
  if (shape === 0) return;
  if (shape === 3) return placeAxes({ size, own }, arrays, doubles);
  const name = shape === 1 ? "gaussian_shape" : "sersic_shape";
  const shapes = doubles(name), count = arrays[name]!.shape[1]!;
  for (let s = 0; s < size; s++) {
    for (let i = 0; i < 3; i++) out[3 * (GROUP + s) + i] = shapes[i * count + own + s]!;
  }
}

/** Where the weights go, and of what they are. */
interface WeightsOf {
  /** Address of the weights: `planes` vectors per source. */
  readonly out: number;
  /** Rows of `work_combine` that are used. */
  readonly planes: number;
  /** The time, if `stokes` depends on it. */
  readonly time: number;
  /** The first channel in the tile, and how many there are. */
  readonly channel: number;
  readonly channels: number;
}

/** Writes the weights of a group. */
export function placeWeights(
  brightness: KernelFamilies["rime_brightness"],
  { stokesAxes: axes, spectrum }: PredictSettings,
  arrays: Readonly<Record<string, CubeArray>>,
  { from, size }: Group,
  { out, planes, time, channel, channels }: WeightsOf,
): void {
  const { pointer, shape } = arrays["stokes"]!;
  const stride = (axis: number) => 8 * shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const channelStride = axes.includes("nchan") ? 32 : 0;
  const timeStride = axes.includes("ntime") ? stride(1) : 0;
  const terms = arrays["spectral_terms"];
  const termCount = terms?.shape[1] ?? 0;
  brightness(
    out,
    pointer + from * stride(0) + time * timeStride + channel * channelStride,
    stride(0),
    channelStride,
    arrays["work_combine"]!.pointer,
    planes,
    arrays["frequency"]!.pointer + 8 * channel,
    (arrays["reference_frequency"]?.pointer ?? 0) + 8 * from,
    (terms?.pointer ?? 0) + 8 * from * termCount,
    termCount,
    ["none", "log", "linear"].indexOf(spectrum),
    size,
    channels,
  );
}
