/**
 * When each tile is needed next, as far as requests are known.
 *
 * @module
 */

/** The uses of tiles by known requests, in the order of the requests. */
export class Uses {
  /** Numbers of the requests that need a tile, ascending. */
  readonly #uses = new Map<number, number[]>();

  /** Notes that request `number` needs tiles. */
  add(number: number, tiles: Iterable<number>): void {
    for (const key of tiles) {
      const uses = this.#uses.get(key);
      if (!uses) this.#uses.set(key, [number]);
      else if (uses.at(-1)! < number) uses.push(number);
      else uses.splice(uses.findIndex((other) => other > number), 0, number);
    }
  }

  /** Notes that request `number` does not need tiles any more. */
  remove(number: number, tiles: Iterable<number>): void {
    for (const key of tiles) {
      const uses = this.#uses.get(key);
      const at = uses?.indexOf(number) ?? -1;
      if (at >= 0) uses!.splice(at, 1);
      if (uses?.length === 0) this.#uses.delete(key);
    }
  }

  /** The first request that needs tile `key`, or the one after `skip` others; `Infinity` if none is known. */
  next(key: number, skip: number = 0): number {
    return this.#uses.get(key)?.[skip] ?? Infinity;
  }
}
