/**
 * Iterators that can be left while somebody waits for what comes next.
 *
 * @module
 */

/**
 * `parts`, with a `return` and a `throw` that do not wait for a `next` that is under way: they call `stop`, which must make
 * it end, and whoever waits for the next part is told that there is none.
 */
export function stoppable<T>(
  parts: AsyncGenerator<T, void>,
  stop: (reason?: unknown) => void,
): AsyncIterableIterator<T, undefined> {
  let closed = false;
  const close = async (reason?: unknown) => {
    closed = true;
    stop(reason);
    await parts.return().catch(() => {});
  };
  return {
    next: async () => {
      try {
        const step = await parts.next();
        return step.done || closed ? { done: true, value: undefined } : step;
      } catch (error) {
        if (!closed) throw error;
        return { done: true, value: undefined };
      }
    },
    return: async () => {
      await close();
      return { done: true, value: undefined };
    },
    throw: async (error) => {
      await close(error);
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
