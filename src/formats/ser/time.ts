/**
 * When the first element of a TIA series was taken: its tag has the seconds since 1970, possibly in local time.
 *
 * ```
 * behind the offsets of elements: those of tags;  tag  kind₃₂ (0x4152, or 0x4142 with a position) time₃₂ …
 * ```
 *
 * @module
 */

import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { Fields } from "../common/fields.ts";

const KINDS = [0x4152, 0x4142];
/** Seconds from 1970 to 1990: there are no earlier series. */
const LEAST_SECONDS = 631_152_000;

/** Where the offsets of tags lie. */
export interface SerTags {
  /** Byte of the first offset. */
  readonly at: number;
  /** Bytes of an offset. */
  readonly offsetBytes: 4 | 8;
}

/** The time in the first tag, as if it were in UTC; `undefined` if there is no tag at the place given in the file. */
export async function firstTime(
  source: ByteSource,
  { at, offsetBytes }: SerTags,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const offset = new Fields(await readUpTo(source, at, offsetBytes, signal), source.name);
  if (offset.bytes.length < offsetBytes) return undefined;
  const high = offsetBytes === 8 ? offset.u32(4) : 0;
  const place = high * 2 ** 32 + offset.u32(0);
  if (place === 0 || place + 8 > source.size) return undefined;
  const tag = new Fields(await readUpTo(source, place, 8, signal), source.name);
  const seconds = tag.u32(4);
  if (!KINDS.includes(tag.u32(0) & 0xffff) || seconds < LEAST_SECONDS) return undefined;
  return new Date(1000 * seconds).toISOString();
}
