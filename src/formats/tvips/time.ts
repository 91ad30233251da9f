/**
 * The times of TVIPS frames: each frame header has the seconds since 1970 and milliseconds.
 *
 * @module
 */

import type { Instrument } from "../../dataset/facts.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { Fields } from "../common/fields.ts";

/** Seconds of the year 1971: cameras that wrote less had no clock. */
const LEAST_SECONDS = 86_400 * 365;

/** Frames of one file. */
export interface TvipsFrames {
  /** The file. */
  readonly source: ByteSource;
  /** Byte of the first header. */
  readonly start: number;
  /** Bytes from header to header. */
  readonly pitch: number;
  /** Frames, from one on. */
  readonly frames: number;
}

/** When the first frame of a file was taken, and how many there were a second up to the last one in it. */
export async function timesIn(
  { source, start, pitch, frames }: TvipsFrames,
  signal?: AbortSignal,
): Promise<Pick<Instrument, "acquired" | "frameRate">> {
  const first = await timeAt(source, start, signal);
  const last = frames > 1 ? await timeAt(source, start + (frames - 1) * pitch, signal) : undefined;
  if (first === undefined) return {};
  const seconds = last === undefined ? 0 : (last - first) / 1000;
  return {
    acquired: new Date(first).toISOString(),
    ...(seconds > 0 ? { frameRate: Number(((frames - 1) / seconds).toPrecision(6)) } : {}),
  };
}

/** Milliseconds since 1970; `undefined` if the header has no time. */
async function timeAt(source: ByteSource, at: number, signal?: AbortSignal): Promise<number | undefined> {
  const fields = await Fields.read(source, at, 12, "little", signal);
  const [seconds, milliseconds] = [fields.u32(4), fields.u32(8)];
  const isTime = seconds >= LEAST_SECONDS && milliseconds < 1000;
  return isTime ? 1000 * seconds + milliseconds : undefined;
}
