/**
 * The codes of fax machines, as TIFF has them: compressions 2 (rows of runs), 3 (ITU-T T.4) and 4 (T.6). What comes out are rows of
 * bits, the highest first, that begin with a byte; black is 1.
 *
 * Source: ITU-T T.4 and T.6; TIFF 6.0, sections 10 and 11.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type ChunkFilter, filterError } from "../common/filter.ts";
import { type CodeTable, EXTENSION, HORIZONTAL, LOOK, PASS, TABLES, VERTICAL } from "./codes.ts";

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
