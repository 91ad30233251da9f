/**
 * Calls with paths: open, make, remove and rename files and directories below those that a program has.
 *
 * @module
 */

import {
  ALL_FD_FLAGS,
  ALL_RIGHTS,
  DIRECTORY_RIGHTS,
  ERRNO,
  errnoOf,
  FD_FLAG,
  FILE_RIGHTS,
  FILE_TYPE,
  FOLLOW,
  granted,
  OPEN_FLAG,
  refuse,
  RIGHT,
} from "../common/codes.ts";
import type { OpenDirectory, ProgramState } from "../common/descriptors.ts";
import { entryBytes, numberOf, setTimes, typeOf, writeStat } from "./file_stats.ts";
import { below, errnoAt, type HostPath, mustHaveFolder, openNode, placeOf } from "./paths.ts";

/** Rights that need a file that can be written. */
const WRITES = RIGHT.fdDatasync | RIGHT.fdWrite | RIGHT.fdAllocate | RIGHT.fdFilestatSetSize;

/** All flags of `path_open`. */
const ALL_OPEN_FLAGS = 15;

/** The calls with paths. */
export function pathCalls(
  state: ProgramState,
) {
  const { memory, files, descriptors } = state;
  const place = (fd: number, right: number, path: number, length: number): HostPath => {
    const { node } = descriptors.directory(fd, right);
    return placeOf(files, node.name, memory.text(path, length));
  };
  /** What is at a place, or the call ends; a link itself unless it is followed. A `/` at the end of a path follows. */
  const facts = ({ name, directory, dots, slash }: HostPath, follow = false) => {
    const found = state.times.factsOf(files, name, follow || slash || dots !== undefined);
    if (typeof found === "number") return refuse(errnoAt(files, name, found));
    return directory && found.kind !== "directory" ? refuse(ERRNO.notdir) : found;
  };
  const follows = (lookup: number) => (lookup & FOLLOW) !== 0;
  /** Refuses the place of a new name where there is one already, also a link to nothing. */
  const mustBeFree = (where: HostPath) => {
    if (where.dots) facts(where); // the directory that it would lie in
    if (typeof files.stat(where.name, false) !== "number") refuse(ERRNO.exist);
  };
  return {
    path_open(
      fd: number,
      lookup: number,
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
      if (!follows(lookup) || how & OPEN_FLAG.exclusive) mustBeNoLink(where, how);
      const wish = { how, write: (asked & WRITES) !== 0, append: (flags & FD_FLAG.append) !== 0 };
      const node = openNode(files, where, wish);
      const kept = node.kind === "directory" ? DIRECTORY_RIGHTS : FILE_RIGHTS;
      const passed = node.kind === "directory" ? later : 0;
      const opened = descriptors.add({ node, base: asked & kept, inheriting: passed, flags });
      memory.setU32(result, opened);
      return ERRNO.success;
    },
    path_filestat_get(fd: number, lookup: number, path: number, length: number, result: number): number {
      const where = place(fd, RIGHT.pathFilestatGet, path, length);
      memory.span(result, 64);
      writeStat(memory, result, where.name, facts(where, follows(lookup)));
      return ERRNO.success;
    },
    path_filestat_set_times(
      fd: number,
      lookup: number,
      path: number,
      length: number,
      accessed: bigint,
      modified: bigint,
      flags: number,
    ): number {
      const where = place(fd, RIGHT.pathFilestatSetTimes, path, length);
      facts(where, follows(lookup));
      return setTimes(state, where.name, { accessed, modified, flags }, follows(lookup) || where.slash);
    },
    path_create_directory(fd: number, path: number, length: number): number {
      const where = place(fd, RIGHT.pathCreateDirectory, path, length);
      mustBeFree(where);
      const status = files.mkdir(where.name);
      return status < 0 ? errnoAt(files, where.name, status) : ERRNO.success;
    },
    path_remove_directory(fd: number, path: number, length: number): number {
      const where = place(fd, RIGHT.pathRemoveDirectory, path, length);
      const { kind } = facts({ ...where, slash: false });
      if (kind !== "directory") refuse(ERRNO.notdir);
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
      const found = files.stat(where.name, where.dots !== undefined);
      if (typeof found === "number") return errnoAt(files, where.name, found);
      if (found.kind === "directory") refuse(ERRNO.isdir);
      if (where.directory) refuse(ERRNO.notdir);
      granted(files.remove(where.name));
      return ERRNO.success;
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
      const isFile = facts({ ...from, slash: false }).kind !== "directory";
      const there = files.stat(target.name, false);
      if (target.directory && isFile) refuse(ERRNO.notdir);
      if (!isFile && from.name !== target.name && `${target.name}/`.startsWith(`${from.name}/`)) {
        refuse(ERRNO.inval);
      }
      if (from.name === target.name) return ERRNO.success;
      if (`${from.name}/`.startsWith(`${target.name}/`)) refuse(ERRNO.notempty);
      if (typeof there !== "number") mayReplace(isFile, there.kind !== "directory", target.name);
      const status = files.rename(from.name, target.name);
      return status < 0 ? errnoAt(files, target.name, status) : ERRNO.success;
    },
    path_link(
      fd: number,
      lookup: number,
      path: number,
      length: number,
      to: number,
      toPath: number,
      toLength: number,
    ): number {
      const from = place(fd, RIGHT.pathLinkSource, path, length);
      if (follows(lookup)) refuse(ERRNO.inval); // links of links only, as in other hosts
      const { kind } = facts(from);
      const target = place(to, RIGHT.pathLinkTarget, toPath, toLength);
      mustHaveFolder(files, target);
      mustBeFree(target);
      if (target.directory) refuse(ERRNO.noent);
      if (kind === "directory") refuse(ERRNO.perm);
      const status = files.link(from.name, target.name);
      return status < 0 ? errnoAt(files, target.name, status) : ERRNO.success;
    },
    path_symlink(text: number, textLength: number, fd: number, path: number, length: number): number {
      const leads = memory.text(text, textLength);
      const where = place(fd, RIGHT.pathSymlink, path, length);
      if (leads === "") refuse(ERRNO.noent);
      if (leads.startsWith("/") || leads.split("/").includes("..")) refuse(ERRNO.notcapable);
      mustHaveFolder(files, where);
      mustBeFree(where);
      if (where.directory) refuse(ERRNO.noent);
      const status = files.symlink(leads, where.name);
      return status < 0 ? errnoAt(files, where.name, status) : ERRNO.success;
    },
    path_readlink(
      fd: number,
      path: number,
      length: number,
      to: number,
      size: number,
      result: number,
    ): number {
      const out = memory.span(to, size);
      memory.u32(result);
      const where = place(fd, RIGHT.pathReadlink, path, length);
      if (facts(where).kind !== "link") refuse(ERRNO.inval);
      const leads = files.readLink(where.name);
      if (typeof leads === "number") return errnoAt(files, where.name, leads);
      memory.setU32(result, put(out, leads));
      return ERRNO.success;
    },
  };

  /** POSIX: with `O_NOFOLLOW` a link is not opened, with `O_EXCL` it is there. */
  function mustBeNoLink({ name, directory }: HostPath, how: number): void {
    const found = directory ? 0 : files.stat(name, false);
    if (typeof found === "number" || found.kind !== "link") return;
    if (how & OPEN_FLAG.create && how & OPEN_FLAG.exclusive) refuse(ERRNO.exist);
    refuse(how & OPEN_FLAG.directory ? ERRNO.notdir : ERRNO.loop);
  }

  /** POSIX: a file replaces a file, a directory an empty directory. */
  function mayReplace(isFile: boolean, toFile: boolean, name: string): void {
    if (isFile && !toFile) refuse(ERRNO.isdir);
    if (!isFile && toFile) refuse(ERRNO.notdir);
    if (toFile) return;
    const names = files.list(name);
    if (typeof names !== "number" && names.length > 0) refuse(ERRNO.notempty);
  }
}

/** Writes what fits of a text: the bytes written. */
function put(out: Uint8Array, text: string): number {
  const bytes = new TextEncoder().encode(text).subarray(0, out.length);
  out.set(bytes);
  return bytes.length;
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

// Calls that read directories, and those that tell a program which directories it has from the start.

/** The calls `fd_readdir`, `fd_prestat_get` and `fd_prestat_dir_name`. */
export function directoryCalls(
  { memory, files, descriptors }: ProgramState,
) {
  const preopened = (fd: number): Uint8Array => {
    const { node } = descriptors.get(fd);
    const name = node.kind === "directory" ? node.preopen : undefined;
    return name === undefined ? refuse(ERRNO.badf) : new TextEncoder().encode(name);
  };
  const entry = ({ name: directory, entries }: OpenDirectory, index: number): Uint8Array => {
    const name = entries![index]!;
    const path = name === "." || name === ".." ? directory : below(directory, [name]);
    const facts = files.stat(path, false);
    const known = typeof facts === "number" ? undefined : facts; // it may be gone meanwhile
    const type = known ? typeOf(known) : FILE_TYPE.unknown;
    return entryBytes(index + 1, numberOf(path, known ?? { number: 0n }), type, name);
  };
  return {
    fd_readdir(fd: number, buffer: number, length: number, cookie: bigint, result: number): number {
      const { node } = descriptors.directory(fd, RIGHT.fdReaddir);
      const out = memory.span(buffer, length);
      memory.u32(result);
      if (cookie === 0n || !node.entries) { // from the start: a fresh look
        const names = files.list(node.name);
        if (typeof names === "number") return errnoOf(names);
        node.entries = [".", "..", ...names];
      }
      const { entries } = node;
      if (cookie < 0n || cookie > BigInt(entries.length)) refuse(ERRNO.inval);
      let used = 0;
      for (let index = Number(cookie); index < entries.length && used < out.length; index++) {
        const bytes = entry(node, index).subarray(0, out.length - used); // the last one may be cut off: the program asks again
        out.set(bytes, used);
        used += bytes.length;
      }
      memory.setU32(result, used);
      return ERRNO.success;
    },
    fd_prestat_get(fd: number, result: number): number {
      const name = preopened(fd);
      memory.setU32(result, 0); // a directory: there is no other kind
      memory.setU32(result + 4, name.length);
      return ERRNO.success;
    },
    fd_prestat_dir_name(fd: number, pointer: number, length: number): number {
      const name = preopened(fd);
      if (length >>> 0 < name.length) refuse(ERRNO.nametoolong);
      memory.span(pointer, name.length).set(name);
      return ERRNO.success;
    },
  };
}
