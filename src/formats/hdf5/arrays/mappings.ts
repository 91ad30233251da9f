/**
 * The description of a virtual data set: which elements of it are those of which other data sets.
 *
 * @module
 */

import type { Shape } from "../../../space/shape.ts";
import type { Hdf5Array } from "./arrays.ts";
import { verified } from "../metadata/checksum.ts";
import type { Cursor } from "../metadata/cursor.ts";
import { readGlobalObject } from "../metadata/heaps.ts";
import { blocksInside, readSelection, type Selection } from "./selection.ts";

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
export const MOST_SOURCES = 100_000;

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
export function isPattern({ file, path }: Pick<Mapping, "file" | "path">): boolean {
  return [file, path].some((name) => /%b/.test(name.replaceAll("%%", "")));
}

/** The name of the source of a block. */
export function numbered(name: string, block: number): string {
  return name.replace(/%[%b]/g, (sign) => sign === "%b" ? String(block) : "%");
}

const plain = (name: string) => name.replaceAll("%%", "%");
