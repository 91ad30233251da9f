/**
 * Blocks of Dysco, which stores visibilities and weights with few bits: factors in 32-bit floats, then symbols without gaps,
 * their lowest bits first.
 *
 * ```
 * visibility   value of its symbol · factors      weight   symbol · factor / (2^bits − 1), the same for all correlations
 * AF           factor of channel and correlation · of the first antenna · of the second antenna
 * RF           factor of channel and correlation · of row and correlation
 * Row          factor of the row
 * ```
 * Source: files that casacore wrote, and the published code of Dysco.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "../common/filter.ts";
import { dictionaryOf } from "./dictionary.ts";

/** How visibilities are normalised, in the order of the numbers in files. */
export const NORMALISATIONS = ["AF", "RF", "Row"] as const;

/** Bits that a symbol may have. */
export const SYMBOL_BITS: readonly number[] = [2, 3, 4, 6, 8, 10, 12, 16];

/** What the antennas of a row are multiplied with to be one number. */
export const FIRST_ANTENNA = 2 ** 16;

/**
 * Visibilities (64-bit complex). Values: bits, distribution, its parameter, normalisation, correlations, channels, rows,
 * antennas, number of lists, lists of the antennas of the rows of a block (first · 2^16 + second), the list of each block.
 */
export const dysco: ChunkFilter = ({ input, output, values, cell = 0 }) => {
  const [bits = 0, distribution = 0, parameter = 0, , correlations = 0, channels = 0, rows = 0] = values;
  const each = correlations * channels, symbols = 2 * each * rows;
  const factors = factorsOf(input, values, cell);
  checkBlock("dysco", input, factors.floats, symbols, bits, output, 4 * symbols);
  const dictionary = dictionaryOf(bits, distribution, parameter);
  const found = new Float32Array(symbols);
  const next = symbolsIn(input, 4 * factors.floats, bits);
  for (let row = 0, at = 0; row < rows; row++) {
    const factorAt = factors.ofRow(row);
    for (let i = 0; i < each; i++) {
      const factor = factorAt(i);
      found[at++] = dictionary[next()]! * factor;
      found[at++] = dictionary[next()]! * factor;
    }
  }
  output.set(new Uint8Array(found.buffer));
  return found.byteLength;
};

/** Weights (32-bit floats), one for all correlations of a channel. Values: bits, correlations, channels, rows. */
export const dyscoWeights: ChunkFilter = ({ input, output, values }) => {
  const [bits = 0, correlations = 0, channels = 0, rows = 0] = values;
  const symbols = channels * rows;
  checkBlock("dysco-weights", input, 1, symbols, bits, output, 4 * symbols * correlations);
  const factor = floatsOf(input, 1)[0]! / (2 ** bits - 1);
  const found = new Float32Array(symbols * correlations);
  const next = symbolsIn(input, 4, bits);
  for (let i = 0; i < symbols; i++) {
    found.fill(next() * factor, i * correlations, (i + 1) * correlations);
  }
  output.set(new Uint8Array(found.buffer));
  return found.byteLength;
};

/** Factors before the symbols, and which of them count for a sample of a row. */
interface Factors {
  /** How many there are. */
  readonly floats: number;
  /** The factor of each channel and correlation of a row. */
  ofRow(row: number): (sample: number) => number;
}

/** How many factors a block has. */
export function factorsIn(
  normalisation: number,
  correlations: number,
  channels: number,
  rows: number,
  antennas: number,
): number {
  const name = NORMALISATIONS[normalisation];
  if (name === "Row") return rows;
  return correlations * (channels + (name === "AF" ? antennas : rows));
}

function factorsOf(input: Uint8Array, values: readonly number[], block: number): Factors {
  const [, , , normalisation = 0, correlations = 0, channels = 0, rows = 0, antennas = 0] = values;
  const floats = factorsIn(normalisation, correlations, channels, rows, antennas);
  const all = floatsOf(input, floats), own = channels * correlations;
  switch (NORMALISATIONS[normalisation]) {
    case "AF": {
      const pairOf = antennasOf(values, block);
      return {
        floats,
        ofRow: (row) => {
          const first = own + Math.floor(pairOf(row) / FIRST_ANTENNA),
            second = own + pairOf(row) % FIRST_ANTENNA;
          const pair = Array.from(
            { length: correlations },
            (_, p) => all[first + p * antennas]! * all[second + p * antennas]!,
          );
          return (i) => all[i]! * pair[i % correlations]!;
        },
      };
    }
    case "RF":
      return { floats, ofRow: (row) => (i) => all[i]! * all[own + row * correlations + i % correlations]! };
    case "Row":
      return { floats, ofRow: (row) => () => all[row]! };
    default:
      throw filterError("dysco", `there is no normalisation ${normalisation}`);
  }
}

/** The antennas of the rows of a block, as one number. */
function antennasOf(values: readonly number[], block: number): (row: number) => number {
  const [, , , , , , rows = 0, antennas = 0, lists = 0] = values;
  const list = lists === 1 ? 0 : values[9 + lists * rows + block] ?? lists;
  const start = 9 + list * rows;
  if (list >= lists) throw filterError("dysco", `the antennas of block ${block} are not known`);
  return (row) => {
    const pair = values[start + row]!;
    if (Math.floor(pair / FIRST_ANTENNA) < antennas && pair % FIRST_ANTENNA < antennas) return pair;
    const text = `row ${row} has antennas ${Math.floor(pair / FIRST_ANTENNA)} and ${pair % FIRST_ANTENNA}, ` +
      `there are ${antennas}`;
    throw filterError("dysco", text);
  };
}

/** The first floats of a block, in double precision, as products are made of them. */
function floatsOf(input: Uint8Array, count: number): Float64Array {
  const most = Math.min(count, Math.floor(input.length / 4));
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  return Float64Array.from({ length: most }, (_, i) => view.getFloat32(4 * i, true));
}

/** Gives one symbol after another, from byte `start` on. */
function symbolsIn(input: Uint8Array, start: number, bits: number): () => number {
  const mask = 2 ** bits - 1;
  let at = start, held = 0, count = 0;
  return () => {
    while (count < bits) {
      held |= input[at++]! << count;
      count += 8;
    }
    const symbol = held & mask;
    held >>>= bits;
    count -= bits;
    return symbol;
  };
}

function checkBlock(
  filter: string,
  input: Uint8Array,
  floats: number,
  symbols: number,
  bits: number,
  output: Uint8Array,
  bytes: number,
): void {
  if (!SYMBOL_BITS.includes(bits)) throw filterError(filter, `symbols have ${bits} bits`);
  const needed = 4 * floats + Math.ceil(symbols * bits / 8);
  if (input.length < needed) {
    throw filterError(filter, `a block of ${input.length} bytes has less than ${needed}`);
  }
  if (output.length < bytes) throw filterError(filter, `${bytes} bytes do not fit ${output.length}`);
}
