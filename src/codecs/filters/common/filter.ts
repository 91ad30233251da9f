/**
 * The interface of chunk filters, which turn a stored chunk into plain bytes, one step at a time.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Kernels } from "../../../kernels/bind.ts";

/** One step of a chunk. */
export interface FilterStep {
  /** The kernels; `input` and `output` lie in their memory. */
  readonly kernels: Kernels;
  /** The stored bytes. */
  readonly input: Uint8Array;
  /** Where the result goes; a filter writes nothing beyond it. */
  readonly output: Uint8Array;
  /** Parameters, as the file has them. */
  readonly values: readonly number[];
  /** Number of the chunk, for filters whose chunks differ; absent where the bytes are no chunk. */
  readonly cell?: number;
  /** Address of the bytes that `scratchBytes` says for the filter's own use, at a multiple of 8. */
  readonly scratch: number;
  /** Memory for steps in between, as large as `spareBytes` says. */
  readonly spare: Uint8Array;
}

/**
 * Undoes one filter; returns the number of bytes written to `output`. Invalid input, and output that would not fit,
 * are `malformed` errors.
 */
export type ChunkFilter = (job: FilterStep) => number | Promise<number>;

/** The error of a filter for invalid input. */
export function filterError(
  filter: string,
  problem: string,
  details: Record<string, unknown> = {},
): TilewiseError {
  return new TilewiseError("malformed", `Cannot undo the filter ${filter}: ${problem}`, details);
}

/** Copies what is not packed. */
export function copyPlain(filter: string, { input, output }: Pick<FilterStep, "input" | "output">): number {
  if (input.length > output.length) {
    throw filterError(filter, `${input.length} bytes are more than the ${output.length} there is room for`);
  }
  output.set(input);
  return input.length;
}
