/**
 * Time as an argument: the real one, or a simulated one in which a night passes in seconds.
 *
 * @module
 */

/**
 * Where time comes from.
 * @category Cluster
 */
export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /** Waits; ends early, without an error, when `signal` fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The time of this machine. It does not follow changes of the date, so that a wrong date does not matter. */
export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener("abort", end, { once: true });
    }),
};
