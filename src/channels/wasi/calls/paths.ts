/**
 * From the path that a program gives to the name of a file of the host: never above the directory it starts from.
 *
 * @module
 */

import { MAX_NAME_BYTES } from "../../protocol/channel.ts";
import { STATUS } from "../../protocol/status.ts";
import type { ByteFiles, OpenDirectory, OpenFile } from "../common/descriptors.ts";
import { ERRNO, errnoOf, OPEN_FLAG, refuse } from "../common/codes.ts";

/** Most parts that links may add to a path before a `..`. */
const MOST_PARTS = 1000;

/** A path below a directory of the host. */
export interface HostPath {
  /** The name for the host. */
  readonly name: string;
  /** Whether the path says that it is a directory: by a `/` at its end, or by a last part of `.` or `..`. */
  readonly directory: boolean;
  /** The last part, if it is `.` or `..`: a name that cannot be made, moved or removed. */
  readonly dots: "." | ".." | undefined;
  /** Whether the path ends with a `/`. */
  readonly slash: boolean;
  /** Whether it is the directory that it starts from. */
  readonly start: boolean;
}

/**
 * The place that `path` means below the directory `from`. Ends the call: `noent` for an empty path, `notcapable` for one
 * that leads out, `nametoolong`. As in POSIX, what comes before a `..` must be a directory.
 */
export function placeOf(files: ByteFiles, from: string, path: string): HostPath {
  if (path === "") refuse(ERRNO.noent);
  if (path.startsWith("/")) refuse(ERRNO.notcapable);
  const parts: string[] = [];
  const left = path.split("/");
  const most = path.length + MOST_PARTS;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else left.unshift(...leave(files, from, parts));
    if (left.length > most) refuse(ERRNO.loop);
  }
  const name = below(from, parts);
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) refuse(ERRNO.nametoolong);
  return {
    name,
    directory: /(^|\/)\.{0,2}$/.test(path),
    dots: /(?:^|\/)(\.{1,2})\/*$/.exec(path)?.[1] as HostPath["dots"],
    slash: path.endsWith("/"),
    start: parts.length === 0,
  };
}

/** Leaves a directory by `..`. One that is reached by a link is left where it is: what is to be gone instead. */
function leave(files: ByteFiles, from: string, parts: string[]): string[] {
  if (parts.length === 0) refuse(ERRNO.notcapable);
  const name = below(from, parts);
  const facts = files.stat(name, false);
  if (typeof facts === "number") return refuse(errnoAt(files, name, facts));
  if (facts.kind === "file") refuse(ERRNO.notdir);
  parts.pop();
  if (facts.kind === "directory") return [];
  const leads = files.readLink(name);
  return typeof leads === "number" ? refuse(errnoOf(leads)) : [...leads.split("/"), ".."];
}

/** The name of a path below a directory; `.` is where the names of a host start. */
export function below(directory: string, parts: readonly string[]): string {
  if (parts.length === 0) return directory;
  const path = parts.join("/");
  return directory === "." ? path : directory.endsWith("/") ? directory + path : `${directory}/${path}`;
}

/** The error number of a failed call for `name`. If nothing is there: `notdir` if the way to it goes through a file. */
export function errnoAt(files: ByteFiles, name: string, status: number): number {
  if (status !== -STATUS["not-found"]) return errnoOf(status);
  for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
    const facts = files.stat(name.slice(0, at));
    if (typeof facts !== "number") return facts.kind === "file" ? ERRNO.notdir : ERRNO.noent;
  }
  return ERRNO.noent;
}

/** Ends the call with `noent` or `notdir` unless the place lies in a directory. */
export function mustHaveFolder(files: ByteFiles, { name, start }: HostPath): void {
  const end = name.lastIndexOf("/");
  if (start || end <= 0) return;
  const folder = name.slice(0, end);
  const facts = files.stat(folder);
  if (typeof facts === "number") refuse(errnoAt(files, folder, facts));
  else if (facts.kind === "file") refuse(ERRNO.notdir);
}

// How `path_open` opens: from its flags to one of the modes of a host.

/** What a program asks for. */
interface Wish {
  /** Flags of {@link OPEN_FLAG}. */
  readonly how: number;
  /** Whether the descriptor may write. */
  readonly write: boolean;
  /** Whether all writes go to the end. */
  readonly append: boolean;
}

/** Opens a file or a directory as wished, or ends the call. */
export function openNode(files: ByteFiles, place: HostPath, wish: Wish): OpenFile | OpenDirectory {
  const { how, write } = wish;
  if (!place.directory && how === 0 && !write) return openToRead(files, place);
  const facts = files.stat(place.name);
  if (typeof facts === "number" && facts !== -STATUS["not-found"]) refuse(errnoAt(files, place.name, facts));
  if (typeof facts === "number") return create(files, place, wish, facts);
  if (how & OPEN_FLAG.create && place.slash) refuse(ERRNO.isdir);
  if (how & OPEN_FLAG.create && how & OPEN_FLAG.exclusive) refuse(ERRNO.exist);
  return facts.kind === "directory" ? directory(place, wish) : openThere(files, place, wish);
}

/** The short way, without a question before: most files are opened so. */
function openToRead(files: ByteFiles, { name }: HostPath): OpenFile | OpenDirectory {
  const file = files.open(name, "read_only");
  if (file === -STATUS["is-directory"]) return { kind: "directory", name };
  if (file < 0) refuse(errnoAt(files, name, file));
  return { kind: "file", name, file, appends: false, cursor: 0 };
}

function directory({ name }: HostPath, { how, write }: Wish): OpenDirectory {
  if (write || how & (OPEN_FLAG.create | OPEN_FLAG.truncate)) refuse(ERRNO.isdir);
  return { kind: "directory", name };
}

function openThere(files: ByteFiles, place: HostPath, wish: Wish): OpenFile {
  if (place.directory || wish.how & OPEN_FLAG.directory) refuse(ERRNO.notdir);
  const truncate = (wish.how & OPEN_FLAG.truncate) !== 0;
  if (truncate) return emptied(files, place, wish);
  return opened(files, place, wish);
}

function create(files: ByteFiles, place: HostPath, wish: Wish, missing: number): OpenFile {
  if (!(wish.how & OPEN_FLAG.create)) refuse(errnoAt(files, place.name, missing));
  if (place.directory) refuse(ERRNO.isdir); // a file cannot have such a name
  return emptied(files, place, wish, "append_only");
}

/** Makes or empties the file first, then opens it in the mode that it stays in. */
function emptied(
  files: ByteFiles,
  place: HostPath,
  wish: Wish,
  mode: "append_only" | "erase_read_write" = "erase_read_write",
): OpenFile {
  const file = files.open(place.name, mode); // to append keeps what another thread may have written since
  if (file < 0) refuse(errnoAt(files, place.name, file));
  if (mode === "erase_read_write" && !wish.append) {
    return { kind: "file", name: place.name, file, appends: false, cursor: 0 };
  }
  files.close(file);
  return opened(files, place, wish);
}

function opened(files: ByteFiles, { name }: HostPath, { write, append }: Wish): OpenFile {
  const appends = write && append;
  const file = files.open(name, appends ? "append_read" : write ? "read_write" : "read_only");
  if (file < 0) refuse(errnoAt(files, name, file));
  return { kind: "file", name, file, appends, cursor: 0 };
}
