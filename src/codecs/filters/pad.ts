/**
 * Makes a chunk that holds only the samples inside of its array as long as the others: zeros follow, which nobody reads.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "./filter.ts";

/** Appends zeros. Values: the bytes that there must be, and the bytes of the result. */
export const pad: ChunkFilter = ({ input, output, values: [held = 0, whole = 0] }) => {
  if (input.length !== held || whole > output.length) {
    throw filterError("pad", `${input.length} bytes are not the ${held} of a short chunk`, {
      expected: held,
      found: input.length,
    });
  }
  output.set(input);
  output.fill(0, held, whole);
  return whole;
};
