/**
 * What a user gives to a page: handles of files and folders. `picked_files.ts` lists the files of folders and drops.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { withPath } from "./source/blob.ts";

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

/** The error for a file or folder that the browser does not hand out. */
export function pickedError(cause: unknown, file: string): TilewiseError {
  const kind = cause instanceof Error ? cause.name : "";
  if (kind === "NotFoundError") {
    return cannot("open", file, "not-found", "it is not there any more; choose it again", {}, { cause });
  }
  if (kind === "NotAllowedError" || kind === "SecurityError") {
    const text = "the page may not read it; ask the user with handle.requestPermission(), " +
      "or let them choose it again";
    return cannot("open", file, "permission", text, {}, { cause });
  }
  return cannot("open", file, "io", reasonOf(cause), {}, { cause });
}

/** The files of a folder that was picked or dropped. */
export interface PickedFolder {
  /** The name of the folder. */
  readonly name: string;
  /** Its files by their paths below it, in the order of these. */
  readonly files: ReadonlyMap<string, Blob>;
}
