/**
 * The dirty image of visibilities.
 *
 * @module
 */

import { checkOptionNames } from "../../options.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { checkGrid, fieldOf, type ImageGrid } from "./grid.ts";
import { layoutOf } from "./layout.ts";
import { DEFAULT_EPSILON, DIRTY_IMAGE_OPTIONS, type DirtyImageOptions, windowOf, workOf } from "./options.ts";
import {
  type CheckedRows,
  checkRows,
  IMAGING_INPUT,
  IMAGING_ROWS,
  type ImagingInput,
  type ImagingRows,
} from "./rows.ts";
import { runSpread } from "./run.ts";
import { reachOf } from "./survey.ts";

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
  /** How often the rows were read: more than once where not all planes fit in memory together. */
  readonly passes: number;
}

/**
 * The dirty image of visibilities: `image[j][i] = Σ weight · Re(V · conj(phase))`, the phase being that of a source at the
 * pixel as predictions have it, divided by the sum of the weights unless `normalise` is false. It is not divided by n.
 *
 * Errors: `invalid` for arrays that do not fit together, numbers that are not finite, and pixels outside of `l² + m² ≤ 1`;
 * `over-budget`; `aborted`.
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
  const call = "dirtyImage()";
  checkOptionNames(call, options, DIRTY_IMAGE_OPTIONS);
  checkGrid(call, grid);
  return await imageOf(call, checkRows(call, input, IMAGING_INPUT), grid, options);
}

/**
 * The point spread function: the dirty image of a source of 1 Jy at the phase centre.
 *
 * Errors: those of {@link dirtyImage}.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { pointSpread } from "@tilewise/tilewise/rime";
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

async function imageOf(
  call: string,
  rows: CheckedRows,
  grid: ImageGrid,
  options: DirtyImageOptions,
): Promise<DirtyImage> {
  const {
    epsilon = DEFAULT_EPSILON,
    precision = "f64",
    wTerm = true,
    weighting = "natural",
    normalise = true,
  } = options;
  const field = fieldOf(grid);
  const reach = await reachOf(rows, options.signal);
  const layout = layoutOf(field, windowOf(call, options, wTerm ? 3 : 2), epsilon, reach, wTerm);
  const scale = (sum: number) => normalise && sum > 0 ? 1 / sum : 1;
  const work = workOf(call, rows, layout, options);
  const { image: data, sumOfWeights, passes } = await runSpread(work, weighting === "uniform", scale);
  const shape = [grid.pixels[1], grid.pixels[0]];
  const image = precision === "f64"
    ? ndarray(data, shape, "float64")
    : ndarray(Float32Array.from(data), shape, "float32");
  return { image, sumOfWeights, epsilon, support: layout.window.support, planes: layout.planes, passes };
}
