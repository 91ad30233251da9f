/**
 * All directories of a TIFF file: the chain, and below each of its members the directories that its entry SubIFDs names.
 *
 * @module
 */

import type { TiffBytes } from "./bytes.ts";
import { Directory } from "./directory.ts";
import { TAG } from "./tags.ts";

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

/** All directories, those of the chain in order, each followed by those below it. Errors: `malformed` for loops. */
export async function walk(file: TiffBytes, first: number): Promise<Found[]> {
  const found: Found[] = [];
  const seen = new Set<number>();
  const visit = async (offset: number, page: number, depth: number): Promise<Directory> => {
    if (seen.has(offset) || seen.size >= MOST_DIRECTORIES) throw loop(file, offset, seen);
    seen.add(offset);
    const read = Directory.read(file, offset);
    const directory = read instanceof Directory ? read : await read;
    found.push({ index: found.length, directory, page, isPage: depth === 0 });
    const below = directory.entry(TAG.subIfds);
    if (!below || !POINTERS.has(below.type)) return directory;
    if (depth === MOST_DEPTH) throw tooDeep(file, offset);
    for (const child of await directory.numbers(TAG.subIfds, MOST_DIRECTORIES)) {
      if (child !== 0) await visit(child, page, depth + 1);
    }
    return directory;
  };
  for (let at = first, page = 0; at !== 0; page++) at = (await visit(at, page, 0)).next;
  return found;
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
