/**
 * The parts of a WebP file: where its picture is, and its alpha.
 *
 * ```
 * part    name₃₂ bytes₃₂ …, and a byte more if they are odd
 * "VP8X"  flags₃₂ width − 1₂₄ height − 1₂₄
 * ```
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { wrong } from "./prefix.ts";

/** A part of a file: half open. */
export interface ByteRange {
  readonly start: number;
  readonly stop: number;
}

/** The picture of a file. */
export interface Picture extends ByteRange {
  readonly isLossless: boolean;
  /** Alpha of a picture with losses. */
  readonly alpha: ByteRange | undefined;
  /** Width and height, if the file says them in front. */
  readonly canvas: readonly [number, number] | undefined;
}

/** Finds the picture; what is behind the file is left out. */
export function findPicture(input: Uint8Array): Picture {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const name = (at: number) => String.fromCharCode(...input.subarray(at, at + 4));
  if (name(0) !== "RIFF" || name(8) !== "WEBP") throw wrong("it does not begin with RIFF and WEBP", 0);
  const end = 8 + view.getUint32(4, true);
  if (end > input.length) throw wrong(`the input ends too early, it should have ${end} bytes`, input.length);
  let alpha: ByteRange | undefined, canvas: Picture["canvas"];
  for (let at = 12; at + 8 <= end;) {
    const kind = name(at), bytes = view.getUint32(at + 4, true), start = at + 8, stop = start + bytes;
    if (stop > end) throw wrong(`a part of ${bytes} bytes goes over the end`, at);
    if (kind === "VP8L") return { isLossless: true, start, stop, alpha: undefined, canvas };
    if (kind === "VP8 ") return { isLossless: false, start, stop, alpha, canvas };
    if (kind === "ANMF") {
      const text = "Cannot undo the filter webp: pictures that move are not supported";
      throw new TilewiseError("unsupported", text, { place: at });
    }
    if (kind === "VP8X") canvas = readCanvas(view, start, bytes);
    if (!canvas) throw wrong("it has parts in front of its canvas", at);
    if (kind === "ALPH") alpha = { start, stop };
    at = stop + bytes % 2;
  }
  throw wrong("it has no picture", end);
}

function readCanvas(view: DataView, start: number, bytes: number): readonly [number, number] {
  if (bytes !== 10) throw wrong(`its canvas has ${bytes} bytes`, start);
  return [(view.getUint32(start + 4, true) & 0xffffff) + 1, (view.getUint32(start + 6, true) >>> 8) + 1];
}
