/**
 * The tables of the files in shared memory: names, and the chains of blocks that hold the bytes.
 *
 * ```
 * header │ nodes: kind, size, time, first block, name │ next block of every block │ blocks of 4096 bytes …
 * ```
 *
 * All changes happen under one lock, in an order that leaves nothing worse than lost blocks when a thread dies in the middle;
 * `repair` finds those.
 *
 * @module
 */

// A lock in shared memory that outlives its holder: one that a thread took to its grave is taken over.

/** Milliseconds of one wait; a process that was stopped for long counts as one wait. */
const ROUND = 100;

/** Rounds after which a holder that shows no sign of life counts as dead. */
const ROUNDS = 50;

/** Where the words of the lock lie: indices of 32-bit words. */
interface LockWords {
  /** 0 if the lock is free, otherwise the ticket of its holder. */
  readonly holder: number;
  /** The latest ticket. */
  readonly ticket: number;
}

/** A lock over two words. Its holder must give it back within seconds. */
export class MemoryLock {
  /** The lock at `at` in `words`; `repair` makes sound what a dead holder may have left half done. */
  constructor(
    private readonly words: Int32Array,
    private readonly at: LockWords,
    private readonly repair: () => void,
    private readonly rounds: number = ROUNDS,
  ) {}

  /** Runs `work`, which is not interrupted by other holders. */
  hold<T>(work: () => T): T {
    const ticket = this.#take();
    try {
      return work();
    } finally {
      Atomics.compareExchange(this.words, this.at.holder, ticket, 0); // unless it was taken over
      Atomics.notify(this.words, this.at.holder, 1);
    }
  }

  #take(): number {
    const { words, at: { holder, ticket } } = this;
    const own = Atomics.add(words, ticket, 1) << 1 | 1; // never 0
    let seen = 0;
    for (let round = 0;;) {
      const found = Atomics.compareExchange(words, holder, 0, own);
      if (found === 0) return own;
      if (found !== seen) [seen, round] = [found, 0];
      else if (++round > this.rounds && this.#takeOver(found, own)) return own;
      pause(words, holder, found);
    }
  }

  #takeOver(dead: number, own: number): boolean {
    if (Atomics.compareExchange(this.words, this.at.holder, dead, own) !== dead) return false;
    this.repair();
    return true;
  }
}

/** Waits until the word changes, at most one round; the main thread of a page may not sleep and looks again and again. */
function pause(words: Int32Array, at: number, value: number): void {
  try {
    Atomics.wait(words, at, value, ROUND);
  } catch {
    const until = performance.now() + ROUND;
    while (Atomics.load(words, at) === value && performance.now() < until);
  }
}

/** Bytes of a block. */
export const BLOCK = 4096;

/** Bytes of the longest name. */
export const NAME_BYTES = 1024;

const HEADER = 64;
const NODE = 64 + NAME_BYTES;

/** Words of the header. */
const HEAD = { holder: 0, ticket: 1, free: 2, hint: 3, repairs: 4 } as const;

/** Words of a node, behind its size and its time. */
const FIELD = { kind: 4, nameBytes: 5, first: 6, generation: 7, cuts: 8 } as const;

/** What a node is. */
export const KIND = { none: 0, file: 1, directory: 2 } as const;

/** In place of the next block: there is none, or the block is free. */
const LAST = -1;
const FREE = -2;

/** Where the files lie in the memory of a host. */
export interface MemoryRegion {
  /** Address of its first byte, a multiple of 64. */
  readonly offset: number;
  /** Bytes, tables included. */
  readonly bytes: number;
  /** Names that it has room for, of files and of directories. */
  readonly names: number;
}

/** Blocks that a region has room for; below 1 where it is too small. */
export function blocksIn({ bytes, names }: Pick<MemoryRegion, "bytes" | "names">): number {
  return Math.floor((bytes - HEADER - names * NODE - 63) / (BLOCK + 4));
}

/** The tables in a region. */
export class MemoryTables {
  /** How many blocks there are. */
  readonly blocks: number;
  /** The lock: all that follows happens under it. */
  readonly lock: MemoryLock;
  /** Address of block 0. */
  readonly data: number;
  /** All of the memory. */
  readonly bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;
  readonly #next: Int32Array;

  /** The tables of `region`, which somebody has formatted. */
  constructor(memory: WebAssembly.Memory, readonly region: MemoryRegion) {
    const { offset, bytes, names } = region;
    this.blocks = blocksIn(region);
    this.bytes = new Uint8Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer, offset, bytes >> 2);
    this.#numbers = new Float64Array(memory.buffer, offset, bytes >> 3);
    const next = offset + HEADER + names * NODE;
    this.#next = new Int32Array(memory.buffer, next, this.blocks);
    this.data = Math.ceil((next + this.blocks * 4) / 64) * 64;
    this.lock = new MemoryLock(this.#words, HEAD, () => this.repair());
  }

  /** Makes the region empty; nobody else may use it yet. */
  format(): void {
    this.#words.fill(0, 0, (HEADER + this.region.names * NODE) >> 2);
    this.#next.fill(FREE);
    this.#words[HEAD.free] = this.blocks;
  }

  /** Blocks that no file has. */
  get free(): number {
    return this.#words[HEAD.free]!;
  }

  /** How often a lock was taken over from a thread that had died. */
  get repairs(): number {
    return this.#words[HEAD.repairs]!;
  }

  /** The node with this name, or -1. */
  find(name: Uint8Array): number {
    for (let node = 0; node < this.region.names; node++) if (this.#isNamed(node, name)) return node;
    return -1;
  }

  #isNamed(node: number, name: Uint8Array): boolean {
    if (this.kind(node) === KIND.none || this.#field(node, FIELD.nameBytes) !== name.length) return false;
    const at = this.#nameAt(node);
    return name.every((byte, i) => this.bytes[at + i] === byte);
  }

  /** Makes a node; -1 if there is no room for one. */
  add(name: Uint8Array, kind: number): number {
    for (let node = 0; node < this.region.names; node++) {
      if (this.kind(node) !== KIND.none) continue;
      this.bytes.set(name, this.#nameAt(node));
      this.#set(node, FIELD.nameBytes, name.length);
      this.#set(node, FIELD.first, LAST);
      this.#set(node, FIELD.generation, this.generation(node) + 1);
      this.setSize(node, 0);
      this.#set(node, FIELD.kind, kind);
      return node;
    }
    return -1;
  }

  /** Removes a node, and gives its blocks back. */
  drop(node: number): void {
    this.#set(node, FIELD.kind, KIND.none);
    this.#set(node, FIELD.generation, this.generation(node) + 1);
    this.#release(this.#field(node, FIELD.first));
  }

  /** The names of all nodes. */
  names(): string[] {
    const names: string[] = [];
    for (let node = 0; node < this.region.names; node++) {
      if (this.kind(node) === KIND.none) continue;
      const at = this.#nameAt(node);
      names.push(new TextDecoder().decode(this.bytes.slice(at, at + this.#field(node, FIELD.nameBytes))));
    }
    return names;
  }

  /** What a node is. */
  kind(node: number): number {
    return this.#field(node, FIELD.kind);
  }

  /** Changes when a node becomes another file. */
  generation(node: number): number {
    return this.#field(node, FIELD.generation);
  }

  /** Changes when blocks of a node are given back. */
  cuts(node: number): number {
    return this.#field(node, FIELD.cuts);
  }

  /** Bytes of a file. */
  size(node: number): number {
    return this.#numbers[this.#at(node) >> 3]!;
  }

  /** When it was last written. */
  modified(node: number): number {
    return this.#numbers[(this.#at(node) >> 3) + 1]!;
  }

  /** Sets its bytes, and that it was written now. */
  setSize(node: number, bytes: number): void {
    this.#numbers[this.#at(node) >> 3] = bytes;
    this.#numbers[(this.#at(node) >> 3) + 1] = Date.now();
  }

  /** Adds the blocks of a file that `known`, its first blocks, does not have yet. */
  follow(node: number, known: number[]): void {
    let next = known.length > 0 ? this.#next[known.at(-1)!]! : this.#field(node, FIELD.first);
    for (; next !== LAST; next = this.#next[next]!) known.push(next);
  }

  /** Gives a file one more block, behind `known`, all it has; there must be a free one. */
  grow(node: number, known: number[]): void {
    const block = this.#take();
    if (known.length > 0) this.#next[known.at(-1)!] = block;
    else this.#set(node, FIELD.first, block);
    known.push(block);
  }

  /** Leaves a file its first `keep` blocks of `known`, all it has. */
  cut(node: number, known: readonly number[], keep: number): void {
    if (keep >= known.length) return;
    const rest = known[keep]!;
    if (keep > 0) this.#next[known[keep - 1]!] = LAST;
    else this.#set(node, FIELD.first, LAST);
    this.#set(node, FIELD.cuts, this.cuts(node) + 1);
    this.#release(rest);
  }

  /** Finds the blocks that belong to no file, and makes no size larger than its blocks. */
  repair(): void {
    const taken = new Uint8Array(this.blocks);
    for (let node = 0; node < this.region.names; node++) {
      if (this.kind(node) !== KIND.file) continue;
      const blocks: number[] = [];
      this.follow(node, blocks);
      for (const block of blocks) taken[block] = 1;
      if (this.size(node) > blocks.length * BLOCK) this.setSize(node, blocks.length * BLOCK);
    }
    taken.forEach((one, block) => void (one || (this.#next[block] = FREE)));
    this.#words[HEAD.free] = taken.filter((one) => one === 0).length;
    this.#words[HEAD.repairs] = this.repairs + 1;
  }

  #take(): number {
    let block = this.#words[HEAD.hint]! % this.blocks;
    while (this.#next[block] !== FREE) block = (block + 1) % this.blocks;
    this.#next[block] = LAST;
    this.#words[HEAD.hint] = block + 1;
    this.#words[HEAD.free] = this.free - 1;
    return block;
  }

  #release(first: number): void {
    for (let block = first; block !== LAST;) {
      const next = this.#next[block]!;
      this.#next[block] = FREE;
      this.#words[HEAD.free] = this.free + 1;
      block = next;
    }
  }

  #at(node: number): number {
    return HEADER + node * NODE;
  }

  #nameAt(node: number): number {
    return this.region.offset + this.#at(node) + 64;
  }

  #field(node: number, field: number): number {
    return this.#words[(this.#at(node) >> 2) + field]!;
  }

  #set(node: number, field: number, value: number): void {
    this.#words[(this.#at(node) >> 2) + field] = value;
  }
}
