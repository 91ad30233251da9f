/**
 * The dirty image of visibilities.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames } from "../../options.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { checkGrid, fieldOf, type ImageGrid, type SubGrid, subGridsOf } from "./grid.ts";
import { layoutOf, reachOf } from "./layout.ts";
import {
  DEFAULT_EPSILON,
  DIRTY_IMAGE_OPTIONS,
  type DirtyImageOptions,
  type ImagingPlan,
  imagingPlan,
  windowOf,
  workOf,
} from "./options.ts";
import {
  type CheckedRows,
  checkRows,
  IMAGING_INPUT,
  IMAGING_ROWS,
  type ImagingInput,
  type ImagingRows,
} from "./rows.ts";
import { fitMainLobe, type MainLobe, reachesBorder } from "./main_lobe.ts";
import { runSpread, spreadFits, spreadNeeds } from "./run.ts";
import { insideOf } from "../../runner/context.ts";
import { TileCount, type TileProgress } from "../../runner/progress.ts";
import { type RunSettings, runSettings } from "../../runner/runner.ts";

/**
 * An image, and how it was made.
 * @category Measurement equation
 */
export interface DirtyImage {
  /** The pixels (ny, nx); float32 with the precision `mixed`. */
  readonly image: NDArray<"float64"> | NDArray<"float32">;
  /** The sum of the weights. */
  readonly sumOfWeights: number;
  /** The largest error that was asked for. */
  readonly epsilon: number;
  /** Cells of the grid over which a sample is spread, along each axis. */
  readonly support: number;
  /** Planes of w. */
  readonly planes: number;
  /** How often the rows were read: more than once where not all planes, or not all pixels, fit in memory together. */
  readonly passes: number;
}

/**
 * An image that is planned: of the rows only the baselines have been read, and the memory that it needs is known.
 * @category Measurement equation
 */
export interface DirtyImagePlan extends ImagingPlan {
  /** Equal parts of the image that are made one after another; 1: the image fits in memory. */
  readonly subGrids: number;
  /** Makes the image. */
  run(options?: RunSettings<TileProgress>): Promise<DirtyImage>;
}

/**
 * The dirty image of visibilities: `image[j][i] = Σ weight · Re(V · conj(phase))`, the phase being that of a source at the
 * pixel as predictions have it, divided by the sum of the weights unless `normalize` is false. It is not divided by n.
 *
 * @param input visibilities, weights, baselines and frequencies
 * @param grid size, cell and centre of the image
 * @param options accuracy, weights, normalization, and the context
 * @returns the image, with the sum of its weights
 * @throws {TilewiseError} `invalid` for arrays that do not fit together, numbers that are not finite, and pixels outside of
 * `l² + m² ≤ 1`; `over-budget`; `aborted`
 *
 * @example A source of 2 Jy at the phase centre
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { dirtyImage } from "@tilewise/tilewise/rime";
 * import { assertAlmostEquals, assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const { image, sumOfWeights } = await dirtyImage({
 *   uvw: Float64Array.of(100, 0, 0, 0, 100, 10),
 *   frequency: Float64Array.of(1.4e9),
 *   visibilities: Float64Array.of(2, 0, 2, 0),
 * }, { pixels: [8, 8], cell: [1e-4, 1e-4] }, { context });
 * assertEquals([image.shape, sumOfWeights], [[8, 8], 2]);
 * assertAlmostEquals(image.data[4 * 8 + 4] ?? NaN, 2, 1e-4);
 * ```
 * @category Measurement equation
 */
export async function dirtyImage(
  input: ImagingInput,
  grid: ImageGrid,
  options: DirtyImageOptions = {},
): Promise<DirtyImage> {
  return await (await dirtyPlan("dirtyImage()", input, grid, options)).run(runSettings(options));
}

/**
 * Plans {@link dirtyImage}: how much memory it needs, in how many parts the image is made, and how often rows are read.
 *
 * Errors: those of {@link dirtyImage}.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { planDirtyImage } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const plan = await planDirtyImage({
 *   uvw: Float64Array.of(100, 0, 0, 0, 100, 10),
 *   frequency: Float64Array.of(1.4e9),
 *   visibilities: Float64Array.of(2, 0, 2, 0),
 * }, { pixels: [8, 8], cell: [1e-4, 1e-4] }, { context });
 * assertEquals([plan.subGrids, plan.passes], [1, 1]);
 * assertEquals((await plan.run()).sumOfWeights, 2);
 * ```
 * @category Measurement equation
 */
export async function planDirtyImage(
  input: ImagingInput,
  grid: ImageGrid,
  options: DirtyImageOptions = {},
): Promise<DirtyImagePlan> {
  return await dirtyPlan("planDirtyImage()", input, grid, options);
}

async function dirtyPlan(
  call: string,
  input: ImagingInput,
  grid: ImageGrid,
  options: DirtyImageOptions,
): Promise<DirtyImagePlan> {
  checkOptionNames(call, options, DIRTY_IMAGE_OPTIONS);
  checkGrid(call, grid);
  return await planOf(call, checkRows(call, input, IMAGING_INPUT), grid, options);
}

/**
 * The point spread function: the dirty image of a source of 1 Jy at the phase centre.
 *
 * Errors: those of {@link dirtyImage}.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { pointSpread } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const rows = { uvw: Float64Array.of(100, 0, 0, 0, 100, 10), frequency: Float64Array.of(1.4e9) };
 * const { image } = await pointSpread(rows, { pixels: [8, 8], cell: [1e-4, 1e-4] }, { context });
 * assertAlmostEquals(image.data[4 * 8 + 4] ?? NaN, 1, 1e-4);
 * ```
 * @category Measurement equation
 */
export async function pointSpread(
  input: ImagingRows & Pick<ImagingInput, "weights">,
  grid: ImageGrid,
  options: DirtyImageOptions = {},
): Promise<DirtyImage> {
  const call = "pointSpread()";
  checkOptionNames(call, options, DIRTY_IMAGE_OPTIONS);
  checkGrid(call, grid);
  const { weights } = IMAGING_INPUT;
  return await imageOf(call, checkRows(call, input, { ...IMAGING_ROWS, weights }), grid, options);
}

/** Sides of point spread functions of which a main lobe is fitted: the first in which it ends, of those that the image has. */
const SIDES = [64, 256, 1024];

/** The largest error of a point spread function whose main lobe is fitted. */
const FINE = 1e-4;

/**
 * The main lobe of {@link pointSpread} with the same grid and options, however large its image is: only the pixels around the
 * phase centre are made.
 *
 * Errors: those of {@link dirtyImage} and {@link fitMainLobe}.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { mainLobe } from "@tilewise/tilewise/unstable/rime";
 * import { assert } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const rows = { uvw: Float64Array.of(100, 0, 0, 0, 200, 0), frequency: Float64Array.of(1.4e9) };
 * const { major, minor } = await mainLobe(rows, { pixels: [512, 512], cell: [-1e-4, 1e-4] }, { context });
 * assert(major > 1.5 * minor);
 * ```
 * @category Measurement equation
 */
export async function mainLobe(
  input: ImagingRows & Pick<ImagingInput, "weights">,
  grid: ImageGrid,
  options: DirtyImageOptions = {},
): Promise<MainLobe> {
  const call = "mainLobe()";
  checkOptionNames(call, options, DIRTY_IMAGE_OPTIONS);
  checkGrid(call, grid);
  const { weights } = IMAGING_INPUT;
  const rows = checkRows(call, input, { ...IMAGING_ROWS, weights });
  const { cell, pixels } = grid, { epsilon = DEFAULT_EPSILON } = options;
  const all = { ...options, epsilon: Math.min(epsilon, FINE), normalize: true };
  const onSky = 2 * Math.ceil(1 / Math.hypot(...cell)) - 1; // wide pixels: fewer than the smallest side are above the horizon
  const lobe = async ([side, ...larger]: readonly number[]): Promise<MainLobe> => {
    const around = { pixels: [side!, side!], cell } as const;
    const { image } = await imageOf(call, rows, around, all, pixels);
    return larger.length > 0 && reachesBorder(image, around)
      ? await lobe(larger)
      : fitMainLobe(image, around);
  };
  const most = Math.min(onSky, Math.max(...pixels));
  return await lobe([Math.min(SIDES[0]!, onSky), ...SIDES.slice(1).filter((side) => side <= most)]);
}

/** An image of rows, planned and made. */
async function imageOf(
  ...[call, rows, grid, options, weighed]: Parameters<typeof planOf>
): Promise<DirtyImage> {
  return await (await planOf(call, rows, grid, options, weighed)).run(runSettings(options));
}

async function planOf(
  call: string,
  rows: CheckedRows,
  grid: ImageGrid,
  options: DirtyImageOptions,
  weighed = grid.pixels,
): Promise<DirtyImagePlan> {
  const {
    epsilon = DEFAULT_EPSILON,
    precision = "f64",
    wTerm = true,
    weighting = "natural",
    normalize = true,
  } = options;
  const context = insideOf(options.context);
  const reach = await reachOf(rows, options.signal);
  const window = windowOf(call, options, wTerm ? 3 : 2);
  const [nx, ny] = grid.pixels;
  const workFor = (subGrid: ImageGrid, settings: RunSettings<TileProgress> = {}) => {
    const layout = { ...layoutOf(fieldOf(subGrid), window, epsilon, reach, wTerm), weighed };
    const asked = { ...options, ...settings };
    return workOf(call, rows, layout, asked, (precision === "mixed" ? 4 : 8) * nx * ny);
  };
  const scale = (sum: number) => normalize ? 1 / weightOf(call, sum, rows) : 1;
  const subGrids = subGridsThatFit(grid, (subGrid) => spreadFits(workFor(subGrid), weighting));
  const works = subGrids.map((subGrid) => workFor(subGrid.grid));
  const needs = works.map((work) => spreadNeeds(work, weighting));
  const planes = Math.max(...works.map(({ layout }) => layout.planes));
  const passes = needs.reduce((sum, one) => sum + one.passes, 0);
  const make = async (settings: RunSettings<TileProgress>) => {
    const progress = new StepProgress(subGrids.length, settings.onProgress);
    const data = precision === "f64" ? new Float64Array(nx * ny) : new Float32Array(nx * ny);
    let sumOfWeights = 0;
    for (const { grid: { pixels: [width, height] }, grid: subGrid, from: [x, y] } of subGrids) {
      const work = workFor(subGrid, subGrids.length === 1 ? settings : { ...settings, ...progress.next() });
      ({ sumOfWeights } = await runSpread(work, weighting, scale, (image) => {
        for (let j = 0; j < height; j++) {
          data.set(image.subarray(j * width, (j + 1) * width), (y + j) * nx + x);
        }
      }));
    }
    const image = data instanceof Float64Array
      ? ndarray(data, [ny, nx], "float64")
      : ndarray(data, [ny, nx], "float32");
    return { image, sumOfWeights, passes, epsilon, support: window.support, planes };
  };
  const { memory } = needs.reduce((most, one) => one.memory.total > most.memory.total ? one : most);
  const inParts = subGrids.length > 1
    ? `, made in ${subGrids.length} parts, as not all of it fits in memory`
    : "";
  const facts = { memory, context, passes, planes, subGrids: subGrids.length };
  return imagingPlan(facts, `image of ${nx} × ${ny} pixels${inParts}`, make);
}

/** Pixels of a side below which images are not cut: rows are read once for each part. */
const LEAST_SIDE = 128;

/** The grid, or the fewest equal parts that fit in memory one after another; the whole, which is refused, where none do. */
function subGridsThatFit(grid: ImageGrid, fits: (subGrid: ImageGrid) => boolean): SubGrid[] {
  const whole = subGridsOf(grid, 1);
  for (let count = 1; Math.max(...grid.pixels) / count >= LEAST_SIDE; count *= 2) {
    const subGrids = subGridsOf(grid, count);
    if (subGrids.every((subGrid) => fits(subGrid.grid))) return subGrids;
  }
  return whole;
}

/** The sum of the weights, which must not be 0: no image can be divided by it. */
function weightOf(call: string, sum: number, { nrow, nchan }: CheckedRows): number {
  if (sum > 0) return sum;
  const text =
    `${call}: none of the ${
      nrow * nchan
    } samples (${nrow} rows × ${nchan} channels) has a weight above 0: all are ` +
    "flagged, not finite, of antennas with themselves, or have the weight 0";
  throw new TilewiseError("invalid", text, { option: "weights", found: 0, lacks: "weight" });
}

/** Parts into which the progress of a step is divided. */
const PARTS = 1000;

/** The progress of several runs one after another, each of which counts alike. */
export class StepProgress {
  #step = -1;
  readonly #count: TileCount;

  constructor(steps: number, private readonly told: ((progress: TileProgress) => void) | undefined) {
    this.#count = new TileCount(steps * PARTS);
  }

  /** The option of the next run. */
  next(): { readonly onProgress?: (progress: TileProgress) => void } {
    const before = ++this.#step * PARTS, { told } = this;
    return told === undefined ? {} : {
      onProgress: ({ tiles, tilesTotal }) => {
        this.#count.done = before + Math.floor(PARTS * tiles / tilesTotal);
        told(this.#count.progress());
      },
    };
  }
}
