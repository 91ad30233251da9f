/**
 * Arrays that lie by themselves in a file beside the storage manager (`table.f0i`), each with its shape.
 *
 * ```
 * 0   version₃₂ length of the file₆₄ …
 *     array   [references₃₂, from version 1 on] dimensions₃₂ sizes₃₂ (the fastest first) values
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { ByteOrder } from "../../space/dtype.ts";
import { sameShape, type Shape, sizeOf } from "../../space/shape.ts";
import { Fields } from "../common/fields.ts";
import type { Column } from "./description.ts";
import { cutAt, readPart, type TableFiles } from "./files.ts";
import {
  bitFilters,
  checkChunks,
  checkPlaces,
  differs,
  dtypeOfColumn,
  type Stored,
  storedBytes,
} from "./stored.ts";

/** Most dimensions of an array. */
const MOST_DIMS = 32;
/** Headers that are looked at when a column is opened; those of the others when they are read. */
const LOOKS = 256;

/** The places of rows that have an array; `undefined` if all of them have one. */
export function placesWithArray(offsets: Float64Array): Uint32Array | undefined {
  const places = Uint32Array.from(offsets.keys()).filter((place) => offsets[place] !== 0);
  return places.length === offsets.length ? undefined : places;
}

/** Arrays in a file. */
export class IndirectArrays {
  private constructor(
    readonly source: ByteSource,
    private readonly files: TableFiles,
    private readonly byteOrder: ByteOrder,
    private readonly counts: 0 | 1,
  ) {}

  /** Opens the file `name`. */
  static async open(files: TableFiles, name: string, byteOrder: ByteOrder): Promise<IndirectArrays> {
    const source = await files.open(name);
    const head = await Fields.read(source, 0, 12, byteOrder, files.signal);
    const version = head.u32(0);
    if (version > 1) throw head.error("unsupported", `version ${version} of the arrays is unknown`, 0);
    return new IndirectArrays(source, files, byteOrder, version === 0 ? 0 : 1);
  }

  /** The shape of the array at `at`, and where its values begin. */
  async look(at: number): Promise<{ shape: Shape; values: number }> {
    const { source, byteOrder, counts, files: { signal } } = this;
    const first = await Fields.read(source, at, 4 + 4 * counts, byteOrder, signal);
    const dims = first.within(first.u32(4 * counts), 0, MOST_DIMS, "the number of dimensions", 4 * counts);
    const sizes = await Fields.read(source, at + 4 + 4 * counts, 4 * dims, byteOrder, signal);
    const shape = Array.from({ length: dims }, (_, d) => sizes.u32(4 * d)).reverse();
    return { shape, values: at + 4 * (counts + 1 + dims) };
  }

  /** A column whose arrays lie at `offsets`; `wanted` are the numbers of these rows in the table. */
  async stored(column: Column, offsets: Float64Array, wanted?: ArrayLike<number>): Promise<Stored> {
    const { files } = this;
    const numberOf = (row: number) => wanted ? wanted[row]! : row;
    const empty = offsets.indexOf(0);
    if (empty >= 0) throw noArray(column, numberOf(empty), files.name);
    const cell = offsets.length > 0 ? (await this.look(offsets[0]!)).shape : column.shape ?? [];
    if (column.shape && !sameShape(cell, column.shape)) {
      throw differs(column, numberOf(0), cell, column.shape, files.name);
    }
    const step = Math.max(1, Math.floor(offsets.length / LOOKS));
    for (let row = step; row < offsets.length; row += step) {
      const { shape } = await this.look(offsets[row]!);
      if (!sameShape(shape, cell)) throw differs(column, numberOf(row), shape, cell, files.name);
    }
    return this.#inChunks(column, offsets, cell);
  }

  /** The texts of the array at `at`, in the order of the file: where each lies, and there its length and letters. */
  async texts(at: number): Promise<string[]> {
    if (at === 0) return [];
    const { source, byteOrder, files: { signal } } = this;
    const { shape, values } = await this.look(at);
    const count = sizeOf(shape);
    if (values + 4 * count > source.size) throw cutAt(source, values, values + 4 * count);
    const places = await Fields.read(source, values, 4 * count, byteOrder, signal);
    return await Promise.all(Array.from({ length: count }, async (_, i) => {
      const place = places.u32(4 * i);
      if (place === 0) return "";
      const length = (await Fields.read(source, place, 4, byteOrder, signal)).u32(0);
      return new TextDecoder().decode(await readPart(source, place + 4, length, signal));
    }));
  }

  /** Chunks of as many rows as lie at equal distances. */
  #inChunks(column: Column, offsets: Float64Array, cell: Shape): Stored {
    const { source, files, byteOrder, counts } = this;
    const dtype = dtypeOfColumn(column, files.name), count = sizeOf(cell);
    const [head, samples] = [4 * (counts + 1 + cell.length), storedBytes(dtype, count)];
    if (count > 0) checkPlaces(source, offsets, head + samples);
    const isByte = dtype !== "bool" || count % 8 === 0; // bits of several arrays must not share a byte
    const { rows, step } = isByte ? spacingOf(offsets, head + samples) : { rows: 1, step: head + samples };
    const shape = [offsets.length, ...cell], chunk = [rows, ...cell.map((n) => Math.max(1, n))];
    const chunks = checkChunks(column, shape, chunk, files);
    const addresses = count === 0
      ? new Float64Array(0)
      : Float64Array.from({ length: chunks }, (_, i) => offsets[i * rows]!);
    const sizes = Uint32Array.from(addresses, (_, i) => {
      return (Math.min(rows, offsets.length - i * rows) - 1) * step + head + samples;
    });
    const values = [byteOrder === "big" ? 1 : 0, counts, samples, step, ...cell.toReversed()];
    const filters = [...(dtype === "bool" ? bitFilters(rows * count) : []), { name: "array-header", values }];
    return {
      dtype,
      byteOrder,
      shape,
      chunk,
      addresses,
      sources: [source.describe()],
      packing: { sizes, filters },
    };
  }
}

/** Bytes of a chunk of several arrays. */
const CHUNK_BYTES = 2 ** 16;
/** Arrays with more other bytes between them than this many times their own are chunks of their own. */
const MOST_SPACING = 4;

/** Of how many rows chunks are, so that the arrays in each lie at equal distances, and this distance. */
function spacingOf(offsets: Float64Array, bytes: number): { rows: number; step: number } {
  const step = offsets.length > 1 ? offsets[1]! - offsets[0]! : bytes;
  const most = step >= bytes && step <= MOST_SPACING * bytes ? Math.floor(CHUNK_BYTES / step) : 1;
  let rows = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(most, offsets.length))));
  for (let row = 1; row < offsets.length && rows > 1; row++) {
    while (row % rows !== 0 && offsets[row]! - offsets[row - 1]! !== step) rows /= 2;
  }
  return rows > 1 && isSpaced(offsets, rows, step) ? { rows, step } : { rows: 1, step: bytes };
}

/** Whether the arrays of each so many rows lie at this distance. */
function isSpaced(offsets: Float64Array, rows: number, step: number): boolean {
  return offsets.every((at, row) => row % rows === 0 || at - offsets[row - 1]! === step);
}

function noArray({ name }: Column, row: number, file: string): TilewiseError {
  const text = `Cannot read the column ${name} of ${file} as one array: row ${row} has no array`;
  return new TilewiseError("unsupported", text, { file, row });
}
