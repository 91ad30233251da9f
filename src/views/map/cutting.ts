/**
 * Ways to cut an array into tiles for an operation, and the result into blocks.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { withOption } from "../../options.ts";
import { type Grid, gridOf } from "../../space/box.ts";
import type { Halo } from "../../space/halo.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { onceEach, type TileOrder } from "../../space/traversal.ts";
import { type ArrayFacts, type ArraySpec, type JoinedArray, partNames } from "../array.ts";
import { chunkPlan, isChunked } from "../chunk_plan.ts";
import { matching } from "../chain/steps.ts";
import type { OperationEntry, OperationFacts, ViewOperation } from "../operations/operation.ts";
import { layoutOf, type ViewLayoutOptions } from "../plan.ts";
import { type BlockKind, blocksOf, mostOpen } from "./blocks.ts";
import type { MapChoice } from "./memory.ts";
import type { Tiles } from "./sink.ts";

/** A way to cut the array, with the facts of the operation. */
interface Choice extends MapChoice {
  /** Facts of the operation. */
  readonly facts: OperationFacts<object>;
  /** The order of tiles: every tile once. */
  readonly order: TileOrder;
}

/** What is to be cut, and for what. */
interface Cut {
  /** The array. */
  readonly array: ArraySpec | JoinedArray;
  /** The operation. */
  readonly operation: ViewOperation;
  /** Its entry. */
  readonly entry: OperationEntry;
  /** Samples of halo that it uses. */
  readonly halo: Halo;
  /** The order of tiles that was asked for. */
  readonly traversal: TileOrder;
}

/** Options that say how to cut. */
export interface CutOptions extends Partial<ViewLayoutOptions> {
  /** The blocks in which the result is delivered. Default `bands`. */
  readonly blocks?: BlockKind;
  /** The tiles of the result that a sink takes, from the facts of the result; used instead of `tile`. */
  readonly tilesOf?: (result: ArrayFacts) => Tiles;
}

/** Rows of tiles to try, and their columns. */
const TILE_ROWS = [256, 128, 64, 32] as const;
const TILE_COLUMNS = 2048;
/** Columns of tiles of plain arrays, which are read row by row: whole rows lie together and are one read. */
const PLAIN_COLUMNS = 8192;
/** Chunks with more samples than this along a dimension are not kept whole by tiles. */
const LARGE_CHUNK = 1024;

/** Ways to cut, the best one first; the later ones need less memory. */
export function choicesOf(cut: Cut, options: CutOptions): [Choice, ...Choice[]] {
  const { array, operation, entry, halo, traversal } = cut;
  const { params } = operation;
  const factors = factorsOf(operation, entry, array.shape);
  const result = entry.result(array.dtype, params);
  const choice = (tile: Shape): Choice => {
    const views = layoutOf(array, { border: "edge", ...options, radius: options.radius ?? halo, tile });
    const { grid } = views;
    const arrays = partNames(array);
    const sizes = { radius: halo.front, halo, tile: grid.tile };
    const facts = { params, dtype: array.dtype, result, ...sizes, ...(arrays ? { arrays } : {}) };
    const partial = entry.partial?.(facts);
    const blocks = partial === undefined
      ? blocksOf(resultGrid(grid, factors), options.blocks ?? "bands")
      : blocksOf(partialGrid(grid, partial), "bands");
    const scratch = Object.values<number>(entry.scratch(facts));
    const order = withOption("traversal", () => onceEach(traversal, grid.counts));
    const chunks = chunkPlan(array, views);
    const open = mostOpen(blocks, order, grid.counts);
    return { views, facts, blocks, order, open, scratch, dtype: result, ...(chunks ? { chunks } : {}) };
  };
  const { tilesOf } = options;
  if (tilesOf) {
    const shape = array.shape.map((n, d) => Math.ceil(n / factors[d]!));
    const [best, ...others] = tilesOf({
      shape,
      dtype: result,
      byteOrder: "little",
      ...(array.axes ? { axes: array.axes } : {}),
    });
    const ofTile = (tile: Shape) => choice(tile.map((n, d) => n * factors[d]!));
    return [ofTile(best), ...others.map(ofTile)];
  }
  if (options.tile) return [choice(checkTile(operation, options.tile, factors))];
  const [first, ...others] = defaultTiles("parts" in array ? Object.values(array.parts)[0]! : array, factors);
  return [choice(first), ...others.map(choice)];
}

/** Samples of the array per sample of the result, per dimension. */
function factorsOf({ name, params }: ViewOperation, entry: OperationEntry, { length }: Shape): Shape {
  const factors = entry.factors?.(params) ?? 1;
  if (typeof factors === "number" || factors.length === length) return matching(factors, length);
  const text = `Cannot run ${name} with factors ${
    factors.join(", ")
  }: an array of ${length} dimensions takes ${length}`;
  throw new TilewiseError("invalid", text, { option: "operation", expected: length, found: factors.length });
}

/** The result in tiles: those of the array, with fewer samples where an operation makes fewer. */
function resultGrid({ shape, tile }: Grid, factors: Shape): Grid {
  return gridOf(shape.map((n, d) => Math.ceil(n / factors[d]!)), tile.map((n, d) => n / factors[d]!));
}

function checkTile({ name }: ViewOperation, tile: Shape, factors: Shape): Shape {
  if (tile.length !== factors.length || tile.every((n, d) => n % factors[d]! === 0)) return tile;
  const expected = upTo(tile, factors);
  const text =
    `Cannot run ${name} with tiles of ${showShape(tile)}: it makes one sample of ${showShape(factors)}; ` +
    `use tiles of ${showShape(expected)}`;
  throw new TilewiseError("invalid", text, {
    option: "tile",
    expected: showShape(expected),
    found: showShape(tile),
  });
}

/** The next multiples. */
function upTo(tile: Shape, factors: Shape): Shape {
  return tile.map((n, d) => Math.ceil(n / factors[d]!) * factors[d]!);
}

/** The usual tiles, the largest first. Tiles of arrays in chunks are whole chunks, as far as these are small. */
function defaultTiles(array: ArraySpec, factors: Shape): [Shape, ...Shape[]] {
  const { shape } = array;
  const chunk = isChunked(array) ? array.layout.storage.chunks.chunk : shape.map(() => 1);
  const size = (wanted: number, d: number) => {
    const step = chunk.at(d)! <= LARGE_CHUNK ? chunk.at(d)! : 1;
    return Math.max(1, Math.min(Math.max(1, Math.round(wanted / step)) * step, shape.at(d)!));
  };
  const colours = array.axes?.at(-1)?.kind === "colour" && shape.length > 2 ? [shape.at(-1)!] : [];
  const [row, column] = [-2 - colours.length, -1 - colours.length];
  const tile = (rows: number, columns: number) => {
    const inner = shape.length < 2
      ? [size(columns, -1)]
      : [size(rows, row), size(columns, column), ...colours];
    return upTo([...shape.slice(0, -inner.length).map(() => 1), ...inner], factors);
  };
  const tiles = TILE_ROWS.map((rows) => tile(rows, TILE_COLUMNS));
  return [tile(TILE_ROWS[0], "layout" in array ? TILE_COLUMNS : PLAIN_COLUMNS), ...tiles];
}

/** A partial result of so many samples for every tile: as an array, they lie along one more dimension. */
function partialGrid({ counts }: Grid, samples: number): Grid {
  return gridOf([...counts, samples], [...counts.map(() => 1), samples]);
}
