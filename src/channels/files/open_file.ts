/**
 * An open file, and where its next transfer starts.
 *
 * @module
 */

import { STATUS } from "../protocol/status.ts";
import { type FileMode, WHENCE } from "./modes.ts";

/** What a table knows of an open file. */
export interface OpenFile {
  /** Its handle. */
  readonly handle: number;
  /** Its number in the back end. */
  readonly file: number;
  /** What it can do. */
  readonly mode: FileMode;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** The byte where a transfer starts. */
  cursor: number;
  /** Size of the file when it was last asked for: reads below it need not ask again. */
  known: number;
  /** The negative status that cut the latest transfer short, or 0. */
  trouble: number;
}

/** The byte where a transfer starts, or -1 where there is none; `NaN` where that depends on the size, and none is given. */
export function placeOf(open: OpenFile, whence: number, offset: number, size = NaN): number {
  const bytes = offset * open.elementSize;
  if (whence === WHENCE.begin) return valid(bytes);
  if (whence === WHENCE.current) return valid(open.cursor + bytes);
  if (whence !== WHENCE.end) return -1;
  return Number.isNaN(size) ? NaN : valid(size + bytes);
}

function valid(place: number): number {
  return Number.isSafeInteger(place) && place >= 0 ? place : -1;
}

/** Notes that `got` of `bytes` bytes were read at `start`: the whole elements among them. */
export function arrived(open: OpenFile, start: number, bytes: number, got: number): number {
  if (!(got >= 0 && got <= bytes)) return open.trouble = -STATUS.io; // of a back end that does not keep its word
  const elements = Math.floor(got / open.elementSize);
  open.cursor = start + elements * open.elementSize;
  if (got < bytes) open.known = start + got; // it has become shorter
  open.trouble = 0;
  return elements;
}
