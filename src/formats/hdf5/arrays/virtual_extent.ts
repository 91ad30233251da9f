/**
 * Selections of virtual data sets, and how large a virtual data set is whose sources may have grown since it was written: as far as its last source reaches,
 * which is how the HDF5 library shows it.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import type { Shape } from "../../../space/shape.ts";
import { type Cursor, verified } from "../metadata/cursor.ts";
import type { Hdf5File } from "../metadata/file.ts";
import { readGlobalObject } from "../metadata/heaps.ts";
import { readMessages } from "../metadata/object_header.ts";
import { describe, type OpenExternal, resolve } from "../metadata/objects.ts";
import { asArray, type Hdf5Array } from "./arrays.ts";

// Selections of a dataspace: which elements of an array take part in a mapping. Only products of lists of positions
// are known here, which is what slices with steps are.
//
// Source: the HDF5 File Format Specification, version 3.0, "Dataspace Encoding".

/** Blocks along one dimension. */
export interface Blocks {
  /** First position. */
  readonly start: number;
  /** From one block to the next. */
  readonly stride: number;
  /** Number of blocks; `Infinity` where it follows the size of the array. */
  readonly count: number;
  /** Positions of a block; `Infinity` where it follows the size of the array. */
  readonly block: number;
}

/** Per dimension blocks or a list of positions; nothing: all elements. */
export type Selection = readonly (Blocks | readonly number[])[] | undefined;

/** Positions that a list may have: 32 MiB, a scan of 2048 × 2048 frames in one row. */
const MOST = 2 ** 22;

/** The selection at the cursor. */
function readSelection(body: Cursor): Selection {
  const type = body.u32();
  const version = body.u32();
  if (type === 3) {
    body.skip(8);
    return undefined;
  }
  if (type !== 2) throw body.error("unsupported", `a selection of type ${type} is neither all nor slices`);
  if (version === 1) {
    body.skip(8);
    return readCorners(body, 4);
  }
  if (version !== 2 && version !== 3) {
    throw body.error("unsupported", `a selection of slices has version ${version}; known are 1, 2, 3`);
  }
  const flags = body.u8();
  if (version === 2) body.skip(4); // its length
  const bytes = version === 2 ? 8 : body.u8();
  if (!(flags & 1)) return readCorners(body, bytes);
  const rank = rankOf(body);
  const number = () => body.optional(bytes) ?? Infinity;
  return Array.from({ length: rank }, () => {
    const [start, stride, count, block] = [number(), number(), number(), number()];
    if (!Number.isFinite(start) || !(stride >= 1) || (count > 1 && block > stride)) {
      throw body.error("malformed", `slices start at ${start}, are ${stride} apart and ${block} long`);
    }
    return { start, stride, count, block };
  });
}

function rankOf(body: Cursor): number {
  const rank = body.u32();
  if (rank < 1 || rank > 32) throw body.error("malformed", `a selection has ${rank} dimensions`);
  return rank;
}

/** Blocks by their corners, which must be a product of intervals per dimension. */
function readCorners(body: Cursor, bytes: number): readonly (readonly number[])[] {
  const rank = rankOf(body);
  const count = body.uint(bytes);
  const edges = Array.from({ length: rank }, () => new Map<number, number>());
  for (let b = 0; b < count; b++) {
    const first = Array.from({ length: rank }, () => body.uint(bytes));
    for (let d = 0; d < rank; d++) edges[d]!.set(first[d]!, body.uint(bytes));
  }
  if (edges.reduce((product, { size }) => product * size, 1) !== count) {
    throw body.error("unsupported", "a selection of blocks is not a product of intervals");
  }
  return edges.map((ends) => {
    const positions: number[] = [];
    for (const [first, last] of [...ends].toSorted(([a], [b]) => a - b)) {
      if (last < first || positions.length + last - first >= MOST) {
        throw body.error("malformed", `a block is from ${first} to ${last}`);
      }
      for (let at = first; at <= last; at++) positions.push(at);
    }
    return positions;
  });
}

/**
 * The selected positions of each dimension of an array of `shape`.
 *
 * Errors: `unsupported` for more positions than can be listed.
 *
 * @param block only this block of dimensions whose number of blocks has no limit; default: all that begin inside
 */
export function positionsOf(selection: Selection, shape: Shape, block?: number): number[][] {
  return shape.map((size, d) => {
    const own = selection?.[d];
    checkCount(own, size);
    if (own === undefined) return blockPositions({ start: 0, stride: 1, count: 1, block: size }, size);
    return "start" in own ? blockPositions(own, size, block) : own.filter((at) => at < size);
  });
}

/** Refuses to list positions beyond all measure before any is listed. */
function checkCount(own: Blocks | readonly number[] | undefined, size: number): void {
  const most = own === undefined
    ? size
    : "start" in own
    ? Math.min(size - own.start, Math.min(own.count, Math.ceil((size - own.start) / own.stride)) * own.block)
    : own.length;
  if (!(most > MOST)) return;
  const text = `Cannot follow a selection of ${most} positions along one dimension; ${MOST} are possible`;
  throw new TilewiseError("unsupported", text, { expected: MOST, found: most });
}

function blockPositions({ start, stride, count, block }: Blocks, size: number, only?: number): number[] {
  const positions: number[] = [];
  const first = count === Infinity && only !== undefined ? only : 0;
  const last = count === Infinity && only !== undefined ? only + 1 : count;
  for (let b = first; b < last && start + b * stride < size; b++) {
    const at = start + b * stride;
    for (let position = at; position < Math.min(size, at + block); position++) positions.push(position);
  }
  return positions;
}

/** The dimension in which it grows with the array; `undefined` if its size is fixed. */
export function freeDim(selection: Selection): number | undefined {
  const d = selection?.findIndex((own) =>
    "start" in own && (own.count === Infinity || own.block === Infinity)
  );
  return d === undefined || d < 0 ? undefined : d;
}

/** Blocks that begin inside of an array of `shape`, in the dimension without a limit. */
function blocksInside(selection: Selection, shape: Shape): number {
  const d = selection?.findIndex((own) => "start" in own && own.count === Infinity) ?? -1;
  if (d < 0) return 1;
  const { start, stride } = selection![d] as Blocks;
  return Math.max(0, Math.ceil((shape[d]! - start) / stride));
}

/** One line of the description: these elements are those of that data set. */
export interface Mapping {
  /** Name of the file, maybe with `%b`; a dot stands for the same file. */
  readonly file: string;
  /** Path of the data set, maybe with `%b`. */
  readonly path: string;
  /** Which of its elements. */
  readonly source: Selection;
  /** Where they are shown. */
  readonly target: Selection;
}

/** Sources that a data set may have. */
const MOST_SOURCES = 100_000;

/** The lines of the description; a data set without one shows nothing. */
export async function readMappings({ dataset: { file, layout } }: Hdf5Array): Promise<Mapping[]> {
  if (layout.kind !== "virtual" || layout.address === undefined) return [];
  const stored = await readGlobalObject(file, layout.address, layout.index);
  const body = verified(stored, "the list of sources of a virtual data set");
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
export function* namesOf(
  { file, path, target }: Mapping,
  shape: Shape,
): Generator<[file: string, path: string, block?: number]> {
  if (!isPattern({ file, path })) return yield [plain(file), plain(path)];
  const blocks = Math.min(MOST_SOURCES, blocksInside(target, shape));
  for (let block = 0; block < blocks; block++) yield [numbered(file, block), numbered(path, block), block];
}

/** Whether a line stands for one source a block. */
function isPattern({ file, path }: Pick<Mapping, "file" | "path">): boolean {
  return [file, path].some((name) => /%b/.test(name.replaceAll("%%", "")));
}

/** The name of the source of a block. */
function numbered(name: string, block: number): string {
  return name.replace(/%[%b]/g, (sign) => sign === "%b" ? String(block) : "%");
}

const plain = (name: string) => name.replaceAll("%%", "%");

/** The array with the shape that its sources give it; as it is where they do not. */
export async function withExtent(array: Hdf5Array, openSource: OpenSource): Promise<Hdf5Array> {
  const mappings = await readMappings(array);
  const rank = array.dataset.space.shape.length;
  const found = new Map<number, number>();
  for (const mapping of mappings) {
    const d = freeDim(mapping.target);
    if (d === undefined || d >= rank) continue;
    found.set(d, Math.max(found.get(d) ?? 0, await reach(array, mapping, d, openSource)));
  }
  if (found.size === 0) return array;
  for (const { target } of mappings) { // those of fixed size are shown anyway
    if (freeDim(target) !== undefined || !target) continue;
    for (const [d, size] of found) {
      const last = positionsOf(target, array.shape)[d]?.at(-1) ?? -1;
      found.set(d, Math.max(size, last + 1));
    }
  }
  const sized = <T>(shape: readonly T[]) => shape.map((size, d) => found.get(d) ?? size) as number[];
  const space = { ...array.dataset.space, shape: sized(array.dataset.space.shape) };
  return { ...array, shape: sized(array.shape), dataset: { ...array.dataset, space } };
}

/** How far the elements of one line reach along dimension `d`. */
async function reach(
  array: Hdf5Array,
  mapping: Mapping,
  d: number,
  openSource: OpenSource,
): Promise<number> {
  const target = mapping.target![d] as Blocks;
  if (isPattern(mapping)) {
    let block = 0;
    while (block < MOST_SOURCES) { // the first that is missing ends the series
      const names = [mapping.file, mapping.path].map((name) => numbered(name, block)) as [string, string];
      if (!await openSource(array.dataset.file, ...names)) break;
      block++;
    }
    return block === 0 ? 0 : target.start + (block - 1) * target.stride + target.block;
  }
  const source = await openSource(array.dataset.file, mapping.file, mapping.path);
  const along = freeDim(mapping.source);
  if (!source || along === undefined) return 0;
  const positions = positionsOf([mapping.source![along]!], [source.shape[along] ?? 0])[0]!.length;
  if (positions === 0) return 0;
  if (target.block === Infinity) return target.start + positions;
  const [full, rest] = [Math.floor(positions / target.block), positions % target.block];
  return rest > 0
    ? target.start + full * target.stride + rest
    : target.start + (full - 1) * target.stride + target.block;
}

/** The data set at `path` of the file `name`, as `from` names them; `undefined` if it is missing. */
export type OpenSource = (from: Hdf5File, name: string, path: string) => Promise<Hdf5Array | undefined>;

/** Opens sources through `openExternal` and remembers them. */
export function sourcesThrough(openExternal: OpenExternal): OpenSource {
  const sources = new Map<string, Promise<Hdf5Array | undefined>>();
  return (from, name, named) => {
    const path = named.startsWith("/") ? named : `/${named}`;
    const key = `${from.name}\0${name}\0${path}`;
    let source = sources.get(key);
    if (!source) sources.set(key, source = openArray(from, name, path, openExternal));
    return source;
  };
}

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
    return asArray(await describe(file, path, await readMessages(file, address), address));
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    const text = `Cannot read a source of a virtual data set: ${error.message}`;
    throw new TilewiseError(error.code, text, error.details, { cause: error });
  }
}
