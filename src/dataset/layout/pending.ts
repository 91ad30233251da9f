/**
 * Reads that go on at the same time.
 *
 * @module
 */

/** Reads under way; all of them end before an error is reported, as they write to memory. */
export class Pending {
  #reads: Promise<void>[] | undefined;

  /** One more; nothing where a source has read at once. */
  add(read: void | Promise<void>): void {
    if (read) (this.#reads ??= []).push(read);
  }

  /** A read could not even begin: thrown at once if it is the first. */
  fail(error: unknown): void {
    if (!this.#reads) throw error;
    this.#reads.push(Promise.reject(error));
  }

  /** Done when all are; fails if one has. */
  settled(): void | Promise<void> {
    if (!this.#reads) return;
    return Promise.allSettled(this.#reads).then((results) => {
      const failed = results.find((result) => result.status === "rejected");
      if (failed) throw failed.reason;
    });
  }
}
