/**
 * A byte source made of several sources one after another: the parts of a file that was written in pieces.
 *
 * @module
 */

import { type ByteSource, checkRead, closedError, type JoinedPart, type JoinedSpec } from "./source.ts";

/** Opens one of the parts. */
type OpenPart = (part: JoinedPart) => Promise<ByteSource>;

/** Parts of other sources as one source. They are opened when they are first read. */
export class JoinedSource implements ByteSource {
  /** Bytes of all parts. */
  readonly size: number;
  /** First byte of each part, and the end of the last. */
  readonly #starts: readonly number[];
  readonly #open: (Promise<ByteSource> | ByteSource | undefined)[] = [];
  #closed = false;

  /** The `parts`, which `openPart` opens. */
  constructor(
    /** Name for messages. */ readonly name: string,
    private readonly parts: readonly JoinedPart[],
    private readonly openPart: OpenPart,
  ) {
    const starts = [0];
    for (const { size } of parts) starts.push(starts.at(-1)! + size);
    this.#starts = starts;
    this.size = starts.at(-1)!;
  }

  /** Fills `into` part by part; synchronous if the parts are open and their reads are synchronous. */
  readInto(into: Uint8Array, at: number, signal?: AbortSignal): void | Promise<void> {
    if (this.#closed) throw closedError(this.name);
    checkRead(this, into.byteLength, at, signal);
    return this.#fill(into, at, this.#partAt(at), signal);
  }

  #fill(into: Uint8Array, at: number, first: number, signal?: AbortSignal): void | Promise<void> {
    for (let done = 0, part = first; done < into.byteLength; part++) {
      const inside = at + done - this.#starts[part]!;
      const length = Math.min(into.byteLength - done, this.parts[part]!.size - inside);
      const target = into.subarray(done, done + length);
      const next = done += length;
      const reading = this.#readPart(part, target, inside, signal);
      if (!reading) continue;
      return reading.then(() => this.#fill(into.subarray(next), at + next, part + 1, signal));
    }
  }

  /** The part with byte `at`. */
  #partAt(at: number): number {
    let [low, high] = [0, this.parts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low;
  }

  #readPart(part: number, into: Uint8Array, at: number, signal?: AbortSignal): void | Promise<void> {
    if (into.byteLength === 0) return;
    const source = this.#open[part] ??= this.#opened(part);
    const offset = this.parts[part]!.offset + at;
    if (!(source instanceof Promise)) return source.readInto(into, offset, signal);
    return source.then((opened) => opened.readInto(into, offset, signal));
  }

  async #opened(part: number): Promise<ByteSource> {
    try {
      return this.#open[part] = await this.openPart(this.parts[part]!);
    } catch (error) {
      this.#open[part] = undefined; // a later read may succeed
      throw error;
    }
  }

  /** Checks every part that is open. */
  async verify(signal?: AbortSignal): Promise<void> {
    for (const source of await this.#sources()) await source.verify(signal);
  }

  /** Checks every part that is open, synchronously. */
  recheck(): void {
    for (const source of this.#open) if (source && !(source instanceof Promise)) source.recheck?.();
  }

  /** The descriptions of all parts. */
  describe(): JoinedSpec {
    return { kind: "joined", name: this.name, parts: this.parts };
  }

  /** Closes every part that is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const source of await this.#sources()) await source[Symbol.asyncDispose]();
    this.#open.length = 0;
  }

  async #sources(): Promise<ByteSource[]> {
    const settled = await Promise.allSettled(this.#open.filter((source) => source !== undefined));
    return settled.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  }
}
