/**
 * The pictures of the demo: the field by hue, the ring, the sum, and the true field to compare with.
 *
 * @module
 */

import { asNumbers } from "../../space/numbers.ts";
import { join } from "node:path";
import { writeFileAtomic } from "../../io/write/write.ts";
import { picture } from "../../pictures/picture.ts";
import { encodePng } from "../../sinks/png/png.ts";
import type { Raster } from "../../sinks/png/raster.ts";
import { save } from "../../pictures/save.ts";
import { vectorPicture } from "../../pictures/vectors.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import type { Results, UdfResult } from "../../udf/interface/buffer_types.ts";
import type { DemoScan } from "../../samples/scan.ts";

/** What was drawn and written. */
interface DemoPictures {
  /** Pictures for the terminal. */
  readonly shown: readonly Raster[];
  /** Paths of the files written. */
  readonly files: readonly string[];
}

/** Fewest rows of a picture; smaller pictures are enlarged. */
const LEAST = 256;

/** Writes arrays into `folder`, and pictures where they are wanted. */
export async function demoPictures(
  results: Results,
  { e_xx }: UdfResult,
  scan: DemoScan,
  folder: string,
  wanted: boolean,
): Promise<DemoPictures> {
  const [y, x] = [results.com!.field_y!, results.com!.field_x!];
  const [ring, sum] = [results.ring!.intensity!, results.sum!.intensity!];
  const { deflection } = scan.geometry;
  const shape = scan.spec.scan;
  const [trueY, trueX] = [scan.truth.shiftY, scan.truth.shiftX].map((data) =>
    ndarray(data, shape, "float64")
  );
  const logSum = ndarray(Float64Array.from(asNumbers(sum.data), Math.log1p), sum.shape, "float64");
  const rasters: Record<string, Raster> = {
    field: vectorPicture(y, x, deflection),
    "field-known": vectorPicture(trueY!, trueX!, deflection),
    ring: picture(ring),
    sum: picture(logSum, { colormap: "magma" }),
    strain: picture(e_xx!, { colormap: "signed" }),
  };
  const arrays: Record<string, NDArray> = { field_y: y, field_x: x, ring, sum };
  const files: string[] = [];
  for (const [name, raster] of wanted ? Object.entries(rasters) : []) {
    const path = join(folder, `${name}.png`);
    const large = resized(raster, raster.height * Math.ceil(LEAST / raster.height));
    await writeFileAtomic(
      path,
      await encodePng(large, { text: { Software: "Tilewise", Title: `demo: ${name}` } }),
    );
    files.push(path);
  }
  for (const [name, array] of Object.entries(arrays)) {
    files.push(...await save(array, join(folder, `${name}.npy`)));
  }
  return { shown: [rasters.field!, rasters.ring!, rasters.sum!], files };
}

/** RGBA pictures beside each other, all made as high as the first, with a gap between. */
export function sideBySide(rasters: readonly Raster[]): Raster {
  const height = rasters[0]!.height;
  const scaled = rasters.map((raster) => resized(raster, height));
  const gap = Math.max(1, Math.round(height / 32));
  const width = scaled.reduce((sum, raster) => sum + raster.width + gap, -gap);
  const data = new Uint8Array(4 * width * height);
  let left = 0;
  for (const raster of scaled) {
    for (let row = 0; row < height; row++) {
      const line = raster.data.subarray(4 * row * raster.width, 4 * (row + 1) * raster.width);
      data.set(line, 4 * (row * width + left));
    }
    left += raster.width + gap;
  }
  return { width, height, channels: 4, data };
}

/** The nearest pixels of a picture made `height` pixels high. */
function resized(raster: Raster, height: number): Raster {
  const scale = raster.height / height;
  const width = Math.max(1, Math.round(raster.width / scale));
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const y = Math.floor((Math.floor(i / width) + 0.5) * scale);
    const x = Math.min(raster.width - 1, Math.floor((i % width + 0.5) * scale));
    const from = 4 * (y * raster.width + x);
    data.set(raster.data.subarray(from, from + 4), 4 * i);
  }
  return { width, height, channels: 4, data };
}
