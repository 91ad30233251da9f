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

/** How visibilities are normalized, in the order of the numbers in files. */
export const NORMALIZATIONS = ["AF", "RF", "Row"] as const;

/** Bits that a symbol may have. */
export const SYMBOL_BITS: readonly number[] = [2, 3, 4, 6, 8, 10, 12, 16];

/** What the antennas of a row are multiplied with to be one number. */
export const FIRST_ANTENNA = 2 ** 16;

/**
 * Visibilities (64-bit complex). Values: bits, distribution, its parameter, normalization, correlations, channels, rows,
 * antennas, number of lists, lists of the antennas of the rows of a block (first · 2^16 + second), the list of each block.
 */
export const dysco: ChunkFilter = ({ input, output, values, cell = 0 }) => {
  const [bits = 0, distribution = 0, parameter = 0, , correlations = 0, channels = 0, rows = 0] = values;
  const each = correlations * channels, symbols = 2 * each * rows;
  const factors = factorsOf(input, values, cell);
  checkBlock("dysco", input, factors.floats, symbols, bits, output, 4 * symbols);
  const dictionary = dictionaryOf(bits, distribution, parameter);
  const found = floatsAt(output, symbols), codes = new Uint16Array(2 * each);
  const stored = new Symbols(input, 4 * factors.floats, symbols, bits), pair = new Float64Array(correlations);
  for (let row = 0, at = 0; row < rows; row++) {
    factors.place(row, pair);
    stored.take(at, codes);
    for (let i = 0; i < each;) {
      for (let p = 0; p < correlations; p++, i++, at += 2) {
        const factor = factors.common[i]! * pair[p]!;
        found[at] = dictionary[codes[2 * i]!]! * factor;
        found[at + 1] = dictionary[codes[2 * i + 1]!]! * factor;
      }
    }
  }
  return putFloats(output, found);
};

/** Weights (32-bit floats), one for all correlations of a channel. Values: bits, correlations, channels, rows. */
export const dyscoWeights: ChunkFilter = ({ input, output, values }) => {
  const [bits = 0, correlations = 0, channels = 0, rows = 0] = values;
  const symbols = channels * rows;
  checkBlock("dysco-weights", input, 1, symbols, bits, output, 4 * symbols * correlations);
  const factor = floatsOf(input, 1)[0]! / (2 ** bits - 1);
  const found = floatsAt(output, symbols * correlations), codes = new Uint16Array(symbols);
  new Symbols(input, 4, symbols, bits).take(0, codes);
  for (let i = 0, at = 0; i < symbols; i++) {
    for (const stop = at + correlations; at < stop; at++) found[at] = codes[i]! * factor;
  }
  return putFloats(output, found);
};

/** Factors before the symbols, and which of them count for a sample of a row. */
interface Factors {
  /** How many there are. */
  readonly floats: number;
  /** Those of channels and correlations, in all rows. */
  readonly common: Float64Array;
  /** Writes the factor of each correlation in a row. */
  place(row: number, out: Float64Array): void;
}

/** How many factors a block has. */
export function factorsIn(
  normalization: number,
  correlations: number,
  channels: number,
  rows: number,
  antennas: number,
): number {
  const name = NORMALIZATIONS[normalization];
  if (name === "Row") return rows;
  return correlations * (channels + (name === "AF" ? antennas : rows));
}

function factorsOf(input: Uint8Array, values: readonly number[], block: number): Factors {
  const [, , , normalization = 0, correlations = 0, channels = 0, rows = 0, antennas = 0] = values;
  const floats = factorsIn(normalization, correlations, channels, rows, antennas);
  const all = floatsOf(input, floats), own = channels * correlations;
  switch (NORMALIZATIONS[normalization]) {
    case "AF": {
      const pairOf = antennasOf(values, block);
      return {
        floats,
        common: all,
        place: (row, out) => {
          const pair = pairOf(row);
          const first = own + Math.floor(pair / FIRST_ANTENNA), second = own + pair % FIRST_ANTENNA;
          for (let p = 0; p < correlations; p++) {
            out[p] = all[first + p * antennas]! * all[second + p * antennas]!;
          }
        },
      };
    }
    case "RF":
      return {
        floats,
        common: all,
        place: (row, out) => {
          for (let p = 0; p < correlations; p++) out[p] = all[own + row * correlations + p]!;
        },
      };
    case "Row":
      return {
        floats,
        common: new Float64Array(own).fill(1),
        place: (row, out) => void out.fill(all[row]!),
      };
    default:
      throw filterError("dysco", `there is no normalization ${normalization}`);
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
  const found = new Float64Array(most);
  for (let i = 0; i < most; i++) found[i] = view.getFloat32(4 * i, true);
  return found;
}

/** Symbols that lie one after another, from a byte on. */
class Symbols {
  /** With four bytes more, as so many are read for each symbol. */
  readonly #view: DataView;

  constructor(input: Uint8Array, start: number, count: number, private readonly bits: number) {
    const size = Math.ceil(count * bits / 8);
    const bytes = new Uint8Array(size + 4);
    bytes.set(input.subarray(start, start + size));
    this.#view = new DataView(bytes.buffer);
  }

  /** Writes those from number `first` on. */
  take(first: number, out: Uint16Array): void {
    const view = this.#view, { bits } = this, mask = (1 << bits) - 1;
    const start = Math.floor(first * bits / 8);
    for (let i = 0, bit = first * bits % 8; i < out.length; i++, bit += bits) {
      out[i] = view.getUint32(start + (bit >> 3), true) >> (bit & 7) & mask;
    }
  }
}

/** A place for floats: the output itself, where it is aligned. */
function floatsAt(output: Uint8Array, count: number): Float32Array {
  return output.byteOffset % 4 === 0
    ? new Float32Array(output.buffer, output.byteOffset, count)
    : new Float32Array(count);
}

/** Puts floats that do not lie in the output there; their bytes. */
function putFloats(output: Uint8Array, floats: Float32Array): number {
  if (floats.buffer !== output.buffer) output.set(new Uint8Array(floats.buffer));
  return floats.byteLength;
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
