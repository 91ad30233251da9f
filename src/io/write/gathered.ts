/**
 * Small writes that follow each other in a file, gathered into larger ones: each write opens the file.
 *
 * @module
 */

/** Writes bytes at a position of one file. */
type Write = (bytes: Uint8Array, position: number) => void;

/** Bytes that are gathered; longer writes are passed on as they are. */
const ROOM = 2 ** 18;

/** Gathers the writes to one file at a time. */
export class GatheredWrites {
  #room: Uint8Array | undefined;
  #write: Write | undefined;
  #start = 0;
  #size = 0;

  /** Writes `bytes` at `position` by `write`, now or at the next {@link flush}. */
  add(write: Write, bytes: Uint8Array, position: number): void {
    const follows = write === this.#write && position === this.#start + this.#size;
    if (!follows || this.#size + bytes.length > ROOM) this.flush();
    if (bytes.length > ROOM) return write(bytes, position);
    if (this.#size === 0) [this.#write, this.#start] = [write, position];
    (this.#room ??= new Uint8Array(ROOM)).set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Writes what has been gathered; if that fails, the next call tries again. */
  flush(): void {
    if (this.#size === 0) return;
    this.#write!(this.#room!.subarray(0, this.#size), this.#start);
    this.#size = 0;
  }
}
