/**
 * The header of an array in a table of casacore: checked and taken off.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "./common/filter.ts";

/**
 * Takes off the header of an array, which says its shape: `[references₃₂] dimensions₃₂ sizes₃₂`. Values: whether it is
 * big-endian, whether it counts references (0 or 1), the sizes that it must say.
 */
export const arrayHeader: ChunkFilter = ({ input, output, values: [isBig = 0, counts = 0, ...sizes] }) => {
  const bytes = 4 * (counts + 1 + sizes.length);
  if (input.length < bytes) throw filterError("array-header", `${input.length} bytes are less than ${bytes}`);
  const view = new DataView(input.buffer, input.byteOffset, bytes);
  const numbers = Array.from(
    { length: 1 + sizes.length },
    (_, i) => view.getUint32(4 * (counts + i), isBig === 0),
  );
  if (numbers[0] !== sizes.length || sizes.some((size, i) => numbers[i + 1] !== size)) {
    const found = numbers[0] === sizes.length ? numbers.slice(1).join(" × ") : `of ${numbers[0]} dimensions`;
    throw filterError("array-header", `the array is ${found}, not ${sizes.join(" × ")} as the first row`, {
      place: 0,
      expected: sizes.join(" × "),
      found,
    });
  }
  const samples = input.subarray(bytes);
  if (samples.length > output.length) {
    throw filterError("array-header", `${samples.length} bytes do not fit ${output.length}`);
  }
  output.set(samples);
  return samples.length;
};
