/**
 * Layouts of arrays wherever their samples are: in the file, in other data sets (virtual), in plain files (external), or
 * in the numbered files of a series.
 *
 * @module
 */

import { type FrameLayout, frameLayout, storedAs } from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import { isMissing, isOutside } from "../../common/beside.ts";
import type { FormatInput } from "../../common/format.ts";
import { isAbsolute } from "../../common/neighbours.ts";
import type { OpenOptions } from "../../common/options.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";
import { externalFrames, type OpenBytes } from "./external_files.ts";
import { openWhole } from "./family.ts";
import { libraryFilters, readByLibrary } from "./library.ts";
import { stackOf } from "./stack.ts";
import type { SourceBox } from "./stack_groups.ts";
import { virtualParts } from "./virtual.ts";
import { type OpenSource, sourcesThrough } from "./virtual_extent.ts";
import type { Hdf5File } from "../metadata/file.ts";
import type { OpenExternal } from "../metadata/objects.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { sizeOf } from "../../../space/shape.ts";
import { formatBytes } from "../../../space/size.ts";

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

/** A layout, and what the user should know of it. */
export interface Assembled {
  /** Where the samples are. */
  readonly layout: FrameLayout;
  /** Sources that are missing. */
  readonly warnings: readonly string[];
}

/** The layout of the array's frames: its last `sig` dimensions. */
export async function assemble(array: Hdf5Array, sig: number, beside: Beside): Promise<Assembled> {
  const { dataset, parts, shape, sample } = array;
  const name = `${dataset.path} of ${dataset.file.name}`;
  if (parts) {
    const layout = await stackOf({ name, shape, sample }, seriesParts(parts, sig), sig);
    return { layout, warnings: [] };
  }
  if (dataset.layout.kind === "virtual") return await virtual(array, name, sig, beside);
  return dataset.isExternal
    ? await external(array, name, sig, beside)
    : await own(array, name, sig, beside.signal);
}

/** In the file itself; read by the HDF5 library where it is the only one that knows how. */
async function own(array: Hdf5Array, name: string, sig: number, signal?: AbortSignal): Promise<Assembled> {
  const filters = libraryFilters(array);
  if (filters === undefined) return { layout: await layoutOf(array, sig), warnings: [] };
  const layout = await readByLibrary(array, sig, signal);
  const bytes = layout.files[0]!.end * layout.storedBytes;
  const text = `${name} was read into memory by the library h5wasm, all ${formatBytes(bytes)}: ` +
    `its filter ${filters} is not known here`;
  return { layout, warnings: [text] };
}

async function virtual(array: Hdf5Array, name: string, sig: number, beside: Beside): Promise<Assembled> {
  const { shape, sample, dataset: { fill, file } } = array;
  const { parts, missing } = await virtualParts(array, sig, beside.openSource);
  if (missing.length > 0 && !beside.allowMissing) throw missingError(name, file.name, missing);
  const layout = await stackOf({ name, shape, sample, ...(fill ? { fill } : {}) }, parts, sig);
  return { layout, warnings: missing.length > 0 ? [missingWarning(name, missing)] : [] };
}

async function external(array: Hdf5Array, name: string, sig: number, beside: Beside): Promise<Assembled> {
  const { shape, sample: { dtype, byteOrder }, dataset } = array;
  const { files, chunks, missing } = await externalFrames(array, sig, beside.openBytes);
  if (missing.length > 0 && !beside.allowMissing) throw missingError(name, dataset.file.name, missing);
  const sigShape = shape.slice(shape.length - sig);
  const frames = frameLayout({ files, sigShape, dtype, byteOrder });
  const layout = chunks ? storedAs(frames, { kind: "chunks", chunks }) : frames;
  return { layout, warnings: missing.length > 0 ? [missingWarning(name, missing)] : [] };
}

/** The arrays of a series one after another. */
function seriesParts(arrays: readonly Hdf5Array[], sig: number): SourceBox[] {
  const parts: SourceBox[] = [];
  let first = 0;
  for (const source of arrays) {
    const nav = source.shape.length - sig;
    const count = sizeOf(source.shape.slice(0, nav));
    const zeros = new Array(sig).fill(0);
    parts.push({
      source,
      images: Int32Array.from({ length: count }, (_, i) => first + i),
      sourceImages: Int32Array.from({ length: count }, (_, i) => i),
      at: zeros,
      from: zeros,
      shape: source.shape.slice(nav),
    });
    first += count;
  }
  return parts;
}
