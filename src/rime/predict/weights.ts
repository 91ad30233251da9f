/**
 * The real weights of a group of sources, for one vector of channels.
 *
 * @module
 */

import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import type { Group } from "./groups.ts";
import type { PredictSettings } from "./options.ts";

/** Where the weights go, and of what they are. */
export interface WeightsOf {
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
