/**
 * Files and folders that a user has picked or dropped: which of them is the one to open, and which belong to it. On disk, the
 * caller names a file and its folder is there; in a page, all files come at once and in the order of the browser.
 *
 * @module
 */

import { isTilewiseError } from "../errors.ts";
import type { SourceInput } from "../io/open.ts";
import { fileOf, type FolderHandle, isFileHandle, isFolderHandle, type PickedFolder } from "../io/picked.ts";
import { filesIn, pickedFolder } from "../io/picked_files.ts";
import { pathOf } from "../io/source/blob.ts";
import type { SourceSpec } from "../io/source/source.ts";
import { extensionOf } from "../io/file/names.ts";
import { Input } from "./common/input.ts";
import type { OpenOptions } from "./common/options.ts";
import { STORE_NAMES, TABLE } from "./common/store_input.ts";
import { isBelow, isMark, severalStores, storeRoots } from "./common/store_roots.ts";
import { folderError } from "./folders.ts";
import { recognise } from "./recognise.ts";
import { FORMATS } from "./registry.ts";

/** What is opened in place of what was picked. */
export interface Picked {
  /** The sources. */
  readonly inputs: readonly SourceInput[];
  /** The folder in which the only one of them lies. */
  readonly folder?: PickedFolder;
  /** The store in a folder that is opened, and the files beside it that formats know by their names. */
  readonly store?: { readonly folder: string; readonly path: string; readonly beside: readonly string[] };
  /** Whether the caller gave a list of files, which need not belong together. */
  readonly isList?: true;
  /** The first file of a list, if it is called like the one that is opened, but was not recognised, and why. */
  readonly passed?: { readonly file: Blob; readonly why: unknown };
}

/** Files that systems put into folders. */
const OF_SYSTEMS = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$/i;

/** Files of each extension that are looked at, to find the one to open. */
const MOST_ALIKE = 3;

/** Most names of a warning. */
const MOST_NAMES = 5;

/** What to open of files and folders that were picked. Errors: `not-a-file` if a folder has nothing that is read, or several stores. */
export async function picked(
  source: readonly (SourceInput | FolderHandle)[],
  options: OpenOptions,
): Promise<Picked> {
  const files: SourceInput[] = [];
  for (const one of source) {
    const own = isFolderHandle(one)
      ? await filesIn(one, options.signal)
      : [isFileHandle(one) ? await fileOf(one) : one];
    for (const file of own) files.push(file);
  }
  const folder = pickedFolder(files);
  const [only] = source;
  if (!folder && source.length === 1 && isFolderHandle(only)) throw nothingIn(only.name, []);
  return folder ? await inFolder(folder, options) : await inList(files, options);
}

/** Why the first file of a list was not recognised, if another one is opened and no frame lies in it: thrown. */
export function mustUse({ passed }: Picked, used: readonly SourceSpec[]): void {
  if (passed && !namesOf(used).includes(pathOf(passed.file))) throw passed.why;
}

const namesOf = (specs: readonly SourceSpec[]) => specs.map((spec) => "name" in spec ? spec.name : "");

/** The files that one of the formats knows by their names and that were not opened, as a warning. */
export function leftOut(
  { folder, store, inputs, isList }: Picked,
  opened: readonly SourceSpec[],
): string | undefined {
  if (store) return leftText(`Of the folder ${store.folder}`, store.path, store.beside);
  if (!folder && !isList) return undefined;
  const taken = namesOf(opened);
  const given = folder ? [...folder.files.values()] : inputs as readonly Blob[];
  const left = given.map(pathOf).filter((path) => isKnown(path) && !taken.includes(path));
  return leftText(folder ? `Of the folder ${folder.name}` : "Of these files", taken[0] ?? "one file", left);
}

function leftText(of: string, taken: string, left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const some = left.slice(0, MOST_NAMES).join(", ");
  const more = left.length > MOST_NAMES ? ` and ${left.length - MOST_NAMES} more` : "";
  return `${of}, ${taken} was opened; there are also ${some}${more}`;
}

const EXTENSIONS = new Set(FORMATS.flatMap(({ extensions }) => extensions));

/** Whether a file is called like those of a format. */
const isKnown = (path: string) => EXTENSIONS.has(extensionOf(path));

async function inFolder(folder: PickedFolder, options: OpenOptions): Promise<Picked> {
  const files = new Map([...folder.files].filter(([path]) => !OF_SYSTEMS.test(path)));
  const stores = storeRoots(files.keys());
  if (stores.includes("") || stores.length > 0 && STORE_NAMES.test(folder.name)) {
    return { inputs: [...files.values()] };
  }
  const called = stores.filter((store) => STORE_NAMES.test(store));
  if (called.length > 0) return storeIn({ ...folder, files }, called);
  const others = [...files].filter(([path]) => !stores.some((one) => isBelow(path, one)));
  const clean = { ...folder, files };
  const main = files.get(TABLE) ?? await mainOf(others.map(([, file]) => file), options, clean);
  if (main !== undefined) return { inputs: [main], folder: clean };
  if (stores.length > 0) return storeIn(clean, stores);
  throw nothingIn(folder.name, [...files.keys()]);
}

/** The only one of `stores`. Errors: `not-a-file` if there are several: nobody knows which one is meant. */
function storeIn({ name, files }: PickedFolder, stores: readonly string[]): Picked {
  if (stores.length > 1) throw severalStores(name, stores.map((store) => `${name}/${store}`));
  const path = stores[0]!;
  const inside = ([file]: readonly [string, Blob]) => isBelow(file, path);
  const beside = [...files].filter((one) => !inside(one) && isKnown(one[0])).map(([, file]) => pathOf(file));
  return {
    inputs: [...files].filter(inside).map(([, file]) => file),
    store: { folder: name, path: `${name}/${path}`, beside },
  };
}

/**
 * A list in which the first file is one that can be opened. The order of the caller stands if it begins with such a file. If it
 * does not, the file that is opened must have frames in it, or be called otherwise: a damaged file is an error, not a reason to
 * open another one of its kind.
 */
async function inList(files: readonly SourceInput[], options: OpenOptions): Promise<Picked> {
  if (options.format !== undefined || files.length < 2 || !files.every((file) => file instanceof Blob)) {
    return { inputs: files };
  }
  const names = files.map(pathOf);
  if (names.some(isMark)) return { inputs: files };
  const first = files[0]!;
  const why = await refusalOf(first, options);
  const main = why === undefined || first.size === 0 ? first : await mainOf(files, options);
  if (main === undefined || main === first) return { inputs: files, isList: true };
  const inputs = [main, ...files.filter((file) => file !== main)];
  const [one, other] = [first, main].map((file) => extensionOf(pathOf(file)));
  return one === other ? { inputs, isList: true, passed: { file: first, why } } : { inputs, isList: true };
}

/** The first of `files` that a format recognises; those that are called like files of a format are asked first. */
async function mainOf(
  files: readonly Blob[],
  options: OpenOptions,
  folder?: PickedFolder,
): Promise<Blob | undefined> {
  const wanted = FORMATS.find(({ id }) => id === options.format)?.extensions;
  const asked = new Map<string, number>();
  const rank = (file: Blob) => isKnown(pathOf(file)) ? 0 : 1;
  for (const file of files.toSorted((a, b) => rank(a) - rank(b))) {
    const extension = extensionOf(pathOf(file));
    const count = asked.get(extension) ?? 0;
    asked.set(extension, count + 1);
    if (wanted && !wanted.includes(extension)) continue;
    if (wanted || count < MOST_ALIKE && !await refusalOf(file, options, folder)) return file;
  }
  return undefined;
}

/** Why no format recognises a file, if none does. */
async function refusalOf(file: Blob, options: OpenOptions, folder?: PickedFolder): Promise<unknown> {
  await using input = await Input.open([file], options, folder);
  try {
    await recognise(input, options);
    return undefined;
  } catch (error) {
    if (isTilewiseError(error, "unknown-format") || isTilewiseError(error, "unsupported")) return error;
    throw error;
  }
}

function nothingIn(name: string, paths: readonly string[]): Error {
  return folderError(name, paths);
}
