/**
 * The rows of a tile in batches that share phasors: those of one time, or a few rows that have their own positions.
 *
 * @module
 */

import type { CubeArray } from "../../hypercube/providers/provider.ts";
import { sizeOf } from "../../space/shape.ts";
import { blocksOf, byTime, checkIndices, feedBlocksOf, pairsOf, type RowIndex } from "./blocks.ts";
import { isDense, needsTimes, type PredictSettings, ROWS } from "./options.ts";

/** Rows that share phasors. */
export interface Batch {
  /** The time; 0 if none is needed. */
  readonly time: number;
  /** Address of the positions, and how many there are. */
  readonly uvw: number;
  readonly positions: number;
  /** Address of the visibilities of row 0, and its number in the tile. */
  readonly vis: number;
  readonly first: number;
  /** Address and number of blocks or pairs. */
  readonly rows: number;
  readonly count: number;
}

/** What kernels are told of the rows of a time: blocks of four baselines, blocks of two feeds on each side, or pairs. */
type RowKind = "blocks" | "feeds" | "pairs";

/** A tile, as far as its rows are concerned. */
interface TileRows {
  /** Its arrays by name. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
  /** The memory in which they lie. */
  readonly memory: WebAssembly.Memory;
  /** The options. */
  readonly settings: PredictSettings;
  /** How rows of a time are given to kernels. */
  readonly kind: RowKind;
  /** Bytes from one row of visibilities to the next. */
  readonly rowStride: number;
}

/** The batches of a tile; blocks and pairs are written to `work_rows`. */
export function batchesOf(tile: TileRows): Batch[] {
  if (tile.settings.uvw !== "antenna") return rowBatches(tile);
  const [times, antennas] = tile.arrays["uvw"]!.shape as [number, number];
  const index = { antenna1: integers(tile, "antenna1"), antenna2: integers(tile, "antenna2") };
  checkIndices("antenna1", index.antenna1, antennas);
  checkIndices("antenna2", index.antenna2, antennas);
  return isDense(tile.settings) ? denseBatches(tile, index) : raggedBatches(tile, index, times);
}

/** All baselines of each time. */
function denseBatches(tile: TileRows, index: RowIndex): Batch[] {
  const { arrays, rowStride } = tile;
  const [times, positions] = arrays["uvw"]!.shape as [number, number];
  const baselines = index.antenna1.length;
  const { pointer: rows } = arrays["work_rows"]!;
  const all = Array.from({ length: baselines }, (_, row) => row);
  const [count] = placeRows(tile, rows, index, all, positions);
  const [uvw, vis] = [arrays["uvw"]!.pointer, arrays["model_vis"]!.pointer];
  return Array.from({ length: times }, (_, time): Batch => {
    const first = baselines * time;
    const at = { uvw: uvw + 24 * positions * time, vis: vis + rowStride * first, first };
    return { time, positions, rows, count, ...at };
  });
}

/** The rows that are there, of each time that occurs. */
function raggedBatches(tile: TileRows, index: RowIndex, times: number): Batch[] {
  const { arrays } = tile;
  const [uvw, vis] = [arrays["uvw"]!.pointer, arrays["model_vis"]!.pointer];
  const positions = arrays["uvw"]!.shape[1]!;
  const timeIndex = integers(tile, "time_index");
  checkIndices("time_index", timeIndex, times);
  let rows = arrays["work_rows"]!.pointer;
  return [...byTime(timeIndex)].map(([time, some]): Batch => {
    const [count, bytes] = placeRows(tile, rows, index, some, positions);
    const batch = { time, uvw: uvw + 24 * positions * time, positions, vis, first: 0, rows, count };
    rows += bytes;
    return batch;
  });
}

/** Writes blocks or pairs to memory: how many, and their bytes. */
function placeRows(
  { memory, kind, arrays }: TileRows,
  at: number,
  index: RowIndex,
  rows: readonly number[],
  antennas: number,
): [number, number] {
  const out = (numbers: number) => new Int32Array(memory.buffer, at, numbers * rows.length);
  if (kind === "pairs") return [pairsOf(out(3), index, rows), 12 * rows.length];
  if (kind === "feeds") {
    return [feedBlocksOf(out(8), index, rows, arrays["frequency"]!.shape[0]!), 32 * rows.length];
  }
  const count = blocksOf(out(8), index, rows, antennas);
  return [count, 32 * count];
}

/** Up to 32 rows at once, each with a position of its own. */
function rowBatches(tile: TileRows): Batch[] {
  const { arrays, memory, settings, rowStride } = tile;
  const rows = arrays["model_vis"]!.shape[0]!;
  const [uvw, vis] = [arrays["uvw"]!.pointer, arrays["model_vis"]!.pointer];
  const { pointer } = arrays["work_rows"]!;
  const pairs = new Int32Array(memory.buffer, pointer, 3 * ROWS);
  for (let i = 0; i < ROWS; i++) pairs.set([i, -1, i], 3 * i);
  const times = needsTimes(settings) ? integers(tile, "time_index") : undefined;
  if (times) checkIndices("time_index", times, arrays["stokes"]!.shape[1]!);
  const batches: Batch[] = [];
  for (let row = 0, next; row < rows; row = next) {
    const time = times?.[row] ?? 0;
    next = row + 1;
    while (next < rows && next < row + ROWS && (times?.[next] ?? 0) === time) next++;
    const at = { uvw: uvw + 24 * row, vis: vis + rowStride * row, first: row };
    batches.push({ time, positions: next - row, rows: pointer, count: next - row, ...at });
  }
  return batches;
}

function integers({ arrays, memory }: TileRows, name: string): Int32Array {
  const { pointer, shape } = arrays[name]!;
  return new Int32Array(memory.buffer, pointer, sizeOf(shape));
}
