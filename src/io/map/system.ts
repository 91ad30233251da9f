/**
 * The calls of the C library that map files, by the foreign function interface of Deno.
 *
 * @module
 */

const SYMBOLS = {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  fstat: { parameters: ["i32", "buffer"], result: "i32" },
  mmap: { parameters: ["pointer", "usize", "i32", "i32", "i32", "i64"], result: "pointer" },
  mprotect: { parameters: ["pointer", "usize", "i32"], result: "i32" },
  madvise: { parameters: ["pointer", "usize", "i32"], result: "i32" },
  sigaction: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  getpagesize: { parameters: [], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The calls. */
export type SystemCalls = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** Numbers of Linux on x86-64, from its headers. */
export const LINUX = {
  /** Close the file when another program is started. */
  O_CLOEXEC: 0o2000000,
  /** Readable, writable. */
  PROT_READ_WRITE: 3,
  /** Readable, executable. */
  PROT_READ_EXEC: 5,
  /** A copy of what is written, for this process alone. */
  MAP_PRIVATE: 0x02,
  /** At this address, in place of what is there. */
  MAP_FIXED: 0x10,
  /** Zeros, not a file. */
  MAP_ANONYMOUS: 0x20,
  /** Without a promise of memory for all of it. */
  MAP_NORESERVE: 0x4000,
  /** Makes pages readable now, and says if one of them cannot be; since Linux 5.14. */
  MADV_POPULATE_READ: 22,
  /** The signal for pages of a file that ends before them. */
  SIGBUS: 7,
} as const;

/** The flags with which memory lies where no file is mapped. */
export const ANONYMOUS: number = LINUX.MAP_PRIVATE | LINUX.MAP_FIXED | LINUX.MAP_ANONYMOUS |
  LINUX.MAP_NORESERVE;

/** What `mmap` returns when it fails. */
export const FAILED: bigint = 2n ** 64n - 1n;

let opened: SystemCalls | undefined;

/** The calls; loaded once per thread. Errors are those of Deno: ask `whyNoPages` first. */
export function system(): SystemCalls {
  return opened ??= Deno.dlopen("libc.so.6", SYMBOLS).symbols;
}

/** The address of a byte of `memory`. */
export function addressOf(memory: WebAssembly.Memory, offset: number): bigint {
  return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(new Uint8Array(memory.buffer, offset, 1))));
}
