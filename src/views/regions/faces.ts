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

/** Writes the list of a tile at `out`, an address in the memory of the kernels. */
export function writeFaces(
  runs: TileRuns,
  layout: FaceLayout,
  memory: WebAssembly.Memory,
  out: number,
): void {
  const list = new Uint32Array(memory.buffer, out, layout.length);
  list[0] = runs.count;
  for (const [d, places] of layout.faces.entries()) {
    for (const [side, at] of places.entries()) {
      const [end, layer] = side === 0 ? ["first", 0] as const : ["last", runs.shape[d]! - 1] as const;
      if (d < runs.shape.length - 1) writeLines(runs, d, layer, out + 4 * at);
      else writeEnds(runs, end, list.subarray(at));
    }
  }
  runs.firstSamples(out + 4 * layout.firsts);
}

/** The components of the layer `layer` along dimension `d`: whole lines. */
function writeLines(runs: TileRuns, d: number, layer: number, out: number): void {
  const { shape } = runs;
  const inner = sizeOf(shape.slice(d + 1, -1));
  for (let outer = 0, count = sizeOf(shape.slice(0, d)), at = out; outer < count; outer++) {
    const first = (outer * shape[d]! + layer) * inner;
    for (let line = first; line < first + inner; line++, at += 4 * shape.at(-1)!) runs.paint(line, at);
  }
}

/** Those of the first or the last sample of every line. */
function writeEnds(runs: TileRuns, end: "first" | "last", out: Uint32Array): void {
  for (let line = 0, lines = sizeOf(runs.shape.slice(0, -1)); line < lines; line++) {
    out[line] = runs.atEnd(line, end);
  }
}
