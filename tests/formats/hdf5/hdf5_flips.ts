/**
 * Flips bits of HDF5 files and says what came of it: refused, told by a warning, unchanged, or different, which must not
 * be. Of whole files, and of the structures of a chunk index alone, in which every bit lies under a checksum.
 *
 * @module
 */

import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { ChunkLayout } from "../../../src/dataset/layout/chunks.ts";
import type { FrameLayout } from "../../../src/dataset/layout/layout.ts";
import { isTilewiseError, TilewiseError } from "../../../src/errors.ts";
import { treeRecords } from "../../../src/formats/hdf5/metadata/btrees.ts";
import { extensibleElements, fixedElements } from "../../../src/formats/hdf5/arrays/chunk_arrays.ts";
import { Hdf5File } from "../../../src/formats/hdf5/metadata/file.ts";
import type { ChunkIndex } from "../../../src/formats/hdf5/metadata/messages.ts";
import { walkFile } from "../../../src/formats/hdf5/metadata/objects.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { BytesSource } from "../../../src/io/source/bytes.ts";
import { dtypeInfo } from "../../../src/space/dtype.ts";
import { sizeOf } from "../../../src/space/shape.ts";

const FOLDER = new URL("../../data/hdf5_latest/", import.meta.url);

/** The bytes of a file of `tests/data/hdf5_latest`. */
export function latest(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(name, FOLDER));
}

/** What came of flips. */
export interface Flips {
  /** Bits that were flipped. */
  flips: number;
  /** Refused by an error. */
  refused: number;
  /** Read, with a warning that names the place. */
  told: number;
  /** Those that changed what was read, without a word. */
  different: string[];
}

/** Everything that a reader of samples goes by, in words. */
function described(datasets: readonly StoredDataset[]): string {
  return JSON.stringify(datasets.map((one) => ({ ...one, layout: one.layout, detection: undefined })), plain);
}

function plain(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
}

/** What the bytes of a file describe, and whether a warning tells of damage; the error where they are refused. */
export async function describedBy(
  bytes: Uint8Array,
): Promise<{ text: string; told: boolean } | TilewiseError> {
  try {
    const datasets = await openAll(new File([bytes as BlobPart], "scan.h5"));
    const told = datasets.some(({ warnings }) =>
      warnings.some((warning) => /Cannot read scan.h5: at byte/.test(warning))
    );
    return { text: described(datasets), told };
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error;
    throw error;
  }
}

/** Which bytes are samples. */
function samplesIn(datasets: readonly StoredDataset[], size: number): Uint8Array {
  const raw = new Uint8Array(size);
  for (const { layout } of datasets) {
    const { storage } = layout;
    if (storage.kind === "virtual") storage.parts.forEach(({ chunks }) => markSamples(raw, layout, chunks));
    else markSamples(raw, layout, storage.kind === "chunks" ? storage.chunks : undefined);
  }
  return raw;
}

function markSamples(
  raw: Uint8Array,
  { files, sigShape, dtype }: FrameLayout,
  chunks: ChunkLayout | undefined,
): void {
  if (chunks) return chunks.addresses.forEach((at, c) => at >= 0 && raw.fill(1, at, at + chunks.sizes[c]!));
  const { start, end, headerBytes } = files[0]!;
  raw.fill(1, headerBytes, headerBytes + (end - start) * sizeOf(sigShape) * dtypeInfo(dtype).itemSize);
}

/** Every bit of bytes that are not samples, or one bit each of as many of them as `most` says. */
function* bits(raw: Uint8Array, most: number): Generator<[at: number, bit: number]> {
  const places = Array.from(raw, (_, at) => at).filter((at) => !raw[at]);
  const step = Math.max(1, 8 * places.length / most);
  for (let i = 0; i < 8 * places.length; i += step) {
    const n = Math.floor(i);
    yield [places[n >> 3]!, step > 8 ? places[n >> 3]! % 8 : n & 7];
  }
}

/** Flips `most` bits of a file, all that are not samples where it has fewer, and opens all its arrays each time. */
export async function flipFile(name: string, most = Infinity): Promise<Flips> {
  const bytes = latest(name);
  const datasets = await openAll(new File([bytes], "scan.h5"));
  const sound = described(datasets);
  const raw = samplesIn(datasets.filter(({ metadata }) => metadata.storage !== "compact"), bytes.length);
  const flips: Flips = { flips: 0, refused: 0, told: 0, different: [] };
  for (const [at, bit] of bits(raw, most)) {
    bytes[at]! ^= 1 << bit;
    const found = await describedBy(bytes);
    bytes[at]! ^= 1 << bit;
    flips.flips++;
    if (found instanceof TilewiseError) flips.refused++;
    else if (found.told) flips.told++;
    else if (found.text !== sound) flips.different.push(`${name}: bit ${bit} of byte ${at}`);
  }
  return flips;
}

/** A structure that has a checksum. */
export interface Structure {
  /** Its name in messages. */
  readonly what: string;
  /** Its first byte. */
  readonly at: number;
  /** Its bytes, with the checksum. */
  readonly length: number;
}

/** The chunk index of an array: its kind and address. */
async function indexOf(bytes: Uint8Array, path: string): Promise<ChunkIndex> {
  const file = await Hdf5File.open(new BytesSource(bytes));
  const { datasets } = await walkFile(file, () => Promise.resolve(undefined));
  const layout = datasets.find((one) => one.path === path)?.layout;
  if (layout?.kind !== "chunked") throw new Error(`${path} has no index of chunks`);
  return layout.index;
}

/** Reads a whole chunk index. */
async function readIndex(file: Hdf5File, { kind, address }: ChunkIndex): Promise<void> {
  const read = kind === "fixed" ? fixedElements : kind === "extensible" ? extensibleElements : treeRecords;
  for await (const some of read(file, address!)) {
    for (const _ of some);
  }
}

/** The structures that are read with the index of an array. */
export async function structuresOf(bytes: Uint8Array, path: string): Promise<Structure[]> {
  const index = await indexOf(bytes, path);
  const file = await Hdf5File.open(new BytesSource(bytes));
  const structures: Structure[] = [];
  const checked = file.checked.bind(file);
  file.checked = (address, length, what) => {
    structures.push({ what, at: file.base + address, length: length + 4 });
    return checked(address, length, what);
  };
  await readIndex(file, index);
  return structures;
}

/** Flips `most` bits of each structure of the index of an array, or all; what is read then is `different`. */
export async function flipIndex(name: string, path: string, most = Infinity): Promise<Flips> {
  const bytes = latest(name);
  const index = await indexOf(bytes, path);
  const flips: Flips = { flips: 0, refused: 0, told: 0, different: [] };
  for (const { what, at, length } of await structuresOf(bytes, path)) {
    const step = Math.max(1, 8 * length / most);
    for (let i = 0; i < 8 * length; i += step) {
      const n = Math.floor(i);
      const [byte, bit] = [at + (n >> 3), n & 7];
      bytes[byte]! ^= 1 << bit;
      const error = await refusal(bytes, index);
      bytes[byte]! ^= 1 << bit;
      flips.flips++;
      if (error) flips.refused++;
      else flips.different.push(`${name}, ${what} of ${path}: bit ${bit} of byte ${byte}`);
    }
  }
  return flips;
}

async function refusal(bytes: Uint8Array, index: ChunkIndex): Promise<TilewiseError | undefined> {
  try {
    await readIndex(await Hdf5File.open(new BytesSource(bytes)), index);
    return undefined;
  } catch (error) {
    if (isTilewiseError(error)) return error;
    throw error;
  }
}

/** Arrays with a chunk index, and the structures that it consists of. */
export const INDICES: readonly (readonly [name: string, path: string, whats: readonly string[]])[] = [
  ["fixed.h5", "/plain", ["a fixed array", "a block of a fixed array"]],
  ["fixed.h5", "/packed", ["a fixed array", "a block of a fixed array"]],
  ["fixed.h5", "/paged", ["a fixed array", "a block of a fixed array", "a page of a fixed array"]],
  ["extensible.h5", "/plain", [
    "an extensible array",
    "the index of an extensible array",
    "a super block of an extensible array",
    "a block of an extensible array",
  ]],
  ["extensible.h5", "/packed", [
    "an extensible array",
    "the index of an extensible array",
    "a block of an extensible array",
  ]],
  ["extensible_pages.h5", "/paged", [
    "an extensible array",
    "the index of an extensible array",
    "a super block of an extensible array",
    "a block of an extensible array",
    "a page of an extensible array",
  ]],
  ["trees.h5", "/plain", ["a B-tree", "a node of a B-tree"]],
  ["trees.h5", "/packed", ["a B-tree", "a node of a B-tree"]],
  ["deep.h5", "/plain", ["a B-tree", "a node of a B-tree"]],
  ["deep.h5", "/packed", ["a B-tree", "a node of a B-tree"]],
];

/** Files whose metadata are flipped as a whole; the pages of `extensible_pages.h5` take long to open. */
export const FILES: readonly string[] = [
  "headers.h5",
  "superblock_2.h5",
  "virtual.h5",
  "groups.h5",
  "fixed.h5",
  "extensible.h5",
  "trees.h5",
  "deep.h5",
];
