/**
 * The packed rows of a PNG file: unpacked by the platform, piece by piece, and put together from differences to their neighbours.
 *
 * ```
 * type 0  x          a b     x: a byte of this row, d: the byte of the pixel to its left,
 * type 1  x + d      d x     b: the byte above it, a: above and to the left
 * type 2  x + b
 * type 3  x + ⌊(d + b) / 2⌋
 * type 4  x + the one of d, b, a that is nearest to d + b − a
 * ```
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { pngError } from "./chunks.ts";

/** Reads rows of bytes from packed pieces. */
export class PackedRows implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #piece: Uint8Array = new Uint8Array(0);

  /** Of the pieces of one stream in the zlib format. */
  constructor(pieces: readonly Uint8Array<ArrayBuffer>[]) {
    let next = 0;
    const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = pieces[next++];
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    this.#reader = packed.pipeThrough(new DecompressionStream("deflate")).getReader();
  }

  /** Fills `bytes`. Errors: `malformed`, `truncated`. */
  async read(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#piece.length === 0 && !await this.#next()) {
        const text = "Cannot read the PNG file: its packed rows end early";
        throw new TilewiseError("truncated", text, { expected: bytes.length, found: at });
      }
      const part = this.#piece.subarray(0, bytes.length - at);
      bytes.set(part, at);
      this.#piece = this.#piece.subarray(part.length);
      at += part.length;
    }
  }

  /** Reads on to the checksum behind the last row; what else follows the rows is left out. */
  async end(): Promise<void> {
    if (this.#piece.length === 0) await this.#next();
  }

  async #next(): Promise<boolean> {
    try {
      const { value, done } = await this.#reader.read();
      this.#piece = value ?? new Uint8Array(0);
      return !done;
    } catch (error) {
      throw pngError(`its rows cannot be unpacked: ${reasonOf(error)}`);
    }
  }

  /** Stops unpacking. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {}); // it has failed, and that was reported
  }
}

/**
 * Undoes the filter `type` of a row in place; `above` is the row above it, or zeros, `step` the bytes of a pixel, at least 1.
 *
 * @example Differences to the left
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const row = Uint8Array.of(10, 1, 1);
 * unfilter(1, row, new Uint8Array(3), 1);
 * assertEquals([...row], [10, 11, 12]);
 * ```
 */
export function unfilter(type: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const undo = UNDO[type];
  if (!undo) throw pngError(`a row has the filter ${type}, which does not exist`);
  undo(row, above, step);
}

type Undo = (row: Uint8Array, above: Uint8Array, step: number) => void;

const UNDO: readonly Undo[] = [
  () => {},
  (row, _above, step) => {
    for (let i = step; i < row.length; i++) row[i] = row[i]! + row[i - step]!;
  },
  (row, above) => {
    for (let i = 0; i < row.length; i++) row[i] = row[i]! + above[i]!;
  },
  (row, above, step) => {
    for (let i = 0; i < row.length; i++) {
      row[i] = row[i]! + ((i < step ? 0 : row[i - step]!) + above[i]! >> 1);
    }
  },
  (row, above, step) => {
    for (let i = 0; i < step && i < row.length; i++) row[i] = row[i]! + above[i]!;
    for (let i = step; i < row.length; i++) {
      row[i] = row[i]! + nearest(row[i - step]!, above[i]!, above[i - step]!);
    }
  },
];

/** The one of `left`, `up` and `corner` that is nearest to `left + up − corner`; the first of equally near ones. */
function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner), toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
