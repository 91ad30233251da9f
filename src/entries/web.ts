/**
 * For pages: tiles of images of any size, decoded by workers, filtered on the way, and in the forms that viewers take.
 *
 * @example A tile of a pyramid on a server, in a page
 * ```ts ignore
 * import { open } from "@tilewise/tilewise";
 * import { tileSource } from "@tilewise/tilewise/web";
 *
 * await using tiles = await tileSource(await open("https://example.org/image.ome.zarr"));
 * const { data, shape } = await tiles.getTile({ level: 2, y: 0, x: 0, selection: { c: 1 } });
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
