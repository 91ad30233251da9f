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
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { Fields } from "../common/fields.ts";
import type { Column } from "./description.ts";
import type { TableFiles } from "./files.ts";
import {
  type ArrayHeader,
  checkChunks,
  checkPlaces,
  dtypeOfColumn,
  type Stored,
  storedBytes,
} from "./stored.ts";

/** Most dimensions of an array. */
const MOST_DIMS = 32;
/** Headers that are looked at when a column is opened; those of the others when they are read. */
const LOOKS = 256;

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
    const { source, files, byteOrder, counts } = this;
    const dtype = dtypeOfColumn(column, files.name);
    const numberOf = (row: number) => wanted ? wanted[row]! : row;
    const empty = offsets.indexOf(0);
    if (empty >= 0) throw noArray(column, numberOf(empty), files.name);
    const cell = offsets.length > 0 ? (await this.look(offsets[0]!)).shape : column.shape ?? [];
    if (column.shape && !sameShape(cell, column.shape)) {
      throw differs(column, numberOf(0), cell, column.shape, files);
    }
    const step = Math.max(1, Math.floor(offsets.length / LOOKS));
    for (let row = step; row < offsets.length; row += step) {
      const { shape } = await this.look(offsets[row]!);
      if (!sameShape(shape, cell)) throw differs(column, numberOf(row), shape, cell, files);
    }
    const shape = [offsets.length, ...cell], chunk = [1, ...cell.map((n) => Math.max(1, n))];
    checkChunks(column, shape, chunk, files);
    const header = headerOf(cell, counts, byteOrder);
    if (!cell.includes(0)) checkPlaces(source, offsets, header.bytes + storedBytes(dtype, sizeOf(cell)));
    return { dtype, byteOrder, shape, chunk, addresses: offsets, sources: [source.describe()], header };
  }
}

function headerOf(cell: Shape, counts: number, byteOrder: ByteOrder): ArrayHeader {
  const values = [byteOrder === "big" ? 1 : 0, counts, ...cell.toReversed()];
  return { bytes: 4 * (counts + 1 + cell.length), values };
}

function noArray({ name }: Column, row: number, file: string): TilewiseError {
  const text = `Cannot read the column ${name} of ${file} as one array: row ${row} has no array`;
  return new TilewiseError("unsupported", text, { file, row });
}

/** The error for a column whose rows have different shapes. */
export function differs(
  { name }: Pick<Column, "name">,
  row: number,
  found: Shape,
  expected: Shape,
  { name: file }: TableFiles,
): TilewiseError {
  const text = `Cannot read the column ${name} of ${file} as one array: row ${row} is ${showShape(found)}, ` +
    `the first one ${showShape(expected)}`;
  return new TilewiseError("unsupported", text, {
    file,
    row,
    expected: showShape(expected),
    found: showShape(found),
  });
}
