/**
 * Where the chunks of a data set lie: every kind of index, read into one table.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../../errors.ts";
import { leaves, treeRecords } from "../metadata/btrees.ts";
import { extensibleElements, fixedElements } from "./chunk_arrays.ts";
import type { Hdf5File } from "../metadata/file.ts";
import type { Layout } from "../metadata/messages.ts";

/** The chunks of a data set, one entry each, in row-major order of the grid of chunks. */
interface ChunkTable {
  /** Shape of a chunk, in samples. */
  readonly chunk: readonly number[];
  /** Chunks along each dimension. */
  readonly grid: readonly number[];
  /** First byte in the file; -1 where a chunk was never written. */
  readonly addresses: Float64Array;
  /** Stored bytes. */
  readonly sizes: Uint32Array;
  /** Filters that were left out, one bit each. */
  readonly masks: Uint32Array;
}

type Chunked = Extract<Layout, { kind: "chunked" }>;

/** What an index is read for. */
interface IndexInit {
  /** The file. */
  readonly file: Hdf5File;
  /** The layout of the data set. */
  readonly layout: Chunked;
  /** Its shape. */
  readonly shape: readonly number[];
  /** Its largest shape. */
  readonly most: readonly number[];
  /** Whether its chunks are filtered, so that their sizes differ. */
  readonly isFiltered: boolean;
}

/** Chunks of a data set: their table has 16 bytes each. A file has at least an address for each that was written. */
function mostChunks({ file }: IndexInit): number {
  return Math.max(2 ** 20, file.source.size / 8);
}

/** The table of all chunks. Errors: `malformed`, `unsupported`. */
export async function readChunks(job: IndexInit): Promise<ChunkTable> {
  const { file, layout, shape } = job;
  const grid = shape.map((size, d) => Math.ceil(size / layout.chunk[d]!));
  const count = grid.reduce((product, n) => product * n, 1);
  const most = mostChunks(job);
  if (!(count <= most)) {
    const text = `a data set has ${count} chunks; in a file of this size at most ${most} are`;
    throw cannot("read", file.name, "unsupported", text, { found: count, expected: most });
  }
  const table: ChunkTable = {
    chunk: layout.chunk,
    grid,
    addresses: new Float64Array(count).fill(-1),
    sizes: new Uint32Array(count),
    masks: new Uint32Array(count),
  };
  if (layout.index.address !== undefined && count > 0) await fill(job, table);
  return table;
}

function fill(job: IndexInit, table: ChunkTable): Promise<void> {
  switch (job.layout.index.kind) {
    case "tree-1":
      return fromTree1(job, table);
    case "tree-2":
      return fromTree2(job, table);
    case "single":
      return fromSingle(job, table);
    case "implicit":
      return fromImplicit(job, table);
    case "fixed":
    case "extensible":
      return fromArray(job, table);
  }
}

/** Bytes of a chunk before filters. */
function plainBytes({ layout }: IndexInit): number {
  const bytes = layout.chunk.reduce((product, n) => product * n, layout.elementBytes);
  if (bytes <= 2 ** 32) return bytes;
  throw new TilewiseError(
    "malformed",
    `A chunk of ${layout.chunk.join(" × ")} has ${bytes} bytes; 4 GiB is the most`,
  );
}

function enter(
  job: IndexInit,
  table: ChunkTable,
  cell: number,
  address: number,
  size: number,
  mask: number,
): void {
  const { file } = job;
  const at = file.base + address;
  if (at + size > file.source.size || (size === 0 && plainBytes(job) > 0)) {
    const text = `chunk ${cell} of ${size} bytes at byte ${at} lies outside of ` +
      `its ${file.source.size} bytes`;
    throw cannot("read", file.name, "malformed", text, { offset: at, found: size });
  }
  table.addresses[cell] = at;
  table.sizes[cell] = size;
  table.masks[cell] = mask;
}

/** The number of the chunk at these coordinates; nothing outside of the grid, where old chunks may be left over. */
function cellOf(coordinates: readonly number[], grid: readonly number[]): number | undefined {
  let cell = 0;
  for (let d = 0; d < grid.length; d++) {
    if (coordinates[d]! >= grid[d]!) return undefined;
    cell = cell * grid[d]! + coordinates[d]!;
  }
  return cell;
}

async function fromTree1(job: IndexInit, table: ChunkTable): Promise<void> {
  const { file, layout: { chunk, index } } = job;
  const keyBytes = 8 + 8 * (chunk.length + 1);
  for await (const children of leaves(file, index.address!, 1, keyBytes)) {
    for (const { key, address } of children) {
      const size = key.u32();
      const mask = key.u32();
      const coordinates = chunk.map((n) => Math.floor(key.uint(8) / n));
      const cell = cellOf(coordinates, table.grid);
      if (cell !== undefined) enter(job, table, cell, address, size, mask);
    }
  }
}

async function fromTree2(job: IndexInit, table: ChunkTable): Promise<void> {
  const { file, layout: { chunk, index }, isFiltered } = job;
  for await (const records of treeRecords(file, index.address!)) {
    for (const record of records) {
      const sizeBytes = record.length - file.offsetSize - 4 - 8 * chunk.length;
      const address = file.knownAddress(record, "a chunk");
      const size = isFiltered ? record.uint(sizeBytes) : plainBytes(job);
      const mask = isFiltered ? record.u32() : 0;
      const cell = cellOf(chunk.map(() => record.uint(8)), table.grid);
      if (cell !== undefined) enter(job, table, cell, address, size, mask);
    }
  }
}

// deno-lint-ignore require-await -- one of several that read
async function fromSingle(job: IndexInit, table: ChunkTable): Promise<void> {
  const { index } = job.layout;
  if (index.kind === "single") {
    enter(job, table, 0, index.address!, index.size ?? plainBytes(job), index.mask);
  }
}

// deno-lint-ignore require-await -- one of several that read
async function fromImplicit(job: IndexInit, table: ChunkTable): Promise<void> {
  const bytes = plainBytes(job);
  const places = job.most.reduce((product, size, d) => product * Math.ceil(size / job.layout.chunk[d]!), 1);
  const { file } = job;
  const end = file.base + job.layout.index.address! + places * bytes;
  if (end > file.source.size) { // they are all there, written or not
    const text = `${places} chunks end at byte ${end} of ${file.source.size}`;
    throw cannot("read", file.name, "malformed", text, { expected: end, found: file.source.size });
  }
  for (let place = 0; place < places; place++) {
    const cell = cellAt(job, table, place);
    if (cell !== undefined) enter(job, table, cell, job.layout.index.address! + place * bytes, bytes, 0);
  }
}

/**
 * The number of the chunk at `place` of an array index: those lie in the order of the largest shape, with one
 * dimension without limit as the slowest.
 */
function cellAt(
  { layout: { chunk, index }, most }: IndexInit,
  { grid }: ChunkTable,
  place: number,
): number | undefined {
  const limits = most.map((size, d) => Math.ceil(size / chunk[d]!));
  const free = index.kind === "extensible" ? limits.indexOf(Infinity) : -1;
  const order = limits.map((_, d) => d);
  if (free > 0) order.unshift(...order.splice(free, 1));
  const coordinates = grid.map(() => 0);
  for (const d of order.reverse()) {
    const limit = limits[d]!;
    coordinates[d] = limit === Infinity ? place : place % limit;
    place = limit === Infinity ? 0 : Math.floor(place / limit);
  }
  return cellOf(coordinates, grid);
}

async function fromArray(job: IndexInit, table: ChunkTable): Promise<void> {
  const { file, layout: { index }, isFiltered } = job;
  const read = index.kind === "fixed" ? fixedElements : extensibleElements;
  for await (const elements of read(file, index.address!)) {
    for (const [place, element] of elements) {
      const cell = cellAt(job, table, place);
      if (cell === undefined) continue;
      const address = file.address(element);
      if (address === undefined) continue; // never written
      const size = isFiltered ? element.uint(element.length - file.offsetSize - 4) : plainBytes(job);
      enter(job, table, cell, address, size, isFiltered ? element.u32() : 0);
    }
  }
}
