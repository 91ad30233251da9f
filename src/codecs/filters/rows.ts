/**
 * Rows of tables of casacore: arrays with a header each, and values that count for several rows.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "./common/filter.ts";

/**
 * Takes the headers off arrays, each of which says its shape: `[references₃₂] dimensions₃₂ sizes₃₂`, then the samples.
 * Values: whether it is big-endian, whether it counts references (0 or 1), bytes of the samples of an array, bytes from one
 * array to the next, the sizes that each must say.
 */
export const arrayHeader: ChunkFilter = ({ input, output, values }) => {
  const [, counts = 0, samples = 0, step = 0, ...sizes] = values;
  const head = 4 * (counts + 1 + sizes.length);
  let written = 0;
  for (let at = 0; at < input.length; at += step) {
    checkHeader(input.subarray(at, at + head), values, at);
    const array = input.subarray(at + head, at + head + samples);
    if (array.length < samples || written + samples > output.length || step < head) {
      const room = `${output.length - written} bytes of room`;
      throw filterError("array-header", `${array.length} bytes of an array of ${samples} do not fit ${room}`);
    }
    output.set(array, written);
    written += samples;
  }
  return written;
};

function checkHeader(
  header: Uint8Array,
  [isBig, counts = 0, , , ...sizes]: readonly number[],
  at: number,
): void {
  const bytes = 4 * (counts + 1 + sizes.length);
  if (header.length < bytes) {
    throw filterError("array-header", `${header.length} bytes are less than ${bytes}`, { place: at });
  }
  const view = new DataView(header.buffer, header.byteOffset, bytes);
  const number = (i: number) => view.getUint32(4 * (counts + i), isBig === 0);
  if (number(0) === sizes.length && sizes.every((size, i) => number(i + 1) === size)) return;
  const own = Array.from({ length: sizes.length }, (_, i) => number(i + 1));
  const found = number(0) === sizes.length ? own.join(" × ") : `of ${number(0)} dimensions`;
  const expected = sizes.join(" × ");
  throw filterError("array-header", `the array is ${found}, not ${expected} as the first row`, {
    place: at,
    expected,
    found,
  });
}

/** Repeats values: each is stored as how many rows have it (32 bits, little-endian), and its bytes. Values: these bytes. */
export const runLengths: ChunkFilter = ({ input, output, values: [bytes = 0] }) => {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let written = 0;
  for (let at = 0; at < input.length; at += 4 + bytes) {
    const rows = at + 4 + bytes <= input.length ? view.getUint32(at, true) : 0;
    if (rows === 0 || bytes === 0 || written + rows * bytes > output.length) {
      const room = output.length - written;
      throw filterError("run-lengths", `${rows} values of ${bytes} bytes, for ${room} bytes`, { place: at });
    }
    output.set(input.subarray(at + 4, at + 4 + bytes), written);
    const stop = written + rows * bytes;
    for (let done = bytes; written + done < stop; done *= 2) { // what is there is copied behind it
      output.copyWithin(written + done, written, Math.min(written + done, stop - done));
    }
    written = stop;
  }
  return written;
};
