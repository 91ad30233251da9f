/**
 * Calls with paths: open, make, remove and rename files and directories below those that a program has.
 *
 * @module
 */

import { STATUS } from "../../protocol/status.ts";
import {
  ALL_FD_FLAGS,
  ALL_RIGHTS,
  DIRECTORY_RIGHTS,
  FD_FLAG,
  FILE_RIGHTS,
  OPEN_FLAG,
  RIGHT,
} from "../common/codes.ts";
import { ERRNO, errnoOf, granted, refuse } from "../common/errno.ts";
import { writeStat } from "./file_stats.ts";
import { openNode } from "./opening.ts";
import { errnoAt, mustHaveFolder, type Place, placeOf } from "./paths.ts";
import type { ProgramState, WasiCalls } from "../common/state.ts";

/** Rights that need a file that can be written. */
const WRITES = RIGHT.fdDatasync | RIGHT.fdWrite | RIGHT.fdAllocate | RIGHT.fdFilestatSetSize;

/** All flags of `path_open`. */
const ALL_OPEN_FLAGS = 15;

/** The calls with paths. */
export function pathCalls(
  { memory, files, descriptors }: ProgramState,
): WasiCalls<
  | "path_open"
  | "path_filestat_get"
  | "path_filestat_set_times"
  | "path_create_directory"
  | "path_remove_directory"
  | "path_unlink_file"
  | "path_rename"
  | "path_link"
  | "path_symlink"
  | "path_readlink"
> {
  const place = (fd: number, right: number, path: number, length: number): Place => {
    const { node } = descriptors.directory(fd, right);
    return placeOf(files, node.name, memory.text(path, length));
  };
  /** What is at a place, or the call ends. */
  const facts = ({ name, directory }: Place) => {
    const found = files.stat(name);
    if (typeof found === "number") return refuse(errnoAt(files, name, found));
    return directory && found.kind === "file" ? refuse(ERRNO.notdir) : found;
  };
  return {
    path_open(
      fd: number,
      _lookup: number, // links are followed by the host, which knows where they may lead
      path: number,
      length: number,
      how: number,
      base: bigint,
      inheriting: bigint,
      flags: number,
      result: number,
    ): number {
      const from = descriptors.directory(fd, rightsFor(how));
      memory.u32(result);
      if (how & ~ALL_OPEN_FLAGS || flags & ~ALL_FD_FLAGS) refuse(ERRNO.inval);
      if (how & OPEN_FLAG.create && how & OPEN_FLAG.directory) refuse(ERRNO.inval);
      const [asked, later] = [known(base), known(inheriting)];
      if ((asked | later) & ~from.inheriting) refuse(ERRNO.notcapable);
      descriptors.free();
      const where = placeOf(files, from.node.name, memory.text(path, length));
      const wish = { how, write: (asked & WRITES) !== 0, append: (flags & FD_FLAG.append) !== 0 };
      const node = openNode(files, where, wish);
      const kept = node.kind === "directory" ? DIRECTORY_RIGHTS : FILE_RIGHTS;
      const passed = node.kind === "directory" ? later : 0;
      const opened = descriptors.add({ node, base: asked & kept, inheriting: passed, flags });
      memory.setU32(result, opened);
      return ERRNO.success;
    },
    path_filestat_get(fd: number, _lookup: number, path: number, length: number, result: number): number {
      const where = place(fd, RIGHT.pathFilestatGet, path, length);
      memory.span(result, 64);
      writeStat(memory, result, where.name, facts(where));
      return ERRNO.success;
    },
    path_filestat_set_times(fd: number, _lookup: number, path: number, length: number): number {
      facts(place(fd, RIGHT.pathFilestatSetTimes, path, length));
      return ERRNO.notsup; // back ends do not set times
    },
    path_create_directory(fd: number, path: number, length: number): number {
      const where = place(fd, RIGHT.pathCreateDirectory, path, length);
      if (where.dots) facts(where); // the directory that it would lie in
      if (typeof files.stat(where.name) !== "number") refuse(ERRNO.exist);
      const status = files.mkdir(where.name);
      return status < 0 ? errnoAt(files, where.name, status) : ERRNO.success;
    },
    path_remove_directory(fd: number, path: number, length: number): number {
      const where = place(fd, RIGHT.pathRemoveDirectory, path, length);
      if (facts(where).kind === "file") refuse(ERRNO.notdir);
      if (where.dots === "..") refuse(ERRNO.notempty);
      if (where.dots || where.start) refuse(ERRNO.inval);
      const names = files.list(where.name);
      if (typeof names === "number") return errnoOf(names);
      if (names.length > 0) refuse(ERRNO.notempty);
      granted(files.remove(where.name));
      return ERRNO.success;
    },
    path_unlink_file(fd: number, path: number, length: number): number {
      const where = place(fd, RIGHT.pathUnlinkFile, path, length);
      const found = files.stat(where.name);
      if (typeof found === "number" && found !== -STATUS["not-found"]) return errnoOf(found);
      if (typeof found !== "number" && found.kind === "directory") refuse(ERRNO.isdir);
      if (typeof found !== "number" && where.directory) refuse(ERRNO.notdir);
      const status = files.remove(where.name); // also a link to nothing
      return status < 0 ? errnoAt(files, where.name, status) : ERRNO.success;
    },
    path_rename(
      fd: number,
      path: number,
      length: number,
      to: number,
      toPath: number,
      toLength: number,
    ): number {
      const from = place(fd, RIGHT.pathRenameSource, path, length);
      mustHaveFolder(files, from);
      if (from.dots) facts(from);
      const target = place(to, RIGHT.pathRenameTarget, toPath, toLength);
      mustHaveFolder(files, target);
      if (target.dots) facts(target);
      if (from.start || target.start || from.dots || target.dots) refuse(ERRNO.busy);
      const isFile = facts(from).kind === "file";
      const there = files.stat(target.name);
      if (target.directory && isFile) refuse(ERRNO.notdir);
      if (!isFile && from.name !== target.name && `${target.name}/`.startsWith(`${from.name}/`)) {
        refuse(ERRNO.inval);
      }
      if (from.name === target.name) return ERRNO.success;
      if (`${from.name}/`.startsWith(`${target.name}/`)) refuse(ERRNO.notempty);
      if (typeof there !== "number") mayReplace(isFile, there.kind === "file", target.name);
      const status = files.rename(from.name, target.name);
      return status < 0 ? errnoAt(files, target.name, status) : ERRNO.success;
    },
    path_link(
      fd: number,
      _lookup: number,
      path: number,
      length: number,
      to: number,
      toPath: number,
      toLength: number,
    ): number {
      facts(place(fd, RIGHT.pathLinkSource, path, length));
      place(to, RIGHT.pathLinkTarget, toPath, toLength);
      return ERRNO.notsup; // back ends have no links
    },
    path_symlink(text: number, textLength: number, fd: number, path: number, length: number): number {
      memory.text(text, textLength);
      place(fd, RIGHT.pathSymlink, path, length);
      return ERRNO.notsup;
    },
    path_readlink(
      fd: number,
      path: number,
      length: number,
      _to: number,
      _size: number,
      result: number,
    ): number {
      memory.u32(result);
      facts(place(fd, RIGHT.pathReadlink, path, length));
      return ERRNO.inval; // it is no link, as links are followed
    },
  };

  /** POSIX: a file replaces a file, a directory an empty directory. */
  function mayReplace(isFile: boolean, toFile: boolean, name: string): void {
    if (isFile && !toFile) refuse(ERRNO.isdir);
    if (!isFile && toFile) refuse(ERRNO.notdir);
    if (toFile) return;
    const names = files.list(name);
    if (typeof names !== "number" && names.length > 0) refuse(ERRNO.notempty);
  }
}

/** Rights that a directory must have for flags of `path_open`. */
function rightsFor(how: number): number {
  const create = how & OPEN_FLAG.create ? RIGHT.pathCreateFile : 0;
  const truncate = how & OPEN_FLAG.truncate ? RIGHT.pathFilestatSetSize : 0;
  return RIGHT.pathOpen | create | truncate;
}

/** The rights that the document has; some programs ask for all bits. */
function known(rights: bigint): number {
  return Number(rights & BigInt(ALL_RIGHTS));
}
