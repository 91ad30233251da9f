/**
 * Segments of a JPEG image: tables, frame and scans.
 *
 * Source: ITU-T T.81.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { filterError } from "../common/filter.ts";

/** An error in a JPEG image, at a byte of it. */
export function wrong(problem: string, place: number): Error {
  return filterError("jpeg", `${problem}, at its byte ${place}`, { place });
}

/** A Huffman code as it is stored. */
export interface HuffmanCode {
  /** The numbers of codes of 1 to 16 bits, and their symbols. */
  readonly stored: Uint8Array;
  /** Where it is. */
  readonly place: number;
}

/** One component of an image. */
export interface Component {
  /** Its name in the file. */
  readonly id: number;
  /** Blocks (or samples) of a unit, across and down. */
  readonly across: number;
  readonly down: number;
  /** Number of its quantization table. */
  readonly table: number;
  /** Its size in samples. */
  readonly width: number;
  readonly height: number;
  /** Its size in blocks, in whole units. */
  readonly columns: number;
  readonly rows: number;
}

/** What the frame header says. */
export interface Frame {
  /** The code of its marker less 0xC0: 0, 1 sequential, 2 progressive, 3 lossless. */
  readonly kind: number;
  /** Bits of a sample. */
  readonly precision: number;
  readonly width: number;
  readonly height: number;
  /** The largest of `across` and `down`. */
  readonly across: number;
  readonly down: number;
  readonly components: readonly Component[];
}

/** What a scan header says. */
export interface Scan {
  readonly parts: readonly { readonly component: number; readonly dc: number; readonly ac: number }[];
  /** First and last coefficient; of lossless images the first is the predictor. */
  readonly first: number;
  readonly last: number;
  /** Bits that are left out, before and after this scan. */
  readonly high: number;
  readonly low: number;
  /** Whether it adds to coefficients. */
  readonly isProgressive: boolean;
  /** Where its bits begin. */
  readonly at: number;
}

/** Tables that segments define, and the restart interval. */
export class Tables {
  readonly quantization: (Uint16Array | undefined)[] = [];
  readonly dc: (HuffmanCode | undefined)[] = [];
  readonly ac: (HuffmanCode | undefined)[] = [];
  /** Units between restart markers; 0: none. */
  interval = 0;
}

/** Places of coefficients in the order in which they are stored. */
const ZIGZAG: Uint8Array = zigzag();

function zigzag(): Uint8Array {
  const places = Array.from({ length: 64 }, (_, i) => [i >> 3, i & 7] as const);
  places.sort(([y, x], [b, a]) => x + y - a - b || ((x + y) % 2 ? y - b : x - a));
  return Uint8Array.from(places, ([y, x]) => 8 * y + x);
}

/** Reads segments up to the next scan or the end. */
export class Segments {
  frame: Frame | undefined;
  /** The next byte. */
  at = 2;

  /** Of an image, or of tables alone. */
  constructor(readonly bytes: Uint8Array, readonly tables: Tables) {
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw wrong("it does not begin with a JPEG image", 0);
  }

  /** The next scan; `undefined` at the end. */
  next(): Scan | undefined {
    for (;;) {
      const marker = this.#marker();
      if (marker === undefined || marker === 0xd9) return undefined;
      if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
      const start = this.at, length = this.#number16(start);
      if (length < 2 || start + length > this.bytes.length) throw wrong("a segment is cut off", start);
      const data = this.bytes.subarray(start + 2, start + length);
      this.at = start + length;
      if (marker === 0xda) return this.#scan(data, start);
      this.#segment(marker, data, start + 2);
    }
  }

  /** The next marker, wherever it is. */
  #marker(): number | undefined {
    const { bytes } = this;
    for (; this.at + 1 < bytes.length; this.at++) {
      const code = bytes[this.at + 1]!;
      if (bytes[this.at] !== 0xff || code === 0 || code === 0xff) continue;
      this.at += 2;
      return code;
    }
    return undefined;
  }

  #segment(marker: number, data: Uint8Array, place: number): void {
    if (marker === 0xdb) this.#quantization(data, place);
    else if (marker === 0xc4) this.#huffman(data, place);
    else if (marker === 0xdd) this.tables.interval = this.#number16(place);
    else if (marker >= 0xc0 && marker <= 0xc3) this.#frame(marker - 0xc0, data, place);
    else if (marker > 0xc4 && marker <= 0xcf && marker !== 0xc8 && marker !== 0xcc) {
      const name = marker > 0xc8 ? "arithmetic coding" : "a hierarchy of images";
      throw new TilewiseError("unsupported", `Cannot undo the filter jpeg: ${name} is not supported`, {
        place,
      });
    }
  }

  #number16(at: number): number {
    return (this.bytes[at] ?? 0) << 8 | (this.bytes[at + 1] ?? 0);
  }

  #quantization(data: Uint8Array, place: number): void {
    for (let at = 0; at < data.length;) {
      const [wide, number] = [data[at]! >> 4, data[at]! & 15];
      const bytes = wide ? 128 : 64;
      if (wide > 1 || number > 3 || at + 1 + bytes > data.length) {
        throw wrong("a quantization table makes no sense", place + at);
      }
      const table = new Uint16Array(64);
      for (let k = 0; k < 64; k++) {
        const from = at + 1 + (wide ? 2 * k : k);
        table[ZIGZAG[k]!] = wide ? data[from]! << 8 | data[from + 1]! : data[from]!;
      }
      this.tables.quantization[number] = table;
      at += 1 + bytes;
    }
  }

  #huffman(data: Uint8Array, place: number): void {
    for (let at = 0; at < data.length;) {
      const [kind, number] = [data[at]! >> 4, data[at]! & 15];
      const counts = data.subarray(at + 1, at + 17);
      const total = counts.reduce((sum, count) => sum + count, 0);
      const end = at + 17 + total;
      if (kind > 1 || number > 3 || total > 256 || end > data.length) {
        throw wrong("a Huffman table makes no sense", place + at);
      }
      const code = { stored: data.slice(at + 1, end), place: place + at };
      (kind ? this.tables.ac : this.tables.dc)[number] = code;
      at = end;
    }
  }

  #frame(kind: number, data: Uint8Array, place: number): void {
    if (this.frame) throw wrong("it has a second frame", place);
    const [precision = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, count = 0] = data;
    const [width, height] = [w1 << 8 | w0, h1 << 8 | h0];
    const isBits = kind === 3
      ? precision >= 2 && precision <= 16
      : precision === 8 || (precision === 12 && kind > 0);
    if (!isBits || width === 0 || height === 0 || count < 1 || count > 4 || data.length < 6 + 3 * count) {
      throw wrong(`a frame of ${width} × ${height}, ${count} components of ${precision} bits`, place);
    }
    const stored = Array.from({ length: count }, (_, c) => {
      const [id = 0, sampling = 0, table = 0] = data.subarray(6 + 3 * c);
      return { id, across: sampling >> 4, down: sampling & 15, table };
    });
    if (
      stored.some(({ across, down, table }) => across < 1 || across > 4 || down < 1 || down > 4 || table > 3)
    ) {
      throw wrong("a component makes no sense", place);
    }
    if (count === 1) stored[0] = { ...stored[0]!, across: 1, down: 1 }; // its blocks lie alone in any case
    const across = Math.max(...stored.map((c) => c.across)), down = Math.max(...stored.map((c) => c.down));
    const unit = kind === 3 ? 1 : 8;
    const components = stored.map((c) => ({
      ...c,
      width: Math.ceil(width * c.across / across),
      height: Math.ceil(height * c.down / down),
      columns: Math.ceil(width / (unit * across)) * c.across,
      rows: Math.ceil(height / (unit * down)) * c.down,
    }));
    this.frame = { kind, precision, width, height, across, down, components };
  }

  #scan(data: Uint8Array, place: number): Scan {
    const { frame } = this;
    const [count = 0] = data;
    if (!frame || count < 1 || count > frame.components.length || data.length < 4 + 2 * count) {
      throw wrong("a scan makes no sense", place);
    }
    const parts = Array.from({ length: count }, (_, i) => {
      const [id, tables = 0] = data.subarray(1 + 2 * i);
      return { component: frame.components.findIndex((c) => c.id === id), dc: tables >> 4, ac: tables & 15 };
    });
    const [first = 0, last = 0, bits = 0] = data.subarray(1 + 2 * count);
    const isTwice = new Set(parts.map(({ component }) => component)).size < count;
    if (isTwice || parts.some(({ component }) => component < 0)) {
      throw wrong("a scan has unknown components", place);
    }
    return {
      parts,
      first,
      last,
      high: bits >> 4,
      low: bits & 15,
      isProgressive: frame.kind === 2,
      at: this.at,
    };
  }
}
