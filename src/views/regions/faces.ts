/**
 * What is known of a tile when it is joined with others: its number of components, the first sample of each, and the
 * components on its faces. It is a list of numbers:
 *
 * ```text
 *   components │ face 0 front, face 0 back, face 1 front, … │ first sample of component 1, 2, …
 * ```
 *
 * A face is the first or the last layer of samples along a dimension, without that dimension.
 *
 * @module
 */

import { type Shape, sizeOf } from "../../space/shape.ts";
import { mostRuns, type TileRuns } from "./tile_runs.ts";

/** Where the parts of the list begin, for tiles of up to `tile` samples. */
export interface FaceLayout {
  /** The tile. */
  readonly tile: Shape;
  /** Per dimension: its front face and its back face. */
  readonly faces: readonly (readonly [front: number, back: number])[];
  /** The first samples of components. */
  readonly firsts: number;
  /** Numbers in all. */
  readonly length: number;
}

/** The layout for tiles of up to `tile` samples. */
export function faceLayout(tile: Shape): FaceLayout {
  let at = 1;
  const faces = tile.map((_, d) => {
    const size = sizeOf(tile.toSpliced(d, 1));
    const place = [at, at + size] as const;
    at += 2 * size;
    return place;
  });
  return { tile, faces, firsts: at, length: at + mostRuns(tile) };
}

/** Writes the list of a tile. */
export function writeFaces(runs: TileRuns, layout: FaceLayout, out: Uint32Array): void {
  out[0] = runs.count;
  for (const [d, places] of layout.faces.entries()) {
    for (const [side, at] of places.entries()) {
      writeFace(runs, d, side === 0 ? 0 : runs.shape[d]! - 1, out, at);
    }
  }
  writeFirsts(runs, out, layout.firsts);
}

/** The components of the layer `layer` along dimension `d`. */
function writeFace(runs: TileRuns, d: number, layer: number, out: Uint32Array, at: number): void {
  const { shape, lines, start, stop, label } = runs;
  const [outer, length] = [shape.slice(0, -1), shape.at(-1)!];
  const position = outer.map(() => 0);
  for (let line = 0, all = sizeOf(outer); line < all; line++) {
    const [first, last] = [lines[line]!, lines[line + 1]!];
    if (d === outer.length) {
      const run = layer === 0 ? first : last - 1;
      const touches = first < last && start[run]! <= layer && layer < stop[run]!;
      out[at++] = touches ? label[run]! : 0;
    } else if (position[d] === layer) {
      out.fill(0, at, at + length);
      for (let run = first; run < last; run++) out.fill(label[run]!, at + start[run]!, at + stop[run]!);
      at += length;
    }
    for (let e = outer.length - 1; e >= 0 && ++position[e]! === outer[e]; e--) position[e] = 0;
  }
}

/** The first sample of each component, as an index into the tile: components are numbered in this order. */
function writeFirsts({ shape, lines, start, label }: TileRuns, out: Uint32Array, at: number): void {
  const length = shape.at(-1)!;
  let known = 0;
  for (let line = 0, all = sizeOf(shape.slice(0, -1)); line < all; line++) {
    for (let run = lines[line]!; run < lines[line + 1]!; run++) {
      if (label[run]! > known) out[at + known++] = line * length + start[run]!;
    }
  }
}
