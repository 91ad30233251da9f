/**
 * The files of the operating system, in Deno, Node and Bun.
 *
 * `node:fs` reads into shared memory and writes from it directly, at any position, so a transfer needs no copy. Nothing that a
 * kernel opens can block the thread: devices and pipes are opened without waiting, and give no bytes when there are none.
 *
 * @module
 */

import type { NodeFacts, OpenFlags, SynchronousBackEnd } from "./back_end.ts";
import { fileError, isErrno } from "./errors.ts";
import { type BigFacts, nodeFs, nodePath } from "./platform.ts";
import { type RootedPath, Roots } from "./roots.ts";
import { drain, exactly, fill, into } from "./transfers.ts";

/** A file that has an order of its own, such as a device or a pipe, not positions. */
type Streams = Set<number>;

/**
 * Files through `node:fs`: those below `roots`, or all that the runtime permits. Relative names start at the first root, or at
 * the current directory. Errors: those of {@link Roots}.
 */
export function systemFiles(folders?: readonly string[]): SynchronousBackEnd {
  const roots = folders && new Roots(folders);
  const streams: Streams = new Set();
  const place = (verb: string, name: string) => roots ? roots.follow(verb, name).path : name;
  const itself = (verb: string, name: string) => roots ? roots.parent(verb, name).path : name;
  const own = (verb: string, name: string) => roots ? notTheRoot(roots, verb, name) : name;
  return {
    synchronous: true,
    open(name, flags) {
      const file = roots ? openBelow(roots, name, flags) : openAt(name, flags);
      try {
        const kind = nodeFs().fstatSync(file);
        if (kind.isDirectory()) throw fileError("EISDIR", `Cannot open ${name}: it is a directory`);
        if (!kind.isFile() && !kind.isBlockDevice()) streams.add(file);
        return file;
      } catch (error) {
        nodeFs().closeSync(file);
        throw error;
      }
    },
    close(file) {
      streams.delete(file);
      nodeFs().closeSync(file);
    },
    size: (file) => streams.has(file) ? Infinity : nodeFs().fstatSync(file).size,
    read(file, bytes, at, length, position) {
      return streams.has(file) ? drain(file, bytes, at, length) : fill(file, bytes, at, length, position);
    },
    write(file, bytes, at, length, position) {
      return streams.has(file) ? into(file, bytes, at, length) : exactly(file, bytes, at, length, position);
    },
    flush(file) {
      if (!streams.has(file)) nodeFs().fsyncSync(file);
    },
    truncate(file, bytes) {
      if (!streams.has(file)) return nodeFs().ftruncateSync(file, bytes);
      throw fileError("EINVAL", "Cannot cut a device or a pipe: it has no length");
    },
    stat(name) {
      const facts = nodeFs().statSync(place("look at", name));
      const kind = facts.isDirectory() ? "directory" : "file";
      const isStream = kind === "file" && !facts.isFile() && !facts.isBlockDevice();
      const bytes = isStream ? Infinity : kind === "file" ? facts.size : 0;
      return { bytes, kind, modified: facts.mtimeMs };
    },
    list: (name) => nodeFs().readdirSync(place("list", name)).sort(),
    remove(name) {
      const path = own("remove", name);
      if (nodeFs().lstatSync(path).isDirectory()) nodeFs().rmdirSync(path);
      else nodeFs().unlinkSync(path);
    },
    mkdir: (name) => void nodeFs().mkdirSync(own("make", name)),
    rename: (from, to) => nodeFs().renameSync(own("rename", from), own("rename", to)),
    look(name, follow) {
      if (follow) return factsOf(nodeFs().statSync(place("look at", name), { bigint: true }));
      return factsOf(nodeFs().lstatSync(itself("look at", name), { bigint: true }));
    },
    setTimes(name, { accessed, modified }, follow) {
      const path = (follow ? place : itself)("set the times of", name); // if it is followed, it is not a link any more
      const change = follow && !roots ? nodeFs().utimesSync : nodeFs().lutimesSync;
      change(path, Number(accessed) / 1e9, Number(modified) / 1e9);
    },
    link: (from, to) => nodeFs().linkSync(own("link", from), own("link", to)),
    symlink(text, name) {
      if (leadsOut(text)) throw fileError("EACCES", `Cannot make the link ${name}: ${text} may lead out`);
      nodeFs().symlinkSync(text, own("make", name));
    },
    readLink(name) {
      const text = nodeFs().readlinkSync(itself("read the link", name));
      if (!nodePath().isAbsolute(text)) return text;
      throw fileError("EACCES", `Cannot read the link ${name}: it has a whole path of this host`);
    },
  };
}

/** All files that the runtime permits. */
export const nodeFiles: SynchronousBackEnd = systemFiles();

function notTheRoot(roots: Roots, verb: string, name: string): string {
  const place = roots.parent(verb, name);
  if (!roots.isRoot(place)) return place.path;
  throw fileError("EEXIST", `Cannot ${verb} ${name}: it is the root ${place.root.given}`, { file: name });
}

/** Whether a link of this text could lead out of a folder, once it is moved to its top. */
function leadsOut(text: string): boolean {
  return nodePath().isAbsolute(text) || text.startsWith("/") || /(^|[\\/])\.\.([\\/]|$)|^[a-z]:/i.test(text);
}

function factsOf(facts: BigFacts): NodeFacts {
  const kind = facts.isSymbolicLink() ? "link" : facts.isDirectory() ? "directory" : "file";
  const isStream = kind === "file" && !facts.isFile() && !facts.isBlockDevice();
  return {
    bytes: isStream ? Infinity : kind === "directory" ? 0 : Number(facts.size),
    kind,
    modified: Number(facts.mtimeMs),
    number: facts.ino,
    links: Number(facts.nlink),
    times: { accessed: facts.atimeNs, modified: facts.mtimeNs, changed: facts.ctimeNs },
  };
}

/** Opens without waiting: a pipe would wait for its other end. */
function openAt(path: string, flags: OpenFlags): number {
  return nodeFs().openSync(path, numberOf(flags) | emptying(flags), 0o666);
}

/** Opens, checks that it is the file that was meant, and empties it only then. */
function openBelow(roots: Roots, name: string, flags: OpenFlags): number {
  const fs = nodeFs();
  const place = roots.follow("open", name);
  const file = openNoLink(name, place, flags);
  try {
    roots.verify(file, name, place);
    if (flags.startsWith("w") && fs.fstatSync(file).isFile()) fs.ftruncateSync(file, 0);
    return file;
  } catch (error) {
    fs.closeSync(file);
    throw error;
  }
}

function openNoLink(name: string, { path, root }: RootedPath, flags: OpenFlags): number {
  try {
    return nodeFs().openSync(path, numberOf(flags) | (nodeFs().constants.O_NOFOLLOW ?? 0), 0o666);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "ELOOP") throw error;
    const text =
      `Cannot open ${name}: a link below the root ${root.given} leads nowhere, or round in a circle`;
    throw fileError("EACCES", text, { file: name, root: root.given }, error);
  }
}

function emptying(flags: OpenFlags): number {
  return flags.startsWith("w") ? nodeFs().constants.O_TRUNC : 0;
}

/** The flags of a mode as the system knows them, without the one that empties. */
function numberOf(flags: OpenFlags): number {
  const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_APPEND, O_NONBLOCK = 0, O_NOCTTY = 0 } = nodeFs().constants;
  const access = flags.endsWith("+") ? O_RDWR : flags === "r" ? O_RDONLY : O_WRONLY;
  const create = flags.startsWith("r") ? 0 : O_CREAT;
  return access | create | (flags.startsWith("a") ? O_APPEND : 0) | O_NONBLOCK | O_NOCTTY;
}

/** Whether the runtime would let this thread read `path` without asking anybody. */
export function isPermitted(path: string): boolean {
  const { Deno: deno } = globalThis as {
    readonly Deno?: { readonly permissions: { querySync(asked: object): { readonly state: string } } };
  };
  if (deno) return deno.permissions.querySync({ name: "read", path }).state === "granted";
  try {
    nodeFs().accessSync(path);
    return true;
  } catch (error) {
    return isErrno(error, "ENOENT");
  }
}
