/** Tiles in memory: each is counted once, however many stores have read it, so that as many fit as should. */

import { assert, assertEquals } from "@std/assert";
import { type ChannelTile, TileCache } from "../../../web/draw/tile_store.ts";

const MiB = 2 ** 20;
const tile = (bytes: number) => ({ bytes }) as ChannelTile;

Deno.test("a tile that two stores have read counts once", () => {
  const cache = new TileCache();
  for (let i = 0; i < 100; i++) cache.set("same", tile(4 * MiB), new Set());
  for (let i = 0; i < 31; i++) cache.set(`tile ${i}`, tile(4 * MiB), new Set());
  assert(cache.has("same"));
  cache.set("one more", tile(4 * MiB), new Set());
  const there = Array.from({ length: 31 }, (_, i) => cache.has(`tile ${i}`));
  assertEquals([cache.has("same"), there.every(Boolean)], [false, true]);
});
