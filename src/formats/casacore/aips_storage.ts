/**
 * The storage manager StManAipsIO: all columns in one object, one after another; for small tables.
 *
 * ```
 * "StManAipsIO"  name · number₃₂ · arrays₃₂ · rows₃₂ · count₃₂ · types₃₂ · columns
 * column         "StManColumnAipsIO", for arrays inside of "StManColumnArrayAipsIO" or "StManColumnIndArrayAipsIO":
 *                rows₃₂ · for each part: rows₃₂ · [values₃₂] · values; truth values are bits, those of each array by themselves
 * ```
 * It is big-endian in all tables. Arrays of no fixed place are in a second file; a row has their address there.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ByteSource, SourceSpec } from "../../io/source/source.ts";
import { sizeOf } from "../../space/shape.ts";
import { AipsIo } from "./aips_io.ts";
import type { Column, Manager } from "./description.ts";
import { readPart, readWhole, type TableFiles } from "./files.ts";
import { IndirectArrays, placesWithArray } from "./indirect.ts";
import { bitFilters, checkChunks, dtypeOfColumn, type Stored, storedBytes } from "./stored.ts";
import { dtypeOfType, TYPE } from "./record.ts";

/** Says that the address of an array has 64 bits, which follow. */
const LONG = 2 ** 31 + 1;

/** Rows of a column that lie together. */
interface RowRange {
  readonly start: number;
  readonly stop: number;
  /** First byte of the values in the file. */
  readonly at: number;
}

/** Where the values of a column are: of texts and addresses the values. */
interface Content {
  readonly parts: readonly RowRange[];
  readonly texts?: readonly (string | string[])[];
  readonly addresses?: Float64Array;
}

/** Bytes of a chunk. */
const CHUNK_BYTES = 2 ** 16;

/** A StManAipsIO of a table. */
export class AipsStorage {
  private constructor(
    private readonly files: TableFiles,
    private readonly source: ByteSource,
    private readonly manager: Manager,
    private readonly rows: number,
    private readonly contents: readonly Content[],
  ) {}

  /** Reads the object: texts and addresses are kept, of numbers their places. */
  static async open(files: TableFiles, manager: Manager, rows: number): Promise<AipsStorage> {
    const source = await files.open(`table.f${manager.number}`);
    const io = new AipsIo(await readWhole(source, files.signal), source.name);
    return new AipsStorage(files, source, manager, rows, readContents(io, manager, rows));
  }

  /** Where the numbers of a column lie. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored> {
    const dtype = dtypeOfColumn(column, this.files.name);
    const { parts, addresses, source } = this.#content(column);
    if (addresses) return await (await this.#arrays()).stored(column, pick(addresses, wanted), wanted);
    const cell = column.shape ?? [], values = sizeOf(cell), each = storedBytes(dtype, values);
    const isBits = dtype === "bool" && column.isScalar; // of several rows in a byte
    const most = isBits || parts.length > 1 ? 1 : Math.floor(CHUNK_BYTES / Math.max(1, each));
    const perChunk = Math.max(1, Math.min(most, this.rows));
    const shape = [this.rows, ...cell], chunk = [perChunk, ...cell.map((n) => Math.max(1, n))];
    checkChunks(column, shape, chunk, this.files);
    const addressOf = ({ start, stop, at }: RowRange) =>
      Array.from({ length: Math.ceil((stop - start) / perChunk) }, (_, i) => at + i * perChunk * each);
    const sizeOfChunk = (i: number) => each * Math.min(perChunk, this.rows - i * perChunk);
    const places = Float64Array.from(
      values === 0
        ? []
        : isBits
        ? Array.from({ length: this.rows }, (_, row) => row)
        : parts.flatMap(addressOf),
    );
    return {
      dtype,
      byteOrder: "big",
      shape,
      chunk,
      addresses: places,
      sources: [isBits ? await this.#truths(column, source, parts) : source.describe()],
      packing: {
        sizes: Uint32Array.from(places, (_, i) => sizeOfChunk(i)),
        filters: dtype === "bool" && !isBits ? bitFilters(values) : [],
      },
      ...defined({ rows: wanted }),
    };
  }

  /** Which rows have a value: arrays by themselves may be missing. */
  filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    const { addresses } = this.#content(column);
    return Promise.resolve(addresses && placesWithArray(pick(addresses, wanted)));
  }

  /** The texts of the rows from `start` to before `stop`; arrays of texts are flat. */
  async texts(column: Column, start: number, stop: number): Promise<(string | string[])[]> {
    const { texts = [], addresses } = this.#content(column);
    if (!addresses) return texts.slice(start, stop);
    const arrays = await this.#arrays();
    return await Promise.all(Array.from(addresses.subarray(start, stop), (at) => arrays.texts(at)));
  }

  #arrays(): Promise<IndirectArrays> {
    return IndirectArrays.open(this.files, `table.f${this.manager.number}i`, "big");
  }

  #content(column: Column): Content & { readonly source: ByteSource } {
    const number = this.manager.columns.findIndex(({ name }) => name === column.name);
    return { ...this.contents[number]!, source: this.source };
  }

  /** Single truth values, each in a byte, in memory. */
  async #truths(column: Column, source: ByteSource, parts: readonly RowRange[]): Promise<SourceSpec> {
    const bytes = new Uint8Array(this.rows);
    for (const { start, stop, at } of parts) {
      const raw = await readPart(source, at, storedBytes("bool", stop - start), this.files.signal);
      for (let row = start; row < stop; row++) {
        bytes[row] = raw[(row - start) >> 3]! >> ((row - start) & 7) & 1;
      }
    }
    return { kind: "bytes", name: `${source.name}, ${column.name}`, bytes };
  }
}

/** The values of the rows that are wanted. */
function pick(values: Float64Array, wanted?: ArrayLike<number>): Float64Array {
  return wanted ? Float64Array.from(wanted, (row) => values[row]!) : values;
}

/** The columns, in the order of the storage manager. */
function readContents(io: AipsIo, { number, columns }: Manager, rows: number): Content[] {
  return io.object("StManAipsIO", 2, (version) => {
    if (version > 1) io.text();
    const own = io.u32();
    io.u32();
    const found = io.u32(), count = io.u32();
    if (own !== number || count !== columns.length) {
      throw io.error("malformed", "its number or its columns are other ones than in table.dat");
    }
    if (found !== rows) {
      throw io.error("malformed", `it has ${found} rows, the table ${rows}`, io.at, rows, found);
    }
    for (const { name, type } of columns) {
      const stored = io.i32();
      if (stored === type) continue;
      throw io.error(
        "malformed",
        `the column ${name} has the type ${stored}, not ${type}`,
        io.at - 4,
        type,
        stored,
      );
    }
    return columns.map((column) => readContent(io, column, rows));
  });
}

function readContent(io: AipsIo, column: Column, rows: number): Content {
  if (column.isScalar) return readParts(io, column, rows);
  if (column.isDirect) {
    return io.object("StManColumnArrayAipsIO", 2, (version) => {
      if (version === 1) {
        throw io.error("unsupported", "arrays of version 1 are not read; save the table anew");
      }
      return readParts(io, column, rows);
    });
  }
  return io.object("StManColumnIndArrayAipsIO", 2, (version) => {
    if (version === 1) {
      throw io.error("unsupported", "files of arrays of version 1 are not read; save the table anew");
    }
    io.i32();
    io.u32();
    return readParts(io, column, rows);
  });
}

/** The parts of a column, each with the number of its rows. */
function readParts(io: AipsIo, column: Column, rows: number): Content {
  return io.object("StManColumnAipsIO", 2, () => {
    const found = io.u32();
    if (found !== rows) {
      throw io.error(
        "malformed",
        `${column.name} has ${found} rows, the table ${rows}`,
        io.at - 4,
        rows,
        found,
      );
    }
    const isText = column.type === TYPE.text, isPlain = column.isScalar || column.isDirect;
    const parts: RowRange[] = [], texts: (string | string[])[] = [], addresses: number[] = [];
    for (let start = 0; start < rows;) {
      const count = io.u32() || rows - start;
      if (start + count > rows) {
        throw io.error("malformed", `there are rows ${start} to ${start + count - 1} of ${rows}`);
      }
      if (isPlain) io.u32();
      const at = io.at;
      if (!isPlain) { for (let i = 0; i < count; i++) addresses.push(readAddress(io)); }
      else if (isText) { for (let i = 0; i < count; i++) texts.push(readTexts(io, column)); }
      else io.raw(bytesOf(column, count));
      parts.push({ start, stop: start + count, at });
      start += count;
    }
    return {
      parts,
      ...(isPlain ? {} : { addresses: Float64Array.from(addresses) }),
      ...(isPlain && isText ? { texts } : {}),
    };
  });
}

/** Bytes of so many rows of numbers. */
function bytesOf(column: Column, rows: number): number {
  const dtype = dtypeOfType(column.type) ?? "uint8", values = sizeOf(column.shape ?? []);
  return column.isScalar ? storedBytes(dtype, rows) : rows * storedBytes(dtype, values);
}

function readAddress(io: AipsIo): number {
  const at = io.u32();
  return at === LONG ? io.u64() : at;
}

function readTexts(io: AipsIo, { isScalar, shape = [] }: Column): string | string[] {
  return isScalar ? io.text() : Array.from({ length: sizeOf(shape) }, () => io.text());
}
