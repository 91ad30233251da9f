/**
 * The rest for pages: pixels of arrays, tiles for Viv and OpenSeadragon.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example A picture of an array
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { pixelsOf } from "@tilewise/tilewise/unstable/web";
 * import { assertEquals } from "@std/assert";
 *
 * const { data, width } = pixelsOf(ndarray(Float64Array.of(0, NaN, 1, 2), [2, 2], "float64"), { colormap: "gray" });
 * assertEquals([width, ...data.subarray(0, 8)], [2, 0, 0, 0, 255, 0, 0, 0, 0]);
 * ```
 *
 * @module
 */

export { type PixelOptions, type Pixels, pixelsOf } from "../../web_tiles/pixels.ts";
export {
  type SeadragonJob,
  type SeadragonOptions,
  type SeadragonSource,
  seadragonSource,
} from "../../web_tiles/open_seadragon.ts";
export type { TileSelection } from "../../web_tiles/plane.ts";
export type { RasterRequest, TileSourceLevel } from "../../web_tiles/tile_source.ts";
export {
  type PixelData,
  type VivArray,
  type VivDType,
  type VivPixelSource,
  type VivSelection,
  vivSources,
  type VivTile,
} from "../../web_tiles/viv.ts";
