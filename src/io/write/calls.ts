/**
 * The calls of the operating system that write files, in one place, so that tests can replace them by failing ones.
 *
 * In Deno its own calls are used: `node:fs` would take 5 MiB and some milliseconds in every worker that writes.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type ErrorCode, TilewiseError } from "../../errors.ts";
import { deniedError, isDenied } from "../source/permission.ts";

/** A file that is being written from its start. */
export interface WrittenFile {
  /** Writes some of `bytes` after what was written before. */
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  /** Gives it this size. */
  truncate(size: number): Promise<void>;
  /** Waits until everything is on the disk: some file systems report only then that they are full. */
  sync(): Promise<void>;
  /** Closes it. */
  close(): Promise<void>;
}

/** The calls of the operating system for writing files. */
export interface WriteCalls {
  /** Makes the file `path`, which must not exist; `mode`: its permissions, if the system has them. */
  create(path: string, mode?: number): Promise<WrittenFile>;
  /** Waits until everything that was written to the existing file `path` is on the disk. */
  sync(path: string): Promise<void>;
  /** Renames a file; an existing file with the new name is replaced. */
  rename(from: string, to: string): Promise<void>;
  /** Gives the file `from` the second name `to`. */
  link(from: string, to: string): Promise<void>;
  /** Waits until the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>;
  /** Writes some of `bytes` at `position` of the existing file `path`; the number of bytes written. */
  writeAt(path: string, bytes: Uint8Array, position: number): number;
  /** Keeps the existing file `path` open for the writes of this thread, until the result is disposed of. */
  hold(path: string): Disposable;
}

let replaced: WriteCalls | undefined;
let system: Promise<WriteCalls> | undefined;

/** The calls: those of the operating system, unless a test has replaced them on this thread. */
export async function writeCalls(): Promise<WriteCalls> {
  return replaced ?? await (system ??= systemCalls());
}

/** For tests: other calls on this thread until the result is disposed of. */
export function replaceWriteCalls(calls: WriteCalls): Disposable {
  const before = replaced;
  replaced = calls;
  return { [Symbol.dispose]: () => void (replaced = before) };
}

async function systemCalls(): Promise<WriteCalls> {
  return "Deno" in globalThis && Deno.build.os !== "windows" ? DENO_CALLS : await nodeCalls();
}

/** The calls of Deno. */
const DENO_CALLS: WriteCalls = {
  async create(path, mode) {
    const options = { write: true, createNew: true, ...defined({ mode }) };
    return written(await Deno.open(path, options));
  },
  async sync(path) {
    const file = written(await Deno.open(path, { write: true }));
    await syncFile(file).finally(() => file.close());
  },
  rename: (from, to) => Deno.rename(from, to),
  link: (from, to) => Deno.link(from, to),
  async syncFolder(path) {
    const folder = await Deno.open(path, { read: true });
    await folder.sync().finally(() => folder.close());
  },
  async remove(path) {
    await Deno.remove(path).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  },
  ...heldOpen(
    (path) => Deno.openSync(path, { write: true }),
    (file, bytes, position) => {
      file.seekSync(position, Deno.SeekMode.Start);
      return file.writeSync(bytes);
    },
    (file) => file.close(),
  ),
};

/** Writes to files that are opened for each write, unless they are held open. */
function heldOpen<F>(
  open: (path: string) => F,
  write: (file: F, bytes: Uint8Array, position: number) => number,
  close: (file: F) => void,
): Pick<WriteCalls, "writeAt" | "hold"> {
  const held = new Map<string, F>();
  return {
    writeAt(path, bytes, position) {
      const own = held.get(path);
      if (own !== undefined) return write(own, bytes, position);
      const file = open(path);
      try {
        return write(file, bytes, position);
      } finally {
        close(file);
      }
    },
    hold(path) {
      const file = open(path);
      held.set(path, file);
      return {
        [Symbol.dispose]() {
          held.delete(path);
          close(file);
        },
      };
    },
  };
}

function written(file: Deno.FsFile): WrittenFile {
  return {
    write: async (bytes) => ({ bytesWritten: await file.write(bytes) }),
    truncate: (size) => file.truncate(size),
    sync: () => file.sync(),
    close: () => Promise.resolve(file.close()),
  };
}

/** Node's modules are loaded when first needed, so that browsers can import this file. */
async function nodeCalls(): Promise<WriteCalls> {
  const [fs, { closeSync, openSync, writeSync }] = await Promise.all([
    import("node:fs/promises"),
    import("node:fs"),
  ]);
  return {
    create: (path, mode) => fs.open(path, "wx", mode),
    async sync(path) {
      const file = await fs.open(path, "r+");
      await syncFile(file).finally(() => file.close());
    },
    rename: (from, to) => fs.rename(from, to),
    link: (from, to) => fs.link(from, to),
    async syncFolder(path) {
      const folder = await fs.open(path, "r");
      await folder.sync().finally(() => folder.close());
    },
    remove: (path) => fs.rm(path, { force: true }),
    ...heldOpen(
      (path) => openSync(path, "r+"),
      (file, bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
      closeSync,
    ),
  };
}

/** Some file systems cannot do this; then there is nothing to wait for. */
export async function syncFile(file: Pick<WrittenFile, "sync">): Promise<void> {
  await file.sync().catch((error: { code?: string }) => {
    if (!["EINVAL", "ENOTSUP", "ENOSYS"].includes(error.code ?? "")) throw error;
  });
}

// Typed errors for the errors of a file system while a file is written.

const FULL = "the disk is full; free some space or write to another disk";

const REASONS: Readonly<Record<string, [ErrorCode, string]>> = {
  ENOENT: ["not-found", "its folder does not exist; make it first"],
  ENOTDIR: ["not-found", "a part of its path is a file, not a folder"],
  EISDIR: ["not-a-file", "a folder has this name; choose another"],
  EACCES: ["permission", "the folder may not be written to"],
  EPERM: ["permission", "the folder may not be written to"],
  EROFS: ["permission", "the file system is read-only"],
  ENOSPC: ["io", FULL],
  EDQUOT: ["io", "your quota of the disk is used up; free some space or write to another disk"],
  EFBIG: ["io", "the file would be larger than the file system or a limit of this process permits"],
  EIO: ["io", "the disk reports an error"],
  ENAMETOOLONG: ["invalid", "the name is too long"],
};

/** Errors without a code in Deno, by their text. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/os error 28\b|no space left/i, "ENOSPC"],
  [/os error 122\b|quota exceeded/i, "EDQUOT"],
  [/os error 27\b|file too large/i, "EFBIG"],
];

/** Error codes of file systems without hard links, or without one for this file. */
export const NO_LINKS: readonly string[] = [
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
  "EISDIR",
  "EINVAL",
];

/** The typed error for what a call that writes `path` threw; a `TilewiseError` passes unchanged. */
export function writeError(path: string, cause: unknown): TilewiseError {
  if (cause instanceof TilewiseError) return cause;
  if (isDenied(cause)) return deniedError(`Cannot write ${path}`, cause, { file: path });
  const { message = String(cause) } = cause as { message?: string };
  const code = (cause as { code?: string }).code ?? TEXTS.find(([text]) => text.test(message))?.[1];
  const [kind, reason] = REASONS[code ?? ""] ?? ["io", message];
  return new TilewiseError(kind, `Cannot write ${path}: ${reason}`, { file: path, found: code ?? "error" }, {
    cause,
  });
}
