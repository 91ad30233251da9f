/**
 * Which of several arrays of a source is meant.
 *
 * @module
 */

import { type StoredDataset, withWarning } from "../dataset/dataset.ts";
import { TilewiseError } from "../errors.ts";
import { noSuchArray } from "./common/array_names.ts";
import type { Listed, Some } from "./common/format.ts";
import type { OpenOptions } from "./common/options.ts";

/**
 * The largest array, with a warning that names the others, of which `left` have not been opened, and what was `taken`, if a format
 * has chosen. Arrays that correct another one do not count. Errors: `unsupported` if there is none.
 */
export function largestOf({ arrays, left, taken }: Some, name: string): StoredDataset {
  const shown = withoutDarks(arrays), largest = mainOf(arrays, name);
  const levels = new Set(largest.levels.map(({ array }) => array));
  const all = [...shown.filter((one) => one !== largest && !levels.has(one.array)), ...left];
  const others = all.filter(({ auxiliary }) => !auxiliary);
  return others.length === 0 ? largest : withWarning(largest, choice(largest, others, taken));
}

/** The one that is taken of some arrays: the largest that neither corrects nor describes another one. Errors: as of `largestOf`. */
export function mainOf(arrays: readonly StoredDataset[], name: string): StoredDataset {
  if (arrays.length === 0) {
    throw new TilewiseError("unsupported", `There is no array of numbers in ${name}`, { file: name });
  }
  const shown = withoutDarks(arrays), main = shown.filter(({ auxiliary }) => !auxiliary);
  return (main.length > 0 ? main : shown).reduce((a, b) => b.byteLength > a.byteLength ? b : a);
}

function withoutDarks(arrays: readonly StoredDataset[]): StoredDataset[] {
  return arrays.filter(({ layout }) => !arrays.some(({ corrections }) => corrections?.dark === layout));
}

/** Most names of other arrays in a warning. */
const MOST_NAMES = 20;

/** The warning that says which array was taken and which were not. */
function choice({ array, byteLength }: StoredDataset, others: readonly Listed[], taken?: string): string {
  const isLargest = others.every((one) => one.byteLength <= byteLength);
  const what = taken ?? (isLargest ? "the largest array" : "the largest array that does not describe others");
  return `Took ${what}, "${array}"; there are also ${namesOf(others)}`;
}

/** Names of arrays, not too many. */
function namesOf(arrays: readonly Listed[]): string {
  const names = arrays.slice(0, MOST_NAMES).map(({ array }) => `"${array}"`).join(", ");
  return arrays.length > MOST_NAMES ? `${names} and ${arrays.length - MOST_NAMES} more` : names;
}

/** The arrays that the options `array` and `level` name. Errors: `not-found` and `invalid`, with what there is. */
export function chosenOf(
  arrays: StoredDataset[],
  { array, level }: Pick<OpenOptions, "array" | "level">,
  name: string,
): StoredDataset[] {
  const asked = array === undefined ? arrays : [named(arrays, array, name)];
  return level === undefined ? asked : atLevel(level, asked, arrays, name);
}

/** Of each of `chosen`, the array with the resolution `level`; `invalid` if none of them has that level. */
function atLevel(
  level: number,
  chosen: readonly StoredDataset[],
  all: readonly StoredDataset[],
  name: string,
): StoredDataset[] {
  const names = chosen.map(({ array, levels }) =>
    levels.length > 0 ? levels[level]?.array : level === 0 && array
  );
  const found = all.filter(({ array }) => names.includes(array));
  if (found.length > 0 || chosen.length === 0) return found;
  const most = chosen.reduce((most, { levels }) => Math.max(most, levels.length), 1);
  const has = most === 1 ? "one level of resolution, 0" : `${most} levels, 0 to ${most - 1}`;
  const text = `Cannot open level ${level} of ${name}: it has ${has}`;
  throw new TilewiseError("invalid", text, { file: name, expected: most - 1, found: level, option: "level" });
}

function named(arrays: readonly StoredDataset[], array: string, name: string): StoredDataset {
  const found = arrays.find((one) => one.array === array);
  if (found) return found;
  throw noSuchArray(name, array, arrays.map((one) => one.array));
}
