/**
 * Files of rows whose samples come one after another: what lies around frames, and beside the file.
 *
 * @module
 */

import { stemOf } from "../../io/file/names.ts";
import type { PendingFile } from "../../io/write/write.ts";
import type { FileTarget } from "../registry.ts";
import { type FramesToWrite, sizesOf, storedBytes, type WrittenLayout } from "./layout.ts";

/** The bytes of the file of samples that come in their order, in pieces of any size. */
export class RowStream {
  #row = 0;
  /** Bytes that are missing of the frame, or of all frames where nothing lies between them. */
  #left = 0;

  constructor(private readonly layout: WrittenLayout, private readonly frames: FramesToWrite) {}

  /** The bytes of some samples, with what lies around them. */
  *put<B extends ArrayBufferLike>(bytes: Uint8Array<B>): Generator<Uint8Array<B | ArrayBuffer>> {
    const { headerBytes, footerBytes, header } = this.layout, { dtype } = this.frames;
    if (headerBytes + footerBytes === 0) return yield storedBytes(bytes, this.layout, dtype);
    for (let at = 0; at < bytes.length;) {
      if (this.#left === 0) {
        this.#left = sizesOf(this.frames, this.layout).frame;
        if (header) yield Uint8Array.from(header(this.#row));
      }
      const piece = bytes.subarray(at, at + this.#left);
      yield storedBytes(piece, this.layout, dtype);
      at += piece.length;
      this.#left -= piece.length;
      if (this.#left > 0) continue;
      this.#row++;
      if (footerBytes > 0) yield new Uint8Array(footerBytes);
    }
  }
}

/** The files of a target, or those that it may write, for `path`, the one with the frames first. */
export function filesOfRows({ framesIn, sides = [] }: FileTarget, path: string): string[] {
  const stem = stemOf(path);
  return [framesIn === undefined ? path : `${stem}${framesIn}`, ...sides.map((side) => `${stem}${side}`)];
}

/** The files beside the frames. */
export function besideRows({ beside }: WrittenLayout, path: string): PendingFile[] {
  const encoder = new TextEncoder();
  return beside.map(({ ending, text }) => ({
    path: `${stemOf(path)}${ending}`,
    content: () => encoder.encode(text),
  }));
}
