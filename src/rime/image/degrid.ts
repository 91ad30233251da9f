/**
 * Visibilities of images and of many sources, by grids.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { needed } from "../../options/rules.ts";
import { insideOf } from "../../runner/context.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { type RunSettings, runSettings } from "../../runner/runner.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { float64Array, mustBeFinite } from "../geometry/check.ts";
import { checkDirections } from "../geometry/directions.ts";
import { checkGrid, fieldOf, heightOf, type ImageGrid } from "./grid.ts";
import { type Field, type Layout, layoutOf, type Reach, reachOf } from "./layout.ts";
import {
  DEFAULT_EPSILON,
  IMAGING_OPTIONS,
  type ImagingOptions,
  type ImagingPlan,
  imagingPlan,
  windowOf,
  workOf,
} from "./options.ts";
import { type CheckedRows, checkRows, IMAGING_ROWS, type ImagingRows } from "./rows.ts";
import { gatherNeeds, type ImagingWork, runGather, runPrediction } from "./run.ts";
import { OVERSAMPLING, type Window } from "./window.ts";

/**
 * The pixels of an image (ny, nx).
 * @category Measurement equation
 */
export type ImagePixels = Float32Array | Float64Array | NDArray<"float32"> | NDArray<"float64">;

/**
 * Visibilities (nrow, nchan); complex64 with the precision `mixed`.
 * @category Measurement equation
 */
export type GriddedVisibilities = NDArray<"complex128"> | NDArray<"complex64">;

/**
 * Visibilities that are planned: of the rows only the baselines have been read, and the memory that they need is known.
 * @category Measurement equation
 */
export interface VisibilitiesPlan extends ImagingPlan {
  /** Computes the visibilities. */
  run(options?: RunSettings<TileProgress>): Promise<GriddedVisibilities>;
}

/**
 * The visibilities (nrow, nchan) of an image: `V = Σ image[j][i] · phase`, the phase being that of a source at the pixel. This
 * is the adjoint of a dirty image with natural weights and `normalize: false`, up to rounding.
 *
 * Errors: those of `dirtyImage()`.
 *
 * @example One pixel of 2 Jy at the phase centre
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { degrid } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const image = new Float64Array(64);
 * image[4 * 8 + 4] = 2;
 * const rows = { uvw: Float64Array.of(100, 0, 0), frequency: Float64Array.of(1.4e9) };
 * const { data } = await degrid(image, { pixels: [8, 8], cell: [1e-4, 1e-4] }, rows, { context });
 * assertAlmostEquals(data[0] ?? NaN, 2, 1e-4);
 * ```
 * @category Measurement equation
 */
export async function degrid(
  image: ImagePixels,
  grid: ImageGrid,
  input: ImagingRows,
  options: ImagingOptions = {},
): Promise<GriddedVisibilities> {
  return await (await degridPlan("degrid()", image, grid, input, options)).run(runSettings(options));
}

/**
 * Plans {@link degrid}: how much memory it needs, and how often rows are read.
 *
 * Errors: those of `dirtyImage()`.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { planDegrid } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const rows = { uvw: Float64Array.of(100, 0, 0), frequency: Float64Array.of(1.4e9) };
 * const plan = await planDegrid(new Float64Array(64), { pixels: [8, 8], cell: [1e-4, 1e-4] }, rows, { context });
 * assertEquals([plan.passes, (await plan.run()).shape], [1, [1, 1]]);
 * ```
 * @category Measurement equation
 */
export async function planDegrid(
  image: ImagePixels,
  grid: ImageGrid,
  input: ImagingRows,
  options: ImagingOptions = {},
): Promise<VisibilitiesPlan> {
  return await degridPlan("planDegrid()", image, grid, input, options);
}

async function degridPlan(
  call: string,
  image: ImagePixels,
  grid: ImageGrid,
  input: ImagingRows,
  options: ImagingOptions,
): Promise<VisibilitiesPlan> {
  checkOptionNames(call, options, IMAGING_OPTIONS);
  checkGrid(call, grid);
  const pixels = pixelsOf(call, image, grid);
  const rows = checkRows(call, input, IMAGING_ROWS);
  const { epsilon = DEFAULT_EPSILON, wTerm = true } = options;
  const reach = await reachOf(rows, options.signal);
  const layout = layoutOf(fieldOf(grid), windowOf(call, options, wTerm ? 3 : 2), epsilon, reach, wTerm);
  const what = `an image of ${grid.pixels[0]} × ${grid.pixels[1]} pixels`;
  return planOf({ call, rows, layout, options, what, sources: 0 }, (work) => runGather(work, pixels));
}

/** What is planned: the visibilities of an image (no sources), or of sources. */
interface Gathering {
  readonly call: string;
  readonly rows: CheckedRows;
  readonly layout: Layout;
  readonly options: ImagingOptions;
  /** Of what, in words. */
  readonly what: string;
  readonly sources: number;
}

/** The plan of visibilities that `compute` makes. */
function planOf(
  { call, rows, layout, options, what, sources }: Gathering,
  compute: (work: ImagingWork) => Promise<Float64Array<ArrayBuffer>>,
): VisibilitiesPlan {
  const { nrow, nchan } = rows, bytes = bytesOf(rows, options);
  const workFor = (settings: RunSettings<TileProgress>) =>
    workOf(call, rows, layout, { ...options, ...settings }, bytes);
  const { memory, passes } = gatherNeeds(workFor({}), sources);
  const facts = { memory, passes, planes: layout.planes, context: insideOf(options.context) };
  return imagingPlan(
    facts,
    `visibilities of ${what}: ${nrow} rows × ${nchan} channels`,
    async (settings) => visibilitiesOf(await compute(workFor(settings)), rows, options),
  );
}

function pixelsOf(
  call: string,
  image: ImagePixels,
  grid: ImageGrid,
): Float32Array | Float64Array {
  const [nx, ny] = grid.pixels;
  const data = ArrayBuffer.isView(image) ? image : image?.data;
  const isFloats = data instanceof Float32Array || data instanceof Float64Array;
  if (isFloats && data.length === nx * ny) {
    mustBeFinite(call, "image", data);
    return data;
  }
  const found = isFloats ? `${data.length} numbers` : inWords(image);
  const text = `${call}: the image is ${found}; it must be ${
    nx * ny
  } numbers (${ny}, ${nx}), float32 or float64`;
  throw new TilewiseError("invalid", text, { option: "image", found, expected: nx * ny });
}

/**
 * Point sources whose flux is the same in all channels.
 * @category Measurement equation
 */
export interface PointSources {
  /** Direction cosines (nsrc, 2). */
  readonly lm: Float64Array;
  /** Flux (nsrc) in Jy: a Stokes parameter, or what one correlation sees. */
  readonly flux: Float64Array;
}

const float64 = needed(float64Array);
const POINT_SOURCES: OptionNames<PointSources> = { lm: float64, flux: float64 };

/**
 * The visibilities (nrow, nchan) of many point sources, by grids: as `predict()` of one correlation within `epsilon`, but in a
 * time that grows with sources plus visibilities, not with their product.
 *
 * Errors: those of `dirtyImage()`.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { predictByGridding } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const sources = { lm: Float64Array.of(0, 0, 0.001, 0), flux: Float64Array.of(2, 1) };
 * const rows = { uvw: Float64Array.of(0, 100, 0), frequency: Float64Array.of(1.4e9) };
 * const { data } = await predictByGridding(sources, rows, { context });
 * assertAlmostEquals(data[0] ?? NaN, 3, 1e-3);
 * ```
 * @category Measurement equation
 */
export async function predictByGridding(
  sources: PointSources,
  input: ImagingRows,
  options: ImagingOptions = {},
): Promise<GriddedVisibilities> {
  return await (await griddingPlan("predictByGridding()", sources, input, options)).run(runSettings(options));
}

/**
 * Plans {@link predictByGridding}: how much memory it needs, and how often rows are read.
 *
 * Errors: those of `dirtyImage()`.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { planPredictionByGridding } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const sources = { lm: Float64Array.of(0, 0), flux: Float64Array.of(2) };
 * const rows = { uvw: Float64Array.of(0, 100, 0), frequency: Float64Array.of(1.4e9) };
 * const plan = await planPredictionByGridding(sources, rows, { context });
 * assertEquals([plan.passes, (await plan.run()).shape], [1, [1, 1]]);
 * ```
 * @category Measurement equation
 */
export async function planPredictionByGridding(
  sources: PointSources,
  input: ImagingRows,
  options: ImagingOptions = {},
): Promise<VisibilitiesPlan> {
  return await griddingPlan("planPredictionByGridding()", sources, input, options);
}

async function griddingPlan(
  call: string,
  sources: PointSources,
  input: ImagingRows,
  options: ImagingOptions,
): Promise<VisibilitiesPlan> {
  checkOptionNames(call, options, IMAGING_OPTIONS);
  checkOptionNames(call, sources, POINT_SOURCES, "sources");
  checkDirections(sources.lm, call);
  mustBeFinite(call, "flux", sources.flux);
  const [found, expected] = [sources.flux.length, sources.lm.length / 2];
  if (found !== expected) {
    const text = `${call}: flux has ${found} numbers, lm has ${expected} directions`;
    throw new TilewiseError("invalid", text, { option: "flux", found, expected });
  }
  const rows = checkRows(call, input, IMAGING_ROWS);
  const { epsilon = DEFAULT_EPSILON, wTerm = true } = options;
  const window = windowOf(call, options, wTerm ? 5 : 4);
  const reach = await reachOf(rows, options.signal);
  const layout = layoutOf(fieldOfSources(sources, reach, window), window, epsilon, reach, wTerm);
  const asked = { call, rows, layout, options, what: `${found} sources`, sources: found };
  return planOf(
    asked,
    async (work) =>
      found === 0 ? new Float64Array(2 * rows.nrow * rows.nchan) : await runPrediction(work, rowsOf(sources)),
  );
}

/** Pixels around all sources, so close that the windows of pixels and of samples fit to each other. */
function fieldOfSources({ lm }: PointSources, { u, v }: Reach, { support }: Window): Field {
  const axes = [0, 1].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < lm.length; i += 2) [low, high] = [Math.min(low, lm[i]!), Math.max(high, lm[i]!)];
    if (low > high) [low, high] = [0, 0];
    const most = [u, v][axis]!, half = (high - low) / 2;
    const cell = most > 0 ? 1 / (2 * OVERSAMPLING * most) : Math.max(half, 1);
    return { cell, centre: (low + high) / 2, pixels: 2 * (Math.ceil(half / cell + support / 2) + 1) };
  }) as [Axis, Axis];
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < lm.length; i += 2) {
    const height = heightOf(lm[i]!, lm[i + 1]!);
    [low, high] = [Math.min(low, height), Math.max(high, height)];
  }
  const both = <K extends keyof Axis>(name: K) => [axes[0][name], axes[1][name]] as const;
  return {
    pixels: both("pixels"),
    cell: both("cell"),
    centre: both("centre"),
    heights: low > high ? [0, 0] : [low, high],
  };
}

interface Axis {
  readonly cell: number;
  readonly centre: number;
  readonly pixels: number;
}

/** l, m and flux of each source. */
function rowsOf({ lm, flux }: PointSources): Float64Array {
  const rows = new Float64Array(3 * flux.length);
  flux.forEach((value, s) => rows.set([lm[2 * s]!, lm[2 * s + 1]!, value], 3 * s));
  return rows;
}

/** Bytes of the visibilities, and of those in single precision. */
function bytesOf({ nrow, nchan }: CheckedRows, { precision = "f64" }: ImagingOptions): number {
  return (precision === "f64" ? 16 : 24) * nrow * nchan;
}

function visibilitiesOf(
  data: Float64Array<ArrayBuffer>,
  { nrow, nchan }: CheckedRows,
  { precision = "f64" }: ImagingOptions,
): GriddedVisibilities {
  return precision === "f64"
    ? ndarray(data, [nrow, nchan], "complex128")
    : ndarray(Float32Array.from(data), [nrow, nchan], "complex64");
}
