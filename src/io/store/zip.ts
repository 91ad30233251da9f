/**
 * A zip archive as a store: its directory is read, and entries are read by ranges.
 *
 * ```
 * entry      PK\3\4 version flags method time₄ crc₄ packed₄ size₄ name₂ extra₂  name extra  bytes  descriptor?
 * directory  PK\1\2 version₂ version₂ flags₂ method₂ time₄ crc₄ packed₄ size₄ name₂ extra₂ comment₂ … at₄  name extra comment
 * end        PK\5\6 … entries₂ bytes₄ at₄ comment₂  comment       (zip64: PK\6\6 and PK\6\7 before it, with 8 bytes each)
 * ```
 * Source: APPNOTE.TXT by PKWARE. Entries that overlap, lie outside, or have names that lead elsewhere are errors.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes, readUpTo } from "../source/source.ts";
import { crc32 } from "../../space/crc32.ts";
import { isKey, tooLarge } from "./store.ts";

/** Bytes of the end of a directory, and most bytes of the comment behind it. */
const END_BYTES = 22;
const MOST_COMMENT = 65535;
/** Most bytes of a directory. */
const MOST_DIRECTORY = 2 ** 30;
/** Bytes of the header of an entry without its name. */
export const HEADER_BYTES = 30;

/** An entry of an archive. */
export interface ZipEntry {
  /** First byte of its header. */
  readonly at: number;
  /** Bytes from its header to the next header, or to the directory. */
  readonly span: number;
  /** Packed bytes. */
  readonly packed: number;
  /** Bytes when unpacked. */
  readonly size: number;
  /** Checksum of the unpacked bytes. */
  readonly crc: number;
  /** How it is packed: 0 not at all, 8 deflate. */
  readonly method: number;
}

/** Names that writers append again when they change them: the last one counts. Other names may not repeat. */
const REPEATED = /(^|\/)\.z(attrs|group|metadata)$/;

/** The entries of an archive by name, without those of folders. */
export async function readDirectory(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ZipEntry>> {
  const { at, bytes, count } = await findDirectory(source, signal);
  const directory = await readBytes(source, at, bytes, signal);
  const entries = new Map<string, Omit<ZipEntry, "span">>();
  const all: { readonly name: string; readonly entry: Omit<ZipEntry, "span"> }[] = [];
  let place = 0;
  for (let n = 0; n < count; n++) {
    const { name, next, entry } = entryAt(source, directory, place);
    place = next;
    all.push({ name, entry });
    if (name.endsWith("/")) continue;
    if (!isKey(name)) throw wrong(source, `its entry ${JSON.stringify(name)} leads out of it`);
    if (entries.has(name) && !REPEATED.test(name)) {
      throw wrong(source, `it has the entry ${JSON.stringify(name)} twice`);
    }
    entries.set(name, entry);
  }
  if (place !== bytes) throw wrong(source, `its directory has ${bytes} bytes, its ${count} entries ${place}`);
  const spans = spansOf(source, all, at);
  return new Map([...entries].map(([name, entry]) => [name, { ...entry, span: spans.get(entry)! }]));
}

/** Bytes of an entry, unpacked and checked. */
export async function readEntry(
  source: ByteSource,
  entry: ZipEntry,
  name: string,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (entry.size > most) throw tooLarge(`${source.name}, ${name}`, most, entry.size);
  const { start } = await payloadOf(source, entry, signal);
  const packed = await readBytes(source, start, entry.packed, signal);
  if (entry.method !== 0 && entry.method !== 8) throw unknownMethod(source, name, entry.method);
  const bytes = entry.method === 0 ? packed : await inflated(source, packed, name, entry.size);
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) {
    throw wrong(source, `the entry ${name} is damaged: its bytes do not have the checksum ${entry.crc}`);
  }
  return bytes;
}

/** The error for a method that is not read. */
function unknownMethod({ name: file }: { readonly name: string }, name: string, method: number) {
  const text =
    `Cannot read ${name} in ${file}: it is packed by method ${method}; stored and deflated entries are read`;
  return new TilewiseError("unsupported", text, { file, found: method });
}

/** Where the packed bytes of an entry begin. */
async function payloadOf(
  source: ByteSource,
  { at, packed, span }: ZipEntry,
  signal?: AbortSignal,
): Promise<{ start: number }> {
  const header = await readUpTo(source, at, HEADER_BYTES, signal);
  const start = headerBytes(source, header);
  if (start + packed > span) throw wrong(source, `its entry at byte ${at} overlaps the next`);
  return { start: at + start };
}

/** Bytes of the header of an entry, with name and extra fields. */
export function headerBytes(source: { readonly name: string }, header: Uint8Array): number {
  if (header.length < HEADER_BYTES) throw wrong(source, "a header of an entry is cut off");
  const view = viewOf(header);
  if (view.getUint32(0, true) !== 0x04034b50) {
    throw wrong(source, "an entry has no header where it should begin");
  }
  return HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/** Bytes of an entry that is not packed, by its header; `undefined` if it is packed, or its size follows it. */
export function storedSize(header: Uint8Array): number | undefined {
  const view = viewOf(header);
  const isPacked = view.getUint16(8, true) !== 0, isBehind = (view.getUint16(6, true) & 8) !== 0;
  return isPacked || isBehind ? undefined : packedSize(header);
}

/** Packed bytes of an entry by its header, name and extra fields. */
export function packedSize(header: Uint8Array): number {
  const view = viewOf(header);
  const packed = view.getUint32(18, true);
  if (packed !== 0xffffffff) return packed;
  for (
    let at = 30 + view.getUint16(26, true);
    at + 20 <= header.length;
    at += 4 + view.getUint16(at + 2, true)
  ) {
    if (view.getUint16(at, true) === 1) return Number(view.getBigUint64(at + 12, true));
  }
  return packed;
}

/** Where the directory is, and its entries. */
async function findDirectory(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ at: number; bytes: number; count: number }> {
  const from = Math.max(0, source.size - END_BYTES - MOST_COMMENT);
  const tail = await readUpTo(source, from, END_BYTES + MOST_COMMENT, signal);
  const view = viewOf(tail);
  let end = tail.length - END_BYTES;
  const isEnd = (place: number) =>
    view.getUint32(place, true) === 0x06054b50 &&
    view.getUint16(place + 20, true) === tail.length - END_BYTES - place;
  while (end >= 0 && !isEnd(end)) end--;
  if (end < 0) throw wrong(source, "it has no end of a directory: it is cut off");
  const [disk, count] = [view.getUint16(end + 4, true), view.getUint16(end + 10, true)];
  const [bytes, at] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  const is64 = count === 0xffff || bytes === 0xffffffff || at === 0xffffffff;
  const found = is64 ? await find64(source, from + end, signal) : { at, bytes, count, end: from + end };
  if (disk !== 0 && disk !== 0xffff) throw wrong(source, "it is one part of several");
  if (found.at + found.bytes !== found.end) {
    throw wrong(source, `its directory of ${found.bytes} bytes at ${found.at} does not end at ${found.end}`);
  }
  if (found.count * 46 > found.bytes || found.bytes > MOST_DIRECTORY) {
    throw wrong(source, `its directory of ${found.bytes} bytes cannot have ${found.count} entries`);
  }
  return found;
}

/** The same from the zip64 records before the end at `end`. */
async function find64(source: ByteSource, end: number, signal?: AbortSignal) {
  const locator = viewOf(await readUpTo(source, Math.max(0, end - 20), 20, signal));
  if (locator.byteLength < 20 || locator.getUint32(0, true) !== 0x07064b50) {
    throw wrong(source, "it says that it is zip64, but has no such record");
  }
  const at = big(source, locator, 8);
  const record = viewOf(await readUpTo(source, at, 56, signal));
  if (record.byteLength < 56 || record.getUint32(0, true) !== 0x06064b50) {
    throw wrong(source, `it has no zip64 record at byte ${at}`);
  }
  return {
    at: big(source, record, 48),
    bytes: big(source, record, 40),
    count: big(source, record, 32),
    end: at,
  };
}

/** The entry at `place` of a directory. */
function entryAt(source: ByteSource, directory: Uint8Array, place: number) {
  const view = viewOf(directory);
  if (place + 46 > directory.length || view.getUint32(place, true) !== 0x02014b50) {
    throw wrong(source, `its directory is damaged at its byte ${place}`);
  }
  const u16 = (at: number) => view.getUint16(place + at, true);
  const u32 = (at: number) => view.getUint32(place + at, true);
  const [nameBytes, extraBytes, commentBytes] = [u16(28), u16(30), u16(32)];
  const next = place + 46 + nameBytes + extraBytes + commentBytes;
  if (next > directory.length) throw wrong(source, `its directory is cut off at its byte ${place}`);
  const name = textOf(directory.subarray(place + 46, place + 46 + nameBytes));
  const extra = directory.subarray(place + 46 + nameBytes, place + 46 + nameBytes + extraBytes);
  const [size, packed, at] = extended(source, extra, [u32(24), u32(20), u32(42)]);
  if (u16(8) & 1) {
    throw cannot("read", source.name, "unsupported", `its entry ${name} is encrypted`);
  }
  if (u16(10) === 0 && size !== packed) {
    throw wrong(source, `its entry ${name} is not packed, but has ${packed} bytes instead of ${size}`);
  }
  const entry = { at: at!, packed: packed!, size: size!, crc: u32(16), method: u16(10) };
  return { name, next, entry };
}

/** Numbers of which those that are all ones stand in the zip64 extra field. */
function extended(source: ByteSource, extra: Uint8Array, numbers: readonly number[]): number[] {
  const view = viewOf(extra);
  let at = 0, end = 0;
  while (at + 4 <= extra.length) {
    end = Math.min(extra.length, at + 4 + view.getUint16(at + 2, true));
    if (view.getUint16(at, true) === 1) break;
    at = end;
  }
  let place = at + 4;
  return numbers.map((number) => {
    if (number !== 0xffffffff) return number;
    if (place + 8 > end) throw wrong(source, "a zip64 field is missing in its directory");
    place += 8;
    return big(source, view, place - 8);
  });
}

/** Bytes from each header to the next; refused where entries overlap. */
function spansOf(
  source: ByteSource,
  all: readonly { readonly name: string; readonly entry: Omit<ZipEntry, "span"> }[],
  directory: number,
): Map<Omit<ZipEntry, "span">, number> {
  const order = all.toSorted((a, b) => a.entry.at - b.entry.at);
  const spans = new Map<Omit<ZipEntry, "span">, number>();
  order.forEach(({ name, entry }, i) => {
    const end = order[i + 1]?.entry.at ?? directory;
    if (entry.at + HEADER_BYTES + name.length + entry.packed > end) {
      throw wrong(source, `its entry ${JSON.stringify(name)} overlaps what follows`);
    }
    spans.set(entry, end - entry.at);
  });
  return spans;
}

async function inflated(source: ByteSource, packed: Uint8Array<ArrayBuffer>, name: string, size: number) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const out = new Uint8Array(size);
  let done = 0;
  try {
    for await (const piece of stream) {
      if (done + piece.length > size) throw new RangeError(`it gives more than ${size} bytes`);
      out.set(piece, done);
      done += piece.length;
    }
  } catch (cause) {
    const text = `the entry ${name} is damaged: ${cause instanceof Error ? cause.message : cause}`;
    throw wrong(source, text);
  }
  return out.subarray(0, done);
}

/** Names are UTF-8; older ones in other encodings are shown byte by byte. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

function big(source: ByteSource, view: DataView, at: number): number {
  const number = Number(view.getBigUint64(at, true));
  if (Number.isSafeInteger(number)) return number;
  throw wrong(source, `it says ${number} bytes`);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function wrong({ name }: { readonly name: string }, problem: string): TilewiseError {
  return new TilewiseError("malformed", `Cannot read the zip archive ${name}: ${problem}`, { file: name });
}
