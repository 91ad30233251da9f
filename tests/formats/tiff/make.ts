/**
 * A small writer of TIFF files for tests: any container, tiling and sample type, one image or several, with any entry wrong.
 *
 * @module
 */

import { deflateSync } from "node:zlib";

/** How samples lie in a file. */
export interface Making {
  /** Rows. */
  readonly height: number;
  /** Columns. */
  readonly width: number;
  /** Samples per pixel. Default 1. */
  readonly samples?: number;
  /** Bits of a sample. Default 8. */
  readonly bits?: number;
  /** Kind of samples. Default 1, unsigned. */
  readonly format?: number;
  /** Rows and columns of a tile; else strips. */
  readonly tile?: readonly [number, number];
  /** Default: all rows. */
  readonly rowsPerStrip?: number;
  /** Default 1, interleaved. */
  readonly planar?: 1 | 2;
  /** 1, 8 (deflate) or 32773 (PackBits). Default 1. */
  readonly compression?: number;
  /** Default 1. */
  readonly predictor?: number;
  /** Default 1. */
  readonly fillOrder?: 1 | 2;
  /** Tiles or strips, by number, that are not written. */
  readonly sparse?: readonly number[];
  /** Entries that replace or add to those of the writer: tag, type, values. */
  readonly entries?: readonly Entry[];
  /** Tags that are left out. */
  readonly without?: readonly number[];
  /** Images below it. */
  readonly below?: readonly Making[];
}

/** Tag, type and values. */
export type Entry = readonly [tag: number, type: number, values: readonly number[] | string];

/** What holds for all of a file. */
export interface Container {
  /** Default: little-endian. */
  readonly isBigEndian?: boolean;
  /** Default: classic. */
  readonly isBig?: boolean;
}

/** Sample `i` of an image in the order of pixels: any numbers that differ. */
export function sampleAt(i: number, { bits = 8, format = 1 }: Making): number {
  const value = (i * 2654435761 + 12345) % 2 ** 31;
  if (format === 3) return Math.fround((value % 100003) / 64 - 500);
  const within = bits >= 53 ? value : value % 2 ** bits;
  return format === 2 ? within - 2 ** (Math.min(bits, 32) - 1) : within;
}

const TYPE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  12: 8,
  13: 4,
  16: 8,
  18: 8,
};

/** The bytes of a file with `images` in a chain. */
export function makeTiff(images: readonly Making[], container: Container = {}): Uint8Array<ArrayBuffer> {
  const writer = new Writer(container);
  let link = writer.linkOfHeader();
  for (const image of images) link = writer.image(image, link);
  return writer.bytes();
}

class Writer {
  #data = new Uint8Array(2 ** 16);
  #view = new DataView(this.#data.buffer);
  #length = 0;
  readonly #little: boolean;
  readonly #isBig: boolean;

  constructor({ isBigEndian = false, isBig = false }: Container) {
    this.#little = !isBigEndian;
    this.#isBig = isBig;
    this.#append(isBigEndian ? [0x4d, 0x4d] : [0x49, 0x49]);
    this.#number(isBig ? 43 : 42, 2);
    if (isBig) {
      this.#number(8, 2);
      this.#number(0, 2);
    }
    this.#number(0, isBig ? 8 : 4);
  }

  linkOfHeader(): number {
    return this.#isBig ? 8 : 4;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#data.slice(0, this.#length);
  }

  /** Writes an image; `link` is the place for its offset; the place for the next one. */
  image(making: Making, link: number): number {
    const segments = segmentsOf(making, this.#little).map((bytes) => {
      if (!bytes) return [0, 0] as const;
      const at = this.#length;
      this.#append(bytes);
      return [at, bytes.length] as const;
    });
    const below: [at: number, image: Making][] = [];
    const entries = entriesOf(making, segments, this.#isBig ? 16 : 4);
    const values = entries.map(([tag, type, list]) => {
      const bytes = typeof list === "string" ? list.length + 1 : list.length * TYPE_BYTES[type]!;
      if (bytes <= (this.#isBig ? 8 : 4)) return undefined;
      this.#even();
      const at = this.#length;
      this.#values(type, list);
      if (tag === 330) making.below?.forEach((image, i) => below.push([at + i * TYPE_BYTES[type]!, image]));
      return at;
    });
    this.#even();
    this.#put(link, this.#length, this.#isBig ? 8 : 4);
    this.#number(entries.length, this.#isBig ? 8 : 2);
    entries.forEach(([tag, type, list], i) => {
      this.#number(tag, 2);
      this.#number(type, 2);
      this.#number(typeof list === "string" ? list.length + 1 : list.length, this.#isBig ? 8 : 4);
      const at = this.#length;
      if (tag === 330 && values[i] === undefined && making.below) below.push([at, making.below[0]!]);
      if (values[i] === undefined) this.#values(type, list);
      else this.#number(values[i]!, this.#isBig ? 8 : 4);
      while (this.#length < at + (this.#isBig ? 8 : 4)) this.#append([0]);
    });
    const next = this.#length;
    this.#number(0, this.#isBig ? 8 : 4);
    for (const [at, image] of below) this.image(image, at);
    return next;
  }

  #values(type: number, list: readonly number[] | string): void {
    if (typeof list === "string") return this.#append([...new TextEncoder().encode(list), 0]);
    for (const value of list) {
      if (type === 5) {
        this.#number(value * 1000, 4);
        this.#number(1000, 4);
      } else if (type === 12) {
        this.#append(new Array(8).fill(0));
        this.#view.setFloat64(this.#length - 8, value, this.#little);
      } else this.#number(value, TYPE_BYTES[type]!);
    }
  }

  #even(): void {
    if (this.#length % 2) this.#append([0]);
  }

  #number(value: number, bytes: number): void {
    this.#append(new Array(bytes).fill(0));
    this.#put(this.#length - bytes, value, bytes);
  }

  #put(at: number, value: number, bytes: number): void {
    if (bytes === 1) this.#view.setUint8(at, value);
    else if (bytes === 2) this.#view.setUint16(at, value, this.#little);
    else if (bytes === 4) this.#view.setUint32(at, value, this.#little);
    else this.#view.setBigUint64(at, BigInt(value), this.#little);
  }

  #append(bytes: ArrayLike<number>): void {
    while (this.#length + bytes.length > this.#data.length) {
      const larger = new Uint8Array(2 * this.#data.length);
      larger.set(this.#data);
      this.#data = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#data.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

/** The entries of an image, by their tags. */
function entriesOf(
  making: Making,
  segments: readonly (readonly [number, number])[],
  offset: number,
): Entry[] {
  const { height, width, samples = 1, bits = 8, format = 1, tile, planar = 1, compression = 1 } = making;
  const { predictor = 1, fillOrder = 1, rowsPerStrip = height, below = [], without = [] } = making;
  const own: Entry[] = [
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, new Array(samples).fill(bits)],
    [259, 3, [compression]],
    [262, 3, [samples >= 3 ? 2 : 1]],
    [266, 3, [fillOrder]],
    [277, 3, [samples]],
    [284, 3, [planar]],
    [317, 3, [predictor]],
    [339, 3, new Array(samples).fill(format)],
    ...(tile
      ? [[322, 4, [tile[1]]], [323, 4, [tile[0]]], [324, offset, segments.map(([at]) => at)], [
        325,
        4,
        segments.map(([, size]) => size),
      ]] as Entry[]
      : [[273, offset, segments.map(([at]) => at)], [278, 4, [rowsPerStrip]], [
        279,
        4,
        segments.map(([, size]) => size),
      ]] as Entry[]),
    ...(below.length > 0 ? [[330, offset === 16 ? 18 : 13, below.map(() => 0)] as Entry] : []),
  ];
  const given = new Map((making.entries ?? []).map((entry) => [entry[0], entry]));
  const all = [...own.filter(([tag]) => !given.has(tag)), ...given.values()];
  return all.filter(([tag]) => !without.includes(tag)).sort(([a], [b]) => a - b);
}

/** The bytes of all tiles or strips. */
function segmentsOf(making: Making, little: boolean): (Uint8Array | undefined)[] {
  const { height, width, samples = 1, tile, rowsPerStrip = height, planar = 1, sparse = [] } = making;
  const [rows, columns] = tile ?? [rowsPerStrip, width];
  const planes = planar === 2 ? samples : 1;
  const found: (Uint8Array | undefined)[] = [];
  for (let plane = 0; plane < planes; plane++) {
    for (let y = 0; y < height; y += rows) {
      for (let x = 0; x < width; x += columns) {
        const held = tile ? rows : Math.min(rows, height - y);
        const isSparse = sparse.includes(found.length);
        found.push(isSparse ? undefined : encoded(making, little, [y, x], [held, columns], plane));
      }
    }
  }
  return found;
}

function encoded(
  making: Making,
  little: boolean,
  [y0, x0]: readonly [number, number],
  [rows, columns]: readonly [number, number],
  plane: number,
): Uint8Array {
  const { height, width, samples = 1, bits = 8, planar = 1, predictor = 1, compression = 1, fillOrder = 1 } =
    making;
  const each = planar === 2 ? 1 : samples;
  const plain: Uint8Array[] = [];
  for (let y = y0; y < y0 + rows; y++) {
    const row: number[] = [];
    for (let x = x0; x < x0 + columns; x++) {
      for (let s = 0; s < each; s++) {
        const isInside = y < height && x < width;
        const sample = planar === 2 ? plane : s;
        row.push(isInside ? sampleAt((y * width + x) * samples + sample, making) : 0);
      }
    }
    const bytes = rowBytes(row, making, predictor === 3 ? false : little);
    if (predictor === 2) differences(bytes, bits / 8, each, little);
    plain.push(predictor === 3 ? planesOfBytes(bytes, bits / 8, each) : bytes);
  }
  const all = Uint8Array.from(plain.flatMap((row) => [...row]));
  const packed = compression === 8
    ? deflateSync(all)
    : compression === 32773
    ? packBits(all, plain[0]!.length)
    : all;
  return fillOrder === 2 ? Uint8Array.from(packed, reversed) : packed;
}

/** A row of samples, packed without gaps where they have no whole bytes. */
function rowBytes(row: readonly number[], { bits = 8, format = 1 }: Making, little: boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(row.length * bits / 8));
  const view = new DataView(bytes.buffer);
  row.forEach((value, i) => {
    const at = i * bits / 8;
    if (format === 3 && bits === 16) view.setFloat16(at, value, little);
    else if (format === 3 && bits === 32) view.setFloat32(at, value, little);
    else if (format === 3) view.setFloat64(at, value, little);
    else if (bits === 8) view.setUint8(at, value);
    else if (bits === 16) view.setUint16(at, value, little);
    else if (bits === 32) view.setUint32(at, value, little);
    else if (bits === 64) view.setBigInt64(at, BigInt(value), little);
    else if (bits % 8 === 0) {
      const isLowFirst = bits === 24 && !little; // as GDAL does
      for (let b = 0; b < bits / 8; b++) {
        bytes[at + (isLowFirst ? b : bits / 8 - 1 - b)] = Math.floor(value / 256 ** b);
      }
    } else {
      for (let b = 0; b < bits; b++) {
        const place = i * bits + b;
        bytes[place >> 3]! |= Math.abs(Math.floor(value / 2 ** (bits - 1 - b)) % 2) << (7 - place % 8);
      }
    }
  });
  return bytes;
}

function differences(bytes: Uint8Array, size: number, step: number, little: boolean): void {
  const view = new DataView(bytes.buffer);
  const read = (i: number) =>
    size === 1
      ? BigInt(bytes[i]!)
      : size === 2
      ? BigInt(view.getUint16(2 * i, little))
      : size === 4
      ? BigInt(view.getUint32(4 * i, little))
      : view.getBigUint64(8 * i, little);
  for (let i = bytes.length / size - 1; i >= step; i--) {
    const value = BigInt.asUintN(8 * size, read(i) - read(i - step));
    if (size === 1) bytes[i] = Number(value);
    else if (size === 2) view.setUint16(2 * i, Number(value), little);
    else if (size === 4) view.setUint32(4 * i, Number(value), little);
    else view.setBigUint64(8 * i, value, little);
  }
}

/** Big-endian samples as planes of bytes, the highest first, as differences. */
function planesOfBytes(bytes: Uint8Array, size: number, step: number): Uint8Array {
  const count = bytes.length / size;
  const planes = Uint8Array.from(bytes, (_, i) => bytes[(i % count) * size + Math.floor(i / count)]!);
  return planes.map((byte, i) => i < step ? byte : byte - planes[i - step]!);
}

/** Runs and literals, which do not cross rows. */
function packBits(bytes: Uint8Array, row: number): Uint8Array {
  const out: number[] = [];
  for (let start = 0; start < bytes.length; start += row) {
    for (let at = start; at < start + row;) {
      const end = Math.min(start + row, at + 128);
      let run = 1;
      while (at + run < end && bytes[at + run] === bytes[at]) run++;
      if (run > 2) out.push(257 - run, bytes[at]!);
      else {
        run = Math.min(end - at, 5);
        out.push(run - 1, ...bytes.subarray(at, at + run));
      }
      at += run;
    }
  }
  return Uint8Array.from(out);
}

function reversed(byte: number): number {
  let out = 0;
  for (let bit = 0; bit < 8; bit++) out |= (byte >> bit & 1) << (7 - bit);
  return out;
}
