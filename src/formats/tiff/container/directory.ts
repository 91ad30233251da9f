/**
 * One directory (IFD) of a TIFF file: the entries of one image, each with a tag, a type, and values inside or elsewhere.
 *
 * ```
 * classic   count₂  (tag₂ type₂ count₄ values or their offset₄) …  next directory₄
 * BigTIFF   count₈  (tag₂ type₂ count₈ values or their offset₈) …  next directory₈
 * ```
 *
 * @module
 */

import type { Fields } from "../../common/fields.ts";
import type { TiffBytes } from "./bytes.ts";

/** The bytes of a value of each type, and how it is read. */
const TYPES: Readonly<
  Record<number, readonly [bytes: number, read: (fields: Fields, at: number) => number]>
> = {
  1: [1, (fields, at) => fields.u8(at)], // BYTE
  2: [1, (fields, at) => fields.u8(at)], // ASCII
  3: [2, (fields, at) => fields.u16(at)], // SHORT
  4: [4, (fields, at) => fields.u32(at)], // LONG
  5: [8, (fields, at) => fields.u32(at) / fields.u32(at + 4)], // RATIONAL
  6: [1, (fields, at) => fields.u8(at) << 24 >> 24], // SBYTE
  7: [1, (fields, at) => fields.u8(at)], // UNDEFINED
  8: [2, (fields, at) => fields.u16(at) << 16 >> 16], // SSHORT
  9: [4, (fields, at) => fields.i32(at)], // SLONG
  10: [8, (fields, at) => fields.i32(at) / fields.i32(at + 4)], // SRATIONAL
  11: [4, (fields, at) => fields.f32(at)], // FLOAT
  12: [8, (fields, at) => fields.f64(at)], // DOUBLE
  13: [4, (fields, at) => fields.u32(at)], // IFD
  16: [8, (fields, at) => fields.u64(at)], // LONG8
  17: [8, (fields, at) => fields.u64(at)], // SLONG8; negative ones are larger than 2^53: malformed
  18: [8, (fields, at) => fields.u64(at)], // IFD8
};

/** Types of whole numbers that are not negative. */
const WHOLE = new Set([1, 3, 4, 13, 16, 17, 18]);

/** Most entries of a directory. */
const MOST_ENTRIES = 2 ** 14;

/** Where the values of an entry lie. */
export interface Entry {
  /** Number of its type. */
  readonly type: number;
  /** How many values. */
  readonly count: number;
  /** First byte of them. */
  readonly at: number;
  /** Their bytes. */
  readonly bytes: number;
}

/** A directory; its entries are looked up where they lie. */
export class Directory {
  /** First byte of the next directory; 0 where there is none. */
  readonly next: number;
  readonly #places = new Map<number, number>();
  readonly #fields: Fields;

  private constructor(readonly file: TiffBytes, readonly offset: number, fields: Fields, count: number) {
    this.#fields = fields;
    const { isBig } = file;
    const each = isBig ? 20 : 12;
    const start = isBig ? 8 : 2;
    for (let i = 0; i < count; i++) {
      const tag = fields.u16(start + i * each);
      if (!this.#places.has(tag)) this.#places.set(tag, start + i * each);
    }
    const end = start + count * each;
    const isWhole = end + (isBig ? 8 : 4) <= fields.bytes.length;
    this.next = !isWhole ? 0 : isBig ? fields.u64(end) : fields.u32(end);
  }

  /** The directory at `offset`. */
  static read(file: TiffBytes, offset: number): Directory | Promise<Directory> {
    const { isBig } = file;
    const start = isBig ? 8 : 2;
    if (offset < 8 || offset + start > file.size) {
      throw file.error("malformed", `a directory cannot lie there: the file has ${file.size} bytes`, {
        offset,
        expected: `8 to ${file.size - start}`,
        found: offset,
      });
    }
    const parse = (head: Fields): Directory | Promise<Directory> => {
      const count = isBig ? head.u64(0) : head.u16(0);
      if (count === 0 || count > MOST_ENTRIES) {
        const problem = `a directory has ${count} entries; 1 to ${MOST_ENTRIES} make sense`;
        throw file.error("malformed", problem, { offset, expected: `1 to ${MOST_ENTRIES}`, found: count });
      }
      const bytes = start + count * (isBig ? 20 : 12);
      file.inside(offset, bytes, `a directory of ${count} entries`);
      const whole = Math.min(bytes + (isBig ? 8 : 4), file.size - offset); // some files end without the next offset
      const body = file.read(offset, whole, "a directory");
      return body instanceof Promise
        ? body.then((fields) => new Directory(file, offset, fields, count))
        : new Directory(file, offset, body, count);
    };
    const head = file.read(offset, start, "a directory");
    return head instanceof Promise ? head.then(parse) : parse(head);
  }

  /** Whether it has an entry `tag` of a known type. */
  has(tag: number): boolean {
    return this.entry(tag) !== undefined;
  }

  /** The entry `tag`; `undefined` if there is none, or its type is unknown. */
  entry(tag: number): Entry | undefined {
    const place = this.#places.get(tag);
    if (place === undefined) return undefined;
    const { isBig } = this.file;
    const type = this.#fields.u16(place + 2);
    const size = TYPES[type]?.[0];
    if (size === undefined) return undefined;
    const count = isBig ? this.#fields.u64(place + 4) : this.#fields.u32(place + 4);
    const value = place + (isBig ? 12 : 8);
    const bytes = count * size;
    const at = bytes <= this.#inlineBytes
      ? this.offset + value
      : isBig
      ? this.#fields.u64(value)
      : this.#fields.u32(value);
    return { type, count, at, bytes };
  }

  /** Where its own bytes and those of its values begin in the file. */
  get places(): number[] {
    const entries = [...this.#places.keys()].map((tag) => this.entry(tag));
    return [
      this.offset,
      ...entries.flatMap((entry) => entry && entry.bytes > this.#inlineBytes ? [entry.at] : []),
    ];
  }

  /** The first number of the entry `tag`. */
  async number(tag: number): Promise<number | undefined> {
    return (await this.numbers(tag, 1))[0];
  }

  /** The first numbers of the entry `tag`, at most `most`; none if there is no such entry. */
  async numbers(tag: number, most: number): Promise<number[]> {
    const entry = this.entry(tag);
    if (!entry || entry.count === 0) return [];
    const { type, at } = entry;
    const [size, read] = TYPES[type]!;
    const count = Math.min(entry.count, most);
    const fields = this.#inline(at, count * size) ??
      await this.file.read(at, count * size, `the values of tag ${tag}`);
    return Array.from({ length: count }, (_, i) => read(fields, i * size));
  }

  /** The first `count` whole numbers of the entry `tag`, which must have as many; they are read a few at a time. */
  async table(tag: number, count: number): Promise<Float64Array> {
    const { type, at } = this.entry(tag)!;
    if (!WHOLE.has(type)) {
      const problem = `the table of tag ${tag} has values of type ${type}, which are not counts of bytes`;
      throw this.file.error("malformed", problem, { offset: at, expected: "whole numbers", found: type });
    }
    const [size, read] = TYPES[type]!;
    const each = Math.floor(PIECE_BYTES / size);
    this.file.inside(at, count * size, `the values of tag ${tag}`); // before memory is taken for them
    const values = new Float64Array(count);
    for (let first = 0; first < count; first += each) {
      const part = Math.min(each, count - first);
      const fields = this.#inline(at, part * size) ??
        await this.file.read(at + first * size, part * size, `the values of tag ${tag}`);
      for (let i = 0; i < part; i++) values[first + i] = read(fields, i * size);
    }
    return values;
  }

  /** The bytes of the entry `tag`, at most `most`; none if there is no such entry. */
  async bytes(tag: number, most: number): Promise<Uint8Array> {
    const entry = this.entry(tag);
    if (!entry || entry.count === 0) return new Uint8Array();
    const length = Math.min(entry.bytes, most);
    const fields = this.#inline(entry.at, length) ??
      await this.file.read(entry.at, length, `the values of tag ${tag}`);
    return fields.bytes;
  }

  /** The text of the entry `tag`, up to its first zero: UTF-8, or Latin-1 where it is not. */
  async text(tag: number, most: number = MOST_TEXT): Promise<string> {
    const bytes = await this.bytes(tag, most);
    const end = bytes.indexOf(0);
    const text = (end < 0 ? bytes : bytes.subarray(0, end)).slice();
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(text);
    } catch {
      return new TextDecoder("latin1").decode(text);
    }
  }

  /** Most bytes of values that lie in an entry itself. */
  get #inlineBytes(): number {
    return this.file.isBig ? 8 : 4;
  }

  /** Values that lie in the directory itself. */
  #inline(at: number, length: number): Fields | undefined {
    const start = at - this.offset;
    if (start < 0 || start + length > this.#fields.bytes.length) return undefined;
    return this.#fields.part(start, length);
  }
}

/** Bytes of a table that are read at a time. */
const PIECE_BYTES = 2 ** 20;

/** Most bytes of a text: OME-XML of large sets has some megabytes. */
const MOST_TEXT = 64 * 2 ** 20;

/** Numbers of tags, by what they say. */
export const TAG = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  description: 270,
  make: 271,
  model: 272,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripCounts: 279,
  xResolution: 282,
  yResolution: 283,
  planar: 284,
  faxOptions: 292,
  fax4Options: 293,
  resolutionUnit: 296,
  software: 305,
  dateTime: 306,
  predictor: 317,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileCounts: 325,
  subIfds: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  yCbCrCoefficients: 529,
  yCbCrSubsampling: 530,
  referenceBlackWhite: 532,
  depth: 32997,
  tileDepth: 32998,
  pixelScale: 33550,
  uic1: 33628,
  uic2: 33629,
  uic4: 33631,
  sis: 33560,
  zeissSem: 34118,
  lsm: 34412,
  feiSfeg: 34680,
  feiHelios: 34682,
  tvips: 37706,
  lercParameters: 50674,
  gatanUnitX: 65003,
  gatanOffsetX: 65006,
  gatanScaleX: 65009,
  gatanScaleY: 65010,
  gatanUnitOfSamples: 65022,
  gatanOffset: 65024,
  gatanScale: 65025,
  ndpi: 65420,
  gdalMetadata: 42112,
  nodata: 42113,
} as const;
