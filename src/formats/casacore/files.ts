/**
 * The files of a table: its folder, whatever that is, and other tables that it names.
 *
 * @module
 */

import { cannot, isTilewiseError, type TilewiseError } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { AipsIo } from "./aips_io.ts";

/** The files of one table. */
export interface TableFiles {
  /** What the table is called in messages. */
  readonly name: string;
  /** Opens the file of that name in the folder of the table; whoever made this closes it. */
  open(name: string): Promise<ByteSource>;
  /**
   * The files of another table, at a path from the folder in which this table lies, or an absolute one; absent where only the
   * files of this table are known.
   */
  readonly other?: (path: string) => TableFiles;
  /** Stops reads. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The path from the folder in which a table lies to another one that it names. casacore writes `././NAME` for a table inside
 * of the table, `./NAME` for one beside it, `NAME/.` for the table that it is inside of as NAME, and other paths as they are;
 * `undefined` for those that begin nowhere.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(pathTo("././FIELD", "day.ms"), "day.ms/FIELD");
 * assertEquals(pathTo("./night.ms", "day.ms"), "night.ms");
 * assertEquals(pathTo("parts/day.ms/.", "day.ms"), "..");
 * assertEquals(pathTo("/data/day.ms", "day.ms"), "/data/day.ms");
 * ```
 */
export function pathTo(written: string, own: string): string | undefined {
  if (written.startsWith("././")) return `${own}/${written.slice(4)}`;
  if (written.startsWith("./")) return written.slice(2);
  if (written.endsWith("/.")) {
    return new Array(written.split("/").length - 1).fill("..").join("/").slice(3) || ".";
  }
  return written.startsWith("/") ? written : undefined;
}

/**
 * The place of a table that the one at `place` names by `path`; both are paths from one folder, or absolute.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(joined("day.ms/FIELD", "../night.ms"), "night.ms");
 * assertEquals(joined("day.ms", "/data/night.ms"), "/data/night.ms");
 * ```
 */
export function joined(place: string, path: string): string {
  if (path.startsWith("/")) return path;
  const steps = place.split("/").slice(0, -1);
  for (const step of path.split("/")) {
    if (step === ".." && !/^(\.\.)?$/.test(steps.at(-1) ?? "")) steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** The path from inside of the table `own` to a place that is a path from the folder in which this table lies. */
export function fromInside(place: string, own: string): string {
  if (place.startsWith("/")) return place;
  return place.startsWith(`${own}/`) ? place.slice(own.length + 1) : `../${place}`;
}

/** Most bytes of a header or index that is read as a whole. */
export const MOST_HEADER = 2 ** 28;

/** The whole of a file that only describes; `unsupported` if it is too large for that. */
export async function readWhole(source: ByteSource, signal?: AbortSignal): Promise<Uint8Array> {
  if (source.size > MOST_HEADER) {
    const text = `a header of ${source.size} bytes is more than ${MOST_HEADER}`;
    throw cannot("read", source.name, "unsupported", text, { expected: MOST_HEADER, found: source.size });
  }
  return await readUpTo(source, 0, source.size, signal);
}

/** The `length` bytes at `at`; `truncated` if the file ends before. */
export async function readPart(
  source: ByteSource,
  at: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (at + length > source.size) throw cutAt(source, at, at + length);
  return await readUpTo(source, at, length, signal);
}

/** The error for a file that ends before `end`, although something at `at` goes on to there. */
export function cutAt({ name, size }: ByteSource, at: number, end: number): TilewiseError {
  const text = `it ends at byte ${size}, what begins at byte ${at} goes to byte ${end}`;
  return cannot("read", name, "truncated", text, { offset: at, expected: end, found: size });
}

// `table.lock`: where rows that were added after a table was made are counted, besides the locks of processes.
//
// ```
// 0    processes that wait for the lock
// 260  length₃₂ "sync": rows, columns₃₂, changes₃₂, …      big-endian in all tables
// ```

/** The name of the file. */
export const LOCK = "table.lock";
/** Where the counts are: their length, and the object. */
export const LOCK_AT = 260;
/** Most bytes of them: one number for each storage manager. */
const MOST_BYTES = 2 ** 16;

/** The number of rows that the lock file knows; `undefined` if there is none, or if it does not know. */
export async function rowsInLock(files: TableFiles): Promise<number | undefined> {
  const record = await lockRecord(files);
  if (!record) return undefined;
  const counts = new AipsIo(record, `${files.name}/${LOCK}`, "big", LOCK_AT + 4);
  return counts.object("sync", 2, (version) => {
    const rows = counts.count(version > 1);
    counts.raw(counts.left);
    return rows;
  });
}

/** The bytes of the counts; `undefined` if there are none. */
export async function lockRecord(files: TableFiles): Promise<Uint8Array | undefined> {
  const source = await ifThere(files);
  if (!source || source.size <= LOCK_AT + 4) return undefined;
  const room = Math.min(source.size - LOCK_AT, MOST_BYTES);
  const bytes = await readUpTo(source, LOCK_AT, room, files.signal);
  const io = new AipsIo(bytes, source.name, "big", LOCK_AT);
  const length = io.u32();
  return length === 0 ? undefined : io.raw(length);
}

async function ifThere(files: TableFiles): Promise<ByteSource | undefined> {
  try {
    return await files.open(LOCK);
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}
