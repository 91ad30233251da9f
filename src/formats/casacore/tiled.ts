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

import { cannot, type TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type ByteOrder, dtypeInfo } from "../../space/dtype.ts";
import { sameShape, type Shape, sizeOf } from "../../space/shape.ts";
import { AipsIo } from "./aips_io.ts";
import type { Column, Manager } from "./description.ts";
import { cutAt, readWhole, type TableFiles } from "./files.ts";
import { dtypeOfType, type KeywordRecord } from "./record.ts";
import { checkChunks, checkPlaces, differs, dtypeOfColumn, type Stored, storedBytes } from "./stored.ts";
import { type Cube, type Head, readHead, type Run } from "./tiled_head.ts";

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
        throw differs(column, run.start, found ?? [], cell ?? [], this.files.name);
      }
    }
    if (this.manager.type === "TiledCellStMan") return await this.#ofCells(column, runs, cell!);
    const cube = this.head.cubes[first.cube]!;
    const inOrder = runs.every(({ start, position }) => position - first.position === start - runs[0]!.start);
    if (!wanted && inOrder && first.position % cube.tile[0]! === 0) {
      return await this.#ofCube(column, cube, runs);
    }
    const all = { start: 0, stop: cube.shape[0]!, cube: first.cube, position: 0 };
    return { ...await this.#ofCube(column, cube, [all]), rows: positionsOf(runs) };
  }

  /** Which rows have a value. */
  filled(_column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    const { runs } = this.head;
    const found = wanted ? runsOf(wanted, runs) : runs;
    const total = found.reduce((sum, { start, stop }) => sum + stop - start, 0);
    const count = found.reduce((sum, { start, stop, cube }) => cube < 0 ? sum : sum + stop - start, 0);
    if (count === total) return Promise.resolve(undefined);
    const places = new Uint32Array(count);
    let at = 0, place = 0;
    for (const { start, stop, cube } of found) {
      for (let row = start; row < stop; row++, place++) if (cube >= 0) places[at++] = place;
    }
    return Promise.resolve(places);
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

  /** Rows with a cube each. */
  async #ofCells(column: Column, runs: readonly Run[], cell: Shape): Promise<Stored> {
    const cubes = runs.map(({ cube }) => this.head.cubes[cube]!);
    const { tile } = cubes[0]!;
    const other = cubes.findIndex((cube) => !sameShape(cube.tile, tile));
    if (other >= 0) throw differs(column, runs[other]!.start, cubes[other]!.tile, tile, this.files.name);
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
      throw this.#error(`the cells of ${column.name} are in several files`);
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
      throw this.#error(`${column.name} is a coordinate of a hypercube, not its values`);
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
    return this.#error(`rows ${start} to ${stop - 1} of the column ${name} have no values`);
  }

  #error(problem: string): TilewiseError {
    return cannot("read", this.files.name, "unsupported", problem);
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
