/**
 * Images of an observation: of several correlations or Stokes parameters, and of parts of the band.
 *
 * @module
 */

import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { must, whole } from "../../options/rules.ts";
import { ndarray } from "../../space/ndarray.ts";
import {
  type DirtyImage,
  dirtyImage,
  type DirtyImagePlan,
  mainLobe,
  planDirtyImage,
  StepProgress,
} from "../image/dirty.ts";
import type { ImageGrid } from "../image/grid.ts";
import type { MainLobe } from "../image/main_lobe.ts";
import { DIRTY_IMAGE_OPTIONS, type DirtyImageOptions } from "../image/options.ts";
import { mustDiffer } from "./correlations.ts";
import { type ChannelRange, imagingRows, type Product, productOf } from "./product.ts";

/**
 * Which images are made of an observation.
 * @category Measurement equation
 */
export interface ImagePlanesOptions extends Omit<DirtyImageOptions, "convention" | "normalize"> {
  /** Correlations or Stokes parameters, such as `["I", "Q", "U", "V"]`. Default: `I`, or the first correlation. */
  readonly correlations?: readonly string[];
  /**
   * Parts of the band: so many images, each of as many channels one after another. Whole, at least 1. Default 1: one
   * image of all channels.
   */
  readonly bands?: number;
}

const { convention: _, normalize: __, ...SHARED } = DIRTY_IMAGE_OPTIONS;

/** Their rules. */
const IMAGE_PLANES_OPTIONS: OptionNames<ImagePlanesOptions> = {
  ...SHARED,
  correlations: must(
    "a list of names, such as I or XX",
    (value) => Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string"),
  ),
  bands: whole(1),
};

/**
 * What a plane is of.
 * @category Measurement equation
 */
export interface PlaneFacts {
  /** The correlation or Stokes parameter. */
  readonly correlation: string;
  /** The channels, from the first to before the last. */
  readonly channels: readonly [start: number, stop: number];
  /** The middle of the band in Hz. */
  readonly frequency: number;
  /** The width of the band in Hz, from the lower edge of the lowest to the upper edge of the highest channel. */
  readonly width: number;
}

/**
 * An image of a part of an observation, in Jy per beam.
 * @category Measurement equation
 */
export interface ImagePlane extends PlaneFacts {
  /** The pixels (ny, nx), the southern row first; all are NaN where no sample has a weight. */
  readonly image: DirtyImage["image"];
  /** The sum of the weights. */
  readonly sumOfWeights: number;
  /** The main lobe of the point spread function; absent where none can be fitted. */
  readonly mainLobe?: MainLobe;
  /** What the user should know: why there is no main lobe, or no weight. */
  readonly warnings: readonly string[];
}

/** What will be imaged: correlations in their order, for each of which the bands. Errors: `invalid`. */
export function planesOf(
  observation: Observation,
  correlations: readonly string[] | undefined,
  bands: number,
): readonly (PlaneFacts & { readonly product: Product })[] {
  mustDiffer(correlations ?? []);
  const products = (correlations ?? [undefined]).map((name) => productOf(observation, name));
  const ranges = rangesOf(observation, bands);
  return products.flatMap((product) =>
    ranges.map((channels) => ({
      correlation: product.name,
      product,
      channels,
      ...bandOf(observation, channels),
    }))
  );
}

function rangesOf({ frequencies: { length }, source }: Observation, bands: number): ChannelRange[] {
  const each = length / bands;
  if (Number.isInteger(each)) return Array.from({ length: bands }, (_, b) => [b * each, (b + 1) * each]);
  const known = Array.from({ length }, (_, i) => i + 1).filter((n) => length % n === 0);
  const text = `Cannot cut the ${length} channels of ${source} into ${bands} bands of as many each: ${
    known.join(", ")
  } would work`;
  throw new TilewiseError("invalid", text, { option: "bands", found: bands, expected: known.join() });
}

/** From the lower edge of the lowest to the upper edge of the highest channel; widths may be negative. */
function bandOf(
  { frequencies, channelWidths }: Observation,
  range: ChannelRange,
): Pick<PlaneFacts, "frequency" | "width"> {
  const widths = channelWidths.slice(...range);
  const edges = [...frequencies.slice(...range)].flatMap((frequency, i) => {
    const half = Math.abs(widths[i]!) / 2;
    return [frequency - half, frequency + half];
  });
  const [lowest, highest] = [Math.min(...edges), Math.max(...edges)];
  return { frequency: (lowest + highest) / 2, width: highest - lowest };
}

/**
 * The dirty images of an observation, one after another: for each correlation those of all bands. Weights of cells (uniform,
 * Briggs) are those of the samples of one image. What is flagged, not finite, without a baseline, or of an antenna with itself
 * does not count.
 *
 * @param observation what was observed
 * @param grid size, cell and centre of the images
 * @param options correlations, bands, weights, accuracy, and the context
 * @returns the images in order, each with its correlation and its frequency
 * @throws {TilewiseError} those of `dirtyImage()`; `invalid` for correlations that the observation does not have, for a
 * number of bands that does not divide that of the channels, and where no sample at all has a weight
 *
 * @example Stokes I and V in two bands
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { openObservation } from "@tilewise/tilewise/observations";
 * import { imagePlanes } from "@tilewise/tilewise/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * await using observation = await openObservation({
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9, 1.5e9],
 *   correlations: ["RR", "LL"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9, 5e9 + 10],
 *   antenna1: [0, 0],
 *   antenna2: [1, 1],
 *   uvw: [30, 40, 0, 40, -30, 0],
 *   visibility: new Float32Array(2 * 2 * 2 * 2).fill(1),
 * });
 * const grid = { pixels: [32, 32], cell: [-5e-4, 5e-4] } as const;
 * const found: [string, number][] = [];
 * for await (
 *   const { correlation, frequency } of imagePlanes(observation, grid, { correlations: ["I", "V"], bands: 2, context })
 * ) found.push([correlation, frequency]);
 * assertEquals(found, [["I", 1.4e9], ["I", 1.5e9], ["V", 1.4e9], ["V", 1.5e9]]);
 * ```
 * @category Measurement equation
 */
export async function* imagePlanes(
  observation: Observation,
  grid: ImageGrid,
  options: ImagePlanesOptions = {},
): AsyncGenerator<ImagePlane, void> {
  checkOptionNames("imagePlanes()", options, IMAGE_PLANES_OPTIONS);
  const { correlations, bands = 1, onProgress, ...rest } = options;
  const planes = planesOf(observation, correlations, bands);
  const steps = new StepProgress(2 * planes.length, onProgress);
  let weighed = 0;
  for (const { product, ...facts } of planes) {
    const { visibilities, ...places } = imagingRows(observation, product, facts.channels);
    const all = { ...rest, convention: observation.convention };
    const made = await ifWeighed(dirtyImage({ ...places, visibilities }, grid, { ...all, ...steps.next() }));
    const more = steps.next();
    if (!made) {
      const image = blank(grid, rest.precision),
        warnings = [`There is no sample with a weight for ${nameOf(facts)}`];
      if (planes.length > 1) yield { ...facts, image, sumOfWeights: 0, warnings };
      continue;
    }
    weighed++;
    const { image, sumOfWeights } = made;
    yield {
      ...facts,
      image,
      sumOfWeights,
      ...await lobeOf(facts, mainLobe(places, grid, { ...all, ...more })),
    };
  }
  if (weighed === 0) throw weightless(observation, planes);
}

/** The plan of the image that needs most memory: that of the highest frequencies, of which the baselines reach farthest. */
export async function planLargestPlane(
  observation: Observation,
  planes: ReturnType<typeof planesOf>,
  grid: ImageGrid,
  options: DirtyImageOptions,
): Promise<DirtyImagePlan> {
  const { product, channels } = planes.reduce((most, one) => one.frequency > most.frequency ? one : most);
  const { convention } = observation;
  return await planDirtyImage(imagingRows(observation, product, channels), grid, { ...options, convention });
}

/** A plane in words. */
function nameOf({ correlation, channels: [start, stop] }: PlaneFacts): string {
  return `${correlation} of ${stop - start === 1 ? `channel ${start}` : `channels ${start} to ${stop - 1}`}`;
}

function weightless({ source, rows }: Observation, planes: readonly PlaneFacts[]): TilewiseError {
  const names = [...new Set(planes.map(({ correlation }) => correlation))].join(", ");
  const text = `no sample of ${names} has a weight; those of its ${rows} rows are flagged, not ` +
    "finite, of antennas with themselves, or have the weight 0. Other correlations or rows would work";
  return cannot("image", source, "invalid", text, { found: 0 });
}

/** The image, or nothing where no sample has a weight. */
async function ifWeighed(image: Promise<DirtyImage>): Promise<DirtyImage | undefined> {
  try {
    return await image;
  } catch (error) {
    if (isTilewiseError(error) && error.details["lacks"] === "weight") return undefined;
    throw error;
  }
}

/** The main lobe, or why there is none. */
async function lobeOf(
  facts: PlaneFacts,
  lobe: Promise<MainLobe>,
): Promise<Pick<ImagePlane, "mainLobe" | "warnings">> {
  try {
    return { mainLobe: await lobe, warnings: [] };
  } catch (error) {
    if (isTilewiseError(error) && error.details["lacks"] === "main lobe") {
      return { warnings: [`${error.message}; the image is ${nameOf(facts)}`] };
    }
    throw error;
  }
}

function blank(
  { pixels: [nx, ny] }: ImageGrid,
  precision: ImagePlanesOptions["precision"],
): ImagePlane["image"] {
  return precision === "mixed"
    ? ndarray(new Float32Array(nx * ny).fill(NaN), [ny, nx], "float32")
    : ndarray(new Float64Array(nx * ny).fill(NaN), [ny, nx], "float64");
}
