/**
 * A byte source that keeps what is read from another one, in memory that all threads see: no byte is read twice.
 *
 * ```
 * source  ████████████░░░░░░░░████░░░░     what was read once
 * marks   1  1  1  1  0  0  1  1  0  0     one per block; a block counts when all of it is there
 * ```
 *
 * Threads do not wait for each other: two that read the same block at the same time both read it, and write the same bytes.
 *
 * @module
 */

import { coalesce } from "./coalesce.ts";
import { type ByteSource, checkRead, closedError, type KeptSpec } from "./source/source.ts";

/** Bytes of a block: few, as reads are widened to whole blocks. */
const BLOCK = 512;

/** Most bytes in memory already that are read again, so that one request brings what lies on both sides of them. */
const GAP = 16 * 1024;

/** The description of `source` with room for all its bytes; nothing has been read. Errors: `RangeError` without memory. */
export function keptSpec(source: KeptSpec["source"], size: number): KeptSpec {
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  const marks = new Uint8Array(new SharedArrayBuffer(Math.ceil(size / BLOCK)));
  const name = "name" in source
    ? source.name
    : "url" in source
    ? source.url.replace(/\?.*$/, "")
    : source.path;
  return { kind: "kept", name, source, bytes, marks };
}

/** Whether all bytes have been read. */
export function isComplete({ marks }: KeptSpec): boolean {
  return marks.every((mark) => mark === 1);
}

/** What is read from a source, and kept. */
export class KeptSource implements ByteSource {
  readonly name: string;
  /** Bytes in the source. */
  readonly size: number;
  #source: Promise<ByteSource> | undefined;
  #opened: ByteSource | undefined;
  #closed = false;

  /** The source that `spec` describes; `open` opens the one behind it when a byte is missing. */
  constructor(private readonly spec: KeptSpec, private readonly open: () => Promise<ByteSource>) {
    this.name = spec.name;
    this.size = spec.bytes.byteLength;
  }

  /** Fills `into`; synchronous if all of it is in memory. */
  readInto(into: Uint8Array, at: number, signal?: AbortSignal): void | Promise<void> {
    if (this.#closed) throw closedError(this.name);
    checkRead(this, into.byteLength, at, signal);
    const missing = this.#missing(at, at + into.byteLength);
    if (missing.length > 0) return this.#read(missing, into, at, signal);
    into.set(this.spec.bytes.subarray(at, at + into.byteLength));
  }

  async #read(
    missing: { start: number; stop: number }[],
    into: Uint8Array,
    at: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const { bytes, marks } = this.spec;
    const source = await (this.#source ??= this.#openNow());
    await Promise.all(
      coalesce(missing, { gap: GAP }).map(async ({ start, stop }) => {
        await source.readInto(bytes.subarray(start, stop), start, signal);
        for (let block = start / BLOCK; block * BLOCK < stop; block++) Atomics.store(marks, block, 1);
      }),
    );
    into.set(bytes.subarray(at, at + into.byteLength));
  }

  /** The ranges of blocks that are not in memory. */
  #missing(at: number, end: number): { start: number; stop: number }[] {
    const { marks } = this.spec;
    const ranges: { start: number; stop: number }[] = [];
    for (let block = Math.floor(at / BLOCK); block * BLOCK < end; block++) {
      if (Atomics.load(marks, block) === 1) continue;
      const [start, stop] = [block * BLOCK, Math.min(this.size, (block + 1) * BLOCK)];
      const last = ranges.at(-1);
      if (last?.stop === start) last.stop = stop;
      else ranges.push({ start, stop });
    }
    return ranges;
  }

  async #openNow(): Promise<ByteSource> {
    try {
      return this.#opened = await this.open();
    } catch (error) {
      this.#source = undefined; // a later read may succeed
      throw error;
    }
  }

  /** Checks the source behind it. */
  async verify(signal?: AbortSignal): Promise<void> {
    await (await (this.#source ??= this.#openNow())).verify(signal);
  }

  /** Checks the source behind it, if it is open. */
  recheck(): void {
    this.#opened?.recheck?.();
  }

  /** The same memory. */
  describe(): KeptSpec {
    return this.spec;
  }

  /** Closes the source behind it; its bytes stay where other threads see them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await (await this.#source?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}
