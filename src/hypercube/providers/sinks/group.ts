/**
 * How outputs lie in a Zarr group: the chunks of tiles, and the documents.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { copyBox } from "../../../memory/copy_box.ts";
import { zeros } from "../../../space/dtype.ts";
import { type Shape, showShape, sizeOf, unravel } from "../../../space/shape.ts";
import type { ChosenCodec } from "../../../sinks/chunks/chunk_options.ts";
import { arrayJson } from "../../../sinks/zarr/metadata.ts";
import type { Extent, Hypercube } from "../../cube/cube.ts";
import { firstTile } from "../../cube/iterate.ts";
import { globalShape, wholeView } from "../arrays.ts";
import type { SinkContext, StartContext } from "../context.ts";

/** A chunk of a tile: its index in the array, and its first sample in the tile. */
export interface TileChunk {
  readonly index: Shape;
  readonly origin: Shape;
}

/** The chunks of a tile with these extents. */
export function* chunksIn(extents: readonly Extent[], chunk: Shape): Generator<TileChunk, void> {
  const counts = extents.map(([lower, upper], d) => Math.ceil((upper - lower) / chunk[d]!));
  for (let c = 0, all = sizeOf(counts); c < all; c++) {
    const at = unravel(c, counts);
    const index = at.map((i, d) => extents[d]![0] / chunk[d]! + i);
    yield { index, origin: at.map((i, d) => i * chunk[d]!) };
  }
}

/** The path of a chunk in the group. */
export function chunkFile(name: string, index: Shape): string {
  return [name, "c", ...index].join("/");
}

/** The bytes of a chunk, filled up with zeros; nothing if all of them are zero. */
export function bytesOf(
  { data }: Pick<SinkContext, "data">,
  { origin }: TileChunk,
  chunk: Shape,
): Uint8Array<ArrayBuffer> | undefined {
  const { shape, dtype } = data;
  const part = { origin, shape: origin.map((n, d) => Math.min(chunk[d]!, shape[d]! - n)) };
  const samples = zeros(dtype, sizeOf(chunk));
  copyBox(wholeView(data, shape, dtype), part, wholeView(samples, chunk, dtype), origin.map(() => 0));
  const bytes = new Uint8Array(samples.buffer as ArrayBuffer);
  return bytes.every((byte) => byte === 0) ? undefined : bytes;
}

/**
 * Samples per chunk of an output: those of a tile, or what was asked for, if tiles consist of it. A window that begins elsewhere
 * than at a multiple of the tile has smaller chunks.
 */
export function chunkOf(context: StartContext, name: string, asked: Shape | undefined): Shape {
  const first = firstTile(context.cube, context.strides).arrayExtents(name);
  const window = context.cube.arrayExtents(name);
  const tile = first.map(([lower, upper]) => Math.max(1, upper - lower));
  const most = tile.map((n, d) => commonDivisor(n, first[d]![0]));
  const chunk = asked ?? most;
  const isAlone = (d: number) => first[d]![1] === window[d]![1];
  const fits = chunk.length === tile.length &&
    chunk.every((n, d) => first[d]![0] % n === 0 && (isAlone(d) || tile[d]! % n === 0));
  if (fits) return chunk;
  const from = first.some(([lower]) => lower > 0)
    ? ` from ${showShape(first.map(([lower]) => lower))} on`
    : "";
  const words = `toZarr(): tiles of ${name}, ${showShape(tile)}${from}, do not consist of whole chunks of ${
    showShape(chunk)
  }; chunks of ${showShape(most)} would work`;
  throw new TilewiseError("invalid", words, {
    option: `chunk.${name}`,
    expected: showShape(most),
    found: showShape(chunk),
  });
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** The document of the group. */
export function groupDocument(attributes: Readonly<Record<string, unknown>>): [path: string, text: string] {
  return ["zarr.json", textOf({ zarr_format: 3, node_type: "group", attributes })];
}

/** The document of an array. */
export function arrayDocument(
  cube: Hypercube,
  name: string,
  chunk: Shape,
  codec: ChosenCodec,
): [path: string, text: string] {
  const { shape: axes, dtype, units, description } = cube.array(name);
  const shape = globalShape(cube, name);
  const names = axes.map((axis, d) => typeof axis === "string" ? axis : `${name}_${d}`);
  const attributes = { ...(units ? { units } : {}), ...(description ? { description } : {}) };
  return [`${name}/zarr.json`, textOf({ ...arrayJson({ shape, dtype, chunk, codec, names }), attributes })];
}

function textOf(json: object): string {
  return JSON.stringify(json, undefined, 2) + "\n";
}
