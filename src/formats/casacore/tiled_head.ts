/**
 * The header of the tiled storage managers: their hypercubes, and which rows lie in which of them.
 *
 * @module
 */

import type { ByteOrder } from "../../space/dtype.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import type { AipsIo } from "./aips_io.ts";
import type { Manager } from "./description.ts";
import { readRecord } from "./record.ts";

/** A hypercube. */
export interface Cube {
  /** Its shape, rows first. */
  readonly shape: Shape;
  /** The shape of a tile. */
  readonly tile: Shape;
  /** Number of its file; below 0: it has no values. */
  readonly file: number;
  /** First byte of its tiles. */
  readonly offset: number;
}

/** Rows that follow each other in a hypercube. */
export interface Run {
  readonly start: number;
  readonly stop: number;
  readonly cube: number;
  /** Position of the first of them. */
  readonly position: number;
}

/** What the header says. */
export interface Head {
  readonly cubes: readonly Cube[];
  readonly runs: readonly Run[];
}

/** Reads the header, and the name of the hypercube. */
export function readHead(
  io: AipsIo,
  manager: Manager,
  rows: number,
  byteOrder: ByteOrder,
): { head: Head; name: string } {
  return io.object(manager.type, 1, () => {
    if (manager.type !== "TiledShapeStMan") io.shape(); // shape of tiles, unless another one was given
    const { cubes, name } = readCubes(io, manager, rows, byteOrder);
    if (manager.type === "TiledShapeStMan") {
      io.shape();
      return { head: { cubes, runs: readRuns(io, cubes, rows) }, name };
    }
    if (manager.type === "TiledCellStMan") {
      if (cubes.length !== rows) throw io.error("malformed", `there are ${cubes.length} cells, ${rows} rows`);
      const runs = cubes.map(({ file }, i) => ({
        start: i,
        stop: i + 1,
        cube: file < 0 ? -1 : i,
        position: 0,
      }));
      return { head: { cubes, runs }, name };
    }
    const found = cubes[0]?.shape[0] ?? 0;
    if (found !== rows) {
      throw io.error("malformed", `its hypercube has ${found} rows, the table ${rows}`, io.at, rows, found);
    }
    return {
      head: { cubes, runs: rows === 0 ? [] : [{ start: 0, stop: rows, cube: 0, position: 0 }] },
      name,
    };
  });
}

function readCubes(
  io: AipsIo,
  { number, columns }: Manager,
  rows: number,
  byteOrder: ByteOrder,
): { cubes: Cube[]; name: string } {
  return io.object("TiledStMan", 3, (version) => {
    const isBig = version < 2 || io.bool(), isLong = version >= 3;
    const own = io.u32(), found = io.count(isLong), count = io.u32();
    if (isBig !== (byteOrder === "big") || own !== number || count !== columns.length) {
      throw io.error("malformed", "byte order, number or columns are other ones than in table.dat");
    }
    if (found !== rows) {
      throw io.error("malformed", `it has ${found} rows, the table ${rows}`, io.at, rows, found);
    }
    for (let i = 0; i < count; i++) io.i32();
    const name = io.text();
    io.count(isLong);
    io.u32();
    const files = io.count(isLong);
    for (let i = 0; i < files; i++) if (io.bool()) skipFile(io);
    const cubes: Cube[] = [];
    for (let left = io.count(isLong); left > 0; left--) cubes.push(readCube(io));
    return { cubes, name };
  });
}

/** What is known of a file of tiles: its number and its length. */
function skipFile(io: AipsIo): void {
  const version = io.u32();
  io.u32();
  io.count(version > 1);
}

function readCube(io: AipsIo): Cube {
  const version = io.u32();
  readRecord(io, "Record");
  io.bool();
  const dims = io.u32();
  const [shape, tile] = [io.shape(), io.shape()];
  const file = io.i32(), offset = io.count(version > 1);
  const isNone = file < 0 || shape.length === 0;
  const fits = shape.length === dims && tile.length === dims && tile.every((n) => n >= 1) &&
    shape.every((n) => n >= 0);
  if (!isNone && !fits) {
    const text = `a hypercube of ${showShape(shape)} has tiles of ${showShape(tile)}`;
    throw io.error("malformed", text);
  }
  return { shape, tile, file: isNone ? -1 : file, offset };
}

/** The rows of TiledShapeStMan. */
function readRuns(io: AipsIo, cubes: readonly Cube[], rows: number): Run[] {
  const used = io.u32();
  const [last, numbers, positions] = [io.block(), io.block(), io.block()];
  if (used > last.length || used > numbers.length || used > positions.length) {
    throw io.error("malformed", `the map of rows has ${last.length} entries, ${used} are to be used`);
  }
  const runs: Run[] = [];
  for (let i = 0, start = 0; i < used; i++) {
    const stop = last[i]! + 1, number = numbers[i]!, cube = cubes[number];
    const position = positions[i]! - (stop - 1 - start);
    const isNone = number === 0 || (cube?.file ?? -1) < 0;
    if (
      stop <= start || stop > rows || !cube || (!isNone && (position < 0 || positions[i]! >= cube.shape[0]!))
    ) {
      throw io.error(
        "malformed",
        `rows ${start} to ${stop - 1} of ${rows} are to lie in hypercube ${number}`,
      );
    }
    runs.push({ start, stop, cube: isNone ? -1 : number, position });
    start = stop;
  }
  const end = runs.at(-1)?.stop ?? 0;
  if (end < rows) runs.push({ start: end, stop: rows, cube: -1, position: 0 });
  return runs;
}
