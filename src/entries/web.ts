/**
 * For pages: tiles of images of any size, decoded by workers, filtered on the way, and in the forms that viewers take.
 *
 * @example A tile of an array; a pyramid on a server is opened by its address, and its tiles have a `level`
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { tileSource } from "@tilewise/tilewise/web";
 * import { assertEquals } from "@std/assert";
 *
 * const image = await open({ data: Uint16Array.from({ length: 12 }, (_, i) => i), shape: [3, 4] });
 * await using tiles = await tileSource(image, { tileSize: 2 });
 * const { data, shape } = await tiles.getTile({ y: 1, x: 1 });
 * assertEquals([[...data], shape], [[10, 11], [1, 2]]);
 * ```
 *
 * @module
 */

export {
  type TileRequest,
  type TileSource,
  tileSource,
  type TileSourceOptions,
} from "../web_tiles/tile_source.ts";
