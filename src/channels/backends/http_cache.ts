/**
 * Blocks of files on servers, in a part of the memory of a host that never grows; the block that was used longest ago makes
 * room for a new one.
 *
 * @module
 */

/** Reads a block, from its start, into the place it is given. */
export type ReadBlock = (into: Uint8Array, index: number) => Promise<void>;

interface Block {
  readonly key: string;
  readonly place: Uint8Array;
  readonly arrived: Promise<void>;
  /** Those who wait for it, or copy from it: it keeps its place for them. */
  users: number;
}

/** A cache of blocks of one size. */
export class BlockCache {
  readonly #blocks = new Map<string, Block>(); // the first one was used longest ago
  readonly #free: Uint8Array[] = [];

  /** A cache in `room`, of blocks of `blockBytes`. */
  constructor(room: Uint8Array, readonly blockBytes: number) {
    for (let at = 0; at + blockBytes <= room.length; at += blockBytes) {
      this.#free.push(room.subarray(at, at + blockBytes));
    }
  }

  /**
   * Copies bytes of block `index` of the file `key`: those from `from` on, as many as `into` holds. `bytes`: how many the block
   * has. Returns false when all places are in use: the caller then reads without the cache.
   */
  async copy(
    key: string,
    index: number,
    bytes: number,
    from: number,
    into: Uint8Array,
    read: ReadBlock,
  ): Promise<boolean> {
    const block = this.#block(`${key} ${index}`, bytes, (place) => read(place, index));
    if (!block) return false;
    block.users++;
    try {
      await block.arrived;
      into.set(block.place.subarray(from, from + into.length));
    } finally {
      block.users--;
    }
    return true;
  }

  /** Forgets the blocks of a file. */
  forget(key: string): void {
    for (const block of this.#blocks.values()) {
      if (block.key.startsWith(`${key} `) && block.users === 0) this.#drop(block);
    }
  }

  #block(key: string, bytes: number, read: (place: Uint8Array) => Promise<void>): Block | undefined {
    const known = this.#blocks.get(key);
    if (known) {
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return known;
    }
    const place = this.#place();
    if (!place) return undefined;
    const arrived = read(place.subarray(0, bytes));
    const block: Block = { key, place, arrived, users: 1 };
    this.#blocks.set(key, block);
    arrived.catch(() => this.#drop(block)).finally(() => block.users--); // one that failed is asked for again
    return block;
  }

  #place(): Uint8Array | undefined {
    if (this.#free.length === 0) {
      for (const block of this.#blocks.values()) {
        if (block.users > 0) continue;
        this.#drop(block);
        break;
      }
    }
    return this.#free.pop();
  }

  #drop(block: Block): void {
    if (this.#blocks.get(block.key) !== block) return;
    this.#blocks.delete(block.key);
    this.#free.push(block.place);
  }
}
