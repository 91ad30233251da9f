/**
 * The newest of several things that were begun counts: what comes of those before is not heard, however late it comes.
 *
 * @module
 */

/** Work of which only the newest is heard. */
export class Newest {
  #control: AbortController | undefined;

  /**
   * Begins `work` in the place of what was begun before, whose signal fires. What comes of it goes to `heard`, or why nothing
   * does to `failed`; unless something newer was begun meanwhile, or nothing is wanted any more.
   */
  async begin<T>(
    work: (signal: AbortSignal) => Promise<T>,
    heard: (result: T) => void,
    failed: (error: unknown) => void,
  ): Promise<void> {
    this.stop();
    const { signal } = this.#control = new AbortController();
    try {
      const result = await work(signal);
      if (!signal.aborted) heard(result);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  /** Nothing of it is wanted any more. */
  stop(): void {
    this.#control?.abort();
  }
}

/** The promise that is known by `key`, else that of `make`; one that fails is forgotten, so that a later call may succeed. */
export function keptIn<K, V>(known: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const found = known.get(key);
  if (found) return found;
  const made = make();
  known.set(key, made);
  made.catch(() => known.get(key) === made && known.delete(key));
  return made;
}
