/**
 * A Zarr result in one zip archive, whose entries are stored as they are: chunks are compressed already. Source: PKWARE's
 * APPNOTE 6.3, sections 4.3 to 4.5.
 *
 * ```
 * entry     header₃₀ name  bytes      of every chunk, then of every document
 * …
 * directory header₄₆ name [offset₈]   of every entry; the offset is there if it needs more than 32 bits
 * end       [end₅₆ locator₂₀] end₂₂   with ZIP64 if there are more than 65 534 entries, or more than 4 GiB
 * ```
 * Entries have no date, so that the same result has the same bytes.
 *
 * @module
 */

import { joinedBytes } from "../../space/bytes.ts";
import { crc32 } from "../../space/crc32.ts";
import type { ChunkPlace, FilledFile, PlacedBytes } from "../chunks/target.ts";

const ENTRY = 30, DIRECTORY = 46, END64 = 56, LOCATOR = 20, END = 22;
/** The first of January 1980, the earliest day. */
const DAY = 0x21;
const MOST_16 = 0xffff, MOST_32 = 0xffff_ffff;
/** Bytes of the directory that are written at once. */
const BLOCK = 2 ** 20;

const encoder = new TextEncoder();

/** An entry. */
export interface ZipEntry {
  /** Its name, in ASCII. */
  readonly name: string;
  /** First byte of its header. */
  readonly offset: number;
  /** Its bytes. */
  readonly size: number;
  /** Their CRC-32. */
  readonly checksum: number;
}

/** The header before the bytes of an entry. */
export function entryHeader({ name, size, checksum }: Omit<ZipEntry, "offset">): Uint8Array {
  const bytes = new Uint8Array(ENTRY + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x0403_4b50, true);
  setFacts(view, 4, { size, checksum, name });
  bytes.set(encoder.encode(name), ENTRY);
  return bytes;
}

/** From the version that is needed to the length of the name: the same in both headers. */
function setFacts(view: DataView, at: number, { size, checksum, name }: Omit<ZipEntry, "offset">): void {
  view.setUint16(at, 20, true); // version 2.0; flags and method are 0: stored
  view.setUint16(at + 8, DAY, true);
  view.setUint32(at + 10, checksum, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

function directoryHeader(entry: ZipEntry): Uint8Array {
  const { name, offset } = entry;
  const isFar = offset >= MOST_32;
  const bytes = new Uint8Array(DIRECTORY + name.length + (isFar ? 12 : 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x0201_4b50, true);
  view.setUint16(4, isFar ? 45 : 20, true);
  setFacts(view, 6, entry);
  if (isFar) view.setUint16(6, 45, true);
  view.setUint16(30, isFar ? 12 : 0, true);
  view.setUint32(42, isFar ? MOST_32 : offset, true);
  bytes.set(encoder.encode(name), DIRECTORY);
  if (isFar) {
    view.setUint16(DIRECTORY + name.length, 1, true);
    view.setUint16(DIRECTORY + name.length + 2, 8, true);
    view.setBigUint64(DIRECTORY + name.length + 4, BigInt(offset), true);
  }
  return bytes;
}

/** The directory of all entries and the end of the archive, from byte `position` on. */
export function* zipEnd(entries: Iterable<ZipEntry>, position: number): Generator<PlacedBytes, void> {
  let [at, count, size] = [position, 0, 0];
  let block: Uint8Array[] = [];
  for (const entry of entries) {
    const bytes = directoryHeader(entry);
    block.push(bytes);
    count++;
    size += bytes.length;
    if (position + size - at < BLOCK) continue;
    yield { position: at, bytes: joinedBytes(block) };
    [block, at] = [[], position + size];
  }
  block.push(endOf(count, size, position));
  yield { position: at, bytes: joinedBytes(block) };
}

function endOf(count: number, size: number, position: number): Uint8Array {
  const is64 = count >= MOST_16 || size >= MOST_32 || position >= MOST_32;
  const before = is64 ? END64 + LOCATOR : 0;
  const bytes = new Uint8Array(before + END);
  const view = new DataView(bytes.buffer);
  if (is64) {
    view.setUint32(0, 0x0606_4b50, true);
    view.setBigUint64(4, BigInt(END64 - 12), true);
    view.setUint16(12, 45, true);
    view.setUint16(14, 45, true);
    view.setBigUint64(24, BigInt(count), true);
    view.setBigUint64(32, BigInt(count), true);
    view.setBigUint64(40, BigInt(size), true);
    view.setBigUint64(48, BigInt(position), true);
    view.setUint32(END64, 0x0706_4b50, true);
    view.setBigUint64(END64 + 8, BigInt(position + size), true);
    view.setUint32(END64 + 16, 1, true);
  }
  view.setUint32(before, 0x0605_4b50, true);
  view.setUint16(before + 8, Math.min(count, MOST_16), true);
  view.setUint16(before + 10, Math.min(count, MOST_16), true);
  view.setUint32(before + 12, Math.min(size, MOST_32), true);
  view.setUint32(before + 16, Math.min(position, MOST_32), true);
  return bytes;
}

/** The chunks of a folder, as entries of one file. */
export function* zipPlaces(places: Iterable<ChunkPlace>): Generator<ChunkPlace, void> {
  let slot = 0;
  let next: ChunkPlace | undefined;
  for (const place of places) {
    if (next) yield { ...next, file: "", entry: next.file, slot: slot++, last: false };
    next = place;
  }
  if (next) yield { ...next, file: "", entry: next.file, slot, last: true };
}

/** What follows the chunks of an archive: documents, directory and end. */
export function* zipAround(
  places: Iterable<ChunkPlace>,
  documents: readonly (readonly [path: string, content: string | Uint8Array])[],
  { offsets, sizes, checksums, end }: FilledFile,
): Generator<PlacedBytes, void> {
  const more: ZipEntry[] = [];
  let at = end;
  for (const [name, given] of documents) {
    const content = typeof given === "string" ? encoder.encode(given) : given;
    const facts = { name, size: content.length, checksum: crc32(content) };
    const head = entryHeader(facts);
    yield { position: at, bytes: head };
    yield { position: at + head.length, bytes: content };
    more.push({ ...facts, offset: at });
    at += head.length + content.length;
  }
  const all = function* (): Generator<ZipEntry, void> {
    let slot = 0;
    for (const { file: name } of places) {
      const size = sizes[slot]!;
      if (size > 0) {
        yield { name, size, checksum: checksums[slot]!, offset: offsets[slot]! - ENTRY - name.length };
      }
      slot++;
    }
    yield* more;
  };
  yield* zipEnd(all(), at);
}
