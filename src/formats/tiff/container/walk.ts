/**
 * All directories of a TIFF file: the chain, and below each of its members the directories that its entry SubIFDs names.
 *
 * @module
 */

import { isTilewiseError, type TilewiseError } from "../../../errors.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { TiffBytes } from "./bytes.ts";
import { Directory, TAG } from "./directory.ts";
import { magicOf } from "./magic.ts";

/** A directory, and how it was found. */
export interface Found {
  /** Number in the order in which they are found: every member of the chain before those below it. */
  readonly index: number;
  /** The directory. */
  readonly directory: Directory;
  /** Number of the member of the chain that it lies below; its own for the members. */
  readonly page: number;
  /** Whether it is a member of the chain. */
  readonly isPage: boolean;
}

/** Most directories of a file, and how deep they may lie. */
const MOST_DIRECTORIES = 2 ** 20;
const MOST_DEPTH = 4;

/** All directories, and what is wrong with those that cannot be read. */
interface Walked {
  /** The directories, those of the chain in order, each followed by those below it. */
  readonly found: readonly Found[];
  /** Why others are missing: the chain ends at a damaged one, or where it comes back to one that it had. */
  readonly problems: readonly TilewiseError[];
}

/** The directories from `first` on. Errors: of the first one. */
export async function walk(file: TiffBytes, first: number): Promise<Walked> {
  const found: Found[] = [];
  const problems: TilewiseError[] = [];
  const seen = new Set<number>();
  const visit = async (offset: number, page: number, depth: number): Promise<Directory> => {
    if (seen.has(offset) || seen.size >= MOST_DIRECTORIES) throw loop(file, offset, seen);
    seen.add(offset);
    const read = Directory.read(file, offset);
    const directory = read instanceof Directory ? read : await read;
    found.push({ index: found.length, directory, page, isPage: depth === 0 });
    await collected(problems, () => below(directory, page, depth));
    return directory;
  };
  const below = async (directory: Directory, page: number, depth: number) => {
    const entry = directory.entry(TAG.subIfds);
    if (!entry || !POINTERS.has(entry.type)) return;
    if (depth === MOST_DEPTH) throw tooDeep(file, directory.offset);
    for (const child of await directory.numbers(TAG.subIfds, MOST_DIRECTORIES)) {
      if (child !== 0) await visit(child, page, depth + 1);
    }
  };
  let last = await visit(first, 0, 0);
  for (let page = 1; last.next !== 0; page++) {
    const next = await collected(problems, () => visit(last.next, page, 0));
    if (!next) break;
    last = next;
  }
  return { found, problems };
}

/** What `work` gives; `undefined` where the file is wrong, which then is one of `problems`. */
async function collected<T>(problems: TilewiseError[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isOfFile(error)) throw error;
    problems.push(error);
    return undefined;
  }
}

/** Whether an error says that a part of a file is damaged, or of a kind that is not read. */
export function isOfFile(error: unknown): error is TilewiseError {
  return isTilewiseError(error, "malformed") || isTilewiseError(error, "truncated") ||
    isTilewiseError(error, "unsupported");
}

/** Types of offsets: LONG, IFD, LONG8, IFD8. */
const POINTERS = new Set([4, 13, 16, 18]);

function loop(file: TiffBytes, offset: number, seen: ReadonlySet<number>) {
  const problem = seen.has(offset)
    ? "a directory comes a second time: directories form a loop"
    : `there are more than ${MOST_DIRECTORIES} directories`;
  return file.error("malformed", problem, { offset, expected: "another directory", found: offset });
}

function tooDeep(file: TiffBytes, offset: number) {
  const problem = `directories lie below each other more than ${MOST_DEPTH} deep`;
  return file.error("malformed", problem, { offset, expected: MOST_DEPTH, found: MOST_DEPTH + 1 });
}

// The first bytes of a TIFF file.
//
// ```
// classic   II or MM   42₂  first directory₄
// BigTIFF   II or MM   43₂  8₂  0₂  first directory₈
// ```

/** The bytes of the TIFF file in `source`, and where its first directory lies. */
export async function readHeader(
  source: ByteSource,
  head: Uint8Array,
  signal?: AbortSignal,
): Promise<{ readonly bytes: TiffBytes; readonly first: number }> {
  const { byteOrder, isBig } = magicOf(head) ?? { byteOrder: "little", isBig: false };
  const bytes = new TiffBytes(source, byteOrder, isBig, signal);
  if (!magicOf(head)) {
    const found = [...head.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    throw bytes.error("malformed", `no TIFF file begins: its first bytes are ${found || "missing"}`, {
      offset: 0,
      expected: "49 49 2a 00, 4d 4d 00 2a, 49 49 2b 00 or 4d 4d 00 2b",
      found,
    });
  }
  const fields = await bytes.read(0, isBig ? 16 : 8, "its header");
  if (!isBig) return { bytes, first: fields.u32(4) };
  if (fields.u16(4) !== 8) {
    const found = fields.u16(4);
    throw bytes.error("unsupported", `offsets have ${found} bytes, not 8`, { offset: 4, expected: 8, found });
  }
  return { bytes, first: fields.u64(8) };
}
