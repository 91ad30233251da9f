/**
 * Files that were written in parts: what the driver noted in the superblock, and the members of a family as one file.
 *
 * ```
 * old superblock   driver information block: version₈ … size₃₂ name₆₄ data        new: message 0x14 of the extension
 * NCSAfami         data: bytes of a member₆₄; the files are named by a number, as in scan_00000.h5, scan_00001.h5
 * NCSAmult         metadata and samples in files of their own
 * ```
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { cannot, isTilewiseError, TilewiseError } from "../../../errors.ts";
import { JoinedSource } from "../../../io/source/joined.ts";
import type { ByteSource, JoinedPart } from "../../../io/source/source.ts";
import { beside } from "../../common/beside.ts";
import type { FormatInput } from "../../common/format.ts";
import type { Cursor } from "../metadata/cursor.ts";
import { Hdf5File } from "../metadata/file.ts";
import { findMessage, MESSAGE, readMessages } from "../metadata/object_header.ts";
import type { Hdf5Array } from "./arrays.ts";

/** Members that a family may have. */
const MOST_MEMBERS = 4096;

/** The file in `source`, with the other members of its family where it has one. Errors: `truncated`, `unsupported`. */
export async function openWhole(
  source: ByteSource,
  input: FormatInput,
  signal?: AbortSignal,
): Promise<Hdf5File> {
  const file = await openFirst(source, signal);
  const driver = await driverOf(file);
  if (driver?.name === "NCSAmult") throw isMulti(file.name);
  if (driver?.name !== "NCSAfami" || file.end === undefined || file.end <= source.size) {
    file.checkEnd();
    return file;
  }
  const memberBytes = driver.data.uint(8);
  const whole = await joined(file, memberBytes, input);
  return await Hdf5File.open(whole, signal);
}

/** The file by itself; where its root has an address beyond 2^53, it lies in another file. */
async function openFirst(source: ByteSource, signal?: AbortSignal): Promise<Hdf5File> {
  try {
    return await Hdf5File.open(source, signal);
  } catch (error) {
    throw isTilewiseError(error, "overflow") ? isMulti(source.name, error) : error;
  }
}

function isMulti(file: string, cause?: unknown): TilewiseError {
  const text = `it was written by HDF5's driver "multi" or "split", which keeps metadata ` +
    "and samples in files of their own; a copy by h5repack is one file that can be read";
  return cannot("read", file, "unsupported", text, {}, defined({ cause }));
}

/** What the driver that wrote the file says; most say nothing. */
async function driverOf(file: Hdf5File): Promise<{ name: string; data: Cursor } | undefined> {
  if (file.driver !== undefined) {
    const head = await file.read(file.driver, 16);
    head.version("driver information", 0);
    head.skip(3);
    const size = head.u32();
    return { name: head.text(8), data: await file.read(file.driver + 16, Math.min(size, 1024)) };
  }
  if (file.extension === undefined) return undefined;
  const messages = await readMessages(file, file.extension);
  const body = await findMessage(file, messages, MESSAGE.driver);
  if (!body) return undefined;
  body.version("driver information", 0);
  const name = body.text(8);
  return { name, data: body.part(body.u16()) };
}

async function joined(file: Hdf5File, memberBytes: number, input: FormatInput): Promise<ByteSource> {
  const { source, end } = file;
  const count = Math.ceil(end! / memberBytes);
  const head = `Cannot read ${file.name}: it is the first of ${count} parts of ${memberBytes} bytes, as ` +
    `HDF5's driver "family" writes them`;
  if (!(count <= MOST_MEMBERS) || source.size !== memberBytes) {
    const text = `${head}, but has ${source.size} bytes; at most ${MOST_MEMBERS} parts are read`;
    throw new TilewiseError("malformed", text, {
      file: file.name,
      expected: memberBytes,
      found: source.size,
    });
  }
  const sources = [source];
  const parts: JoinedPart[] = [{ source: source.describe(), offset: 0, size: memberBytes }];
  for (let member = 1; member < count; member++) {
    const names = memberNames(source.name, member);
    const found = await firstOf(names, input);
    const size = Math.min(memberBytes, end! - member * memberBytes);
    if (!found || found.size < size) {
      const problem = found ? `has ${found.size} bytes, not ${size}` : "is not there";
      const text = `${head}, and part ${member}, ${names.join(" or ") || "whose name is unknown"}, ` +
        `${problem}; put all parts into one folder, or open them as a list, the first one first`;
      throw new TilewiseError("truncated", text, { file: file.name, missing: names });
    }
    sources.push(found);
    parts.push({ source: found.describe(), offset: 0, size });
  }
  return new JoinedSource(source.name, parts, (part) => Promise.resolve(sources[parts.indexOf(part)]!));
}

/** Names that member `n` may have: any number 0 in the name of the first may be the one that counts, the last first. */
function memberNames(first: string, n: number): string[] {
  const name = first.replace(/[?#].*$/, "").replace(/^.*[/\\]/, "");
  return [...name.matchAll(/(?<!\d)0+(?!\d)/g)].reverse().map(({ 0: zeros, index }) =>
    name.slice(0, index) + String(n).padStart(zeros.length, "0") + name.slice(index + zeros.length)
  );
}

async function firstOf(names: readonly string[], input: FormatInput): Promise<ByteSource | undefined> {
  for (const name of names) {
    const found = await beside(input, name);
    if (found) return found;
  }
  return undefined;
}

// Series of data sets that are one stack: `data_000001`, `data_000002` … of a Dectris detector, each usually behind a link
// to a file of its own.

/** A name with a number of six digits, as Dectris detectors write them. */
const NUMBERED = /^(.*\/data)_(\d{6})$/;

/** The stacks that some of `arrays` make, named without the number; and the arrays that are in none. */
export function seriesOf(arrays: readonly Hdf5Array[]): { stacks: Hdf5Array[]; others: Hdf5Array[] } {
  const series = new Map<string, { array: Hdf5Array; number: number }[]>();
  for (const array of arrays) {
    const [, path, number] = NUMBERED.exec(array.dataset.path) ?? [];
    if (path === undefined || array.shape.length < 3) continue;
    const members = series.get(path) ?? [];
    series.set(path, members);
    members.push({ array, number: Number(number) });
  }
  const stacks: Hdf5Array[] = [];
  const taken = new Set<Hdf5Array>();
  for (const [path, members] of series) {
    const parts = members.toSorted((a, b) => a.number - b.number).map(({ array }) => array);
    if (parts.length < 2 || !parts.every((part) => isAlike(part, parts[0]!))) continue;
    if (arrays.some(({ dataset }) => dataset.path === path)) continue; // there is one of that name
    parts.forEach((part) => taken.add(part));
    stacks.push(stackOfParts(path, parts));
  }
  return { stacks, others: arrays.filter((array) => !taken.has(array)) };
}

function stackOfParts(path: string, parts: readonly Hdf5Array[]): Hdf5Array {
  const { dataset, sample, shape } = parts[0]!;
  const length = parts.reduce((sum, part) => sum + part.shape[0]!, 0);
  return { dataset: { ...dataset, path }, sample, shape: [length, ...shape.slice(1)], parts };
}

function isAlike({ shape, sample }: Hdf5Array, first: Hdf5Array): boolean {
  return sample.dtype === first.sample.dtype && shape.length === first.shape.length &&
    shape.every((size, d) => d === 0 || size === first.shape[d]);
}
