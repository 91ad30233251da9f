/**
 * From the path that a program gives to the name of a file of the host: never above the directory it starts from.
 *
 * @module
 */

import { MAX_NAME_BYTES } from "../../protocol/channel.ts";
import { STATUS } from "../../protocol/status.ts";
import type { ByteFiles } from "../common/byte_files.ts";
import { ERRNO, errnoOf, refuse } from "../common/errno.ts";

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
