/**
 * One polarisation product of an observation: a correlation as it is, or a Stokes parameter of several.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import type { ProviderContext } from "../../hypercube/providers/provider.ts";
import type { Observation, RowSamples } from "../../observations/observation.ts";
import { dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { ImagingInput } from "../image/rows.ts";
import { discard } from "../../portable.ts";
import { hasBaseline } from "./extent.ts";

/** A correlation, and the complex number by which it is multiplied. */
type WeightedCorrelation = readonly [name: string, re: number, im: number];

/** Stokes parameters from the correlations of linear and of circular feeds. */
const STOKES: Readonly<Record<string, readonly (readonly WeightedCorrelation[])[]>> = {
  I: [[["XX", 0.5, 0], ["YY", 0.5, 0]], [["RR", 0.5, 0], ["LL", 0.5, 0]]],
  Q: [[["XX", 0.5, 0], ["YY", -0.5, 0]], [["RL", 0.5, 0], ["LR", 0.5, 0]]],
  U: [[["XY", 0.5, 0], ["YX", 0.5, 0]], [["RL", 0, -0.5], ["LR", 0, 0.5]]],
  V: [[["XY", 0, -0.5], ["YX", 0, 0.5]], [["RR", 0.5, 0], ["LL", -0.5, 0]]],
};

/** Bytes of the baseline of a row, and of a sample of a product with its weight. */
const UVW_BYTES = 24, PRODUCT_BYTES = 24;

/** What is taken of an observation. */
export interface Product {
  /** Its name, such as `I` or `XX`. */
  readonly name: string;
  /** Places of the correlations, and by what each is multiplied. */
  readonly parts: readonly { readonly place: number; readonly re: number; readonly im: number }[];
}

/**
 * The product of that name; default: `I` if the observation has what it takes, otherwise its first correlation. Errors:
 * `invalid`, with those that the observation has.
 */
export function productOf(
  { correlations, brightness = {}, source }: Observation,
  wanted?: string,
): Product {
  const factor = brightness.halved ? 2 : 1, imaginary = brightness.conjugated ? -factor : factor;
  const of = (name: string): Product | undefined => {
    if (correlations.includes(name)) {
      return { name, parts: [{ place: correlations.indexOf(name), re: 1, im: 0 }] };
    }
    const parts = STOKES[name]?.find((all) => all.every(([one]) => correlations.includes(one)));
    return parts &&
      {
        name,
        parts: parts.map(([one, re, im]) => ({
          place: correlations.indexOf(one),
          re: factor * re,
          im: imaginary * im,
        })),
      };
  };
  const found = of(wanted ?? "I") ?? (wanted === undefined ? of(correlations[0] ?? "") : undefined);
  if (found) return found;
  const known = [
    ...correlations,
    ...Object.keys(STOKES).filter((name) => !correlations.includes(name) && of(name)),
  ];
  const needs = STOKES[wanted ?? "I"]?.map((all) => all.map(([one]) => one).join(" and ")).join(", or of ");
  const text = `Cannot take ${wanted ?? "I"} of ${source}: it has ${known.join(", ") || "no correlations"}` +
    (needs ? `; ${wanted ?? "I"} is made of ${needs}` : "");
  throw new TilewiseError("invalid", text, {
    option: "correlation",
    found: wanted ?? "I",
    expected: known.join(),
  });
}

/** Channels of an observation, from the first to before the last. */
export type ChannelRange = readonly [start: number, stop: number];

/**
 * The rows of a product as imaging takes them, of all channels or some: read by ranges. What is flagged, not finite, without a baseline, or of an
 * antenna with itself has the weight 0; a sample of two correlations counts as the mean of two with their weights does.
 *
 * Errors: `invalid` for an observation without visibilities.
 */
export function imagingRows(
  observation: Observation,
  product: Product,
  range: ChannelRange = [0, observation.frequencies.length],
): ImagingInput {
  const { rows, frequencies, visibility, flag, weight } = observation;
  if (!visibility) {
    throw cannot("image", observation.source, "invalid", "it has no visibilities");
  }
  const channels = range[1] - range[0], stored = observation.correlations.length;
  const uvw = held((start, stop) => observation.uvw(start, stop));
  const values = held(async (start, stop) => {
    const samples = await readSamples(visibility, start, stop, range);
    const found = combined(samples as Float64Array, product, stored);
    discard(samples);
    return found;
  });
  return {
    rows,
    frequency: frequencies.slice(...range),
    memory: (count) => observation.memory + copiesOf(observation, count, channels),
    uvw: async (start, stop) => (await uvw(start, stop)).map((value) => Number.isFinite(value) ? value : 0),
    visibilities: values,
    weights: held(async (start, stop) => {
      const flags = flag && await readSamples(flag, start, stop, range);
      const weights = weight && await readSamples(weight, start, stop, range);
      const repeat = weight?.shape.length === 2 ? channels : 1, count = (stop - start) * channels;
      const out = weightsOf(product, { count, stored, flags, weights, repeat });
      for (const samples of [flags, weights]) if (samples) discard(samples);
      const vis = await values(start, stop);
      const places = await uvw(start, stop);
      for (let row = 0, i = 0; row < stop - start; row++) {
        const isUsed = hasBaseline(places, row);
        for (const end = i + channels; i < end; i++) {
          if (!isUsed || !Number.isFinite(vis[2 * i]! + vis[2 * i + 1]!)) out[i] = 0;
        }
      }
      return out;
    }),
  };
}

/** Bytes of the samples of some rows while they are read: as they are stored, the part that is wanted, and the product. */
function copiesOf(
  { visibility, flag, weight, correlations }: Observation,
  rows: number,
  channels: number,
): number {
  const stored = [visibility, flag, weight].map((samples) => samples ? dtypeInfo(samples.dtype).itemSize : 0);
  const each = 2 * correlations.length * stored.reduce((sum, bytes) => sum + bytes, 0);
  return rows * (2 * UVW_BYTES + channels * (each + PRODUCT_BYTES));
}

/** All samples of some rows, which are the caller's, or those of some channels where they have channels. */
export async function readSamples(
  { shape, source }: RowSamples,
  start: number,
  stop: number,
  channels?: ChannelRange,
): Promise<TypedArray> {
  const whole = shape.slice(1).map((size) => [0, size] as const);
  const cell = channels && shape.length === 3 ? [channels, whole[1]!] : whole;
  const extents = [[start, stop] as const, ...cell];
  const only: Pick<ProviderContext, "extents"> = { extents }; // sources of observations look at nothing else
  return await source(only as ProviderContext) as TypedArray;
}

/**
 * A reader that has the last range at hand: several values are made from the same samples. These are valid until it is
 * asked for another range.
 */
function held<T extends ArrayBufferView>(
  read: (start: number, stop: number) => Promise<T>,
): (start: number, stop: number) => Promise<T> {
  let last: { readonly key: string; readonly data: Promise<T> } | undefined;
  return async (start, stop) => {
    const key = `${start}:${stop}`;
    if (last?.key !== key) {
      last?.data.then(discard, () => {});
      last = { key, data: read(start, stop) };
    }
    return await last.data;
  };
}

/** The sums of the parts of all samples, as pairs. */
function combined(samples: ArrayLike<number>, { parts }: Product, stored: number): Float64Array {
  const count = samples.length / 2 / stored;
  const out = new Float64Array(2 * count);
  for (const { place, re, im } of parts) { // an iterator per sample would be more garbage than there are samples
    for (let i = 0; i < count; i++) {
      const at = 2 * (i * stored + place), x = samples[at]!, y = samples[at + 1]!;
      out[2 * i]! += re * x - im * y;
      out[2 * i + 1]! += re * y + im * x;
    }
  }
  return out;
}

/** Flags and weights of some samples. */
interface Weighted {
  readonly count: number;
  readonly stored: number;
  readonly flags: TypedArray | undefined;
  readonly weights: TypedArray | undefined;
  /** Samples for which a weight stands. */
  readonly repeat: number;
}

/** Weights are inverse variances: those of a sum of parts follow. */
function weightsOf({ parts }: Product, { count, stored, flags, weights, repeat }: Weighted): Float64Array {
  const out = new Float64Array(count); // variances first
  for (const { place, re, im } of parts) {
    for (let i = 0; i < count; i++) {
      const weight = weights ? Number(weights[Math.floor(i / repeat) * stored + place]!) : 1;
      const isUsed = weight > 0 && !(flags && Number(flags[i * stored + place]!) !== 0);
      out[i]! += isUsed ? (re * re + im * im) / weight : Infinity;
    }
  }
  for (let i = 0; i < count; i++) out[i] = out[i]! < Infinity ? 1 / out[i]! : 0;
  return out;
}
