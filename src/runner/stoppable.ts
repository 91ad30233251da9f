/**
 * Iterators that can be ended while a call of `next` is pending.
 *
 * @module
 */

/**
 * `parts`, with a `return` and a `throw` that do not wait for a pending `next`: they call `stop`, which must make `parts` end,
 * and the pending `next` gets the end of the iteration.
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
