/**
 * Finds disks in one picture, such as the sum of all frames, as a start for other methods.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { asNumbers } from "../../../space/numbers.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { checkArray } from "../../../space/check_array.ts";
import { showShape } from "../../../space/shape.ts";
import { correlateFrame, frameConstants, frameScratch, OwnMemory, type Size } from "./frame_correlation.ts";
import { type FindPeaksOptions, PEAKS_OPTIONS } from "./options/correlation.ts";
import type { Vector } from "./options/lattice.ts";
import type { MatchPattern } from "./options/patterns.ts";

/**
 * Peaks of a picture, the highest first.
 * @category Blob finding
 */
export interface PicturePeaks {
  /** Their positions, refined by the centre of mass of the correlation over 3 × 3 pixels. */
  readonly positions: readonly Vector[];
  /** Their correlations. */
  readonly values: readonly number[];
}

/**
 * The local maxima of the correlation of a picture, scaled logarithmically, with a pattern, the highest first.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const data = new Float32Array(400);
 * for (const at of [84, 103, 104, 105, 124]) data[at] = 9; // a blob around (5, 4)
 * for (const at of [274, 293, 294, 295, 314]) data[at] = 5; // and a weaker one around (14, 14)
 * const pattern = blobs.circularPattern({ radius: 1.5 });
 * const { positions } = await blobs.findPeaks(ndarray(data, [20, 20], "float32"), { pattern, count: 2 });
 * assertEquals(positions.map((p) => p.map(Math.round)), [[5, 4], [14, 14]]);
 * ```
 * @category Blob finding
 */
export async function findPeaks(picture: NDArray, options: FindPeaksOptions): Promise<PicturePeaks> {
  checkArray("findPeaks()", picture);
  checkOptionNames("findPeaks()", options, PEAKS_OPTIONS);
  const { pattern, count = Infinity, minDistance = Math.max(1, pattern.search / 2), threshold = 0.1 } =
    options;
  const size = sizeOfPicture(picture);
  const { loadPacks } = await import("../../../kernels/wasm.ts"); // workers know this file, and load no packs
  await loadPacks(["core", "conversions", "fft", "windows"]);
  const map = correlationMap(picture, pattern, size);
  if (!map) return { positions: [], values: [] };
  const mean = map.reduce((sum, v) => sum + v, 0) / map.length;
  const maxima = localMaxima(map, size);
  const least = mean + threshold * (map[maxima[0] ?? 0]! - mean);
  const chosen: number[] = [];
  const far = (p: number, q: number) =>
    Math.hypot(Math.floor(p / size[1]) - Math.floor(q / size[1]), p % size[1] - q % size[1]) >= minDistance;
  for (const at of maxima) {
    if (chosen.length >= count || map[at]! < least) break;
    if (chosen.every((other) => far(at, other))) chosen.push(at);
  }
  return { positions: chosen.map((at) => refined(map, size, at)), values: chosen.map((at) => map[at]!) };
}

function sizeOfPicture({ shape, dtype }: NDArray): Size {
  if (shape.length === 2 && !dtype.startsWith("complex")) return [shape[0]!, shape[1]!];
  throw new TilewiseError(
    "invalid",
    `Cannot find peaks in an array of ${showShape(shape)} ${dtype}: give a picture of 2 dimensions, real`,
  );
}

/**
 * The numbers as float32. If float32 cannot hold them with their offset, the least of them is subtracted; this does not
 * change the correlation.
 */
function singles(data: TypedArray): Float32Array {
  if (data instanceof Float32Array || data.BYTES_PER_ELEMENT < 4) {
    return Float32Array.from(asNumbers(data));
  }
  const numbers = Float64Array.from(asNumbers(data));
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  return Float32Array.from(numbers, (x) => x - least);
}

/** The correlation of every pixel; undefined if the picture is constant or has a NaN. */
function correlationMap({ data }: NDArray, pattern: MatchPattern, size: Size): Float32Array | undefined {
  const { tables, spectrum } = frameConstants(pattern, size);
  const scratch = frameScratch(size);
  const memory = new OwnMemory({
    tables,
    pattern: spectrum,
    picture: singles(data),
    frame: scratch.frame.length,
    spectrum: scratch.spectrum.length,
    transforms: scratch.transforms.length,
  });
  const at = memory.at as Record<
    "tables" | "pattern" | "picture" | "frame" | "spectrum" | "transforms",
    number
  >;
  const source = { pointer: at.picture, dtype: "float32", byteOrder: "little" } as const;
  const range = correlateFrame(memory.kernels, size, at, source);
  return range > 0 ? memory.array("frame", size[0] * size[1]) : undefined;
}

/** Pixels without a higher neighbour (of equal ones the first), the highest first. */
function localMaxima(map: Float32Array, [height, width]: Size): number[] {
  const isMaximum = (y: number, x: number) => {
    const at = y * width + x;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const [v, u] = [y + dy, x + dx];
        if ((dy === 0 && dx === 0) || v < 0 || u < 0 || v >= height || u >= width) continue;
        const other = v * width + u;
        if (map[other]! > map[at]! || (map[other] === map[at] && other < at)) return false;
      }
    }
    return true;
  };
  const found: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (isMaximum(y, x)) found.push(y * width + x);
  }
  return found.sort((p, q) => map[q]! - map[p]! || p - q);
}

/** The centre of mass over 3 × 3 pixels above their lowest; the pixel itself at the edge. */
function refined(map: Float32Array, [height, width]: Size, at: number): Vector {
  const [y, x] = [Math.floor(at / width), at % width];
  if (y < 1 || x < 1 || y > height - 2 || x > width - 2) return [y, x];
  const steps = [-1, 0, 1];
  const value = (dy: number, dx: number) => map[at + dy * width + dx]!;
  const least = Math.min(...steps.flatMap((dy) => steps.map((dx) => value(dy, dx))));
  let [sum, sumY, sumX] = [0, 0, 0];
  for (const dy of steps) {
    for (const dx of steps) {
      const weight = value(dy, dx) - least;
      [sum, sumY, sumX] = [sum + weight, sumY + dy * weight, sumX + dx * weight];
    }
  }
  return sum > 0 ? [y + sumY / sum, x + sumX / sum] : [y, x];
}
