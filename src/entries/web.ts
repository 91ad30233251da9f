/**
 * For pages: tiles of images of any size, decoded by workers, filtered on the way, and in the forms that viewers take.
 *
 * @example A tile of an image, as pixels for `new ImageData(data, width)`
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { pixelsOf, tileSource } from "@tilewise/tilewise/web";
 * import { assertEquals } from "@std/assert";
 *
 * const image = await open({ data: new Uint16Array(300 * 400).fill(7), shape: [300, 400] }); // or a URL, a File …
 * await using tiles = await tileSource(image);
 * const tile = await tiles.getTile({ level: 0, y: 1, x: 1 });
 * const { width, height } = pixelsOf(tile, { colormap: "viridis", range: [0, 10] });
 * assertEquals([width, height], [144, 44]); // clipped where the image ends
 * ```
 *
 * @module
 */

import "../threads.ts";

export { type PixelOptions, type Pixels, pixelsOf } from "../web_tiles/pixels.ts";
export {
  type SeadragonJob,
  type SeadragonOptions,
  type SeadragonSource,
  seadragonSource,
} from "../web_tiles/open_seadragon.ts";
export { type TileSelection } from "../web_tiles/plane.ts";
export {
  type RasterRequest,
  type TileRequest,
  type TileSource,
  tileSource,
  type TileSourceLevel,
  type TileSourceOptions,
} from "../web_tiles/tile_source.ts";
export { type PixelData, type VivDType, type VivPixelSource, vivSources } from "../web_tiles/viv.ts";
