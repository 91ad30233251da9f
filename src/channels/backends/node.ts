/**
 * The files of the operating system, in Deno, Node and Bun.
 *
 * `node:fs` reads into shared memory and writes from it directly, at any position, so a transfer needs no copy. Nothing that a
 * kernel opens can block the thread: devices and pipes are opened without waiting, and give no bytes when there are none.
 *
 * @module
 */

import { isGranted } from "../../io/source/permission.ts";
import { fileError, isErrno, type NodeFacts, type OpenFlags, type SynchronousBackEnd } from "./back_end.ts";
import { type BigFacts, nodeFs, nodePath } from "./platform.ts";
import { type RootedPath, Roots } from "./roots.ts";

// Reads and writes of the operating system, until all is done or it is known how much was.

/** Bytes that a pipe takes as a whole or not at all, and a page of a file. */
const PIECE = 4096;

/** Fills `bytes[at … at + length)` from `position` on; fewer bytes at the end of the file. */
function fill(file: number, bytes: Uint8Array, at: number, length: number, position: number): number {
  const { readSync } = nodeFs();
  let done = readSync(file, bytes, at, length, position);
  for (let got = done; got > 0 && done < length; done += got) {
    got = readSync(file, bytes, at + done, length - done, position + done);
  }
  return done;
}

/** What a device or a pipe has now, at most `length` bytes; 0 where there is nothing yet. */
function drain(file: number, bytes: Uint8Array, at: number, length: number): number {
  try {
    return length && nodeFs().readSync(file, bytes, at, length, null);
  } catch (error) {
    if (isNothingYet(error)) return 0;
    throw error;
  }
}

/** Writes to a device or a pipe what it takes now. In pieces, as Deno does not say how much of a larger one was taken. */
function into(file: number, bytes: Uint8Array, at: number, length: number): number {
  let done = 0;
  try {
    while (done < length) {
      done += nodeFs().writeSync(file, bytes, at + done, Math.min(PIECE, length - done), null);
    }
  } catch (error) {
    if (done === 0 && !isNothingYet(error)) throw error;
  }
  return done;
}

function isNothingYet(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "EAGAIN";
}

/**
 * Writes `bytes[at … at + length)` at `position`, or at the end where it is `null`. A count that is too small means that the
 * device is full, say, which the next write reports; no byte at all is an error.
 */
function exactly(
  file: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  position: number | null,
): number {
  const before = position === null && length > PIECE ? nodeFs().fstatSync(file).size : 0;
  let done = 0;
  try {
    while (done < length) {
      const where = position === null ? null : position + done;
      done += nodeFs().writeSync(file, bytes, at + done, length - done, where);
    }
  } catch (error) {
    done = afterFailure(file, bytes, at, length, position, before, done);
    if (done === 0) throw error;
  }
  return done;
}

/**
 * How much a failed write has written: Deno writes in a loop of its own and does not tell. The same bytes are written again by
 * pages up to the one that fails; at the end of a file, its size tells.
 */
function afterFailure(
  file: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  position: number | null,
  before: number,
  known: number,
): number {
  if (length <= PIECE) return known;
  if (position === null) return Math.min(length, Math.max(known, nodeFs().fstatSync(file).size - before));
  let done = 0;
  try {
    while (done < length) {
      const page = Math.min(length - done, PIECE - (position + done) % PIECE);
      done += nodeFs().writeSync(file, bytes, at + done, page, position + done);
    }
  } catch (error) {
    if (isErrno(error, "EBADF")) return 0;
  }
  return done;
}

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
  if ("Deno" in globalThis) return isGranted({ name: "read", path });
  try {
    nodeFs().accessSync(path);
    return true;
  } catch (error) {
    return isErrno(error, "ENOENT");
  }
}
