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
import { extensionOf } from "./common/format.ts";
import { Input } from "./common/input.ts";
import type { OpenOptions } from "./common/options.ts";
import { MARKS, STORE_NAMES, TABLE } from "./common/store_input.ts";
import { folderError } from "./folders.ts";
import { recognise } from "./recognise.ts";
import { FORMATS } from "./registry.ts";

/** What is opened in place of what was picked. */
export interface Picked {
  /** The sources. */
  readonly inputs: readonly SourceInput[];
  /** The folder in which the only one of them lies. */
  readonly folder?: PickedFolder;
}

/** Files that systems put into folders. */
const OF_SYSTEMS = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$/i;

/** Files of each extension that are looked at, to find the one to open. */
const MOST_ALIKE = 3;

/** Most names of a warning. */
const MOST_NAMES = 5;

/** What to open of files and folders that were picked. Errors: `not-a-file` if a folder has nothing that is read. */
export async function picked(
  source: readonly (SourceInput | FolderHandle)[],
  options: OpenOptions,
): Promise<Picked> {
  const files: SourceInput[] = [];
  for (const one of source) {
    if (isFolderHandle(one)) files.push(...await filesIn(one, options.signal));
    else files.push(isFileHandle(one) ? await fileOf(one) : one);
  }
  const folder = pickedFolder(files);
  const [only] = source;
  if (!folder && source.length === 1 && isFolderHandle(only)) throw nothingIn(only.name, []);
  return folder ? await inFolder(folder, options) : await inList(files, options);
}

/** The files that one of the formats knows by their names and that were not opened, as a warning. */
export function leftOut({ folder }: Picked, opened: readonly SourceSpec[]): string | undefined {
  if (!folder) return undefined;
  const taken = opened.map((spec) => "name" in spec ? spec.name : "");
  const left = [...folder.files.values()].map(pathOf).filter((path) =>
    EXTENSIONS.has(extensionOf(path)) && !taken.includes(path)
  );
  if (left.length === 0) return undefined;
  const some = left.slice(0, MOST_NAMES).join(", ");
  const more = left.length > MOST_NAMES ? ` and ${left.length - MOST_NAMES} more` : "";
  return `Of the folder ${folder.name}, ${taken[0] ?? "one file"} was opened; there are also ${some}${more}`;
}

const EXTENSIONS = new Set(FORMATS.flatMap(({ extensions }) => extensions));

async function inFolder(folder: PickedFolder, options: OpenOptions): Promise<Picked> {
  const files = new Map([...folder.files].filter(([path]) => !OF_SYSTEMS.test(path)));
  if (isStore(folder.name, files.keys())) return { inputs: [...files.values()] };
  const clean = { ...folder, files };
  const table = files.get(TABLE);
  const main = table ?? await mainOf([...files.values()], options, clean);
  if (main === undefined) throw nothingIn(folder.name, [...files.keys()]);
  return { inputs: [main], folder: clean };
}

/** Whether a folder is a Zarr store, or has one in a folder that is called like one. */
function isStore(name: string, paths: Iterable<string>): boolean {
  return [...paths].some((path) => {
    const [first, second, ...more] = path.split("/");
    if (second === undefined) return MARKS.includes(first!);
    return more.length === 0 && MARKS.includes(second) && [first!, name].some((one) => STORE_NAMES.test(one));
  });
}

/**
 * A list in which the first file is one that can be opened. The order of the caller stands if it begins with such a file, or
 * with an empty one: that is an error, not a reason to open another file.
 */
async function inList(files: readonly SourceInput[], options: OpenOptions): Promise<Picked> {
  if (options.format !== undefined || files.length < 2 || !files.every((file) => file instanceof Blob)) {
    return { inputs: files };
  }
  const names = files.map(pathOf);
  if (names.some((name) => MARKS.includes(name.replace(/^.*\//, "")))) return { inputs: files };
  const [first] = files;
  const isFirst = first!.size === 0 || await isReadable(first!, options);
  const main = isFirst ? first : await mainOf(files, options);
  return { inputs: main === undefined ? files : [main, ...files.filter((file) => file !== main)] };
}

/** The first of `files` that a format recognises; those that are called like files of a format are asked first. */
async function mainOf(
  files: readonly Blob[],
  options: OpenOptions,
  folder?: PickedFolder,
): Promise<Blob | undefined> {
  const wanted = FORMATS.find(({ id }) => id === options.format)?.extensions;
  const asked = new Map<string, number>();
  const rank = (file: Blob) => EXTENSIONS.has(extensionOf(pathOf(file))) ? 0 : 1;
  for (const file of files.toSorted((a, b) => rank(a) - rank(b))) {
    const extension = extensionOf(pathOf(file));
    const count = asked.get(extension) ?? 0;
    asked.set(extension, count + 1);
    if (wanted && !wanted.includes(extension)) continue;
    if (wanted || count < MOST_ALIKE && await isReadable(file, options, folder)) return file;
  }
  return undefined;
}

async function isReadable(file: Blob, options: OpenOptions, folder?: PickedFolder): Promise<boolean> {
  await using input = await Input.open([file], options, folder);
  try {
    await recognise(input, options);
    return true;
  } catch (error) {
    if (isTilewiseError(error, "unknown-format") || isTilewiseError(error, "unsupported")) return false;
    throw error;
  }
}

function nothingIn(name: string, paths: readonly string[]): Error {
  return folderError(name, paths);
}
