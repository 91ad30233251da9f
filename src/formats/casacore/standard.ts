/**
 * The storage manager StandardStMan: buckets of equal size, each with the same columns of some rows.
 *
 * ```
 * 0    "StandardStMan" [byte order], bucket bytes, buckets, …, first index bucket, [offset,] …, index bytes, indices
 * 512  bucket 0, 1, …     a bucket of rows: for each column the values of its rows, truth values as bits
 *      index              "SSMIndex": used, rows per bucket, columns, free space, last row and number of each bucket
 *      texts              next₃₂ used₃₂ deleted₃₂ next₃₂, letters; a text of a row: bucket₃₂ offset₃₂ length₃₂,
 *                         up to 8 letters in place of bucket and offset
 * ```
 * Arrays of no fixed place are in a second file; a row has their address there.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, type TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type ByteOrder, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import type { Column, Manager } from "./description.ts";
import { readPart, type TableFiles } from "./files.ts";
import { IndirectArrays, placesWithArray } from "./indirect.ts";
import { type Head, HEAD_BYTES, type Index, readHead, readIndices, type Span } from "./standard_index.ts";
import { checkChunks, checkPlaces, dtypeOfColumn, type Stored, storedBytes } from "./stored.ts";
import { TYPE } from "./record.ts";

// Texts in the buckets of a StandardStMan, which may go on from one bucket to the next.

/** The buckets of a storage manager. */
interface Buckets {
  /** Its file. */
  readonly source: ByteSource;
  /** Bytes of a bucket. */
  readonly bucketBytes: number;
  /** Number of buckets. */
  readonly buckets: number;
  /** Stops reads. */
  readonly signal?: AbortSignal | undefined;
}

/** Where texts lie. */
interface TextPlace {
  /** Number of the bucket. */
  readonly bucket: number;
  /** First byte behind the header of the bucket. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

const FIRST_BUCKET = 512;
/** Bytes before the letters of a bucket; its numbers are big-endian in all tables. */
const HEAD = 16;

/** The bytes at a place. */
async function bytesAt(buckets: Buckets, place: TextPlace): Promise<Uint8Array> {
  const { source, bucketBytes, signal } = buckets;
  if (place.length > source.size) {
    throw wrong(source, `a text has ${place.length} bytes`, source.size, place.length);
  }
  const bytes = new Uint8Array(Math.max(0, place.length));
  let { bucket, offset } = place;
  for (let at = 0, seen = 0; at < bytes.length; seen++) {
    if (bucket < 0 || bucket >= buckets.buckets || seen > buckets.buckets) {
      throw wrong(source, `a text is in bucket ${bucket}, which does not exist`, buckets.buckets - 1, bucket);
    }
    const raw = await readPart(source, FIRST_BUCKET + bucket * bucketBytes, bucketBytes, signal);
    const view = new DataView(raw.buffer, raw.byteOffset);
    const used = view.getInt32(4);
    if (offset < 0 || used > bucketBytes - HEAD || offset > used) {
      throw wrong(source, `a text begins at byte ${offset} of ${used} in bucket ${bucket}`, used, offset);
    }
    const part = raw.subarray(HEAD + offset, HEAD + used).subarray(0, bytes.length - at);
    bytes.set(part, at);
    at += part.length;
    [bucket, offset] = [view.getInt32(12), 0];
  }
  return bytes;
}

/** The text at a place. */
async function textsOf(buckets: Buckets, place: TextPlace): Promise<string> {
  return new TextDecoder().decode(await bytesAt(buckets, place));
}

/** The texts of an array at a place, in the order of the file; `shape` is that of the column if it has one. */
async function textArray(buckets: Buckets, place: TextPlace, shape?: Shape): Promise<string[]> {
  if (place.length <= 0) return shape ? Array.from({ length: sizeOf(shape) }, () => "") : [];
  const bytes = await bytesAt(buckets, place);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const next = () => {
    if (at + 4 > bytes.length) {
      throw wrong(buckets.source, "an array of texts is cut off", at + 4, bytes.length);
    }
    at += 4;
    return view.getInt32(at - 4);
  };
  let count = shape ? sizeOf(shape) : 1;
  if (!shape) {
    for (let dims = next(); dims > 0; dims--) count *= next();
    if (next() === 0) return Array.from({ length: Math.min(count, bytes.length) }, () => "");
  }
  if (count * 4 > bytes.length) {
    throw wrong(buckets.source, `an array has ${count} texts`, bytes.length / 4, count);
  }
  return Array.from({ length: count }, () => {
    const length = next();
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  });
}

function wrong({ name }: ByteSource, problem: string, expected: number, found: number): TilewiseError {
  return cannot("read", name, "malformed", problem, { expected, found });
}

/** A StandardStMan of a table. */
export class StandardStorage {
  private constructor(
    private readonly files: TableFiles,
    private readonly source: ByteSource,
    private readonly byteOrder: ByteOrder,
    private readonly rows: number,
    private readonly manager: Manager,
    private readonly head: Head,
    private readonly indices: readonly Index[],
    private readonly offsets: Float64Array,
    private readonly indexOf: Float64Array,
  ) {}

  /** Reads its header and its index. */
  static async open(
    files: TableFiles,
    manager: Manager,
    rows: number,
    byteOrder: ByteOrder,
  ): Promise<StandardStorage> {
    const source = await files.open(`table.f${manager.number}`);
    const head = await readHead(source, byteOrder, files.signal);
    const [offsets, indexOf] = manager.data.object("SSM", 2, () => {
      manager.data.text();
      return [manager.data.block(), manager.data.block()];
    });
    const indices = await readIndices(source, head, rows, byteOrder, files.signal);
    manager.columns.forEach(({ name }, i) => {
      if (offsets[i] !== undefined && indices[indexOf[i] ?? -1]) return;
      throw manager.data.error("malformed", `the storage manager knows no place for the column ${name}`);
    });
    return new StandardStorage(files, source, byteOrder, rows, manager, head, indices, offsets, indexOf);
  }

  /** Where the numbers of a column lie. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored> {
    const dtype = dtypeOfColumn(column, this.files.name);
    if (!column.isScalar && !column.isDirect) {
      const places = await this.#addresses(column, wanted);
      const arrays = await IndirectArrays.open(this.files, `table.f${this.manager.number}i`, this.byteOrder);
      return await arrays.stored(column, places, wanted);
    }
    const cell = column.shape ?? [];
    const index = this.#index(column), { rowsPerBucket } = index;
    const values = sizeOf(cell);
    this.#checkRoom(column, storedBytes(dtype, values * rowsPerBucket));
    const common = { dtype, byteOrder: this.byteOrder, sources: [this.source.describe()] };
    const rows = defined({ rows: wanted });
    if (!index.isRegular && dtype === "bool") return { ...await this.#unpacked(column), ...rows };
    const rowsPerChunk = index.isRegular ? rowsPerBucket : 1;
    const shape = [this.rows, ...cell], chunk = [rowsPerChunk, ...cell.map((n) => Math.max(1, n))];
    checkChunks(column, shape, chunk, this.files);
    const each = values * dtypeInfo(dtype).itemSize;
    const addresses = values === 0
      ? new Float64Array(0)
      : index.isRegular
      ? Float64Array.from(index.spans, (span) => this.#place(column, span))
      : this.#rowPlaces(column, each);
    checkPlaces(this.source, addresses, storedBytes(dtype, values * rowsPerChunk));
    return { ...common, ...rows, shape, chunk, addresses };
  }

  /** Which rows have a value: arrays by themselves may be missing. */
  async filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    if (column.isScalar || column.isDirect) return undefined;
    return placesWithArray(await this.#addresses(column, wanted));
  }

  /** Where the values of each row lie, in buckets that are not full. */
  #rowPlaces(column: Column, each: number): Float64Array {
    const places = new Float64Array(this.rows);
    for (const span of this.#index(column).spans) {
      const first = this.#place(column, span);
      for (let row = span.start; row < span.stop; row++) places[row] = first + (row - span.start) * each;
    }
    return places;
  }

  /** The texts of the rows from `start` to before `stop`; arrays of texts are flat. */
  async texts(column: Column, start: number, stop: number): Promise<(string | string[])[]> {
    const bytesPerRow = column.mostLetters > 0 ? column.mostLetters * sizeOf(column.shape ?? []) : 12;
    const raw = await this.#rows(column, start, stop, bytesPerRow);
    const room = { source: this.source, signal: this.files.signal, ...this.head };
    if (column.mostLetters > 0) {
      return Array.from({ length: stop - start }, (_, i) => {
        const one = new TextDecoder().decode(raw.subarray(i * bytesPerRow, (i + 1) * bytesPerRow));
        return one.replace(/\0[^]*$/, "");
      });
    }
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    const found: (string | string[])[] = [];
    for (let i = 0; i < stop - start; i++) {
      const [bucket, offset, length] = [0, 4, 8].map((at) =>
        view.getInt32(12 * i + at, this.byteOrder === "little")
      );
      const place = { bucket: bucket!, offset: offset!, length: length! };
      if (column.isScalar) {
        found.push(
          place.length <= 8
            ? new TextDecoder().decode(raw.subarray(12 * i, 12 * i + Math.max(0, place.length)))
            : await textsOf(room, place),
        );
      } else found.push(await textArray(room, place, column.isDirect ? column.shape : undefined));
    }
    return found;
  }

  /** Addresses of the arrays of each row in the second file. */
  async #addresses(column: Column, wanted?: ArrayLike<number>): Promise<Float64Array> {
    checkChunks(column, [this.rows], [1], this.files);
    const raw = await this.#rows(column, 0, this.rows, 8);
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    const at = (row: number) => Number(view.getBigInt64(8 * row, this.byteOrder === "little"));
    return wanted
      ? Float64Array.from(wanted, at)
      : Float64Array.from({ length: this.rows }, (_, row) => at(row));
  }

  /** The stored bytes of rows, `each` bytes per row. */
  async #rows(column: Column, start: number, stop: number, each: number): Promise<Uint8Array> {
    const index = this.#index(column);
    this.#checkRoom(column, index.rowsPerBucket * each);
    const raw = new Uint8Array((stop - start) * each);
    for (const span of index.spans) {
      const first = Math.max(start, span.start), last = Math.min(stop, span.stop);
      if (first >= last) continue;
      const at = this.#place(column, span) + (first - span.start) * each;
      raw.set(
        await readPart(this.source, at, (last - first) * each, this.files.signal),
        (first - start) * each,
      );
    }
    return raw;
  }

  /** Truth values of buckets that are not full, in memory, as their rows begin inside of bytes: each row in own bytes. */
  async #unpacked(column: Column): Promise<Stored> {
    const cell = column.shape ?? [], values = sizeOf(cell);
    const chunk = [1, ...cell.map((n) => Math.max(1, n))];
    checkChunks(column, [this.rows, ...cell], chunk, this.files);
    const each = storedBytes("bool", values);
    const packed = new Uint8Array(this.rows * each);
    for (const span of this.#index(column).spans) {
      const count = (span.stop - span.start) * values;
      const at = this.#place(column, span);
      const raw = await readPart(this.source, at, Math.ceil(count / 8), this.files.signal);
      for (let i = 0; i < count; i++) {
        const row = span.start + Math.floor(i / values), bit = i % values;
        packed[row * each + (bit >> 3)]! |= (raw[i >> 3]! >> (i & 7) & 1) << (bit & 7);
      }
    }
    return {
      dtype: "bool",
      byteOrder: this.byteOrder,
      sources: [{ kind: "bytes", name: `${this.source.name}, ${column.name}`, bytes: packed }],
      shape: [this.rows, ...cell],
      chunk,
      addresses: Float64Array.from({ length: this.rows }, (_, row) => row * each),
    };
  }

  #number(column: Column): number {
    return this.manager.columns.findIndex(({ name }) => name === column.name);
  }

  #index(column: Column): Index {
    return this.indices[this.indexOf[this.#number(column)]!]!;
  }

  #place(column: Column, { bucket }: Span): number {
    return HEAD_BYTES + bucket * this.head.bucketBytes + this.offsets[this.#number(column)]!;
  }

  /** Refuses a column that does not fit its buckets. */
  #checkRoom(column: Column, bytes: number): void {
    const { head: { bucketBytes }, source: { name } } = this;
    const offset = this.offsets[this.#number(column)]!;
    if (offset + bytes <= bucketBytes) return;
    const text = `the column ${column.name} goes to byte ${offset + bytes} of buckets ` +
      `that have ${bucketBytes}`;
    throw cannot("read", name, "malformed", text, { offset, expected: bucketBytes, found: offset + bytes });
  }
}

/** Whether a column holds texts. */
export function isText({ type }: Column): boolean {
  return type === TYPE.text;
}
