/**
 * One execution: a damaged file is opened and read within limits, and ends in samples or in a typed error.
 *
 * @module
 */

import { readBox } from "../../src/cli/frames.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { openAll, type OpenOptions } from "../../src/formats/open.ts";
import { wholeBox } from "../../src/space/box.ts";

/** What an execution may cost. */
export const LIMITS = { milliseconds: 250, bytes: 64 * 2 ** 20 } as const;

/** Arrays up to this size are read; larger ones are only opened. */
const READ_BYTES = 2 ** 18;
/** Arrays of a file that are read. */
const READ_ARRAYS = 3;

/** How an execution ended. */
export interface Outcome {
  /** `read`, the code of a typed error, or what must not be: another error, too slow, too much memory. */
  readonly end: string;
  /** What was wrong; absent when nothing was. */
  readonly problem?: string;
  /** How long it took. */
  readonly milliseconds: number;
}

/** Opens and reads; `siblings` are the undamaged files beside it. */
export async function attempt(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: OpenOptions = {},
  siblings: readonly File[] = [],
): Promise<Outcome> {
  const first = await once(name, bytes, options, siblings);
  if (first.problem === undefined || !/^it (took|needed)/.test(first.problem)) return first;
  (globalThis as { gc?: () => void }).gc?.(); // garbage of others, or a busy machine? once more
  return await once(name, bytes, options, siblings);
}

async function once(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: OpenOptions,
  siblings: readonly File[],
): Promise<Outcome> {
  const before = Deno.memoryUsage().rss;
  const started = performance.now();
  let end = "read";
  let problem: string | undefined;
  try {
    const arrays = await openAll([new File([bytes], name), ...siblings], options);
    const small = arrays.filter(({ byteLength }) => byteLength > 0 && byteLength <= READ_BYTES);
    for (const dataset of small.slice(0, READ_ARRAYS)) await readBox(dataset, wholeBox(dataset.shape));
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") end = error.code;
    else {
      end = "wrong";
      problem = error instanceof Error ? `${error.stack}` : String(error);
    }
  }
  const milliseconds = performance.now() - started;
  const grown = Deno.memoryUsage().rss - before;
  if (milliseconds > LIMITS.milliseconds) problem ??= `it took ${Math.round(milliseconds)} ms`;
  if (grown > LIMITS.bytes) problem ??= `it needed ${Math.round(grown / 2 ** 20)} MiB`;
  return { end, milliseconds, ...(problem === undefined ? {} : { problem }) };
}
