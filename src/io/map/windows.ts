/**
 * Windows: ranges of the memory of a run, one per worker, over which the workers map files.
 *
 * @module
 */

import { reasonOf } from "../../reason.ts";
import { mayDo } from "../source/permission.ts";
import { addressOf, ANONYMOUS, FAILED, LINUX, system, type SystemCalls } from "./system.ts";

// Keeps the process alive when a mapped file becomes shorter while kernels read it.
//
// Linux then takes the pages away, and the next access ends the process by the signal SIGBUS: nothing that is checked before can
// prevent that. So the signal gets a handler, the machine code below. It puts a page of zeros where a page is missing inside of a
// guarded range, and counts that. Whoever reads asks for the count before samples are believed. Signals from anywhere else go to
// the handler that was there before.
//
// ```
// address = info.address
// for range in ranges:
//   if range.start <= address < range.end:
//     range.faults += 1
//     mmap(page of address, zeros) and return, or go on to the handler before if that fails
// go on to the handler before
// ```
//
// The ranges lie in a page behind that of the code. A process has one handler, whichever thread has set it; it stays for as long as
// the process.

/** Ranges that can be guarded at the same time. */
const MOST = 64;

/** Numbers of a range: start, end (0: none), address of its count, whether it is taken. */
const FIELDS = 4;

/** Bytes of `struct sigaction`; the address of the handler comes first. */
const ACTION_BYTES = 152;

/** What the handler has in front of its code, behind a jump over it: "tilewise". */
const MARK = 0x657369_77656c6974n;

/** Places in the handler: of the mark, and of the address of the ranges. */
const AT = { mark: 2, ranges: 16 } as const;

/** A range of memory, by addresses of the process. */
interface GuardedRange {
  /** First byte. */
  readonly start: bigint;
  /** One past the last byte. */
  readonly end: bigint;
  /** An int32 that counts the pages that were missing. */
  readonly faults: bigint;
}

/** Guards a range until the returned function is called; `undefined` if there is no handler, or too many ranges. */
function guardRange({ start, end, faults }: GuardedRange): (() => void) | undefined {
  const ranges = handled() ?? install();
  const free = ranges && claim(ranges);
  if (free === undefined) return undefined;
  ranges![free] = start;
  ranges![free + 2] = faults;
  Atomics.store(ranges!, free + 1, end); // last: the range counts from here
  return () => {
    Atomics.store(ranges!, free + 1, 0n);
    Atomics.store(ranges!, free + 3, 0n);
  };
}

/** Whether ranges can be guarded in this process. */
function canGuard(): boolean {
  return (handled() ?? install()) !== undefined;
}

/** Takes a free range; other threads may do so at the same time. */
function claim(ranges: BigUint64Array): number | undefined {
  for (let at = 0; at < MOST * FIELDS; at += FIELDS) {
    if (Atomics.compareExchange(ranges, at + 3, 0n, 1n) === 0n) return at;
  }
  return undefined;
}

/** The ranges of the handler of the process, if it is this one. */
function handled(): BigUint64Array | undefined {
  const [handler] = handlerIn(action());
  if (handler! <= 1n) return undefined;
  const code = new Deno.UnsafePointerView(Deno.UnsafePointer.create(handler!)!);
  return code.getBigUint64(AT.mark) === MARK ? rangesAt(code.getBigUint64(AT.ranges)) : undefined;
}

function rangesAt(address: bigint): BigUint64Array<ArrayBuffer> {
  const bytes = MOST * FIELDS * 8;
  const place = Deno.UnsafePointer.create(address)!;
  return new BigUint64Array(Deno.UnsafePointerView.getArrayBuffer(place, bytes));
}

function action(): Uint8Array<ArrayBuffer> {
  const found = new Uint8Array(ACTION_BYTES);
  system().sigaction(LINUX.SIGBUS, null, found);
  return found;
}

function handlerIn(action: Uint8Array<ArrayBuffer>): BigUint64Array {
  return new BigUint64Array(action.buffer, 0, 1);
}

/** Sets the handler, with the flags of the one before: Deno has one, to which the code can go on. */
function install(): BigUint64Array | undefined {
  const calls = system();
  const changed = action();
  const next = handlerIn(changed)[0]!;
  if (next <= 1n) return undefined; // the default, or ignored: no code to go on to
  const size = calls.getpagesize();
  const flags = LINUX.MAP_PRIVATE | LINUX.MAP_ANONYMOUS;
  const place = calls.mmap(null, BigInt(2 * size), LINUX.PROT_READ_WRITE, flags, -1, 0n);
  const handler = BigInt(Deno.UnsafePointer.value(place));
  if (place === null || handler === FAILED) return undefined;
  const ranges = handler + BigInt(size);
  new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(place, size)).set(handlerCode({ ranges, next, size }));
  if (calls.mprotect(place, BigInt(size), LINUX.PROT_READ_EXEC) !== 0) return undefined;
  handlerIn(changed)[0] = handler;
  return calls.sigaction(LINUX.SIGBUS, changed, null) === 0 ? rangesAt(ranges) : undefined;
}

/** The handler for x86-64: registers `rdi` signal, `rsi` its facts with the address at 16, `rdx` the state of the thread. */
// deno-fmt-ignore
function handlerCode({ ranges, next, size }: { ranges: bigint; next: bigint; size: number }): Uint8Array {
  const code = [
    0xeb, 8, ...eight(MARK), //                 jmp 10
    0x48, 0x8b, 0x46, 0x10, //                  mov rax, [rsi + 16]        address
    0x49, 0xb8, ...eight(ranges), //            mov r8, ranges
    0xb9, ...four(MOST), //                     mov ecx, MOST
    // 29: each range
    0x49, 0x3b, 0x00, //                        cmp rax, [r8]              start
    0x72, 0x06, //                              jb 40
    0x49, 0x3b, 0x40, 0x08, //                  cmp rax, [r8 + 8]          end
    0x72, 0x14, //                              jb 60
    // 40: the next range
    0x49, 0x83, 0xc0, 8 * FIELDS, //            add r8, 32
    0xff, 0xc9, //                              dec ecx
    0x75, 0xed, //                              jnz 29
    // 48: go on to the handler before
    0x48, 0xb8, ...eight(next), //              mov rax, next
    0xff, 0xe0, //                              jmp rax
    // 60: found
    0x57, 0x56, 0x52, //                        push rdi, rsi, rdx
    0x49, 0x8b, 0x78, 0x10, //                  mov rdi, [r8 + 16]         address of the count
    0xf0, 0xff, 0x07, //                        lock inc dword [rdi]
    0x48, 0x89, 0xc7, //                        mov rdi, rax
    0x48, 0x81, 0xe7, ...four(-size), //        and rdi, -size             address of the page
    0xbe, ...four(size), //                     mov esi, size
    0xba, ...four(LINUX.PROT_READ_WRITE), //    mov edx, protection
    0x41, 0xba, ...four(ANONYMOUS_PAGE), //     mov r10d, flags
    0x49, 0x83, 0xc8, 0xff, //                  or r8, -1                  no file
    0x45, 0x31, 0xc9, //                        xor r9d, r9d               its offset
    0xb8, ...four(9), //                        mov eax, 9                 mmap
    0x0f, 0x05, //                              syscall
    0x5a, 0x5e, 0x5f, //                        pop rdx, rsi, rdi
    0x48, 0x3d, ...four(-4096), //              cmp rax, -4096
    0x77, 0xb7, //                              ja 48                      an error of mmap
    0xc3, //                                    ret
  ];
  return Uint8Array.from(code);
}

const ANONYMOUS_PAGE = LINUX.MAP_PRIVATE | LINUX.MAP_FIXED | LINUX.MAP_ANONYMOUS;

function eight(value: bigint): number[] {
  return [...new Uint8Array(BigUint64Array.of(value).buffer)];
}

function four(value: number): number[] {
  return [...new Uint8Array(Int32Array.of(value).buffer)];
}

/**
 * Why files cannot be mapped here; `undefined`: they can. Asks the user for the permission, where Deno can be asked.
 *
 * @example
 * ```ts
 * const why = whyNoPages();
 * if (why !== undefined) console.log(`not mapped: ${why}`);
 * ```
 */
export function whyNoPages(): string | undefined {
  if (!("Deno" in globalThis)) return "files are mapped under Deno only";
  const { os, arch } = Deno.build;
  if (os !== "linux" || arch !== "x86_64") {
    return `files are mapped on Linux on x86-64, not on ${os} on ${arch}`;
  }
  if (!mayDo({ name: "ffi" })) return "this needs a permission of Deno; add --allow-ffi";
  try {
    if (!populates(system())) return "this needs Linux 5.14";
    return canGuard() ? undefined : "the signal SIGBUS has a handler of other code";
  } catch (error) {
    return `the C library cannot be called: ${reasonOf(error)}`;
  }
}

/** Whether the system makes pages readable on request: then it says that a file has ended before kernels touch them. */
function populates(calls: SystemCalls): boolean {
  const size = calls.getpagesize();
  const page = new Uint8Array(2 * size);
  const at = BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(page)));
  const aligned = at + BigInt(size - 1) & -BigInt(size);
  return calls.madvise(Deno.UnsafePointer.create(aligned), BigInt(size), LINUX.MADV_POPULATE_READ) === 0;
}

/** Windows begin at multiples of it, which all page sizes divide. */
const UNIT = 65536;

/** Bytes in front of the windows, for the count of missing pages. */
const HEAD = 64;

/** A window, as plain data. */
export interface WindowPlace {
  /** Its first byte. */
  readonly offset: number;
  /** Its bytes. */
  readonly bytes: number;
  /** Where the missing pages of all windows of the run are counted. */
  readonly faults: number;
}

/** The memory of a run, of which only this is used. */
interface Memory {
  readonly arena: {
    readonly memory: WebAssembly.Memory;
    lease(bytes: number, label: string): Room;
  };
  hold(thing: Disposable): void;
}

/** A lease, of which only this is used. */
interface Room extends Disposable {
  readonly offset: number;
}

/** The windows of a run. They become plain memory again when they are disposed of. */
export class Windows implements Disposable {
  readonly #unguard: () => void;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly room: Room,
    /** The windows. */
    readonly places: readonly WindowPlace[],
    unguard: () => void,
  ) {
    this.#unguard = unguard;
  }

  /**
   * Windows of `count` workers, in `bytes` of the memory of a run for each; with that memory they are returned. `undefined` if they
   * cannot be guarded: files are read then.
   */
  static in(run: Memory, count: number, bytes: number): Windows | undefined {
    const { arena } = run;
    const { memory } = arena;
    const room = arena.lease(count * bytes, "windows of mapped files");
    const faults = room.offset;
    new Int32Array(memory.buffer, faults, 1)[0] = 0;
    const base = addressOf(memory, faults) - BigInt(faults);
    const start = up(base + BigInt(faults + HEAD));
    const each = bytes - 2 * UNIT; // the head and the way to the first multiple
    const unguard = guardRange({ start, end: start + BigInt(count * each), faults: base + BigInt(faults) });
    const first = Number(start - base);
    const places = Array.from(
      { length: count },
      (_, i) => ({ offset: first + i * each, bytes: each, faults }),
    );
    const windows = unguard && new Windows(memory, room, places, unguard);
    run.hold(windows ?? room);
    return windows;
  }

  /** Takes the files out of the memory and returns it. */
  [Symbol.dispose](): void {
    const first = this.places[0]!;
    const bytes = this.places.length * first.bytes;
    const place = Deno.UnsafePointer.create(addressOf(this.memory, first.offset));
    const { PROT_READ_WRITE } = LINUX;
    const now = system().mmap(place, BigInt(bytes), PROT_READ_WRITE, ANONYMOUS, -1, 0n);
    if (BigInt(Deno.UnsafePointer.value(now)) === FAILED) return; // it stays guarded, and is never leased again
    this.#unguard();
    this.room[Symbol.dispose]();
  }
}

function up(address: bigint): bigint {
  return address + BigInt(UNIT - 1) & -BigInt(UNIT);
}
