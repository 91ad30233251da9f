/**
 * One execution: a damaged file is opened and read within limits, and ends in samples or in a typed error.
 *
 * @module
 */

import { readBox } from "../../src/cli/inputs/frames.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { openAllStored as openAll, type OpenOptions } from "../../src/formats/open.ts";
import { wholeBox } from "../../src/space/box.ts";
import { measured } from "./clock.ts";

/**
 * What an execution may cost: time of the processor, as others use this machine too, and time on the clock, in which nothing
 * but waiting may be.
 */
export const LIMITS = { milliseconds: 250, waiting: 10_000, bytes: 64 * 2 ** 20 } as const;

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
  /** How long it took: time of the processor. */
  readonly milliseconds: number;
}

/** What is opened with a damaged file. */
export interface Company {
  /** How it is opened. */
  readonly options?: OpenOptions;
  /** Undamaged files beside it. */
  readonly siblings?: readonly File[];
  /** An undamaged file that is opened instead of it. */
  readonly lead?: File | undefined;
}

/** Opens and reads `bytes` and what belongs to them. */
export async function attempt(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  { options = {}, siblings = [], lead }: Company = {},
): Promise<Outcome> {
  const files = [...(lead ? [lead] : []), new File([bytes], name), ...siblings];
  const first = await once(files, options);
  if (first.problem === undefined || !/^it (took|needed)/.test(first.problem)) return first;
  (globalThis as { gc?: () => void }).gc?.(); // garbage of others, or a busy machine? once more
  return await once(files, options);
}

async function once(files: readonly File[], options: OpenOptions): Promise<Outcome> {
  const before = Deno.memoryUsage().rss;
  const spent = measured();
  let end = "read";
  let problem: string | undefined;
  try {
    const arrays = await openAll(files, options);
    const small = arrays.filter(({ byteLength }) => byteLength > 0 && byteLength <= READ_BYTES);
    for (const dataset of small.slice(0, READ_ARRAYS)) await readBox(dataset, wholeBox(dataset.shape));
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") end = error.code;
    else {
      end = "wrong";
      problem = error instanceof Error ? `${error.stack}` : String(error);
    }
  }
  const { milliseconds, onClock } = spent();
  const grown = Deno.memoryUsage().rss - before;
  if (milliseconds > LIMITS.milliseconds) problem ??= `it took ${Math.round(milliseconds)} ms`;
  if (onClock > LIMITS.waiting) problem ??= `it took ${Math.round(onClock)} ms on the clock`;
  if (grown > LIMITS.bytes) problem ??= `it needed ${Math.round(grown / 2 ** 20)} MiB`;
  return { end, milliseconds, ...(problem === undefined ? {} : { problem }) };
}
