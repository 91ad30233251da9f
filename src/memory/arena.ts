/**
 * The arena: one WebAssembly memory under one byte budget, handed out as leases.
 *
 * Every buffer of a run lies in it: raw bytes, tiles, masks, partial results. Shared by default, so that
 * workers and kernels see the same bytes without a copy. The memory has its final size from the start:
 * views of it never go stale, and the operating system backs only the pages that are touched.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { canShare } from "../sharing.ts";
import { truth } from "../options/rules.ts";
import { byteCount, bytes } from "../space/rules.ts";
import { formatBytes } from "../space/size.ts";
import { FIRST_PAGE } from "./first_page.ts";
import { mustRunKernels } from "./platform.ts";
import { type FencedRoom, fencing } from "./fencing.ts";

/** Leases start at multiples of this many bytes: a cache line. */
export const ALIGNMENT = 64;

/** Bytes at the start of the memory that are never leased, so that address 0 is never a buffer: see `first_page.ts`. */
export const RESERVED: number = FIRST_PAGE;

/** Bytes that one WebAssembly memory can address. */
export const MAX_ARENA_BYTES = 2 ** 32;

const PAGE = 65536;

/**
 * A range of the arena, owned until it is returned. Use it with `using`, or call `release()` once.
 * @category Executors
 */
export interface Lease extends Disposable {
  /** First byte, as an address in the arena's memory. */
  readonly offset: number;
  /** Bytes that were requested. */
  readonly byteLength: number;
  /** What it is for; shown by errors and by {@link Arena.leases}. */
  readonly label: string;
  /** Tells this lease from earlier owners of the same bytes. */
  readonly generation: number;
  /** The bytes. An error once the lease has been returned. */
  bytes(): Uint8Array;
  /** Gives the bytes back. An error the second time. */
  release(): void;
}

/**
 * Options of {@link Arena}.
 * @category Executors
 */
export interface ArenaOptions {
  /** Most bytes that all leases may hold together, as a number or as text such as `64MiB`. Default 512 MiB. */
  readonly budget?: number | string;
  /** Whether workers can share the memory. Default: true where the platform has shared memory. */
  readonly shared?: boolean;
}

const ARENA_OPTIONS: OptionNames<ArenaOptions> = { budget: bytes, shared: truth };

/** The largest budget of one arena: all but the page whose start is never leased. */
export const MOST_BUDGET: number = MAX_ARENA_BYTES - PAGE;

/**
 * One memory under one budget.
 *
 * @example Lease, use, return
 * ```ts
 * import { Arena } from "./arena.ts";
 * import { assertEquals } from "@std/assert";
 * const arena = new Arena({ budget: 1 << 20 });
 * {
 *   using lease = arena.lease(100, "a tile");
 *   lease.bytes().fill(7);
 *   assertEquals(arena.used, 128); // whole cache lines
 * }
 * assertEquals(arena.used, 0);
 * ```
 */
export class Arena {
  /** The memory; hand it to workers and kernels. */
  readonly memory: WebAssembly.Memory;
  /** Most bytes that leases may hold together. */
  readonly budget: number;
  /** Whether the memory is shared between threads. */
  readonly shared: boolean;
  #free: Span[];
  /** In tests: the places of leases, with fences between them. The sums of the arena do not include the fences. */
  readonly #room: FencedRoom | undefined;
  #used = 0;
  #peak = 0;
  #generation = 0;
  readonly #leases = new Set<ArenaLease>();

  /** A memory of `budget` bytes; refused when it cannot be addressed. */
  constructor(options: ArenaOptions = {}) {
    checkOptionNames("Arena", options, ARENA_OPTIONS);
    mustRunKernels();
    const { shared = canShare() } = options;
    const budget = byteCount("Arena", "budget", options.budget ?? 512 * 2 ** 20);
    if (budget > MOST_BUDGET) {
      const text = `Cannot make an arena of ${budget} bytes; it can have 1 byte to ${
        formatBytes(MOST_BUDGET)
      }`;
      throw new TilewiseError("invalid", text, { option: "budget", expected: MOST_BUDGET, found: budget });
    }
    const pages = Math.ceil((budget + RESERVED) / PAGE);
    const withFences = fencing()?.pages(pages) ?? pages;
    this.memory = newMemory(withFences, shared);
    if (withFences > pages) this.#room = fencing()!.room(this.memory, RESERVED);
    this.budget = budget;
    this.shared = shared;
    this.#free = [{ offset: RESERVED, size: Math.floor(budget / ALIGNMENT) * ALIGNMENT }];
  }

  /** Bytes in leases now. */
  get used(): number {
    return this.#used;
  }

  /** The most bytes that were in leases at one time. */
  get peak(): number {
    return this.#peak;
  }

  /** The leases that have not been returned. */
  get leases(): readonly Lease[] {
    return [...this.#leases];
  }

  /** Leases `byteLength` bytes (contents undefined); throws `over-budget` when they are unavailable. */
  lease(byteLength: number, label: string): Lease {
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
      throw new TilewiseError(
        "invalid",
        `Cannot lease ${byteLength} bytes for ${label}: that is not a count`,
      );
    }
    const size = leasedBytes(byteLength);
    const at = this.#free.findIndex((span) => span.size >= size);
    if (at < 0) throw this.#overBudget(byteLength, label);
    const span = this.#free[at]!;
    const offset = span.offset;
    if (span.size === size) this.#free.splice(at, 1);
    else this.#free[at] = { offset: offset + size, size: span.size - size };
    this.#used += size;
    this.#peak = Math.max(this.#peak, this.#used);
    const place = this.#room?.place(byteLength, label) ?? offset;
    const give = (lease: ArenaLease) => this.#return(lease, { offset, size });
    const lease = new ArenaLease(this.memory, place, byteLength, label, ++this.#generation, give);
    this.#leases.add(lease);
    return lease;
  }

  #return(lease: ArenaLease, span: Span): void {
    this.#leases.delete(lease);
    this.#used -= span.size;
    const at = this.#free.findIndex((other) => other.offset > span.offset);
    this.#free.splice(at < 0 ? this.#free.length : at, 0, span);
    this.#free = joinNeighbours(this.#free);
    this.#room?.free(lease.offset);
  }

  #overBudget(byteLength: number, label: string): TilewiseError {
    const largest = Math.max(0, ...this.#free.map((span) => span.size));
    return new TilewiseError(
      "over-budget",
      `Cannot lease ${formatBytes(byteLength)} for ${label}: ${formatBytes(this.#used)} of the budget of ` +
        `${formatBytes(this.budget)} are in use, the largest free range has ${formatBytes(largest)}`,
      { expected: byteLength, found: largest },
    );
  }
}

function newMemory(pages: number, shared: boolean): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch (cause) {
    const size = formatBytes(pages * PAGE);
    const text = `Cannot make an arena of ${size}: the machine has no room for it; use a smaller budget`;
    throw new TilewiseError("over-budget", text, { expected: pages * PAGE }, { cause });
  }
}

interface Span {
  readonly offset: number;
  readonly size: number;
}

class ArenaLease implements Lease {
  #returned = false;

  constructor(
    private readonly memory: WebAssembly.Memory,
    readonly offset: number,
    readonly byteLength: number,
    readonly label: string,
    readonly generation: number,
    private readonly giveBack: (lease: ArenaLease) => void,
  ) {}

  bytes(): Uint8Array {
    if (this.#returned) throw this.#stale("use");
    return new Uint8Array(this.memory.buffer, this.offset, this.byteLength);
  }

  release(): void {
    if (this.#returned) throw this.#stale("return");
    this.#returned = true;
    this.giveBack(this);
  }

  [Symbol.dispose](): void {
    if (!this.#returned) this.release();
  }

  #stale(verb: string): TilewiseError {
    const what = `the lease of ${this.label} (generation ${this.generation})`;
    return new TilewiseError("lease", `Cannot ${verb} ${what}: it has been returned already`);
  }
}

/** Bytes that a lease of `bytes` takes. */
export function leasedBytes(bytes: number): number {
  return roundUp(Math.max(bytes, 1), ALIGNMENT);
}

/** `n` rounded up to a multiple of `unit`. */
export function roundUp(n: number, unit: number): number {
  return Math.ceil(n / unit) * unit;
}

function joinNeighbours(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && last.offset + last.size === span.offset) {
      joined[joined.length - 1] = { offset: last.offset, size: last.size + span.size };
    } else joined.push(span);
  }
  return joined;
}
