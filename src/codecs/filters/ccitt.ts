/**
 * The codes of fax machines, as TIFF has them: compressions 2 (rows of runs), 3 (ITU-T T.4) and 4 (T.6). What comes out are rows of
 * bits, the highest first, that begin with a byte; black is 1.
 *
 * Source: ITU-T T.4 and T.6; TIFF 6.0, sections 10 and 11.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ChunkFilter, filterError } from "./common/filter.ts";

// The codes of runs and of modes of ITU-T T.4 and T.6.

const WHITE =
  `00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101
101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010
00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010
00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100
00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100
11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010
011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001
010011010 011000 010011011`;

const BLACK =
  `0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111
000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111
00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011
000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010
000011011011 000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011
000000100100 000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100
000001011010 000001100110 000001100111
0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101
0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101
0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011
0000001100100 0000001100101`;

/** Runs of 1792, 1856, … pixels of either colour. */
const LONG =
  `00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110
000000010111 000000011100 000000011101 000000011110 000000011111`;

/** Modes of rows that refer to the row above. */
const [PASS, HORIZONTAL, EXTENSION, VERTICAL] = [0, 1, 2, 3 + 3] as const;
const MODES: readonly (readonly [string, number])[] = [
  ["0001", PASS],
  ["001", HORIZONTAL],
  ["0000001", EXTENSION],
  ["1", VERTICAL],
  ["011", VERTICAL + 1],
  ["000011", VERTICAL + 2],
  ["0000011", VERTICAL + 3],
  ["010", VERTICAL - 1],
  ["000010", VERTICAL - 2],
  ["0000010", VERTICAL - 3],
];

/** Bits that a look at a table takes. */
const LOOK = 13;

/** For the next 13 bits: 16 times what the code says, and its length; 0: no code. */
type CodeTable = Int32Array;

function tableOf(codes: readonly (readonly [string, number])[]): CodeTable {
  const table = new Int32Array(1 << LOOK);
  for (const [bits, value] of codes) {
    const first = parseInt(bits, 2) << LOOK - bits.length;
    table.fill(value << 4 | bits.length, first, first + (1 << LOOK - bits.length));
  }
  return table;
}

/** Runs of 0 to 63 pixels, then of multiples of 64. */
function runs(codes: string): CodeTable {
  const own = codes.split(/\s+/).map((bits, i) => [bits, i < 64 ? i : 64 * (i - 63)] as const);
  return tableOf([...own, ...LONG.split(/\s+/).map((bits, i) => [bits, 1792 + 64 * i] as const)]);
}

/** The tables of white runs, black runs, and modes. */
const TABLES: { readonly runs: readonly [CodeTable, CodeTable]; readonly modes: CodeTable } = {
  runs: [runs(WHITE), runs(BLACK)],
  modes: tableOf(MODES),
};

const NAME = "ccitt";

/** Undoes it. Values: the compression, width and height in pixels, the options of T.4, and the fill order, 2 for reversed bytes. */
export const ccitt: ChunkFilter = ({ input, output, values }) => {
  const [scheme = 4, width = 0, height = 0, options = 0, fillOrder = 1] = values;
  const stride = Math.ceil(width / 8);
  if (![2, 3, 4].includes(scheme) || width < 1 || stride * height > output.length) {
    throw filterError(NAME, `compression ${scheme}, ${width} × ${height} pixels in ${output.length} bytes`);
  }
  const rows = new Rows(fillOrder === 2 ? input.map(reversed) : input, width);
  output.fill(0, 0, stride * height);
  let row = 0;
  while (row < height && rows.next(scheme, (options & 1) === 1)) {
    rows.paint(output.subarray(row * stride, (row + 1) * stride));
    row++;
  }
  return row * stride;
};

function reversed(byte: number): number {
  let out = 0;
  for (let i = 0; i < 8; i++) out |= (byte >> i & 1) << 7 - i;
  return out;
}

/** Rows as the places where the colour changes, the first from white to black; two at the width end them. */
class Rows {
  #bit = 0;
  #above: Int32Array;
  #row: Int32Array;
  #count = 0;

  constructor(private readonly input: Uint8Array, private readonly width: number) {
    this.#above = new Int32Array(width + 4).fill(width);
    this.#row = new Int32Array(width + 4).fill(width);
  }

  /** Reads a row; whether there was one. */
  next(scheme: number, isTwoDimensional: boolean): boolean {
    [this.#above, this.#row] = [this.#row, this.#above];
    this.#count = 0;
    if (scheme === 2) this.#bit = this.#bit + 7 & ~7;
    if (this.#bit >= 8 * this.input.length) return false;
    let isPlain = scheme !== 4;
    if (scheme === 3) {
      const wasEnd = this.#skipEnd();
      if (wasEnd && isTwoDimensional) isPlain = this.#take(1) === 1;
      if (wasEnd && this.#isEnd()) return false; // two of them end the image
      if (this.#bit >= 8 * this.input.length) return false;
    }
    if (scheme === 4 && this.#isEnd()) return false;
    if (isPlain) this.#plainRow();
    else this.#rowBelow();
    this.#row.fill(this.width, this.#count, this.#count + 4);
    return true;
  }

  /** Writes the black runs of the row. */
  paint(target: Uint8Array): void {
    for (let i = 0; i < this.#count; i += 2) {
      const from = this.#row[i]!, to = i + 1 < this.#count ? this.#row[i + 1]! : this.width;
      const [first, last] = [from >> 3, to >> 3];
      if (first === last) target[first]! |= 0xff >> (from & 7) & ~(0xff >> (to & 7));
      else {
        target[first]! |= 0xff >> (from & 7);
        target.fill(0xff, first + 1, last);
        if (to & 7) target[last]! |= 0xff & ~(0xff >> (to & 7));
      }
    }
  }

  /** The next 13 bits; zeros behind the end. */
  #look(): number {
    const at = this.#bit >> 3, { input } = this;
    const word = (input[at] ?? 0) << 16 | (input[at + 1] ?? 0) << 8 | (input[at + 2] ?? 0);
    return word >> 24 - LOOK - (this.#bit & 7) & (1 << LOOK) - 1;
  }

  #take(count: number): number {
    const value = this.#look() >> LOOK - count;
    this.#bit += count;
    return value;
  }

  /** Whether a mark of the end of a row is next: eleven zeros at least, and a one. */
  #isEnd(): boolean {
    return this.#look() >> 2 === 0;
  }

  #skipEnd(): boolean {
    if (!this.#isEnd()) return false;
    const stop = 8 * this.input.length;
    while (this.#bit < stop && this.#take(1) === 0);
    return true;
  }

  #code(table: CodeTable): number {
    const found = table[this.#look()]!;
    if (found === 0 || this.#bit + (found & 15) > 8 * this.input.length) {
      const place = this.#bit >> 3;
      throw filterError(NAME, `bits stand for nothing, at its byte ${place}`, { place });
    }
    this.#bit += found & 15;
    return found >> 4;
  }

  /** A run of a colour, of any number of codes. */
  #run(colour: number): number {
    let total = 0;
    for (;;) {
      const run = this.#code(TABLES.runs[colour & 1]!);
      total += run;
      if (run < 64) return total;
      if (total > this.width) throw this.#tooLong();
    }
  }

  #tooLong(): Error {
    const place = this.#bit >> 3;
    return filterError(NAME, `a row has more than ${this.width} pixels, at its byte ${place}`, { place });
  }

  #change(at: number): void {
    if (at > this.width || this.#count > this.width) throw this.#tooLong();
    this.#row[this.#count++] = at;
  }

  #plainRow(): void {
    for (let at = 0, colour = 0; at < this.width; colour++) {
      at += this.#run(colour);
      this.#change(at);
    }
  }

  /** A row by its differences from the one above. */
  #rowBelow(): void {
    const { width } = this;
    const above = this.#above;
    let at = 0, colour = 0, k = 0, isStart = true;
    while (at < width) {
      // the first change above, to the right, to the other colour
      while (k > 0 && above[k - 1]! > at) k--;
      while (above[k]! < width && (above[k]! < at || (above[k]! === at && !isStart) || (k & 1) !== colour)) {
        k++;
      }
      const b1 = above[k]!;
      const mode = this.#code(TABLES.modes);
      if (mode === PASS) {
        at = b1 < width ? above[k + 1]! : width;
        isStart = false;
      } else if (mode === HORIZONTAL) {
        const first = at + this.#run(colour), second = first + this.#run(colour + 1);
        this.#change(first);
        this.#change(second);
        at = second;
        isStart = false;
      } else if (mode === EXTENSION) {
        const text = `Cannot undo the filter ${NAME}: uncompressed rows are not supported`;
        throw new TilewiseError("unsupported", text, { place: this.#bit >> 3 });
      } else {
        const next = b1 + mode - VERTICAL;
        if (next < at) throw this.#tooLong();
        this.#change(next);
        at = next;
        colour ^= 1;
        isStart = false;
      }
    }
  }
}
