/**
 * Where the values of a column lie: in chunks of a few rows each, whatever the storage manager calls them.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ChunkFilterSpec, ChunkLayout } from "../../dataset/layout/chunks.ts";
import { type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import type { VirtualSource } from "../../dataset/layout/storage.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource, SourceSpec } from "../../io/source/source.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { Column } from "./description.ts";
import { cutAt, type TableFiles } from "./files.ts";
import { dtypeOfType } from "./record.ts";

/** How chunks are stored. */
interface Packing {
  /** Bytes of each chunk; the last one may have fewer rows. */
  readonly sizes: Uint32Array;
  /** The filters that make samples of them. */
  readonly filters: readonly ChunkFilterSpec[];
}

/** The values of a column. */
export interface Stored {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Byte order of the samples. */
  readonly byteOrder: ByteOrder;
  /** Rows, then the shape of a cell. */
  readonly shape: Shape;
  /** Shape of a chunk. */
  readonly chunk: Shape;
  /** First byte of each chunk, in row-major order of their grid. */
  readonly addresses: Float64Array;
  /** The files. */
  readonly sources: readonly SourceSpec[];
  /** Number of the file of each chunk; absent: all are in the first. */
  readonly files?: Uint32Array;
  /** Where the rows that are wanted are among the rows of `shape`; absent: they are all of these, in this order. */
  readonly rows?: ArrayLike<number>;
  /** How chunks are stored, if not as plain samples (truth values as bits). */
  readonly packing?: Packing;
}

/** The sample type of a column; `unsupported` if it holds no numbers. */
export function dtypeOfColumn({ name, type }: Column, file: string): DType {
  const dtype = dtypeOfType(type);
  if (dtype) return dtype;
  const text = `Cannot read the column ${name} of ${file}: its values are not numbers`;
  throw new TilewiseError("unsupported", text, { file, found: NO_NUMBERS });
}

/** What the error for columns of texts says that was found. */
export const NO_NUMBERS = "no numbers";

/** Bytes of `count` values: truth values are bits. */
export function storedBytes(dtype: DType, count: number): number {
  return dtype === "bool" ? Math.ceil(count / 8) : count * dtypeInfo(dtype).itemSize;
}

/** Most chunks: 16 bytes are kept of each. */
const MOST_CHUNKS = 2 ** 24;
/** Most bytes of a chunk. */
const MOST_CHUNK_BYTES = 2 ** 29;

/** Refuses numbers of chunks that cannot be kept, before memory is taken for them. */
export function checkChunks(column: Column, shape: Shape, chunk: Shape, { name }: TableFiles): number {
  const count = shape.reduce((product, n, d) => product * Math.ceil(n / chunk[d]!), 1);
  const bytes = chunk.reduce((product, n) => product * n, 16);
  if (count <= MOST_CHUNKS && bytes <= MOST_CHUNK_BYTES) return count;
  const [what, expected, found] = count > MOST_CHUNKS
    ? ["parts", MOST_CHUNKS, count] as const
    : ["bytes per part", MOST_CHUNK_BYTES, bytes] as const;
  const text =
    `Cannot read the column ${column.name} of ${name}: it has ${found} ${what}, more than ${expected}`;
  throw new TilewiseError("unsupported", text, { file: name, expected, found });
}

/** Refuses chunks that do not lie in their file. */
export function checkPlaces(source: ByteSource, addresses: Float64Array, bytes: number): void {
  let last = 0;
  for (const at of addresses) if (at > last) last = at;
  if (addresses.length > 0 && last + bytes > source.size) throw cutAt(source, last, last + bytes);
}

/** Filters of truth values that are stored as bits. */
export function bitFilters(count: number): readonly ChunkFilterSpec[] {
  return [{ name: "unpack-bits", values: [1, 1, count] }, { name: "bit-reverse", values: [] }];
}

/** Stored rows of a column, and where each of them is shown; absent: behind those of the section before. */
export interface StoredSection {
  readonly stored: Stored;
  readonly places?: Uint32Array;
}

/** Rows that a section shows. */
function shownRows({ stored: { rows, shape } }: StoredSection): number {
  return rows?.length ?? shape[0]!;
}

/** Rows, and the shape of a cell, of a column in sections. */
export function shapeOf(
  sections: readonly StoredSection[],
  column: Pick<Column, "name">,
  file: string,
): Shape {
  const first = sections.find((section) => shownRows(section) > 0) ?? sections[0]!,
    [, ...cell] = first.stored.shape;
  let rows = 0;
  for (const section of sections) {
    const [, ...own] = section.stored.shape, count = shownRows(section);
    if (count > 0 && !sameShape(own, cell)) throw differs(column, rows, own, cell, file);
    rows += count;
  }
  return [rows, ...cell];
}

/** The layout of a column in sections as frames: its last `sig` dimensions. */
export function layoutOfSections(sections: readonly StoredSection[], shape: Shape, sig: number): FrameLayout {
  const [only] = sections;
  if (sections.length === 1 && !only!.stored.rows) return layoutOf(only!.stored, sig);
  const { dtype, byteOrder } = only!.stored;
  const nav = Math.max(1, shape.length - sig),
    isByRow = sig === shape.length,
    perRow = sizeOf(shape.slice(1, nav));
  const parts: VirtualSource[] = [], sources: SourceSpec[] = [];
  let start = 0;
  for (const section of sections) {
    const { stored, places } = section, count = shownRows(section);
    const first = places ? 0 : start * perRow;
    const images = new Int32Array((places ? shape[0]! : count) * perRow).fill(-1);
    for (let i = 0; i < count * perRow; i++) {
      const row = Math.floor(i / perRow), inRow = i % perRow;
      images[(places ? places[row]! : row) * perRow + inRow] = (stored.rows?.[row] ?? row) * perRow + inRow;
    }
    start += count;
    if (count === 0) continue;
    const cell = shape.slice(nav), none = cell.map(() => 0);
    parts.push({
      at: none,
      from: none,
      shape: cell,
      images,
      first,
      chunks: chunksIn(stored, byteOrder, sources.length),
    });
    sources.push(...stored.sources);
  }
  const own = sources.length > 0 ? sources : only!.stored.sources;
  const end = isByRow ? 1 : shape[0]! * perRow;
  return {
    ...frameLayout({
      files: own.map((source) => ({ source, start: 0, end, headerBytes: 0 })),
      sigShape: shape.slice(shape.length - sig),
      dtype,
      byteOrder,
    }),
    storage: { kind: "virtual", parts, complete: true, ...(isByRow ? { byRow: true } : {}) },
  };
}

/** The chunks of a section, whose files begin with number `first`; in the byte order of all sections. */
function chunksIn(stored: Stored, byteOrder: ByteOrder, first: number): ChunkLayout {
  const chunks = chunksOf(stored), { unitSize } = dtypeInfo(stored.dtype);
  const filters = stored.byteOrder === byteOrder || unitSize === 1
    ? chunks.filters
    : [{ name: "swap", values: [unitSize] }, ...chunks.filters];
  const files = stored.files?.map((file) => first + file) ??
    new Uint32Array(chunks.addresses.length).fill(first);
  const masks = new Uint32Array(filters.length > 0 ? chunks.addresses.length : 0);
  return { ...chunks, filters, masks, files };
}

/** The layout of a column as frames: its last `sig` dimensions. */
export function layoutOf(stored: Stored, sig: number): FrameLayout {
  const { dtype, byteOrder, shape, sources } = stored;
  const nav = shape.length - sig;
  const end = sizeOf(shape.slice(0, nav));
  const spans = sources.map((source) => ({ source, start: 0, end, headerBytes: 0 }));
  return {
    ...frameLayout({ files: spans, sigShape: shape.slice(nav), dtype, byteOrder }),
    storage: { kind: "chunks", chunks: chunksOf(stored) },
  };
}

function chunksOf({ dtype, shape, chunk, addresses, files, packing }: Stored): ChunkLayout {
  const count = sizeOf(chunk);
  const filters = packing?.filters ?? (dtype === "bool" ? bitFilters(count) : []);
  return {
    shape,
    chunk,
    itemSize: dtypeInfo(dtype).itemSize,
    addresses,
    sizes: packing?.sizes ?? new Uint32Array(addresses.length).fill(storedBytes(dtype, count)),
    masks: new Uint32Array(filters.length > 0 ? addresses.length : 0),
    filters,
    plainEdges: false,
    ...(packing ? { clipped: true } : {}),
    ...defined({ files }),
  };
}

/** The error for a column whose rows have different shapes. */
export function differs(
  { name }: Pick<Column, "name">,
  row: number,
  found: Shape,
  expected: Shape,
  file: string,
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
