/**
 * `table.dat` with a column that has a storage manager of its own: a new one, or one in place of the column of that name.
 *
 * All bytes of the other columns, of their storage managers and of the keywords stay as they are.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { TilewiseError } from "../../../errors.ts";
import type { Shape } from "../../../space/shape.ts";
import { AipsIo } from "../aips_io.ts";
import type { Column, Manager, Span, TableDescription } from "../description.ts";

// Writes objects as casacore stores them: what `AipsIo` reads.

const MAGIC = 0xbebebebe;

/** Writes values one after another, big-endian, as all headers are that are written here. */
export class AipsOut {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #depth: number;

  /** `inside`: what is written lies in an object that is written elsewhere, and has no magic number. */
  constructor({ inside = false } = {}) {
    this.#depth = Number(inside);
  }

  /** What was written. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }

  /** Writes an object; a root gets the magic number. */
  object(type: string, version: number, write: () => void): void {
    if (this.#depth === 0) this.u32(MAGIC);
    this.#depth++;
    const start = this.#at;
    this.u32(0);
    this.text(type);
    this.u32(version);
    write();
    this.#view.setUint32(start, this.#at - start);
    this.#depth--;
  }

  /** Writes a byte: 0 or 1. */
  bool(value: boolean): void {
    const at = this.#take(1); // which may take another buffer
    this.#view.setUint8(at, Number(value));
  }

  /** Writes a number of 32 bits; those below 0 as signed ones. */
  u32(value: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, value);
  }

  /** Writes a number of 64 bits. */
  u64(value: number): void {
    const at = this.#take(8);
    this.#view.setBigUint64(at, BigInt(value));
  }

  /** Writes a number of 64 bits if `isLong`, else of 32. */
  count(value: number, isLong: boolean): void {
    if (isLong) this.u64(value);
    else this.u32(value);
  }

  /** Writes a text. */
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.u32(bytes.length);
    this.raw(bytes);
  }

  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Writes sizes, given with the slowest first. */
  shape(shape: Shape): void {
    this.object("IPosition", 1, () => {
      this.u32(shape.length);
      for (const size of shape.toReversed()) this.u32(size);
    });
  }

  /** Writes a list of numbers of 32 bits. */
  block(values: ArrayLike<number>): void {
    this.object("Block", 1, () => {
      this.u32(values.length);
      for (let i = 0; i < values.length; i++) this.u32(values[i]!);
    });
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at <= this.#bytes.length) return at;
    const larger = new Uint8Array(Math.max(this.#at, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
    return at;
  }
}

/** The number of the type of complex numbers in single precision. */
export const COMPLEX = 9;

/** The storage manager of the column. */
const TYPE = "TiledShapeStMan";

/** Storage managers whose files end with a column that they have alone. */
const OWN_FILES = /^(StandardStMan|IncrementalStMan|Tiled(Shape|Column|Cell)StMan|DyscoStMan)$/;

/** `table.dat`, before and after. */
export interface Bound {
  /** The new bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of the storage manager of the column. */
  readonly number: number;
  /** Its name. */
  readonly name: string;
  /** The place, among the storage managers, of the one that had the column alone and goes with it. */
  readonly dropped?: number;
}

/** What is changed. */
interface Binding {
  /** `table.dat` as it is. */
  readonly bytes: Uint8Array;
  /** What it says. */
  readonly description: TableDescription;
  /** Its name in messages. */
  readonly file: string;
  /** The name of the column. */
  readonly column: string;
  /** Number of rows. */
  readonly rows: number;
}

/** Binds a column of complex arrays with two dimensions. Errors: `unsupported` for tables and columns that cannot be changed so. */
export function bound({ bytes, description, file, column, rows }: Binding): Bound {
  const { places, columns, managers } = description;
  const part = ({ start, stop }: Span) => bytes.subarray(start, stop);
  if (!places.isInOrder) throw refused(file, column, "it is stored as before 1996; save the table anew");
  const at = columns.findIndex(({ name }) => name === column);
  const old = columns[at];
  if (old) mustBeReplaceable(old, file);
  const manager = managers.findIndex(({ number }) => number === old?.manager);
  const isAlone = managers[manager]?.columns.length === 1;
  if (old) mustLetGo(managers[manager]!, isAlone, old, file);
  const dropped = old && isAlone ? manager : undefined;
  const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(places.next.start);
  const name = `${column}_f${number}`;

  const described = columnBytes(column, name, old && { ...old, keywords: part(old.keywordSpan) });
  const stored = storedBytes(column, number);
  const out = new AipsOut();
  const isLong = places.rows.map(({ start, stop }) => stop - start === 8);
  out.raw(bytes.subarray(0, places.rows[0]!.start));
  out.count(rows, isLong[0]!);
  out.raw(bytes.subarray(places.rows[0]!.stop, places.described.start));
  out.raw(describedBytes(part(places.described), description, { at, described }));
  out.raw(bytes.subarray(places.described.stop, places.rows[1]!.start));
  out.count(rows, isLong[1]!);
  out.raw(bytes.subarray(places.rows[1]!.stop, places.next.start));
  out.u32(number + 1);
  const kept = <T>(all: readonly T[]) => all.filter((_, i) => i !== dropped);
  const kinds = kept(places.kinds);
  out.u32(kinds.length + 1);
  for (const kind of kinds) out.raw(part(kind));
  out.text(TYPE);
  out.u32(number);
  for (const one of put(places.stored.map(part), at, stored)) out.raw(one);
  const data = places.data.map((span, i) =>
    old && !isAlone && i === manager ? withoutColumn(managers[i]!, old, part(span)) : part(span)
  );
  for (const one of kept(data)) out.raw(one);
  out.u32(0); // a tiled storage manager keeps nothing here
  const changed = out.bytes;
  new DataView(changed.buffer).setUint32(4, changed.length - 4);
  return { bytes: changed, number, name, ...defined({ dropped }) };
}

/** A list with `one` at a place, or at its end. */
function put<T>(all: readonly T[], at: number, one: T): T[] {
  return at < 0 ? [...all, one] : all.map((other, i) => i === at ? one : other);
}

function describedBytes(
  object: Uint8Array,
  { places: { columns, described: { start } } }: TableDescription,
  { at, described }: { readonly at: number; readonly described: Uint8Array },
): Uint8Array {
  const parts = columns.map((span) => object.subarray(span.start - start, span.stop - start));
  const head = object.subarray(4, (columns[0]?.start ?? start + object.length) - start - 4);
  const all = put(parts, at, described);
  const length = head.length + 8 + all.reduce((sum, one) => sum + one.length, 0);
  const out = new AipsOut();
  out.u32(length);
  out.raw(head);
  out.u32(all.length);
  for (const one of all) out.raw(one);
  return out.bytes;
}

/** The description of the column; comment and keywords are those of the column before. */
function columnBytes(
  column: string,
  manager: string,
  old: { readonly comment: string; readonly keywords: Uint8Array } | undefined,
): Uint8Array {
  const out = new AipsOut({ inside: true });
  out.u32(1);
  out.text("ArrayColumnDesc<Complex ");
  out.u32(1);
  for (const text of [column, old?.comment ?? "The model data column", TYPE, manager]) out.text(text);
  for (const value of [COMPLEX, 0, 2]) out.u32(value);
  out.shape([]);
  out.u32(0);
  if (old) out.raw(old.keywords);
  else unitOfJansky(out);
  out.u32(1);
  out.bool(false);
  return out.bytes;
}

/** Keywords with the unit Jy. */
function unitOfJansky(out: AipsOut): void {
  out.object("TableRecord", 1, () => {
    out.object("RecordDesc", 2, () => {
      out.u32(1);
      out.text("QuantumUnits");
      out.u32(24);
      out.object("IPosition", 1, () => [1, -1].forEach((value) => out.u32(value)));
      out.text("");
    });
    out.u32(1);
    out.object("Array<String>", 3, () => {
      out.u32(1);
      out.u32(1);
      out.u32(1);
      out.text("Jy");
    });
  });
}

/** Where the column is stored. */
function storedBytes(column: string, number: number): Uint8Array {
  const out = new AipsOut();
  out.u32(2);
  out.text(column);
  out.u32(1);
  out.u32(number);
  out.bool(false);
  return out.bytes;
}

/** What StandardStMan keeps in `table.dat`, without one of its columns: their places in buckets, and their indices. */
function withoutColumn({ columns }: Manager, column: Column, data: Uint8Array): Uint8Array {
  const io = new AipsIo(data.subarray(4), "table.dat");
  const place = columns.indexOf(column);
  const inner = new AipsOut();
  io.object("SSM", 2, (version) => {
    const name = version > 1 ? io.text() : undefined;
    const blocks = [io.block(), io.block()].map((block) => block.filter((_, i) => i !== place));
    inner.object("SSM", version, () => {
      if (name !== undefined) inner.text(name);
      for (const block of blocks) inner.block(block);
    });
  });
  const out = new AipsOut();
  out.u32(inner.bytes.length);
  out.raw(inner.bytes);
  return out.bytes;
}

function mustBeReplaceable({ name, type, isScalar, keywords }: Column, file: string): void {
  if (type !== COMPLEX || isScalar) throw refused(file, name, "its cells are not arrays of complex64");
  const unit = [keywords["QuantumUnits"] ?? []].flat()[0];
  if (typeof unit !== "string" || unit === "" || unit === "Jy") return;
  throw refused(file, name, `its unit is ${unit}, predictions are in Jy`, unit);
}

function mustLetGo({ type, columns }: Manager, isAlone: boolean, { name }: Column, file: string): void {
  if (isAlone ? OWN_FILES.test(type) : type === "StandardStMan") return;
  const others = columns.filter((column) => column.name !== name).map((column) => column.name);
  const why = isAlone
    ? `its storage manager ${type} may have files and columns that are not known`
    : `its storage manager ${type} has ${others.join(", ")} too, and casacore cannot take a column out of it`;
  throw refused(file, name, why, type);
}

function refused(file: string, column: string, reason: string, found?: string): TilewiseError {
  const text = `Cannot write the column ${column} of ${file}: ${reason}; choose another name`;
  return new TilewiseError("unsupported", text, { file, column, ...defined({ found }) });
}
