/**
 * Concurrent reads.
 *
 * @module
 */

/** Pending reads; all of them end before an error is reported, as they write to memory. */
export class Pending {
  #reads: Promise<void>[] | undefined;

  /** Adds a read; `undefined` if a source has read synchronously. */
  add(read: void | Promise<void>): void {
    if (read) (this.#reads ??= []).push(read);
  }

  /** Takes the error of a read that could not begin; throws it if no other read is pending. */
  fail(error: unknown): void {
    if (!this.#reads) throw error;
    this.#reads.push(Promise.reject(error));
  }

  /** Ends when all reads have ended; fails if one of them has failed. */
  settled(): void | Promise<void> {
    if (!this.#reads) return;
    return Promise.allSettled(this.#reads).then((results) => {
      const failed = results.find((result) => result.status === "rejected");
      if (failed) throw failed.reason;
    });
  }
}
