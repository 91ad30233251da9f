/**
 * The tiled storage managers: cells of equal shape lie together in a hypercube, which is stored in tiles.
 *
 * ```
 * table.fN       (big-endian) "TiledColumnStMan" | "TiledShapeStMan" | "TiledCellStMan", with "TiledStMan" inside:
 *                number, rows, types of columns, name, cache, dimensions, files, cubes
 *     cube       version₃₂ values: record · extensible · dimensions₃₂ · shape · shape of tiles · file₃₂ · offset
 *     rows       of TiledShapeStMan: last row, cube and position in it of each run of rows; cube 0 has no values
 * table.fN_TSMk  tiles, the first dimension of the cube fastest; in a tile the columns one after another
 * ```
 * Rows are the slowest dimension of a cube, except with TiledCellStMan, where each row has a cube of its own.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type ByteOrder, dtypeInfo } from "../../space/dtype.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { AipsIo } from "./aips_io.ts";
import type { Column, Manager } from "./description.ts";
import { cutAt, readWhole, type TableFiles } from "./files.ts";
import { differs } from "./indirect.ts";
import { type KeywordRecord, readRecord } from "./record.ts";
import { checkChunks, checkPlaces, dtypeOfColumn, type Stored, storedBytes } from "./stored.ts";
import { dtypeOfType } from "./types.ts";

/** A hypercube. */
interface Cube {
  readonly shape: Shape;
  readonly tile: Shape;
  readonly file: number;
  readonly offset: number;
}

/** Rows that follow each other in a hypercube. */
interface Run {
  readonly start: number;
  readonly stop: number;
  readonly cube: number;
  /** Position of the first of them. */
  readonly position: number;
}

interface Head {
  readonly cubes: readonly Cube[];
  readonly runs: readonly Run[];
}

/** A tiled storage manager of a table. */
export class TiledStorage {
  private constructor(
    private readonly files: TableFiles,
    private readonly byteOrder: ByteOrder,
    private readonly rows: number,
    private readonly manager: Manager,
    private readonly head: Head,
    private readonly hidden: KeywordRecord,
    private readonly name: string,
  ) {}

  /** Reads its header. */
  static async open(
    files: TableFiles,
    manager: Manager,
    rows: number,
    byteOrder: ByteOrder,
    hidden: KeywordRecord,
  ): Promise<TiledStorage> {
    const source = await files.open(`table.f${manager.number}`);
    const io = new AipsIo(await readWhole(source, files.signal), source.name);
    const { head, name } = readHead(io, manager, rows, byteOrder);
    return new TiledStorage(files, byteOrder, rows, manager, head, hidden, name);
  }

  /** Where the numbers of a column lie. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored> {
    const runs = wanted ? runsOf(wanted, this.head.runs) : this.head.runs;
    const first = runs[0];
    if (!first) return this.#empty(column);
    const cell = this.#cellOf(first);
    for (const run of runs) {
      const found = this.#cellOf(run);
      if (run.cube < 0) throw this.#noValue(column, run);
      if (!cell || !found || !sameShape(found, cell)) {
        throw differs(column, run.start, found ?? [], cell ?? [], this.files);
      }
    }
    if (this.manager.type === "TiledCellStMan") return await this.#ofCells(column, runs, cell!);
    const cube = this.head.cubes[first.cube]!;
    if (wanted) {
      const all = { start: 0, stop: cube.shape[0]!, cube: first.cube, position: 0 };
      return { ...await this.#ofCube(column, cube, [all]), rows: positionsOf(runs) };
    }
    const inOrder = runs.every(({ start, position }) => position - first.position === start - runs[0]!.start);
    const isWhole = inOrder && first.position % cube.tile[0]! === 0;
    return await (isWhole ? this.#ofCube(column, cube, runs) : this.#ofRows(column, cube, runs));
  }

  /** Rows that lie in a cube one after another, from the first row of a tile on: the tiles of the cube. */
  async #ofCube(column: Column, cube: Cube, runs: readonly Run[]): Promise<Stored> {
    const { tile } = cube;
    const rows = runs.reduce((sum, { start, stop }) => sum + stop - start, 0);
    const shape = [rows, ...cube.shape.slice(1)];
    const { dtype, tileBytes, offset, source } = await this.#tiles(column, cube);
    this.#checkCube(cube, tileBytes, source);
    const count = checkChunks(column, shape, tile, this.files);
    const perRow = sizeOf(cube.shape.slice(1).map((n, d) => Math.ceil(n / tile[d + 1]!)));
    const skipped = runs[0]!.position / tile[0]! * perRow;
    const addresses = Float64Array.from(
      { length: count },
      (_, i) => cube.offset + (skipped + i) * tileBytes + offset,
    );
    checkPlaces(source, addresses, storedBytes(dtype, sizeOf(tile)));
    const { byteOrder } = this;
    return { dtype, byteOrder, shape, chunk: tile, addresses, sources: [source.describe()] };
  }

  /** Rows in any order: a chunk per row and part of a cell, where tiles keep rows apart. */
  async #ofRows(column: Column, cube: Cube, runs: readonly Run[]): Promise<Stored> {
    const { tile } = cube;
    const { dtype, tileBytes, offset, source } = await this.#tiles(column, cube);
    this.#checkCube(cube, tileBytes, source);
    const rows = runs.reduce((sum, { start, stop }) => sum + stop - start, 0);
    const shape = [rows, ...cube.shape.slice(1)], chunk = [1, ...tile.slice(1)];
    const count = checkChunks(column, shape, chunk, this.files);
    const perRow = rows === 0 ? 0 : count / rows;
    const values = sizeOf(tile.slice(1));
    if (dtype === "bool" && values % 8 !== 0) throw this.#halfBytes(column, values);
    const each = storedBytes(dtype, values);
    const addresses = new Float64Array(count);
    let at = 0;
    for (const { start, stop, position } of runs) {
      for (let p = position; p < position + stop - start; p++) {
        const first = Math.floor(p / tile[0]!) * perRow, inTile = p % tile[0]! * each;
        for (let part = 0; part < perRow; part++) {
          addresses[at++] = cube.offset + (first + part) * tileBytes + offset + inTile;
        }
      }
    }
    checkPlaces(source, addresses, each);
    const { byteOrder } = this;
    return { dtype, byteOrder, shape, chunk, addresses, sources: [source.describe()] };
  }

  /** Rows with a cube each. */
  async #ofCells(column: Column, runs: readonly Run[], cell: Shape): Promise<Stored> {
    const cubes = runs.map(({ cube }) => this.head.cubes[cube]!);
    const { tile } = cubes[0]!;
    const other = cubes.findIndex((cube) => !sameShape(cube.tile, tile));
    if (other >= 0) throw differs(column, runs[other]!.start, cubes[other]!.tile, tile, this.files);
    const shape = [cubes.length, ...cell], chunk = [1, ...tile];
    const count = checkChunks(column, shape, chunk, this.files);
    const perRow = count / cubes.length;
    const { dtype, tileBytes, offset, source } = await this.#tiles(column, cubes[0]!);
    for (const cube of cubes) this.#checkCube(cube, tileBytes, source);
    const addresses = Float64Array.from(
      { length: count },
      (_, i) => cubes[Math.floor(i / perRow)]!.offset + i % perRow * tileBytes + offset,
    );
    if (cubes.some(({ file }) => file !== cubes[0]!.file)) {
      throw this.#error("unsupported", `the cells of ${column.name} are in several files`);
    }
    checkPlaces(source, addresses, storedBytes(dtype, sizeOf(tile)));
    const { byteOrder } = this;
    return { dtype, byteOrder, shape, chunk, addresses, sources: [source.describe()] };
  }

  /** Bytes of a tile, where a column begins in it, and the file of a cube. */
  async #tiles(column: Column, { tile, file }: Cube) {
    const dtype = dtypeOfColumn(column, this.files.name);
    const columns = this.#columns();
    const values = sizeOf(tile);
    const lengths = columns.map(({ type }) => storedBytes(dtypeOfType(type) ?? "uint8", values));
    const place = columns.findIndex(({ name }) => name === column.name);
    if (place < 0) {
      throw this.#error("unsupported", `${column.name} is a coordinate of a hypercube, not its values`);
    }
    const offset = lengths.slice(0, place).reduce((sum, n) => sum + n, 0);
    const tileBytes = lengths.reduce((sum, n) => sum + n, 0);
    const source: ByteSource = await this.files.open(`table.f${this.manager.number}_TSM${file}`);
    return { dtype, tileBytes, offset, source };
  }

  /** Refuses a cube that does not lie in its file, before memory is taken for its tiles. */
  #checkCube({ shape, tile, offset }: Cube, tileBytes: number, source: ByteSource): void {
    const end = shape.reduce((bytes, n, d) => bytes * Math.ceil(n / tile[d]!), tileBytes) + offset;
    if (end > source.size) throw cutAt(source, offset, end);
  }

  /** The columns that lie in tiles, in their order there: the widest values first, and of equal ones the last. */
  #columns(): Column[] {
    const { manager: { columns }, hidden } = this;
    const known = hidden[`Hypercolumn_${this.name}`] as { data?: readonly string[] } | undefined;
    const own = Array.isArray(known?.data)
      ? known.data.flatMap((name) => columns.filter((column) => column.name === name))
      : columns;
    const width = ({ type }: Column) => type === 0 ? 0 : dtypeInfo(dtypeOfType(type) ?? "uint8").itemSize;
    return own.toSorted((a, b) => width(a) - width(b)).reverse();
  }

  #cellOf({ cube }: Run): Shape | undefined {
    const found = this.head.cubes[cube];
    return this.manager.type === "TiledCellStMan" ? found?.shape : found?.shape.slice(1);
  }

  #empty(column: Column): Stored {
    const dtype = dtypeOfColumn(column, this.files.name);
    const cell = column.shape ?? [];
    const chunk = [1, ...cell.map((n) => Math.max(1, n))];
    const sources = [{ kind: "bytes", name: this.files.name, bytes: new Uint8Array(0) } as const];
    return {
      dtype,
      byteOrder: this.byteOrder,
      shape: [0, ...cell],
      chunk,
      addresses: new Float64Array(0),
      sources,
    };
  }

  #noValue({ name }: Column, { start, stop }: Run): TilewiseError {
    return this.#error("unsupported", `rows ${start} to ${stop - 1} of the column ${name} have no values`);
  }

  #halfBytes({ name }: Column, values: number): TilewiseError {
    const text = `rows of ${name} are ${values} bits, which do not begin with bytes, and not in order`;
    return this.#error("unsupported", text);
  }

  #error(code: "unsupported", problem: string): TilewiseError {
    return new TilewiseError(code, `Cannot read ${this.files.name}: ${problem}`, { file: this.files.name });
  }
}

/** The positions of the rows of runs. */
function positionsOf(runs: readonly Run[]): Float64Array {
  const positions = new Float64Array(runs.reduce((sum, { start, stop }) => sum + stop - start, 0));
  let at = 0;
  for (const { start, stop, position } of runs) {
    for (let i = 0; i < stop - start; i++) positions[at++] = position + i;
  }
  return positions;
}

/** The runs that the rows `wanted`, in this order, are in. */
function runsOf(wanted: ArrayLike<number>, runs: readonly Run[]): Run[] {
  const found: Run[] = [];
  let at = 0;
  for (let i = 0; i < wanted.length; i++) {
    const row = wanted[i]!;
    if (!(row >= runs[at]!.start && row < runs[at]!.stop)) at = runs.findIndex((run) => row < run.stop);
    const { start, cube, position } = runs[at]!;
    const own = position + row - start, last = found.at(-1);
    const follows = last && last.cube === cube && own === last.position + last.stop - last.start;
    if (follows && row === last.stop) found[found.length - 1] = { ...last, stop: row + 1 };
    else found.push({ start: row, stop: row + 1, cube, position: own });
  }
  return found;
}

function readHead(
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
