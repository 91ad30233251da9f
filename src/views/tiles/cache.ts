/**
 * The table of a tile cache: which tile lies in which slot, and which one leaves when a slot is needed. It moves no
 * samples.
 *
 * The tile that leaves is the one whose next use is farthest away, as far as the future is known; among those that no
 * known request needs, the least recently used one. If nothing is known of the future, that is plain LRU.
 *
 * ```text
 *   a tile that is in use at the moment is not passed over: the caller waits for it, which takes the time of a copy.
 *   Taking the next best one would load a tile twice that is needed soon.
 * ```
 *
 * @module
 */

/** A tile in the cache. */
export interface CachedTile {
  /** Which tile. */
  readonly key: number;
  /** Its slot. */
  readonly slot: number;
  /** How many users it has: while it has any, it stays. A tile that is being loaded has one. */
  pins: number;
}

/** When tile `key` is needed next; `Infinity` where that is not known. */
type NextUse = (key: number) => number;

/** Counts of a cache. */
interface CacheCounts {
  /** Tiles that were there. */
  hits: number;
  /** Tiles that were not. */
  misses: number;
  /** Tiles that had to leave for others. */
  evictions: number;
}

/** The tiles in a fixed number of slots. */
export class TileCache {
  /** What has happened. */
  readonly counts: CacheCounts = { hits: 0, misses: 0, evictions: 0 };
  /** The tiles, the least recently used one first. */
  readonly #tiles = new Map<number, CachedTile>();
  readonly #free: number[];

  /** An empty cache; where it knows no `nextUse`, the least recently used tile leaves. */
  constructor(
    /** How many tiles it holds. */
    readonly slots: number,
    private readonly nextUse?: NextUse,
  ) {
    this.#free = Array.from({ length: slots }, (_, i) => slots - 1 - i);
  }

  /** Tiles in it. */
  get size(): number {
    return this.#tiles.size;
  }

  /** The keys, the most recently used first. */
  get recent(): number[] {
    return [...this.#tiles.keys()].reverse();
  }

  /** The tile `key`, which is now the most recently used one; counts a hit or a miss. */
  find(key: number): CachedTile | undefined {
    const tile = this.#tiles.get(key);
    if (!tile) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    this.touch(tile);
    return tile;
  }

  /** Makes `tile` the most recently used one. */
  touch(tile: CachedTile): void {
    this.#tiles.delete(tile.key);
    this.#tiles.set(tile.key, tile);
  }

  /** A slot for tile `key`, which has one user; absent while the tile that should leave is in use. */
  add(key: number): CachedTile | undefined {
    const slot = this.#free.pop() ?? this.#evict();
    if (slot === undefined) return undefined;
    const tile = { key, slot, pins: 1 };
    this.#tiles.set(key, tile);
    return tile;
  }

  /** Removes `tile`; its slot is free. */
  drop(tile: CachedTile): void {
    this.take(tile);
    this.giveBack(tile.slot);
  }

  /** Removes `tile`, and leaves its slot to the caller until {@link giveBack}. */
  take(tile: CachedTile): void {
    if (this.#tiles.get(tile.key) === tile) this.#tiles.delete(tile.key);
  }

  /** Returns a slot. */
  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  #evict(): number | undefined {
    const victim = this.nextUse ? this.#farthest(this.nextUse) : this.#oldest();
    if (!victim || victim.pins > 0) return undefined;
    this.counts.evictions++;
    this.#tiles.delete(victim.key);
    return victim.slot;
  }

  #oldest(): CachedTile | undefined {
    return this.#tiles.values().next().value;
  }

  #farthest(nextUse: NextUse): CachedTile | undefined {
    let found: CachedTile | undefined;
    for (const tile of this.#tiles.values()) {
      if (found && !isLater(nextUse, tile.key, found.key)) continue;
      found = tile;
      if (nextUse(tile.key) === Infinity) break; // the least recently used of those that nobody needs
    }
    return found;
  }
}

/** Whether tile `a` is needed later than tile `b`; a view needs its tiles in the order of their keys. */
function isLater(nextUse: NextUse, a: number, b: number): boolean {
  const [first, second] = [nextUse(a), nextUse(b)];
  return first === second ? a > b && first < Infinity : first > second;
}
