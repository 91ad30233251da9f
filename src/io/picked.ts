/**
 * What a user gives to a page: files and folders that were picked or dropped, as a list of files with their paths.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { pathOf, withPath } from "./source/blob.ts";

/**
 * A file that a page was given access to: the part of a `FileSystemFileHandle` that is used. Private files of a page (OPFS) have
 * such handles as well.
 * @category Data sets
 */
export interface FileHandle {
  /** Says that it is a file. */
  readonly kind: "file";
  /** Its name. */
  readonly name: string;
  /** What is in it now. */
  getFile(): Promise<Blob>;
}

/**
 * A folder that a page was given access to: the part of a `FileSystemDirectoryHandle` that is used.
 * @category Data sets
 */
export interface FolderHandle {
  /** Says that it is a folder. */
  readonly kind: "directory";
  /** Its name. */
  readonly name: string;
  /** What is in it. */
  values(): AsyncIterable<FileHandle | FolderHandle>;
}

/** Most files of a folder: more are no scan, and would take minutes to list. */
const MOST_FILES = 1_000_000;

/** Whether `input` is the handle of a file. */
export function isFileHandle(input: unknown): input is FileHandle {
  return isHandle(input, "file", "getFile");
}

/** Whether `input` is the handle of a folder. */
export function isFolderHandle(input: unknown): input is FolderHandle {
  return isHandle(input, "directory", "values");
}

function isHandle(input: unknown, kind: string, method: string): boolean {
  if (typeof input !== "object" || input === null) return false;
  const { kind: found, [method]: call } = input as Record<string, unknown>;
  return found === kind && typeof call === "function";
}

/** The file of a handle. `path`: with its folders. Errors: `not-found` and `permission`, as the browser says. */
export async function fileOf(handle: FileHandle, path: string = handle.name): Promise<Blob> {
  try {
    return withPath(await handle.getFile(), path);
  } catch (cause) {
    throw pickedError(cause, path);
  }
}

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

/** The error for a file or folder that the browser does not hand out. */
function pickedError(cause: unknown, file: string): TilewiseError {
  const kind = cause instanceof Error ? cause.name : "";
  if (kind === "NotFoundError") {
    const text = `Cannot open ${file}: it is not there any more; choose it again`;
    return new TilewiseError("not-found", text, { file }, { cause });
  }
  if (kind === "NotAllowedError" || kind === "SecurityError") {
    const text =
      `Cannot open ${file}: the page may not read it; ask the user with handle.requestPermission(), ` +
      "or let them choose it again";
    return new TilewiseError("permission", text, { file }, { cause });
  }
  return new TilewiseError("io", `Cannot open ${file}: ${reasonOf(cause)}`, { file }, { cause });
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
 * and before anything is awaited, as browsers forget what was dropped when the handler returns.
 *
 * Errors: `invalid` if no file was dropped, `not-found` and `permission`, as the browser says.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { droppedFiles } from "@tilewise/tilewise/formats";
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
  for (const entry of entries) if (entry) await collectEntry(entry, entry.name, found);
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

/** The files of a folder that was picked or dropped. */
export interface PickedFolder {
  /** The name of the folder. */
  readonly name: string;
  /** Its files by their paths below it, in the order of these. */
  readonly files: ReadonlyMap<string, Blob>;
}

/** The folder that holds all of `inputs`, if they are files with paths that begin with the same folder. */
export function pickedFolder(inputs: readonly unknown[]): PickedFolder | undefined {
  const paths = inputs.map((one) => one instanceof Blob ? pathOf(one) : "");
  const [name] = paths[0]?.split("/") ?? [];
  if (!name || !paths.every((path) => path.startsWith(`${name}/`))) return undefined;
  const rows = inputs.map((file, i) => [paths[i]!.slice(name.length + 1), file as Blob] as const);
  return { name, files: new Map(rows.toSorted(([a], [b]) => a < b ? -1 : 1)) };
}
