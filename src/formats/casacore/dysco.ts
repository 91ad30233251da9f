/**
 * The storage manager DyscoStMan: visibilities and weights with few bits, in blocks of rows. Little-endian in all tables.
 *
 * ```
 * 0   header bytes₃₂ · columns at₃₂ · columns₃₂ · name · rows per block₃₂ · antennas₃₂ · bytes per block₃₂
 *     version₁₆.₁₆ · bits of visibilities₈ and weights₈ · distribution₈ · normalization₈ · ν₆₄ · truncation₆₄ · columns
 *     block    for each column: factors, symbols (see the filter `dysco`)
 * ```
 * The factors of a visibility are those of its antennas, which are columns of the table. Source: files that casacore wrote,
 * and the published code of Dysco.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { DISTRIBUTIONS } from "../../codecs/filters/dysco/dictionary.ts";
import { factorsIn, FIRST_ANTENNA, NORMALIZATIONS, SYMBOL_BITS } from "../../codecs/filters/dysco/dysco.ts";
import type { ChunkFilterSpec } from "../../dataset/layout/chunks.ts";
import { FramesApart } from "../../dataset/frames_apart.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { box } from "../../space/box.ts";
import type { Shape } from "../../space/shape.ts";
import { Fields } from "../common/fields.ts";
import type { Column, Manager } from "./description.ts";
import { cutAt, MOST_HEADER, type TableFiles } from "./files.ts";
import { checkChunks, dtypeOfColumn, layoutOf, type Stored } from "./stored.ts";
import { dtypeOfType } from "./record.ts";

// Whole numbers of a column of single values, which other columns need to be read.

/** Rows that are read at a time. */
const BLOCK_ROWS = 2 ** 16;

/** All values of a stored column of 32-bit integers. */
async function integersOf(stored: Stored): Promise<Int32Array> {
  const [rows = 0] = stored.shape, found = new Int32Array(rows);
  if (rows === 0) return found;
  const layout = layoutOf(stored, 1), whole = box([0], [Math.min(rows, BLOCK_ROWS)]);
  await using frames = await FramesApart.open(layout, { box: whole });
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - start);
    const { pointer, byteOrder } = await frames.load(0, box([start], [count]));
    const view = new DataView(frames.buffer, pointer, 4 * count);
    for (let i = 0; i < count; i++) found[start + i] = view.getInt32(4 * i, byteOrder === "little");
  }
  return found;
}

/** Bytes of the header besides the name. */
const HEAD_BYTES = 52;
/** Most letters of the name, so that little is read. */
const MOST_LETTERS = 2 ** 12;
/** Most antennas of rows that are kept. */
const MOST_PAIRS = 2 ** 24;

/** What is read of the table that the storage manager belongs to. */
interface Rows {
  /** Number of rows. */
  readonly rows: number;
  /** A column by its name. */
  column(name: string): Column | undefined;
  /** Where the values of a column lie. */
  stored(column: Column): Promise<Stored>;
}

interface Head {
  readonly bytes: number;
  readonly rowsPerBlock: number;
  readonly antennas: number;
  readonly blockBytes: number;
  readonly dataBits: number;
  readonly weightBits: number;
  readonly distribution: number;
  readonly normalization: number;
  /** Degrees of freedom, or where the normal distribution is cut off. */
  readonly parameter: number;
}

/** A column in blocks. */
interface Block {
  /** Its first byte in a block. */
  readonly offset: number;
  readonly bytes: number;
}

/** A DyscoStMan of a table. */
export class DyscoStorage {
  private constructor(
    private readonly files: TableFiles,
    private readonly source: ByteSource,
    private readonly manager: Manager,
    private readonly table: Rows,
    private readonly head: Head,
  ) {}

  /** Reads its header. */
  static async open(files: TableFiles, manager: Manager, table: Rows): Promise<DyscoStorage> {
    const source = await files.open(`table.f${manager.number}`);
    const head = await readHead(source, manager.columns.length, files.signal);
    return new DyscoStorage(files, source, manager, table, head);
  }

  /** Where the numbers of a column lie: a chunk is a block. */
  async stored(column: Column, wanted?: ArrayLike<number>): Promise<Stored> {
    const { head, table: { rows }, files } = this;
    const filled = await this.filled(column, wanted);
    if (filled) throw this.#noValue(column, filled, wanted);
    const cell = this.#cellOf(column), perBlock = Math.max(1, head.rowsPerBlock);
    const shape = [rows, ...cell], chunk = [perBlock, ...cell];
    const count = checkChunks(column, shape, chunk, files);
    const { offset, bytes } = this.#blockOf(column), written = this.#written(column);
    const addressOf = (i: number) => i < written ? head.bytes + i * head.blockBytes + offset : -1;
    return {
      dtype: dtypeOfColumn(column, files.name),
      byteOrder: "little",
      shape,
      chunk,
      addresses: Float64Array.from({ length: count }, (_, i) => addressOf(i)),
      sources: [this.source.describe()],
      packing: { sizes: new Uint32Array(count).fill(bytes), filters: [await this.#filter(column, cell)] },
      ...defined({ rows: wanted }),
    };
  }

  /** Which rows have a value: those of blocks that were written. */
  async filled(column: Column, wanted?: ArrayLike<number>): Promise<Uint32Array | undefined> {
    const stop = this.#written(column) * this.head.rowsPerBlock;
    const count = wanted?.length ?? this.table.rows;
    if (stop >= this.table.rows) return await Promise.resolve(undefined);
    const isFilled = (place: number) => (wanted ? wanted[place]! : place) < stop;
    const places = Uint32Array.from({ length: count }, (_, place) => place).filter(isFilled);
    return places.length === count ? undefined : places;
  }

  #noValue(column: Column, filled: Uint32Array, wanted?: ArrayLike<number>): TilewiseError {
    const place = filled.findIndex((own, i) => own !== i), first = place < 0 ? filled.length : place;
    const row = wanted ? wanted[first]! : first;
    const text =
      `Cannot read the column ${column.name} of ${this.files.name} as one array: row ${row} has no value, ` +
      "as its block was never written";
    return new TilewiseError("unsupported", text, { file: this.files.name, row });
  }

  /** Blocks that have the column; those at the end of the file may have only the first columns. */
  #written(column: Column): number {
    const { rowsPerBlock, blockBytes, bytes: first } = this.head;
    if (rowsPerBlock === 0) return 0;
    const { offset, bytes } = this.#blockOf(column), start = first + offset;
    const count = Math.max(0, Math.floor((this.source.size - start - bytes) / blockBytes) + 1);
    const next = start + count * blockBytes;
    if (next < this.source.size) throw cutAt(this.source, next, next + bytes);
    return count;
  }

  async #filter(column: Column, [channels, correlations]: Shape): Promise<ChunkFilterSpec> {
    const { head } = this, { rowsPerBlock } = head;
    if (isWeights(column)) {
      return { name: "dysco-weights", values: [head.weightBits, correlations!, channels!, rowsPerBlock] };
    }
    const { dataBits, distribution, parameter, normalization, antennas } = head;
    const needsAntennas = NORMALIZATIONS[normalization] === "AF" && rowsPerBlock > 0;
    const lists = needsAntennas ? await this.#antennas() : [];
    const common = [dataBits, distribution, parameter, normalization, correlations!, channels!, rowsPerBlock];
    return { name: "dysco", values: [...common, antennas, ...lists] };
  }

  /** The number of different lists of antennas of blocks, these lists, and which one each block has. */
  async #antennas(): Promise<number[]> {
    const { head: { rowsPerBlock }, table: { rows } } = this;
    const [first, second] = [await this.#integers("ANTENNA1"), await this.#integers("ANTENNA2")];
    const lists = new Lists(this.files.name, rowsPerBlock);
    const ofBlock: number[] = [];
    for (let start = 0; start < rows; start += rowsPerBlock) {
      const pairs = Array.from({ length: Math.min(rowsPerBlock, rows - start) }, (_, i) => {
        const [p, q] = [first[start + i]!, second[start + i]!];
        if (p >= 0 && p < FIRST_ANTENNA && q >= 0 && q < FIRST_ANTENNA) return p * FIRST_ANTENNA + q;
        throw this.#error(`row ${start + i} has the antennas ${p} and ${q}`);
      });
      ofBlock.push(lists.numberOf(pairs));
    }
    return [lists.all.length, ...lists.all.flat(), ...(lists.all.length > 1 ? ofBlock : [])];
  }

  async #integers(name: string): Promise<Int32Array> {
    const column = this.table.column(name);
    if (!column || !column.isScalar || dtypeOfColumn(column, this.files.name) !== "int32") {
      throw this.#error(`its factors are those of antennas, there is no column ${name} of integers`);
    }
    return await integersOf(await this.table.stored(column));
  }

  /** Channels and correlations. */
  #cellOf(column: Column): Shape {
    const { name, shape } = column, dtype = dtypeOfColumn(column, this.files.name);
    const isKnown = dtype === "complex64" || dtype === "float32";
    if (isKnown && shape?.length === 2 && shape.every((n) => n > 0)) return shape;
    const text =
      `its cells are ${shape?.join(" × ") ?? "of any shape"}, ${dtype}; channels × correlations, ` +
      "complex64 or float32, are expected";
    throw this.#error(`the column ${name} is not valid Dysco data: ${text}`);
  }

  #blockOf(column: Column): Block {
    const { rowsPerBlock, blockBytes } = this.head;
    let at = 0, found: Block | undefined;
    for (const own of this.manager.columns) {
      const bytes = this.#bytesOf(own);
      if (own.name === column.name) found = { offset: at, bytes };
      at += bytes;
    }
    if (rowsPerBlock === 0 || at === blockBytes) return found!;
    throw this.#error(`its blocks have ${blockBytes} bytes, their columns need ${at}`, at, blockBytes);
  }

  /** Bytes of a column in a block. */
  #bytesOf(column: Column): number {
    const { head: { rowsPerBlock, dataBits, weightBits, normalization, antennas } } = this;
    const [channels, correlations] = this.#cellOf(column) as [number, number];
    const symbols = rowsPerBlock * channels;
    if (isWeights(column)) return 4 + Math.ceil(symbols * weightBits / 8);
    const floats = factorsIn(normalization, correlations, channels, rowsPerBlock, antennas);
    return 4 * floats + Math.ceil(2 * symbols * correlations * dataBits / 8);
  }

  #error(problem: string, expected?: number, found?: number): TilewiseError {
    const { name } = this.source;
    const numbers = expected === undefined || found === undefined ? {} : { expected, found };
    return cannot("read", name, "malformed", problem, { ...numbers });
  }
}

function isWeights({ type }: Column): boolean {
  return dtypeOfType(type) === "float32";
}

/** Different lists of the antennas of blocks. */
class Lists {
  readonly all: number[][] = [];
  readonly #known = new Map<number, number[]>();

  constructor(private readonly file: string, private readonly rows: number) {}

  /** The number of the list that begins with `pairs`. */
  numberOf(pairs: readonly number[]): number {
    const hash = pairs.reduce((sum, pair) => Math.imul(sum, 31) + pair | 0, pairs.length);
    const same = this.#known.get(hash) ?? [];
    const found = [...same, ...(pairs.length < this.rows ? [0] : [])].find((number) =>
      this.all[number] && pairs.every((pair, i) => this.all[number]![i] === pair)
    );
    if (found !== undefined) return found;
    if (this.all.length * this.rows > MOST_PAIRS) {
      const text = `the antennas of its blocks differ in more than ${MOST_PAIRS} rows`;
      throw cannot("read", this.file, "unsupported", text, { expected: MOST_PAIRS });
    }
    const rest = new Array<number>(this.rows - pairs.length).fill(0);
    this.#known.set(hash, [...same, this.all.length]);
    return this.all.push([...pairs, ...rest]) - 1;
  }
}

async function readHead(source: ByteSource, columns: number, signal?: AbortSignal): Promise<Head> {
  const start = await Fields.read(source, 0, 16, "little", signal);
  const letters = start.within(start.u32(12), 0, MOST_LETTERS, "the length of the name", 12);
  const head = await Fields.read(source, 0, HEAD_BYTES + letters, "little", signal);
  const at = 16 + letters;
  const version = `${head.u16(at + 12)}.${head.u16(at + 14)}`;
  if (version !== "1.0") {
    throw head.error("unsupported", `Dysco has the unknown version ${version}; 1.0 can be read`, at + 12);
  }
  if (head.u32(8) !== columns) {
    throw head.error("malformed", `it has ${head.u32(8)} columns, the table ${columns}`, 8);
  }
  const [rowsPerBlock, antennas, blockBytes] = [head.u32(at), head.u32(at + 4), head.u32(at + 8)];
  head.within(antennas, 0, FIRST_ANTENNA, "the number of antennas", at + 4);
  if (rowsPerBlock > 0 && blockBytes === 0) throw head.error("malformed", "its blocks have no bytes", at + 8);
  const bitsAt = (place: number) => {
    const bits = head.bytes[place]!;
    if (SYMBOL_BITS.includes(bits)) return bits;
    const text = `symbols have ${bits} bits; ${SYMBOL_BITS.join(", ")} can be read`;
    throw head.error("unsupported", text, place);
  };
  const distribution = knownAt(head, at + 18, DISTRIBUTIONS, "distribution");
  const name = DISTRIBUTIONS[distribution];
  const parameter = name === "StudentsT"
    ? head.f64(at + 20)
    : name === "TruncatedGaussian"
    ? head.f64(at + 28)
    : 0;
  if (!(parameter >= 0 && parameter < Infinity)) {
    throw head.error("malformed", `the parameter of the distribution is ${parameter}`, at + 20);
  }
  return {
    bytes: head.within(head.u32(0), HEAD_BYTES + letters, MOST_HEADER, "the length of the header", 0),
    rowsPerBlock,
    antennas,
    blockBytes,
    dataBits: bitsAt(at + 16),
    weightBits: bitsAt(at + 17),
    distribution,
    normalization: knownAt(head, at + 19, NORMALIZATIONS, "normalization"),
    parameter,
  };
}

function knownAt(head: Fields, at: number, names: readonly string[], what: string): number {
  const found = head.bytes[at]!;
  if (found < names.length) return found;
  throw head.error("unsupported", `the ${what} ${found} is unknown; ${names.join(", ")} can be read`, at);
}
