/**
 * Where tiles come from: facts for plans, and what workers need to load the tiles.
 *
 * @module
 */

import { type Dataset, StoredDataset } from "../../../dataset/dataset.ts";
import { atLevelOf } from "../../../dataset/families.ts";
import { TilewiseError } from "../../../errors.ts";
import type { SourceSpec } from "../../../io/source/source.ts";
import { defined, inWords } from "../../../options.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { gridOf } from "../../../space/box.ts";
import { sameShape, type Shape, sizeOf } from "../../../space/shape.ts";
import { arrayOf, type JoinedArray, readSourcesOf, sourcesOfArray } from "../../array.ts";
import { layoutOf } from "../../plan.ts";
import {
  checkLoader,
  isLoader,
  isLoaderModule,
  type LoaderSpec,
  makeLoader,
  type TileLevel,
  type TileLoader,
  type TileLoaderModule,
} from "./tile_loader.ts";

// The tiles in which an array is loaded: as it is stored where it is stored in chunks, otherwise of a size that reads
// well.

/** Tiles of smaller chunks are several chunks: a task for a worker takes as long as decoding some tens of KiB. */
const LEAST_BYTES = 128 * 1024;
/** Tiles of arrays that are not stored in chunks. */
const USUAL_BYTES = 1024 * 1024;

/** The tile in which an array is loaded; `asked` is the tile of its views. */
function physicalTile(dataset: StoredDataset, asked: Shape | undefined): Shape {
  const { shape, dtype, layout: { storage }, syncOffset } = dataset;
  const { itemSize } = dtypeInfo(dtype);
  const chunked = storage.kind === "chunks" && syncOffset === 0 && sameShape(storage.chunks.shape, shape);
  if (chunked) return grown(within(storage.chunks.chunk, shape), shape, LEAST_BYTES / itemSize);
  return within(asked ?? usualTile(shape, USUAL_BYTES / itemSize), shape);
}

function within(tile: Shape, shape: Shape): Shape {
  return tile.map((n, d) => Math.max(1, Math.min(n, shape[d]!)));
}

/** Whole rows of the last dimensions, as many as `samples` allows. */
function usualTile(shape: Shape, samples: number): Shape {
  const tile = shape.map(() => 1);
  for (let d = shape.length - 1, left = samples; d >= 0 && left >= 1; d--) {
    const most = shape.length > 1 && d === shape.length - 1 ? 2048 : Infinity;
    tile[d] = Math.max(1, Math.min(shape[d]!, Math.floor(left), most));
    left /= tile[d]!;
    if (tile[d]! < shape[d]! && d < shape.length - 1) break;
  }
  return tile;
}

/** Several chunks along the last two dimensions, where one is small; the longer side of the array first. */
function grown(chunk: Shape, shape: Shape, samples: number): Shape {
  const tile = [...chunk];
  for (let d = tile.length - 1; d >= Math.max(0, tile.length - 2); d--) {
    const times = Math.floor(samples / sizeOf(tile));
    if (times <= 1) break;
    const room = Math.ceil(shape[d]! / tile[d]!);
    tile[d] = tile[d]! * Math.min(room, times);
  }
  return within(tile, shape);
}

/**
 * What {@link openViews} opens: a data set, the levels of a pyramid as data sets, or a tile loader of your own.
 * @category Views
 */
export type ViewsInput<D extends DType = DType> =
  | Dataset
  | readonly Dataset[]
  | TileLoader<D>
  | TileLoaderModule<D>;

/** A level that tiles are loaded from. */
export interface OriginLevel extends Required<TileLevel> {
  /** Its number: of a data set, in its pyramid. */
  readonly level: number;
}

/** Where tiles come from. */
export interface Origin {
  /** Path or name, for errors. */
  readonly name: string;
  /** Type of the samples. */
  readonly dtype: DType;
  /** The levels that were asked for. */
  readonly levels: readonly OriginLevel[];
  /** Names of the dimensions, if they are known. */
  readonly names?: readonly string[];
  /** Known facts. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** How a thread gets a loader. */
  readonly spec: LoaderSpec;
  /** Bytes that a loader needs. */
  readonly loaderBytes: number;
  /** Everything on which the samples depend. */
  readonly sources: readonly SourceSpec[];
  /** Of these, what workers read. */
  readonly readSources: readonly SourceSpec[];
}

/** The origin of `input`; `levels`: those that are wanted, `tiles`: the tiles of the views, one per level. */
export async function originOf(
  call: string,
  input: ViewsInput,
  levels: readonly number[] | "all" | undefined,
  tiles: (place: number) => Shape | undefined,
): Promise<Origin> {
  if (isLoader(input)) return originOfLoader(input, { kind: "here", loader: input }, levels);
  if (isLoaderModule(input)) {
    return originOfLoader(await makeLoader(input), { kind: "module", loader: input }, levels);
  }
  if (input instanceof StoredDataset) return originOfArrays(await levelsOf(input, levels), tiles);
  if (Array.isArray(input) && input.length > 0 && input.every((one) => one instanceof StoredDataset)) {
    const wanted = levels === undefined || levels === "all" ? [...input.keys()] : levels;
    return originOfArrays(wanted.map((level) => [level, chosen(input, level)]), tiles);
  }
  if (typeof (input as Partial<JoinedArray> | null)?.parts === "object") {
    const text = `${call} takes no joined arrays: planViews() takes them, and operations over views`;
    throw new TilewiseError("unsupported", text, { found: "joined arrays" });
  }
  const found = inWords(input);
  const text =
    `${call} takes a data set, as await open() gives it, a list of data sets, or a tile loader; it was ` +
    `given ${found}`;
  throw new TilewiseError("invalid", text, { found });
}

type Levelled = readonly [level: number, dataset: StoredDataset];

async function levelsOf(
  dataset: StoredDataset,
  levels: readonly number[] | "all" | undefined,
): Promise<Levelled[]> {
  const all = dataset.levels.length > 0 ? [...dataset.levels.keys()] : [0];
  const wanted = levels === "all" ? all : levels ?? [dataset.level];
  const found: Levelled[] = [];
  for (const level of wanted) found.push([level, await atLevelOf(dataset, level)]);
  return found;
}

function originOfArrays(all: readonly Levelled[], tiles: (place: number) => Shape | undefined): Origin {
  const [, first] = all[0]!;
  for (const [level, { dtype, shape }] of all) {
    if (dtype === first.dtype && shape.length === first.shape.length) continue;
    const text =
      `Cannot show level ${level} of ${first.source} beside the others: it has ${shape.length} dimensions ` +
      `of ${dtype}, not ${first.shape.length} of ${first.dtype}`;
    throw new TilewiseError("invalid", text, { option: "levels", expected: first.dtype, found: dtype });
  }
  const arrays = all.map(([, dataset]) => arrayOf(dataset));
  const layouts = arrays.map((array, i) =>
    layoutOf(array, { tile: physicalTile(all[i]![1], tiles(i)), radius: 0 })
  );
  return {
    name: first.source,
    dtype: first.dtype,
    levels: all.map(([level, { shape, levels }], i) => ({
      level,
      shape,
      tile: layouts[i]!.grid.tile,
      scale: levels[level]?.scale ?? scaleOf(first.shape, shape),
    })),
    names: first.axes.map(({ name }) => name),
    metadata: first.metadata,
    spec: { kind: "arrays", levels: layouts },
    loaderBytes: layouts.reduce((sum, { readerBytes }) => sum + readerBytes, 0),
    sources: arrays.flatMap(sourcesOfArray),
    readSources: arrays.flatMap(readSourcesOf),
  };
}

function originOfLoader(
  loader: TileLoader,
  spec: { kind: "here"; loader: TileLoader } | { kind: "module"; loader: TileLoaderModule },
  asked: readonly number[] | "all" | undefined,
): Origin {
  checkLoader(loader);
  const wanted = asked === "all" ? [...loader.levels.keys()] : asked ?? [0];
  const whole = loader.levels[0]!.shape;
  return {
    name: loader.name ?? "the tile loader",
    dtype: loader.dtype,
    levels: wanted.map((level) => {
      const { shape, tile, scale } = chosen(loader.levels, level);
      return { level, shape, tile: gridOf(shape, tile).tile, scale: scale ?? scaleOf(whole, shape) };
    }),
    ...defined({ names: loader.names }),
    metadata: loader.metadata ?? {},
    spec: { ...spec, levels: wanted },
    loaderBytes: 0,
    sources: [],
    readSources: [],
  };
}

function scaleOf(whole: Shape, shape: Shape): number[] {
  return shape.map((n, d) => n > 0 ? whole[d]! / n : 1);
}

function chosen<T>(levels: readonly T[], level: number): T {
  const found = levels[level];
  if (found !== undefined) return found;
  const text = `There is no level ${level}: there are ${levels.length}, 0 to ${levels.length - 1}`;
  throw new TilewiseError("invalid", text, { option: "levels", expected: levels.length - 1, found: level });
}
