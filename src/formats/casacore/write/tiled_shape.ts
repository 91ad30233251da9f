/**
 * The header of TiledShapeStMan, for a column of complex arrays whose cells have a few shapes: a hypercube for each shape, in a
 * file of its own.
 *
 * Tiles have whole cells, so that the file of a hypercube is the array (rows, shape of a cell) in C order.
 *
 * @module
 */

import type { ByteOrder } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { AipsOut, COMPLEX } from "./bound_column.ts";

/** Bytes of a value. */
const BYTES = 8;

/** Bytes of a tile, unless a cell has more. */
const TILE_BYTES = 2 ** 20;

/** Lengths and offsets from here on have 64 bits. */
const LONG = 2 ** 31;

/** The rows whose cells have one shape. */
export interface ShapedRows {
  /** The shape of a cell, the slowest dimension first. */
  readonly cell: Shape;
  /** Number of rows. */
  readonly rows: number;
}

/** Rows that follow each other and have cells of one shape. */
export interface RowRun {
  /** The first row after them. */
  readonly stop: number;
  /** Number of the shape. */
  readonly shape: number;
}

/** What the header says. */
interface TiledShape {
  /** Number of the storage manager. */
  readonly number: number;
  /** Its name. */
  readonly name: string;
  /** Byte order of the table. */
  readonly byteOrder: ByteOrder;
  /** The shapes. */
  readonly shapes: readonly ShapedRows[];
  /** All rows. */
  readonly runs: readonly RowRun[];
}

/** Rows of a tile. */
function rowsPerTile({ cell, rows }: ShapedRows): number {
  return Math.max(1, Math.min(rows, Math.floor(TILE_BYTES / Math.max(1, BYTES * sizeOf(cell)))));
}

/** Bytes of the file of a hypercube: whole tiles. */
export function cubeBytes(shape: ShapedRows): number {
  const per = rowsPerTile(shape);
  return Math.ceil(shape.rows / per) * per * sizeOf(shape.cell) * BYTES;
}

/** The files of a storage manager: its header, then those of its hypercubes. */
export function tiledFiles(number: number, cubes: number): string[] {
  const header = `table.f${number}`;
  return [header, ...Array.from({ length: cubes }, (_, i) => `${header}_TSM${i + 1}`)];
}

/** The bytes of the header. */
export function tiledHeader({ number, name, byteOrder, shapes, runs }: TiledShape): Uint8Array<ArrayBuffer> {
  const rows = runs.at(-1)?.stop ?? 0;
  const out = new AipsOut();
  out.object("TiledShapeStMan", 1, () => {
    const isBig = byteOrder === "big";
    out.object("TiledStMan", isBig ? 1 : 2, () => {
      if (!isBig) out.bool(false);
      for (const value of [number, rows, 1, COMPLEX]) out.u32(value);
      out.text(name);
      for (const value of [0, 3, shapes.length + 1]) out.u32(value); // any cache, dimensions, files
      out.bool(false); // the first hypercube is of rows without a value, and has no file
      shapes.forEach((shape, i) => file(out, i + 1, cubeBytes(shape)));
      out.u32(shapes.length + 1);
      cube(out, -1);
      shapes.forEach((shape, i) => cube(out, i + 1, shape));
    });
    out.shape(shapes[0] ? [rowsPerTile(shapes[0]), ...shapes[0].cell] : []);
    rowMap(out, shapes, runs);
  });
  return out.bytes;
}

function file(out: AipsOut, number: number, bytes: number): void {
  const isLong = bytes >= LONG;
  out.bool(true);
  out.u32(isLong ? 2 : 1);
  out.u32(number);
  out.count(bytes, isLong);
}

function cube(out: AipsOut, file: number, shape?: ShapedRows): void {
  out.u32(1);
  out.object("Record", 1, () => {
    out.object("RecordDesc", 2, () => out.u32(0));
    out.u32(1);
  });
  out.bool(shape !== undefined); // grows with the rows
  out.u32(shape ? shape.cell.length + 1 : 0);
  out.shape(shape ? [shape.rows, ...shape.cell] : []);
  out.shape(shape ? [rowsPerTile(shape), ...shape.cell] : []);
  out.u32(file);
  out.u32(0);
}

/** For each run of rows: its last row, its hypercube, and the place of that row there. */
function rowMap(out: AipsOut, shapes: readonly ShapedRows[], runs: readonly RowRun[]): void {
  const [last, numbers, places] = [0, 1, 2].map(() => new Uint32Array(runs.length)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const counts = shapes.map(() => 0);
  let start = 0;
  runs.forEach(({ stop, shape }, i) => {
    counts[shape]! += stop - start;
    last[i] = stop - 1;
    numbers[i] = shape + 1;
    places[i] = counts[shape]! - 1;
    start = stop;
  });
  out.u32(runs.length);
  for (const block of [last, numbers, places]) out.block(block);
}
