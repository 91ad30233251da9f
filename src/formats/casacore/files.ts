/**
 * The files of a table: its folder, whatever that is.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";

/** The files of one table. */
export interface TableFiles {
  /** What the table is called in messages. */
  readonly name: string;
  /** Opens the file of that name in the folder of the table; whoever made this closes it. */
  open(name: string): Promise<ByteSource>;
  /** Stops reads. */
  readonly signal?: AbortSignal | undefined;
}

/** Most bytes of a header or index that is read as a whole. */
export const MOST_HEADER = 2 ** 28;

/** The whole of a file that only describes; `unsupported` if it is too large for that. */
export async function readWhole(source: ByteSource, signal?: AbortSignal): Promise<Uint8Array> {
  if (source.size > MOST_HEADER) {
    const text = `Cannot read ${source.name}: a header of ${source.size} bytes is more than ${MOST_HEADER}`;
    throw new TilewiseError("unsupported", text, {
      file: source.name,
      expected: MOST_HEADER,
      found: source.size,
    });
  }
  return await readUpTo(source, 0, source.size, signal);
}

/** The `length` bytes at `at`; `truncated` if the file ends before. */
export async function readPart(
  source: ByteSource,
  at: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (at + length > source.size) throw cutAt(source, at, at + length);
  return await readUpTo(source, at, length, signal);
}

/** The error for a file that ends before `end`, although something at `at` goes on to there. */
export function cutAt({ name, size }: ByteSource, at: number, end: number): TilewiseError {
  const text = `Cannot read ${name}: it ends at byte ${size}, what begins at byte ${at} goes to byte ${end}`;
  return new TilewiseError("truncated", text, { file: name, offset: at, expected: end, found: size });
}
