/**
 * Virtual data sets: which elements of which other data sets they show.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { asArray, type Hdf5Array } from "./arrays.ts";
import type { Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";
import { readGlobalObject } from "./heaps.ts";
import { readMessages } from "./object_header.ts";
import { describe, type OpenExternal, resolve } from "./objects.ts";
import { blocksInside, isUnlimited, positionsOf, readSelection, type Selection } from "./selection.ts";
import type { Part } from "./stack.ts";

/** One line of the description: these elements are those of that data set. */
interface Mapping {
  readonly file: string;
  readonly path: string;
  readonly source: Selection;
  readonly target: Selection;
}

/** Sources that a data set may have. */
const MOST_SOURCES = 100_000;
/** Frames, and samples along a side of one, that are still counted one by one. */
const MOST_POSITIONS = 2 ** 24;

/** The parts of a virtual data set whose last `sig` dimensions are frames, and what is missing, in words. */
export async function virtualParts(
  array: Hdf5Array,
  sig: number,
  openExternal: OpenExternal,
): Promise<{ parts: Part[]; missing: string[] }> {
  checkSize(array, sig);
  const parts: Part[] = [];
  const missing: string[] = [];
  const sources = new Map<string, Promise<Hdf5Array | undefined>>();
  for (const mapping of await readMappings(array)) {
    for (const [file, path, block] of namesOf(mapping, array.shape)) {
      const key = `${file}\0${path}`;
      let source = sources.get(key);
      if (!source) sources.set(key, source = openArray(array.dataset.file, file, path, openExternal));
      const found = await source;
      if (found) parts.push(partOf(array, found, mapping, sig, block));
      else missing.push(`${path} of ${file}`);
    }
  }
  return { parts, missing };
}

async function readMappings({ dataset: { file, layout } }: Hdf5Array): Promise<Mapping[]> {
  if (layout.kind !== "virtual") return [];
  const body = await readGlobalObject(file, layout.address, layout.index);
  const version = body.version("the sources of a virtual data set", 0, 1);
  const count = file.length(body);
  if (count > MOST_SOURCES) throw body.error("malformed", `a virtual data set has ${count} sources`);
  const mappings: Mapping[] = [];
  const before = () => {
    const number = file.length(body);
    return mappings[number] ?? fail(body, `an entry repeats entry ${number}, which is not before it`);
  };
  for (let m = 0; m < count; m++) {
    const flags = version === 1 ? body.u8() : 0;
    const name = flags & 4 ? "." : flags & 1 ? before().file : body.textToZero();
    const path = flags & 2 ? before().path : body.textToZero();
    mappings.push({ file: name, path, source: readSelection(body), target: readSelection(body) });
  }
  return mappings;
}

function fail(body: Cursor, problem: string): never {
  throw body.error("malformed", problem);
}

/** Names with `%b` stand for one source a block of the target. */
function* namesOf(
  { file, path, target }: Mapping,
  shape: Shape,
): Generator<[file: string, path: string, block?: number]> {
  const isPattern = (name: string) => /%b/.test(name.replaceAll("%%", ""));
  if (!isPattern(file) && !isPattern(path)) return yield [plain(file), plain(path)];
  const blocks = Math.min(MOST_SOURCES, blocksInside(target, shape));
  for (let block = 0; block < blocks; block++) {
    const named = (name: string) => name.replace(/%[%b]/g, (sign) => sign === "%b" ? String(block) : "%");
    yield [named(file), named(path), block];
  }
}

const plain = (name: string) => name.replaceAll("%%", "%");

async function openArray(
  from: Hdf5File,
  name: string,
  path: string,
  openExternal: OpenExternal,
): Promise<Hdf5Array | undefined> {
  const file = name === "." ? from : await openExternal(name, from);
  const address = file && await resolve(file, path, openExternal);
  if (!file || address === undefined) return undefined;
  try {
    return asArray(await describe(file, path, await readMessages(file, address)));
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    const text = `Cannot read a source of a virtual data set: ${error.message}`;
    throw new TilewiseError(error.code, text, error.details, { cause: error });
  }
}

/** What a mapping says, as images and a box of a frame. */
function partOf(array: Hdf5Array, source: Hdf5Array, mapping: Mapping, sig: number, block?: number): Part {
  checkSize(source, sig);
  const target = positionsOf(mapping.target, array.shape, block);
  const origin = positionsOf(mapping.source, source.shape);
  const nav = [target.length - sig, origin.length - sig];
  if (nav[1]! < 0) throw unsupported(array, source, `its frames have ${origin.length} dimensions`);
  const boxes = [target.slice(nav[0]), origin.slice(nav[1])].map((sides) => sides.map(interval));
  const [at, from] = boxes;
  if (boxes.flat().includes(undefined)) throw unsupported(array, source, "a frame is taken with gaps");
  if (at!.some((side, d) => side!.size !== from![d]!.size)) {
    throw unsupported(array, source, "the dimensions of frames do not match");
  }
  let [images, sourceImages] = [
    flat(target.slice(0, nav[0]), array.shape),
    flat(origin.slice(0, nav[1]), source.shape),
  ];
  if (images.length !== sourceImages.length) {
    if (!isUnlimited(mapping.target) && !isUnlimited(mapping.source)) {
      throw unsupported(array, source, `${images.length} frames are to show ${sourceImages.length}`);
    }
    const count = Math.min(images.length, sourceImages.length);
    [images, sourceImages] = [images.slice(0, count), sourceImages.slice(0, count)];
  }
  return {
    source,
    images,
    sourceImages,
    at: at!.map((side) => side!.first),
    from: from!.map((side) => side!.first),
    shape: at!.map((side) => side!.size),
  };
}

function checkSize({ shape, dataset: { file, path } }: Hdf5Array, sig: number): void {
  const nav = Math.max(0, shape.length - sig);
  const most = Math.max(sizeOf(shape.slice(0, nav)), ...shape);
  if (most <= MOST_POSITIONS) return;
  const text = `Cannot read ${path} of ${file.name} through a virtual data set: ${
    showShape(shape)
  } is too large`;
  throw new TilewiseError("unsupported", text, { file: file.name, expected: MOST_POSITIONS, found: most });
}

/** Positions that follow each other. */
function interval(positions: readonly number[]): { first: number; size: number } | undefined {
  const first = positions[0] ?? 0;
  return positions.every((at, i) => at === first + i) ? { first, size: positions.length } : undefined;
}

/** The images of a product of positions in the leading dimensions of `shape`. */
function flat(positions: readonly (readonly number[])[], shape: Shape): Int32Array {
  const images = new Int32Array(sizeOf(positions.map(({ length }) => length)));
  let done: ArrayLike<number> = [0];
  for (const [d, along] of positions.entries()) {
    const next = new Int32Array(done.length * along.length);
    for (let i = 0; i < next.length; i++) {
      next[i] = done[Math.floor(i / along.length)]! * shape[d]! + along[i % along.length]!;
    }
    done = next;
  }
  images.set(done as Int32Array);
  return images;
}

function unsupported({ dataset }: Hdf5Array, source: Hdf5Array, why: string): TilewiseError {
  const text = `Cannot read ${dataset.path} of ${dataset.file.name}, a virtual data set: of ` +
    `${source.dataset.path} of ${source.dataset.file.name} ${why}; whole frames and boxes of frames can be read`;
  return new TilewiseError("unsupported", text, { file: dataset.file.name });
}
