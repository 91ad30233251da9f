/**
 * The storage manager IncrementalStMan: a value is stored where it differs from that of the row before.
 *
 * ```
 * 0     "IncrementalStMan" [byte order], bucket bytes, buckets, …
 * 512   buckets    index offset₃₂ · values · index: for each column count₃₂, first rows, offsets₃₂ of values behind byte 4
 *       index      "ISMIndex": used, first row of each bucket and one past the last, number of each bucket
 * ```
 * The highest bit of the offset of the index says that rows have 64 bits; they count from the first row of the bucket.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type ByteOrder, dtypeInfo, type TypedArray, typedArray } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { Fields } from "../common/fields.ts";
import { AipsIo } from "./aips_io.ts";
import type { Column, Manager } from "./description.ts";
import { cutAt, readPart, type TableFiles } from "./files.ts";
import { IndirectArrays, placesWithArray } from "./indirect.ts";
import { HEAD_BYTES } from "./standard_index.ts";
import { checkChunks, dtypeOfColumn, type Stored, storedBytes } from "./stored.ts";
import { reverseUnits } from "../../space/numbers.ts";

/** The values of a column of single numbers, each with the first row that has it. */
export interface ValueRuns {
  /** First row of each value, ascending. */
  readonly starts: Float64Array;
  /** The values, in little-endian order. */
  readonly values: TypedArray;
}

/** Values, and the rows from which on they count. */
interface Runs {
  /** The first row of each value, ascending. */
  readonly starts: Float64Array;
  /** Where each value lies in the file. */
  readonly places: Float64Array;
  /** The first bytes of each value, one after another. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many bytes of each. */
  readonly each: number;
}

interface Head {
  readonly bucketBytes: number;
  readonly rows: Float64Array;
  readonly numbers: Float64Array;
}

/** An IncrementalStMan of a table. */
export class IncrementalStorage {
  private constructor(
    private readonly files: TableFiles,
    private readonly source: ByteSource,
    private readonly byteOrder: ByteOrder,
    private readonly manager: Manager,
    private readonly head: Head,
  ) {}

  /** Reads its header and its index. */
  static async open(
    files: TableFiles,
    manager: Manager,
    rows: number,
    byteOrder: ByteOrder,
  ): Promise<IncrementalStorage> {
    const source = await files.open(`table.f${manager.number}`);
    const head = await readHead(source, rows, byteOrder, files.signal);
    return new IncrementalStorage(files, source, byteOrder, manager, head);
  }

  /** Where the numbers of a column lie. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored> {
    const dtype = dtypeOfColumn(column, this.files.name);
    const { byteOrder, files } = this;
    const rows = this.head.rows.at(-1)!;
    checkChunks(column, [rows], [1], files);
    if (!column.isScalar && !column.isDirect) {
      const places = await this.#addresses(column, wanted);
      const arrays = await IndirectArrays.open(files, `table.f${this.manager.number}i`, byteOrder);
      return await arrays.stored(column, places, wanted);
    }
    const cell = column.shape ?? [];
    const runs = await this.#runs(column, storedBytes(dtype, sizeOf(cell)));
    const stored = inChunks(column, dtype === "bool" ? unpacked(runs, sizeOf(cell)) : runs, rows, files);
    return { dtype, byteOrder, ...stored, ...defined({ rows: wanted }) };
  }

  /** Which rows have a value: arrays by themselves may be missing. */
  async filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    if (column.isScalar || column.isDirect) return undefined;
    checkChunks(column, [this.head.rows.at(-1)!], [1], this.files);
    return placesWithArray(await this.#addresses(column, wanted));
  }

  /** Where the array of each row lies. */
  async #addresses(column: Column, wanted?: ArrayLike<number>): Promise<Float64Array> {
    const runs = await this.#runs(column, 8);
    return spread(runs, addressesIn(runs, this.byteOrder), this.head.rows.at(-1)!, wanted);
  }

  /** The values of a column of single numbers with their rows; `undefined` for other columns. */
  async runs(column: Column): Promise<ValueRuns | undefined> {
    if (!column.isScalar) return undefined;
    const dtype = dtypeOfColumn(column, this.files.name);
    if (dtype === "bool") return undefined;
    const { itemSize, unitSize } = dtypeInfo(dtype);
    const { starts, bytes } = await this.#runs(column, itemSize);
    if (this.byteOrder === "big") reverseUnits(bytes, unitSize);
    return { starts, values: typedArray(dtype, bytes.buffer, 0, starts.length) };
  }

  /** The texts of the rows from `start` to before `stop`. */
  async texts(column: Column, start: number, stop: number): Promise<(string | string[])[]> {
    if (!column.isScalar && !column.isDirect) {
      const arrays = await IndirectArrays.open(this.files, `table.f${this.manager.number}i`, this.byteOrder);
      const places = (await this.#addresses(column)).subarray(start, stop);
      return await Promise.all(Array.from(places, (at) => arrays.texts(at)));
    }
    const { source, byteOrder, files: { signal } } = this;
    const count = sizeOf(column.shape ?? []);
    const texts = new Array<string | string[]>(stop - start).fill("");
    const { starts, places } = await this.#runs(column, 4);
    for (let run = 0; run < starts.length; run++) {
      const first = Math.max(starts[run]!, start), last = Math.min(starts[run + 1] ?? Infinity, stop);
      if (first >= last) continue;
      const head = await Fields.read(source, places[run]!, 4, byteOrder, signal);
      const length = head.within(head.u32(0), 4, this.head.bucketBytes, "the length of a text", 0);
      const text = await Fields.read(source, places[run]! + 4, length - 4, byteOrder, signal);
      const value = column.isScalar ? new TextDecoder().decode(text.bytes) : textsIn(text, count);
      texts.fill(value, first - start, last - start);
    }
    return texts;
  }

  /** The values of a column with their rows: the first `each` bytes of every value. */
  async #runs(column: Column, each: number): Promise<Runs> {
    const { source, byteOrder, head: { bucketBytes, rows, numbers }, files: { signal } } = this;
    const number = this.manager.columns.findIndex(({ name }) => name === column.name);
    const starts: number[] = [], places: number[] = [];
    let bytes = new Uint8Array(64 * each);
    for (let b = 0; b < numbers.length; b++) {
      const first = rows[b]!, stop = rows[b + 1]!;
      if (first === stop) continue;
      const at = HEAD_BYTES + numbers[b]! * bucketBytes;
      const bucket = await Fields.read(source, at, bucketBytes, byteOrder, signal);
      for (const { row, offset } of valuesIn(bucket, number, stop - first)) {
        const end = (starts.length + 1) * each;
        if (end > bytes.length) bytes = longer(bytes, 2 * end);
        bytes.set(bucket.part(4 + offset, each).bytes, end - each);
        starts.push(first + row);
        places.push(at + 4 + offset);
      }
    }
    return {
      starts: Float64Array.from(starts),
      places: Float64Array.from(places),
      bytes: bytes.slice(0, starts.length * each),
      each,
    };
  }
}

function longer(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  all.set(bytes);
  return all;
}

/** The values of column `number` in a bucket of `rows` rows: the first row of each, and its place. */
function valuesIn(bucket: Fields, number: number, rows: number): { row: number; offset: number }[] {
  const first = bucket.u32(0);
  const isLong = first >= 2 ** 28;
  const end = bucket.within(first % 2 ** 28, 4, bucket.bytes.length, "the place of an index", 0);
  const each = isLong ? 8 : 4;
  let at = end;
  for (let column = 0;; column++) {
    const most = Math.floor((bucket.bytes.length - at) / (each + 4));
    const count = bucket.within(bucket.u32(at), column === number ? 1 : 0, most, "the number of values", at);
    at += 4;
    if (column < number) {
      at += count * (each + 4);
      continue;
    }
    return Array.from({ length: count }, (_, i) => {
      const place = at + i * each;
      const row = isLong ? bucket.u64(place) : bucket.u32(place);
      const before = i === 0 ? -1 : isLong ? bucket.u64(place - each) : bucket.u32(place - each);
      if (row <= before || (i === 0 && row !== 0)) {
        throw bucket.error("malformed", `a value is that of row ${row} of ${rows}`, place);
      }
      const offset = bucket.u32(at + count * each + 4 * i);
      bucket.within(offset, 0, end - 4, "the place of a value", at + count * each + 4 * i);
      return { row, offset };
    }).filter(({ row }) => row < rows); // casacore may leave a value for the row after the last one
  }
}

/** The addresses that the values of an indirect column are. */
function addressesIn({ bytes, starts }: Runs, byteOrder: ByteOrder): Float64Array {
  const view = new DataView(bytes.buffer);
  return Float64Array.from(starts, (_, i) => Number(view.getBigUint64(8 * i, byteOrder === "little")));
}

/** The place of the value of each row. */
function spread(
  { starts }: Runs,
  places: Float64Array,
  rows: number,
  wanted?: ArrayLike<number>,
): Float64Array {
  const all = new Float64Array(rows);
  places.forEach((at, i) => all.fill(at, starts[i]!, starts[i + 1] ?? rows));
  return wanted ? Float64Array.from(wanted, (row) => all[row]!) : all;
}

/** Texts one after another, each with its length. */
function textsIn(fields: Fields, count: number): string[] {
  let at = 0;
  return Array.from({ length: count }, () => {
    const length = fields.u32(at);
    at += 4 + length;
    return new TextDecoder().decode(fields.part(at - length, length).bytes);
  });
}

/** Truth values as bytes instead of bits. */
function unpacked({ bytes, each, ...rest }: Runs, values: number): Runs {
  const found = new Uint8Array(rest.starts.length * values);
  for (let i = 0; i < found.length; i++) {
    const run = Math.floor(i / values), bit = i % values;
    found[i] = bytes[run * each + (bit >> 3)]! >> (bit & 7) & 1;
  }
  return { ...rest, bytes: found, each: values };
}

async function readHead(
  source: ByteSource,
  rows: number,
  byteOrder: ByteOrder,
  signal?: AbortSignal,
): Promise<Head> {
  const bytes = await readPart(source, 0, Math.min(HEAD_BYTES, source.size), signal);
  const io = new AipsIo(bytes, source.name, byteOrder);
  const { bucketBytes, buckets } = io.object("IncrementalStMan", 5, (version) => {
    const isBig = version < 5 || io.bool();
    if (isBig !== (byteOrder === "big")) {
      throw io.error("malformed", `its byte order is another one than that of the table, ${byteOrder}`);
    }
    const found = { bucketBytes: io.u32(), buckets: io.u32() };
    for (let i = version > 1 ? 4 : 2; i > 0; i--) io.u32();
    return found;
  });
  const end = HEAD_BYTES + buckets * bucketBytes;
  if (end >= source.size) throw cutAt(source, HEAD_BYTES, end + 1);
  const tail = await readPart(source, end, source.size - end, signal);
  const index = new AipsIo(tail, source.name, byteOrder, end);
  return index.object("ISMIndex", 2, (version) => {
    const used = index.u32();
    const [starts, numbers] = [index.block(version > 1), index.block()];
    if (used + 1 > starts.length || used > numbers.length) {
      throw index.error("malformed", `the index has ${numbers.length} entries, ${used} are to be used`);
    }
    const found = starts.subarray(0, used + 1), own = numbers.subarray(0, used);
    if (found[0] !== 0 || found.some((row, i) => i > 0 && row < found[i - 1]!)) {
      throw index.error("malformed", "the rows of its buckets do not follow each other");
    }
    if (found.at(-1) !== rows) {
      const text = `its index has ${found.at(-1)} rows, the table ${rows}`;
      throw index.error("malformed", text, index.at, rows, found.at(-1));
    }
    const wrong = own.find((number) => number >= buckets);
    if (wrong !== undefined) {
      const text = `there is no bucket ${wrong}, there are ${buckets}`;
      throw index.error("malformed", text, index.at, buckets - 1, wrong);
    }
    return { bucketBytes, rows: found, numbers: own };
  });
}

/** Bytes of the rows of a chunk. */
const CHUNK_BYTES = 2 ** 16;

/**
 * A column of such values, as chunks: in each, how many rows have a value, and the value. They lie in memory, as what is stored has
 * no chunks of equal numbers of rows.
 */
function inChunks(
  column: Column,
  { starts, bytes, each }: Runs,
  rows: number,
  files: TableFiles,
): Pick<Stored, "shape" | "chunk" | "addresses" | "sources" | "packing"> {
  const cell = column.shape ?? [];
  const most = Math.max(1, Math.min(rows, Math.floor(CHUNK_BYTES / Math.max(1, each))));
  const shape = [rows, ...cell], chunk = [most, ...cell.map((n) => Math.max(1, n))];
  checkChunks(column, shape, chunk, files);
  const count = each === 0 ? 0 : Math.ceil(rows / most);
  const packed = new Uint8Array((starts.length + count) * (4 + each)), view = new DataView(packed.buffer);
  const addresses = new Float64Array(count), sizes = new Uint32Array(count);
  let at = 0, run = 0;
  for (let i = 0; i < count; i++) {
    addresses[i] = at;
    const end = Math.min(rows, (i + 1) * most);
    for (let row = i * most; row < end;) {
      while ((starts[run + 1] ?? rows) <= row) run++;
      const stop = Math.min(end, starts[run + 1] ?? rows);
      view.setUint32(at, stop - row, true);
      packed.set(bytes.subarray(run * each, (run + 1) * each), at + 4);
      at += 4 + each;
      row = stop;
    }
    sizes[i] = at - addresses[i]!;
  }
  return {
    shape,
    chunk,
    addresses,
    sources: [{ kind: "bytes", name: `${files.name}, ${column.name}`, bytes: packed.slice(0, at) }],
    packing: { sizes, filters: [{ name: "run-lengths", values: [each] }] },
  };
}
