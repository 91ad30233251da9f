/**
 * Files and folders that a user has picked or dropped, as a list of files with their paths.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../errors.ts";
import { fileOf, type FolderHandle, pickedError, type PickedFolder } from "./picked.ts";
import { pathOf, withPath } from "./source/blob.ts";

export { pathOf };

/** Most files of a folder: more are no scan, and would take minutes to list. */
const MOST_FILES = 1_000_000;

/** All files in a folder and in folders in it; their paths begin with its name. Errors: those of {@link fileOf}. */
export async function filesIn(folder: FolderHandle, signal?: AbortSignal): Promise<Blob[]> {
  const found: Blob[] = [];
  await collect(folder, folder.name, found, signal);
  return found;
}

async function collect(
  folder: FolderHandle,
  path: string,
  found: Blob[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    for await (const entry of folder.values()) {
      throwIfAborted(signal);
      const inside = `${path}/${entry.name}`;
      if (entry.kind === "directory") await collect(entry, inside, found, signal);
      else add(found, await fileOf(entry, inside), path);
    }
  } catch (cause) {
    throw cause instanceof TilewiseError ? cause : pickedError(cause, path);
  }
}

function add(found: Blob[], file: Blob, folder: string): void {
  if (found.push(file) <= MOST_FILES) return;
  const text = `Cannot open the folder ${folder}: it has more than ${MOST_FILES} files`;
  throw new TilewiseError("unsupported", text, { file: folder, expected: MOST_FILES });
}

/** An entry of what was dropped: the part of a `FileSystemEntry` that is used. */
interface DroppedEntry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
  /** Of files. */
  file?(found: (file: Blob) => void, failed: (error: unknown) => void): void;
  /** Of folders. */
  createReader?(): {
    readEntries(found: (entries: readonly DroppedEntry[]) => void, failed: (error: unknown) => void): void;
  };
}

/**
 * What was dropped on a page: the part of a `DataTransfer` that is used.
 * @category Data sets
 */
export interface Dropped {
  /** What was dropped, as items. */
  readonly items?: Iterable<{
    /** Whether it is a file or a text. */
    readonly kind: string;
    /** A file or folder. */
    webkitGetAsEntry?(): unknown;
    /** A file. */
    getAsFile?(): Blob | null;
  }>;
  /** The files alone. */
  readonly files?: Iterable<Blob>;
}

/**
 * The files that a user has dropped on a page, also those in folders, as a list for `open`. Call it in the handler of the event
 * and before anything is awaited, as browsers forget what was dropped when the handler returns. The paths of files begin with the
 * name of their folder; of two folders with one name, the second is called `(2) name`.
 *
 * Errors: `invalid` if no file was dropped, `not-found` and `permission`, as the browser says.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { droppedFiles } from "@tilewise/tilewise/unstable/formats";
 * import { assertEquals } from "@std/assert";
 *
 * // In a page: element.addEventListener("drop", async (event) => { … droppedFiles(event.dataTransfer) … })
 * const dataTransfer = { files: [new File([Uint8Array.of(1, 2, 3, 4)], "scan.raw")] };
 * const files = await droppedFiles(dataTransfer);
 * const scan = await open(files, { dtype: "uint8", nav: [2], sig: [1, 2] });
 * assertEquals([scan.source, scan.shape], ["scan.raw", [2, 1, 2]]);
 * ```
 * @category Data sets
 */
export async function droppedFiles(dropped: Dropped | null): Promise<Blob[]> {
  const items = [...dropped?.items ?? []].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.() as DroppedEntry | null | undefined);
  const plain = items.length === 0
    ? [...dropped?.files ?? []]
    : items.flatMap((item, i) => entries[i] ? [] : item.getAsFile?.() ?? []);
  const found: Blob[] = [...plain];
  const folders: string[] = [];
  for (const entry of entries) {
    if (!entry) continue;
    const same = entry.isDirectory ? folders.filter((name) => name === entry.name).length : 0;
    if (entry.isDirectory) folders.push(entry.name);
    await collectEntry(entry, same > 0 ? `(${same + 1}) ${entry.name}` : entry.name, found);
  }
  if (found.length > 0) return found;
  const text = "Cannot open what was dropped: there is no file in it; drop files or a folder with files";
  throw new TilewiseError("invalid", text, { found: items.length > 0 ? "an empty folder" : "nothing" });
}

async function collectEntry(entry: DroppedEntry, path: string, found: Blob[]): Promise<void> {
  try {
    if (!entry.isDirectory) {
      const file = await new Promise<Blob>((resolve, reject) => entry.file!(resolve, reject));
      return add(found, withPath(file, path), path);
    }
    const reader = entry.createReader!();
    for (;;) { // a hundred at a time
      const some = await new Promise<readonly DroppedEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject)
      );
      if (some.length === 0) return;
      for (const one of some) await collectEntry(one, `${path}/${one.name}`, found);
    }
  } catch (cause) {
    throw cause instanceof TilewiseError ? cause : pickedError(cause, path);
  }
}

/** The folder that holds all of `inputs`, if they are files with paths that begin with the same folder. */
export function pickedFolder(inputs: readonly unknown[]): PickedFolder | undefined {
  const paths = inputs.map((one) => one instanceof Blob ? pathOf(one) : "");
  const [name] = paths[0]?.split("/") ?? [];
  if (!name || !paths.every((path) => path.startsWith(`${name}/`))) return undefined;
  const rows = inputs.map((file, i) => [paths[i]!.slice(name.length + 1), file as Blob] as const);
  return { name, files: new Map(rows.toSorted(([a], [b]) => a < b ? -1 : 1)) };
}
