/**
 * Opens data sets: recognises the format of a source, and lets this format describe it.
 *
 * @module
 */

import { type Dataset, StoredDataset, withWarning } from "../dataset/dataset.ts";
import type { Detection } from "../dataset/facts.ts";
import { keepFamily } from "../dataset/families.ts";
import type { FrameLayout } from "../dataset/layout/layout.ts";
import { frameSources } from "../dataset/sources.ts";
import { loadKinds } from "../dataset/storage/kinds.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import type { SourceInput } from "../io/open.ts";
import { type FolderHandle, isFileHandle, isFolderHandle } from "../io/picked.ts";
import type { SourceSpec } from "../io/source/source.ts";
import { otherThan, unlessChanged } from "../io/unchanged.ts";
import { checkOptionNames } from "../options.ts";
import type { Some, Wanted } from "./common/format.ts";
import { Input } from "./common/input.ts";
import { OPEN_OPTIONS, type OpenOptions } from "./common/options.ts";
import { isMemoryInput, type MemoryInput } from "./memory/inputs.ts";
import type { Picked } from "./picked.ts";
import { readerOf } from "./readers.ts";

// Parts of this room that few calls need: each is loaded when it is needed first. The readers of formats are in `readers.ts`.

/** Loads each part. */
const ON_DEMAND = {
  /** Other axes as scan and frame. */
  axes: () => import("../dataset/split_axes.ts"),
  /** Arrays and sparse matrices in memory. */
  memory: () => import("./memory/open.ts"),
  /** Which of the files that a user has picked belong together. */
  picked: () => import("./picked.ts"),
  /** How all formats are recognised. */
  recognise: () => import("./recognise.ts"),
  /** What formats are called. */
  registry: () => import("./registry.ts"),
  /** Which of several arrays is meant. */
  several: () => import("./several.ts"),
  /** Errors for folders. */
  folders: () => import("./folders.ts"),
  /** What is in folders of the system: nothing that a page can load. */
  listing: () => import("../io/file/folder.ts"),
} as const;

export type { OpenOptions } from "./common/options.ts";

/**
 * What can be opened: a path, a URL, a `Blob` or `File`, bytes, the handle of a file or folder, or a list of such that belong
 * together; an array or a sparse matrix in memory.
 * @category Data sets
 */
export type OpenInput = SourceInput | FolderHandle | readonly (SourceInput | FolderHandle)[] | MemoryInput;

/**
 * Opens a data set. Headers are read and checked, samples are not; nothing stays open.
 *
 * When the source has several arrays and none is named, the largest is taken, and a warning names the others;
 * arrays that only correct another one do not count.
 *
 * An array in memory is an {@link ArrayInput}, such as a result of a run; sparse matrices are {@link CsrInput} and
 * {@link CooInput}. Their samples stay where they are. Workers read samples in a `SharedArrayBuffer` in place; of others
 * each run makes one copy, which its plan counts, or stays on the calling thread where that does not fit the budget.
 *
 * In a page, a source may be what a user has picked or dropped: a `File`, the handle of a file or folder, or all files of a
 * folder (`input.files`, `droppedFiles()`). Of a folder, or of files that do not belong together, the first file that a
 * format recognises is opened, together with the files that belong to it; a warning names others that could be opened.
 *
 * @param source a path, a URL, a `Blob` or `File`, bytes, the handle of a file or folder, or a list: the files of a series, or of
 *   one data set; or what lies in memory
 * @param options facts that the bytes do not have
 * @returns the data set; it has facts, and samples when a run reads them
 *
 * @example A file in memory
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const bytes = new Uint8Array(2 * 3 * 16 * 2);
 * const scan = await open(bytes, { dtype: "uint16", nav: [2, 3], sig: [4, 4] });
 * assertEquals([scan.shape, scan.dtype, scan.detection.format], [[2, 3, 4, 4], "uint16", "raw"]);
 * ```
 *
 * @example An array in memory
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open({ data: new Float32Array(96), shape: [2, 3, 4, 4] });
 * assertEquals([scan.navShape, scan.sigShape, scan.dtype], [[2, 3], [4, 4], "float32"]);
 * ```
 * @category Data sets
 */
export function open(source: OpenInput, options: OpenOptions = {}): Promise<Dataset> {
  return openStored(source, options);
}

/** The same with the place of its frames. */
export async function openStored(source: OpenInput, options: OpenOptions = {}): Promise<StoredDataset> {
  const found = await openNamed("open()", source, options, { largest: true });
  if (found.arrays.length === 1 && found.left.length === 0) return found.arrays[0]!;
  const { largestOf } = await ON_DEMAND.several();
  return largestOf(found, found.name);
}

/**
 * Opens every array of a source; with the option `array` only that one. A source may have none.
 *
 * @param source as for {@link open}
 * @param options as for {@link open}
 * @returns the data sets
 *
 * @example
 * ```ts
 * import { openAll } from "@tilewise/tilewise/formats";
 * import { assertEquals } from "@std/assert";
 * const all = await openAll(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", sig: [2, 2] });
 * assertEquals(all.map(({ shape }) => shape), [[1, 2, 2]]);
 * ```
 * @category Data sets
 */
export function openAll(source: OpenInput, options: OpenOptions = {}): Promise<Dataset[]> {
  return openAllStored(source, options);
}

/** The same with the places of their frames. */
export async function openAllStored(source: OpenInput, options: OpenOptions = {}): Promise<StoredDataset[]> {
  return (await openNamed("openAll()", source, options)).arrays;
}

/**
 * The first arrays of a source by name, as many as `wanted`, how many there are besides, and which of them is taken where none is
 * chosen: opening one takes time. Only formats whose files may have thousands leave some out. Errors: `unsupported` if there is none.
 */
export async function openFirst(
  source: OpenInput,
  options: OpenOptions,
  wanted: Pick<Wanted, "most" | "asSeries">,
): Promise<First> {
  const { arrays, left, main, name } = await openNamed("openAll()", source, options, wanted);
  const taken = arrays.length < 2 ? arrays[0] : arrays.find(({ array }) => array === main);
  return { arrays, more: left.length, main: taken ?? (await ON_DEMAND.several()).mainOf(arrays, name) };
}

/** Some arrays of a source. */
export interface First {
  readonly arrays: readonly StoredDataset[];
  /** How many there are besides. */
  readonly more: number;
  /** The one of them that is taken where none is chosen. */
  readonly main: StoredDataset;
}

/** Arrays of a source, the remaining ones, and the name of the source. */
interface Named extends Some {
  readonly name: string;
}

async function openNamed(
  call: string,
  source: OpenInput,
  options: OpenOptions,
  wanted: Wanted = {},
): Promise<Named> {
  checkOptionNames(call, options, OPEN_OPTIONS);
  refuseBare(source);
  if (isMemoryInput(source)) {
    const { openMemory } = await ON_DEMAND.memory();
    const array = openMemory(source, options);
    await loadKinds([array.layout]);
    const arrays = await withAxes([array], options);
    return { arrays, left: [], name: arrays[0]!.source };
  }
  const given = await togetherIn(source, options);
  await using input = await Input.open(given.inputs, options, given.folder).catch(folderNamed);
  const { format, arrays: found, ...others } = await understood(input, options, wanted);
  const holdFrames = found.flatMap(({ layout }) => [...frameSources(layout)]);
  given.mustUse?.(holdFrames);
  const unseen = input.unseen ?? given.leftOut?.([...input.used, ...holdFrames]);
  const arrays = unseen === undefined ? found : found.map((array) => withWarning(array, unseen));
  const name = input.title;
  if (options.gainMap !== undefined && !arrays.some(({ corrections }) => corrections?.gain)) {
    const { titleOf } = await ON_DEMAND.registry();
    const text = `${
      titleOf(format)
    } takes no gainMap: give it to the run, as the option gain of the corrections`;
    throw new TilewiseError("invalid", text, { file: name, option: "gainMap" });
  }
  keepFamily(arrays, async (array) => {
    const { level: _, navAxes: _nav, sigAxes: _sig, select: _select, ...others } = options;
    return (await openNamed(call, source, { ...others, array })).arrays[0];
  });
  const isAll = options.array === undefined && options.level === undefined;
  const chosen = isAll ? arrays : (await ON_DEMAND.several()).chosenOf(arrays, options, name);
  const split = await withAxes(chosen, options);
  const warning = await unusedOptions(format, options);
  return {
    ...others,
    arrays: warning === undefined ? split : split.map((one) => withWarning(one, warning)),
    name,
  };
}

/** What to open. */
interface Given extends Picked {
  /** Refuses data sets whose frames lie in these sources, if a file of their kind was named first, and is damaged. */
  mustUse?(used: readonly SourceSpec[]): void;
  /** What to say of files that were picked, and not opened. */
  leftOut?(opened: readonly SourceSpec[]): string | undefined;
}

/** The sources of a caller; of files and folders that a user has picked, those that belong together, the main one first. */
async function togetherIn(source: Exclude<OpenInput, MemoryInput>, options: OpenOptions): Promise<Given> {
  const all = source instanceof Array ? source : [source];
  const isPicked = all.some(isFolderHandle) ||
    all === source && all.length > 0 && all.every((one) => one instanceof Blob || isFileHandle(one));
  if (!isPicked) return { inputs: all as readonly SourceInput[] };
  const { leftOut, mustUse, picked } = await ON_DEMAND.picked();
  const found = await picked(all, options);
  return { ...found, mustUse: (used) => mustUse(found, used), leftOut: (opened) => leftOut(found, opened) };
}

/** The data sets with the axes that the options name as scan and frame. */
async function withAxes(datasets: StoredDataset[], options: OpenOptions): Promise<StoredDataset[]> {
  const { select = {} } = options;
  if (!options.navAxes && !options.sigAxes && Object.keys(select).length === 0) return datasets;
  const { hasAxes, selectAt } = await ON_DEMAND.axes();
  const meant = datasets.filter((one) => hasAxes(one, select)); // pages of a series have fewer axes than the series
  const split = (meant.length > 0 ? meant : datasets).map((one) => selectAt(one, select, options));
  await loadKinds(split.map(({ layout }) => layout));
  return split;
}

/** Paths of the files that options name. */
function namedFiles({ gainMap }: OpenOptions): string[] {
  return typeof gainMap === "string" ? [gainMap] : [];
}

/** Arrays, the remaining ones, and the id of the format that has found them. */
interface Understood extends Some {
  readonly format: string;
}

/** The format and the arrays that it finds; any error becomes `changed` when the files have changed meanwhile. */
async function understood(
  input: Input,
  options: OpenOptions,
  wanted: Wanted,
): Promise<Understood> {
  try {
    const detection = await detect(input, options);
    const reader = await readerOf(detection.format)();
    const given = input.forFormat(detection);
    const { arrays, ...others } = "openSome" in reader
      ? await reader.openSome(given, options, wanted)
      : { arrays: await reader.open(given, options), left: [] };
    await loadKinds(arrays.flatMap(layoutsOf));
    input.recheck({ grown: true });
    const { opened } = input;
    const filesRead = [...input.filesRead, ...namedFiles(options)];
    const complete = arrays.map((array) => withFiles(array, opened, filesRead));
    return { ...others, format: detection.format, arrays: complete };
  } catch (error) {
    throw unlessChanged(error, () => input.recheck());
  }
}

/** The layouts of a data set, of its corrections, and of its order of storage. */
function layoutsOf(
  { layout, stored, corrections: { dark, gain } = { why: [] } }: StoredDataset,
): FrameLayout[] {
  return [layout, stored?.layout, dark, gain].filter((one) => one !== undefined);
}

/** The format of a source: what the caller says, otherwise the one that recognises it. */
async function detect(input: Input, options: OpenOptions): Promise<Detection> {
  const { format } = options;
  if (format === undefined) return await (await ON_DEMAND.recognise()).recognise(input, options);
  return { format, why: ["the caller said so"] };
}

/** Adds the files that were read, and those of them that hold no frames. */
function withFiles(
  dataset: StoredDataset,
  opened: readonly SourceSpec[],
  filesRead: readonly string[],
): StoredDataset {
  const beside = otherThan([...dataset.beside, ...opened], frameSources(dataset.layout));
  return new StoredDataset({ ...dataset, beside, filesRead });
}

/** Options for facts that other formats have in their headers. */
const RAW_OPTIONS = [
  "dtype",
  "byteOrder",
  "headerBytes",
  "frameHeaderBytes",
  "frameFooterBytes",
  "bits",
  "bitOrder",
] as const;

/** Which of them a format did not look at. */
async function unusedOptions(format: string, options: OpenOptions): Promise<string | undefined> {
  const given = RAW_OPTIONS.filter((option) => options[option] !== undefined);
  if (format === "raw" || given.length === 0) return undefined;
  const { titleOf } = await ON_DEMAND.registry();
  return `${titleOf(format)} says itself how samples are stored: ${given.join(", ")} ` +
    `${given.length === 1 ? "was" : "were"} not looked at; format: "raw" reads the bytes as they are`;
}

/** Refuses a typed array alone: it is not a file, and has no shape. */
function refuseBare(source: unknown): void {
  if (!ArrayBuffer.isView(source) || source instanceof Uint8Array) return;
  const found = source.constructor.name;
  const text = `Cannot open a ${found} alone: say its shape, as in open({ data, shape: [64, 64, 128, 128] })`;
  throw new TilewiseError("invalid", text, { found });
}

/** The error for a folder, by its contents. */
async function folderNamed(error: unknown): Promise<never> {
  if (!isTilewiseError(error, "not-a-file") || error.details.found !== "a directory") throw error;
  const folder = error.details.file!;
  const [{ folderError }, { listFolder }] = await Promise.all([ON_DEMAND.folders(), ON_DEMAND.listing()]);
  throw folderError(folder, listFolder(folder));
}
