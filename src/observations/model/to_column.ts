/**
 * Sinks of predicted visibilities that write a column of a Measurement Set.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { ColumnFiles } from "../../formats/casacore/write/column_files.ts";
import type { RowRun, ShapedRows } from "../../formats/casacore/write/tiled_shape.ts";
import type { SinkContext } from "../../hypercube/providers/context.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import { writing } from "../../hypercube/providers/sinks/under_way.ts";
import { GatheredWrites } from "../../io/write/gathered.ts";
import type { WriteAt } from "../../io/write/part_file.ts";
import { bytesOf } from "../../space/bytes.ts";
import type { ByteOrder } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { discard } from "../../portable.ts";
import { MS_COLUMNS, MS_IGNORED } from "../meaning/measurement_set.ts";
import { Folder, folderOf, type MsTable, numbersOf, storedRows } from "../ms_columns.ts";
import { type MsPart, partsOf, Tables } from "../ms_tables.ts";
import type { ObservationOptions } from "../observation.ts";
import { stored } from "./chunks.ts";
import type { ToMsv4Options } from "./to_msv4.ts";

/** Bytes of a complex number. */
const BYTES = 8;

/** Bytes of old values that are copied at a time. */
const BLOCK_BYTES = 2 ** 20;

/** Columns that a Measurement Set needs: those that have a meaning, and what was observed. */
const NEEDED: ReadonlySet<string> = new Set([
  ...Object.keys(MS_COLUMNS.MAIN),
  ...Object.keys(MS_IGNORED["MAIN"]!),
  ...["DATA", "FLOAT_DATA", "LAG_DATA", "VIDEO_POINT"],
]);

/** What is written of a part, as of other files. */
type ToColumnOptions = Pick<ToMsv4Options, "select" | "uvw">;

/** Which rows a column has, and where their cells lie. */
interface Cells {
  readonly shapes: readonly ShapedRows[];
  readonly runs: readonly RowRun[];
  /** The shape of each data description. */
  readonly shapeOf: ReadonlyMap<number, number>;
  /** The place of each row among those of its shape. */
  readonly places: Uint32Array;
}

/**
 * A column with visibilities in a Measurement Set: complex64, in Jy, and with the shape of each row. The set has it when
 * `finish()` has returned; until then, and after errors, the set is as it was.
 */
export class ModelColumn implements AsyncDisposable {
  #writers: WriteAt[] | undefined;

  private constructor(
    private readonly name: string,
    private readonly base: string,
    private readonly files: ColumnFiles,
    private readonly cells: Cells,
    /** The rows that are predicted. */
    readonly parts: readonly MsPart[],
    private readonly folder: Folder,
    private readonly main: MsTable<"MAIN">,
  ) {}

  /**
   * Checks what can be checked before anything is computed; writes nothing. Errors: those of reading, and of `ColumnFiles.plan()`;
   * `invalid` for columns that a set needs.
   */
  static async plan(path: string, column: string, options: ObservationOptions): Promise<ModelColumn> {
    if (NEEDED.has(column)) {
      const text =
        `Cannot write the column ${column} of ${path}: a Measurement Set needs it; choose another name, ` +
        "such as MODEL_DATA";
      throw new TilewiseError("invalid", text, { option: "column", found: column });
    }
    if (/^https?:/i.test(path)) {
      const text =
        `Cannot write the column ${column} of ${path}: it is on a server; name a folder on this machine`;
      throw new TilewiseError("unsupported", text, { file: path });
    }
    const base = folderOf(path);
    const folder = new Folder(base, options);
    try {
      const tables = new Tables(await folder.table(), base);
      const cells = await cellsOf(tables);
      const parts = await partsOf(tables, await tables.fields(), options);
      const asked = { folder: base, column, ...cells };
      const files = await ColumnFiles.plan(asked, options.signal);
      return new ModelColumn(column, base, files, cells, parts, folder, tables.main);
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      const isNone = isTilewiseError(error, "not-found") && error.details.file === `${base}/table.dat`;
      throw isNone ? noTable(path, column, error) : error;
    }
  }

  /** Whether the set has a column of that name, which will be replaced. */
  get isReplaced(): boolean {
    return this.files.isReplaced;
  }

  /** Bytes of the column on the disk. */
  get bytes(): number {
    return this.files.bytes;
  }

  /** The files that will have it. */
  get paths(): readonly string[] {
    return this.files.files.map((name) => `${this.base}/${name}`);
  }

  /** Rows that are not predicted: they keep their values, or are 0. */
  get kept(): number {
    return this.cells.places.length - this.parts.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  /** Makes the files, with the values of rows that are not predicted. */
  async create(): Promise<void> {
    this.#writers = await this.files.create();
    if (this.isReplaced && this.kept > 0) await this.#keepOthers();
  }

  /** A provider with a sink for the `model_vis` of a part, whose rows are those of the part. */
  sink(part: MsPart, options: ToColumnOptions): Provider {
    const { put, flush } = this.#writer(part, options);
    return writing({
      name: this.#title,
      outputs: ["model_vis"],
      open: () => Promise.resolve({ put, finish: flush, [Symbol.asyncDispose]: () => Promise.resolve() }),
    });
  }

  /** The same for the only part; it makes the files, and gives the column to the set. */
  whole(options: ToColumnOptions): Provider {
    const { put, flush } = this.#writer(this.parts[0]!, options);
    return writing({
      name: this.#title,
      outputs: ["model_vis"],
      open: async () => {
        const close = () => this[Symbol.asyncDispose]();
        await this.create().catch((error) => close().then(() => Promise.reject(error)));
        const finish = async () => {
          flush();
          await this.finish();
        };
        return { put, finish, [Symbol.asyncDispose]: close };
      },
    });
  }

  get #title(): string {
    return `column ${this.name} of ${this.base}`;
  }

  /** Writes the samples of tiles. */
  #writer({ rows, description }: MsPart, { select, uvw }: ToColumnOptions) {
    const { places, shapes, shapeOf } = this.cells;
    const number = shapeOf.get(description)!, { cell } = shapes[number]!;
    const [channels = 0, correlations = 0] = cell;
    const gathered = new GatheredWrites();
    const put = async ({ data, extents }: SinkContext) => {
      const [[firstRow, lastRow] = [0, 0], [firstChannel] = [0]] = extents;
      const [count = 0, own = 0] = data.shape;
      const { data: samples } = stored({ data, select, uvw: await uvw(firstRow, lastRow) });
      const bytes = asStored(samples, this.files.byteOrder);
      const each = own * select.length * BYTES;
      for (let n = 0; n < count; n++) {
        const at = (places[rows[firstRow + n]!]! * channels + firstChannel) * correlations * BYTES;
        gathered.add(this.#writers![number]!, bytes.subarray(n * each, (n + 1) * each), at);
      }
      discard(samples);
      discard(bytes);
    };
    return { put, flush: () => gathered.flush() };
  }

  /** Gives the column to the set. */
  async finish(): Promise<void> {
    await this.folder[Symbol.asyncDispose](); // its files may be removed
    await this.files.finish();
  }

  /** Removes what does not belong to the set. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
  }

  /** Copies the values of rows that are not predicted, as far as they have some. */
  async #keepOthers(): Promise<void> {
    const { places, shapes, shapeOf } = this.cells;
    const descriptions = await numbersOf(this.main, "DATA_DESC_ID");
    const isPredicted = new Uint8Array(places.length);
    for (const { rows } of this.parts) for (const row of rows) isPredicted[row] = 1;
    for (const [description, number] of shapeOf) {
      const rows: number[] = [];
      descriptions.forEach((own, row) => own === description && isPredicted[row] === 0 && rows.push(row));
      if (rows.length > 0) await this.#copy(rows, shapes[number]!.cell, this.#writers![number]!);
    }
  }

  async #copy(wanted: readonly number[], cell: Shape, write: WriteAt): Promise<void> {
    const { table } = this.main;
    const column = table.column(this.name)!;
    const filled = await table.filled(column, wanted);
    const rows = filled ? Array.from(filled, (place) => wanted[place]!) : wanted;
    if (rows.length === 0) return;
    await using array = await storedRows(this.main, column, rows);
    const found = array.shape.slice(1);
    if (showShape(found) !== showShape(cell)) throw this.#otherShape(rows[0]!, found, cell);
    const each = sizeOf(cell) * BYTES, step = Math.max(1, Math.floor(BLOCK_BYTES / Math.max(1, each)));
    const gathered = new GatheredWrites();
    for (let start = 0; start < rows.length; start += step) {
      const stop = Math.min(rows.length, start + step);
      const bytes = asStored(await array.read(start, stop) as Float32Array, this.files.byteOrder);
      for (let row = start; row < stop; row++) {
        const from = (row - start) * each;
        gathered.add(write, bytes.subarray(from, from + each), this.cells.places[rows[row]!]! * each);
      }
    }
    gathered.flush();
  }

  #otherShape(row: number, found: Shape, expected: Shape): TilewiseError {
    const text =
      `Cannot keep the values of row ${row} in the column ${this.name} of ${this.base}: its cells are ` +
      `${showShape(found)}, its data description has ${showShape(expected)}; predict all rows`;
    return new TilewiseError("malformed", text, {
      file: this.base,
      expected: showShape(expected),
      found: showShape(found),
    });
  }
}

function noTable(path: string, column: string, cause: TilewiseError): TilewiseError {
  const text =
    `Cannot write the column ${column} of ${path}: there is no ${path}/table.dat; only Measurement Sets of ` +
    "casacore get columns";
  return new TilewiseError("not-found", text, { file: path }, { cause });
}

/** Where the cells of all rows lie. */
async function cellsOf(tables: Tables): Promise<Cells> {
  const descriptions = await numbersOf(tables.main, "DATA_DESC_ID");
  const cells = new Map<number, Shape>();
  for (const number of new Set(descriptions)) {
    const { frequencies, correlations } = await tables.window(number);
    cells.set(number, [frequencies.length, correlations.length]);
  }
  const names = [...new Set([...cells.values()].map(showShape))];
  const shapeOf = new Map([...cells].map(([number, cell]) => [number, names.indexOf(showShape(cell))]));
  const counts = names.map(() => 0), runs: { stop: number; shape: number }[] = [];
  const places = new Uint32Array(descriptions.length);
  descriptions.forEach((number, row) => {
    const shape = shapeOf.get(number)!, last = runs.at(-1);
    places[row] = counts[shape]!++;
    if (last?.shape === shape) last.stop = row + 1;
    else runs.push({ stop: row + 1, shape });
  });
  const of = (name: string) => [...cells.values()].find((cell) => showShape(cell) === name)!;
  return { shapes: names.map((name, i) => ({ cell: of(name), rows: counts[i]! })), runs, shapeOf, places };
}

/** Pairs as they are stored: in single precision, in the byte order of the table. */
function asStored(samples: ArrayLike<number>, byteOrder: ByteOrder): Uint8Array {
  const single = samples instanceof Float32Array ? samples : Float32Array.from(samples);
  if (byteOrder === "big") {
    const view = new DataView(single.buffer, single.byteOffset, single.byteLength);
    for (let at = 0; at < view.byteLength; at += 4) view.setUint32(at, view.getUint32(at, true), false);
  }
  return bytesOf(single);
}
