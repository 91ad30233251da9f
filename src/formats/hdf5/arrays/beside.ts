/**
 * Finds the files that links, virtual data sets and lists of files name, and handles missing ones.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { isMissing, isOutside } from "../../common/beside.ts";
import type { FormatInput } from "../../common/format.ts";
import { isAbsolute } from "../../common/neighbours.ts";
import type { OpenOptions } from "../../common/options.ts";
import type { OpenBytes } from "./external_files.ts";
import { openWhole } from "./family.ts";
import type { Hdf5File } from "../metadata/file.ts";
import type { OpenExternal } from "../metadata/objects.ts";
import { type OpenSource, sourcesThrough } from "./virtual_sources.ts";

/** Ways to other files. */
export interface Beside {
  /** Opens an HDF5 file; `undefined` if it is missing. */
  readonly openExternal: OpenExternal;
  /** Opens a source of virtual data sets. */
  readonly openSource: OpenSource;
  /** Opens any file. */
  readonly openBytes: OpenBytes;
  /** Whether samples of missing files read as the fill value. */
  readonly allowMissing: boolean;
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

/** Ways to the files beside `input`; each HDF5 file is opened once. */
export function besideOf(input: FormatInput, { allowMissing = false, signal }: OpenOptions): Beside {
  const files = new Map<string, Promise<Hdf5File | undefined>>();
  const folders = new WeakMap<Hdf5File, string>(); // those below the folder of `input`
  const placed = (name: string, from: Hdf5File) => isAbsolute(name) ? name : (folders.get(from) ?? "") + name;
  const open = async (name: string) => {
    try {
      return await openNamed(input, name);
    } catch (error) {
      if (isMissing(error) || (allowMissing && isOutside(error))) return undefined;
      throw error;
    }
  };
  const openFile = async (name: string) => {
    const source = await open(name);
    const file = source && await openWhole(source, input, signal);
    if (file) folders.set(file, name.replace(/[^/\\]*$/, ""));
    return file;
  };
  const openExternal: OpenExternal = (name, from) => {
    const place = placed(name, from);
    let file = files.get(place);
    if (!file) files.set(place, file = openFile(place));
    return file;
  };
  const openBytes: OpenBytes = (name, from) => open(placed(name, from));
  return { openExternal, openSource: sourcesThrough(openExternal), openBytes, allowMissing, signal };
}

/**
 * The file of that name. Absolute paths are often those of another machine: then the file of that name beside is meant;
 * so is one that was given in a list.
 */
async function openNamed(input: FormatInput, name: string): Promise<ByteSource> {
  try {
    return await input.openBeside(name);
  } catch (error) {
    const last = name.replace(/^.*[/\\]/, "");
    const mayMove = (isMissing(error) || isOutside(error)) && (isAbsolute(name) || input.given.length > 1);
    if (!mayMove || !(await input.siblings()).includes(last)) throw error;
    return await input.openSibling(last);
  }
}

/** The error for an array whose samples are in files that are missing. */
export function missingError(name: string, file: string, what: readonly string[]): TilewiseError {
  const text = `Cannot read ${name}: it shows ${some(what)}, which cannot be found; ` +
    "with the option allowMissing samples from there read as the fill value";
  return new TilewiseError("not-found", text, { file, missing: what.slice(0, MOST_NAMES) });
}

/** The warning for such an array, where that is allowed. */
export function missingWarning(name: string, what: readonly string[]): string {
  return `${name} shows ${some(what)}, which cannot be found: samples from there read as the fill value`;
}

/** Missing files that are named. */
const MOST_NAMES = 5;

function some(what: readonly string[]): string {
  const names = [...new Set(what)];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return names.slice(0, MOST_NAMES).join(", ") + more;
}
