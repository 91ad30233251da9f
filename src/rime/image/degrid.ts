/**
 * Visibilities of images and of many sources, by grids.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { must, needed } from "../../options/rules.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { mustBeFinite } from "../geometry/check.ts";
import { checkDirections } from "../geometry/directions.ts";
import { directDegrid, directVisibilities } from "./direct.ts";
import { checkGrid, type ImageGrid } from "./grid.ts";
import { IMAGING_OPTIONS, type ImagingOptions } from "./options.ts";
import { checkRows, IMAGING_ROWS, type ImagingRows } from "./rows.ts";

/**
 * The visibilities (nrow, nchan) of an image: `V = Σ image[j][i] · phase`, the phase being that of a source at the pixel. This
 * is the adjoint of a dirty image with natural weights and `normalise: false`, up to rounding.
 *
 * Errors: those of `dirtyImage()`.
 *
 * @example One pixel of 2 Jy at the phase centre
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { degrid } from "@tilewise/tilewise/rime";
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
  image: Float32Array | Float64Array | NDArray<"float32"> | NDArray<"float64">,
  grid: ImageGrid,
  input: ImagingRows,
  options: ImagingOptions = {},
): Promise<NDArray<"complex128"> | NDArray<"complex64">> {
  const call = "degrid()";
  checkOptionNames(call, options, IMAGING_OPTIONS);
  checkGrid(call, grid);
  const pixels = pixelsOf(call, image, grid);
  const { nrow, nchan, frequency, uvw } = checkRows(call, input, IMAGING_ROWS);
  const { precision = "f64", wTerm = true, convention = "fourier" } = options;
  const samples = { uvw: await uvw(0, nrow), frequency };
  return visibilitiesOf(directDegrid(pixels, grid, samples, { wTerm, convention }), [nrow, nchan], precision);
}

function pixelsOf(
  call: string,
  image: Parameters<typeof degrid>[0],
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

const float64 = needed(must("a Float64Array", (value) => value instanceof Float64Array));
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
 * import { predictByGridding } from "@tilewise/tilewise/rime";
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
): Promise<NDArray<"complex128"> | NDArray<"complex64">> {
  const call = "predictByGridding()";
  checkOptionNames(call, options, IMAGING_OPTIONS);
  checkOptionNames(call, sources, POINT_SOURCES, "sources");
  checkDirections(sources.lm, call);
  mustBeFinite(call, "flux", sources.flux);
  if (sources.flux.length !== sources.lm.length / 2) {
    const text = `${call}: flux has ${sources.flux.length} numbers, lm has ${
      sources.lm.length / 2
    } directions`;
    const facts = { option: "flux", found: sources.flux.length, expected: sources.lm.length / 2 };
    throw new TilewiseError("invalid", text, facts);
  }
  const { nrow, nchan, frequency, uvw } = checkRows(call, input, IMAGING_ROWS);
  const { precision = "f64", wTerm = true, convention = "fourier" } = options;
  const samples = { uvw: await uvw(0, nrow), frequency };
  const sums = directVisibilities(sources.lm, sources.flux, samples, { wTerm, convention });
  return visibilitiesOf(sums, [nrow, nchan], precision);
}

function visibilitiesOf(
  data: Float64Array<ArrayBuffer>,
  shape: [number, number],
  precision: "f64" | "mixed",
) {
  return precision === "f64"
    ? ndarray(data, shape, "complex128")
    : ndarray(Float32Array.from(data), shape, "complex64");
}
