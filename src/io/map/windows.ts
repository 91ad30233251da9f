/**
 * Windows: ranges of the memory of a run, one per worker, over which the workers map files.
 *
 * @module
 */

import { reasonOf } from "../../reason.ts";
import { mayDo } from "../source/permission.ts";
import { canGuard, guardRange } from "./guard.ts";
import { addressOf, ANONYMOUS, FAILED, LINUX, system, type SystemCalls } from "./system.ts";

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
