/**
 * Locks on files as casacore takes them (`fcntl`): those of other programs, and one of this program. In Linux, in Deno with `-A`;
 * elsewhere none are seen and none are taken.
 *
 * @module
 */

import { isGranted } from "../source/permission.ts";

/** What Deno must permit before a process may look into `/proc`. */
const ALL = ["read", "write", "net", "env", "run", "sys", "ffi"];

/** The number of a process that has locked a part of the file `path`; `undefined` if none is known. */
export async function lockedBy(path: string): Promise<number | undefined> {
  if (!ALL.every((name) => isGranted({ name }))) return undefined; // Deno would ask
  const { readFile, stat } = await import("node:fs/promises");
  try {
    const [{ dev, ino }, text] = await Promise.all([
      stat(path, { bigint: true }),
      readFile("/proc/locks", "utf8"),
    ]);
    return holderOf(text, { dev, ino });
  } catch {
    return undefined; // no such file, another system, or not permitted
  }
}

/**
 * The first process in the list of locks that has locked a file, by its numbers. Lines are such as
 * `1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 1`.
 */
export function holderOf(
  text: string,
  { dev, ino }: { readonly dev: bigint; readonly ino: bigint },
): number | undefined {
  const major = (dev >> 8n & 0xfffn) | (dev >> 32n & 0xfffff000n);
  const minor = (dev & 0xffn) | (dev >> 12n & 0xffffff00n);
  for (const line of text.split("\n")) {
    const [, holder, a, b, number] =
      /^\d+: (?:POSIX|OFDLCK)\s+\S+\s+\S+\s+(-?\d+)\s+([\da-f]+):([\da-f]+):(\d+)\s/.exec(line) ?? [];
    if (holder === undefined) continue;
    if (BigInt(number!) === ino && BigInt(`0x${a}`) === major && BigInt(`0x${b}`) === minor) {
      return Number(holder);
    }
  }
  return undefined;
}

/** `fcntl()`, `open()`: the numbers of Linux. */
const SET_LOCK = 37, WRITE_LOCK = 1, NO_LOCK = 2;
/** `O_RDWR | O_CLOEXEC`: a process that is started meanwhile must not hold the lock, too. */
const READ_AND_WRITE = 0x80002;

/** Bytes of a lock file that casacore locks: against writers and readers, "in use", "in use for long". */
const LOCKED = 3;

/**
 * Locks the file `path` for this program until the result is disposed of; `taken` if another program has locked a part of it,
 * `undefined` where that is not possible. The lock belongs to what is opened here (an "open file description" lock), so that
 * it stays when the file is opened and closed elsewhere in this process.
 */
export function takeLock(path: string): Disposable | "taken" | undefined {
  if (!("Deno" in globalThis) || Deno.build.os !== "linux" || !isGranted({ name: "ffi" })) return undefined;
  const library = systemLibrary();
  if (!library) return undefined;
  const { open, fcntl, close } = library.symbols;
  const file = open(new TextEncoder().encode(`${path}\0`), READ_AND_WRITE);
  const release = () => {
    if (file >= 0) fcntl(file, SET_LOCK, request(NO_LOCK)); // a process that is just being started has the file open too
    if (file >= 0) close(file);
    library.close();
  };
  const isLocked = file >= 0 && fcntl(file, SET_LOCK, request(WRITE_LOCK)) === 0;
  if (isLocked) return { [Symbol.dispose]: release };
  release();
  return file < 0 ? undefined : "taken";
}

/** The structure `flock`: type, from where the place counts, place, length, process (0 for such locks). */
function request(kind: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(32));
  view.setInt16(0, kind, true);
  view.setBigInt64(16, BigInt(LOCKED), true);
  return new Uint8Array(view.buffer);
}

function systemLibrary() {
  try {
    return Deno.dlopen("libc.so.6", {
      open: { parameters: ["buffer", "i32"], result: "i32" },
      fcntl: { parameters: ["i32", "i32", "buffer"], result: "i32" },
      close: { parameters: ["i32"], result: "i32" },
    });
  } catch {
    return undefined; // another C library
  }
}
