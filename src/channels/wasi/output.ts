/**
 * Where the output of a program goes: it is kept until the program ends, or it is handed over while it runs.
 *
 * Output that is handed over goes through a ring of shared memory. The program waits while it is full, so that a program that
 * writes faster than its caller reads needs no more memory; no byte is lost.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";
import { sleep } from "../protocol/sleep.ts";
import type { IoVectors } from "./common/descriptors.ts";

/** Keeps output, up to a limit. */
export class KeptOutput {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** Nothing yet; `name` is for the message. */
  constructor(private readonly limit: number, private readonly name: string) {}

  /** Takes the bytes of pieces. Errors: `over-budget`. */
  readonly put = (pieces: IoVectors): void => {
    for (const piece of pieces) {
      this.#bytes += piece.length;
      if (this.#bytes > this.limit) throw this.#full();
      this.#chunks.push(piece.slice());
    }
  };

  /** All of it. */
  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  #full(): TilewiseError {
    const text =
      `The program has written more than ${
        formatBytes(this.limit)
      } to ${this.name}, which are kept until it ends; ` +
      `take them while it runs, with the option "${this.name}", or raise "outputLimit"`;
    return new TilewiseError("over-budget", text, { expected: this.limit, option: "outputLimit" });
  }
}

/** Cells of a ring: bytes that were ever written and ever read, modulo 2³². */
const WRITTEN = 0, READ = 1, CELLS = 2;

/** Bytes of a ring; a power of two, so that counts may wrap. */
const RING_BYTES = 65536;

/** Milliseconds between two checks of a waiting program whether it is to stop. */
const LOOK = 50;

/** Bytes from one thread to another. */
export class Ring {
  readonly #cells: Int32Array;
  readonly #bytes: Uint8Array;

  /** A new ring, or the one in `buffer`. */
  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(CELLS * 4 + RING_BYTES)) {
    this.#cells = new Int32Array(buffer, 0, CELLS);
    this.#bytes = new Uint8Array(buffer, CELLS * 4);
  }

  /** Writes all bytes of pieces; waits for the other thread while there is no room. */
  put(pieces: IoVectors, look: () => void): void {
    for (const piece of pieces) {
      for (let done = 0; done < piece.length;) done += this.#some(piece.subarray(done), look);
    }
  }

  #some(bytes: Uint8Array, look: () => void): number {
    const cells = this.#cells, written = cells[WRITTEN]!, read = Atomics.load(cells, READ);
    const room = RING_BYTES - (written - read >>> 0);
    if (room === 0) {
      sleep(cells, READ, read, LOOK);
      look();
      return 0;
    }
    const at = written & (RING_BYTES - 1), count = Math.min(room, bytes.length, RING_BYTES - at);
    this.#bytes.set(bytes.subarray(0, count), at);
    Atomics.store(cells, WRITTEN, written + count);
    Atomics.notify(cells, WRITTEN);
    return count;
  }

  /** Resolves when there are bytes to take, or after some milliseconds. */
  async written(milliseconds: number): Promise<void> {
    const cells = this.#cells, read = cells[READ]!;
    const { async, value } = Atomics.waitAsync(cells, WRITTEN, read, milliseconds);
    if (async) await value;
  }

  /** A copy of the bytes that are there, and room for others. */
  take(): Uint8Array<ArrayBuffer> {
    const cells = this.#cells, read = cells[READ]!;
    const count = Atomics.load(cells, WRITTEN) - read >>> 0, at = read & (RING_BYTES - 1);
    const out = new Uint8Array(count), first = Math.min(count, RING_BYTES - at);
    out.set(this.#bytes.subarray(at, at + first));
    out.set(this.#bytes.subarray(0, count - first), first);
    Atomics.store(cells, READ, read + count);
    Atomics.notify(cells, READ);
    return out;
  }
}
