/**
 * Sequential and progressive JPEG images, band by band: coefficients, samples, pixels.
 *
 * @module
 */

import { type Component, type Frame, type Scan, type Segments, type Tables, wrong } from "./markers.ts";
import { BitScan, type JpegWorkspace, type TakeBlocks, Units } from "./scan.ts";

// From rows of components to rows of pixels: chroma is widened to the size of the image, and made RGB.
//
// Chroma of half the size is interpolated (3 : 1 between the nearest two), as all widespread readers do; other sizes are repeated.

/** Rows of a component. */
export class Plane {
  /** Bytes of a sample, and of a row. */
  readonly size: number;
  readonly stride: number;
  readonly #rows: number;
  readonly #at: number;
  #table = 0;

  /** Takes its memory from the workspace. */
  constructor(
    private readonly work: JpegWorkspace,
    frame: Frame,
    readonly component: Component,
  ) {
    this.size = frame.precision > 8 ? 2 : 1;
    this.stride = 8 * component.columns * this.size;
    this.#rows = 16 * component.down;
    this.#at = work.take(this.#rows * this.stride);
  }

  /** Address of row `y`, or of the nearest one that there is. */
  row(y: number): number {
    return this.#at + Math.max(0, Math.min(this.component.height - 1, y)) % this.#rows * this.stride;
  }

  /** Puts the quantization table of the component in place `which`. */
  useTable(which: number, tables: Tables, place: number): void {
    const { table } = this.component, found = tables.quantization[table];
    if (!found) throw wrong(`the quantization table ${table} is missing`, place);
    this.#table = this.work.table(which, found);
  }

  /** Computes the samples of `count` blocks at `blocks`, which lie in row `row` of blocks from `column` on. */
  samples(row: number, column: number, count: number, blocks: number): void {
    const { kernels, spare } = this.work;
    const undo = this.size === 1 ? kernels.jpeg_samples_u8 : kernels.jpeg_samples_u16;
    const to = this.#at + 8 * row % this.#rows * this.stride + 8 * column * this.size;
    undo(to, this.stride, blocks, this.#table, count, spare);
  }
}

/** Gives the address of row `y` of a component in the size of the image; it is valid until the next one is made. */
type RowMaker = (y: number) => number;

/** Joins rows of components to a row of pixels. */
type Join = (to: number, rows: readonly number[]) => void;

/** Writes rows of pixels. */
class PixelRows {
  readonly #makers: readonly RowMaker[];
  readonly #rows: number[];
  readonly #stride: number;
  readonly #join: Join;
  /** Rows at the end of a band that need the next one. */
  readonly late: number;

  /** To `output`; `isRgb`: makes RGB of YCbCr. */
  constructor(
    work: JpegWorkspace,
    frame: Frame,
    planes: readonly Plane[],
    isRgb: boolean,
    private readonly output: number,
  ) {
    const size = frame.precision > 8 ? 2 : 1, bytes = (frame.width + 2) * size;
    const wide = work.take(bytes * planes.length);
    this.#stride = frame.width * planes.length * size;
    this.#rows = planes.map((_, i) => wide + i * bytes);
    this.#makers = planes.map((plane, i) => rowMaker(work, frame, plane, wide + i * bytes));
    this.#join = joiner(work, frame, planes.length, isRgb, wide);
    this.late = planes.some(({ component }) => frame.down === 2 * component.down) ? 1 : 0;
  }

  /** Writes row `y`. */
  write(y: number): void {
    for (let i = 0; i < this.#rows.length; i++) this.#rows[i] = this.#makers[i]!(y);
    this.#join(this.output + y * this.#stride, this.#rows);
  }
}

function joiner(
  { kernels }: JpegWorkspace,
  { width, precision }: Frame,
  count: number,
  isRgb: boolean,
  wide: number,
): Join {
  const size = precision > 8 ? 2 : 1, bytes = width * size, type = size === 1 ? "u8" : "u16";
  if (count === 3) {
    const join = kernels[`jpeg_${isRgb ? "rgb" : "three"}_${type}`];
    return (to, rows) => join(to, rows[0]!, rows[1]!, rows[2]!, width);
  }
  const copy = kernels.copy_rows_u8, transpose = kernels[`transpose_${type}`], apart = (width + 2) * size;
  if (count === 1) return (to, rows) => copy(to, bytes, rows[0]!, bytes, 1, bytes);
  return (to, rows) => {
    rows.forEach((row, i) => {
      if (row !== wide + i * apart) copy(wide + i * apart, bytes, row, bytes, 1, bytes);
    });
    transpose(to, count * size, wide, apart, count, width);
  };
}

function rowMaker(work: JpegWorkspace, frame: Frame, plane: Plane, wide: number): RowMaker {
  const { kernels } = work, { component: { width }, size } = plane;
  const across = frame.across / plane.component.across, down = frame.down / plane.component.down;
  if (across === 1 && down === 1) return (y) => plane.row(y);
  const other = (y: number) => plane.row((y >> 1) + (y & 1 ? 1 : -1)); // the second nearest row
  const type = size === 1 ? "u8" : "u16";
  const [widen, double, between] = [
    kernels[`jpeg_widen_${type}`],
    kernels[`jpeg_double_${type}`],
    kernels[`jpeg_between_${type}`],
  ];
  const made = (make: (y: number) => void): RowMaker => (y) => {
    make(y);
    return wide;
  };
  if (across === 2 && down === 1 && width > 2) return made((y) => widen(wide, plane.row(y), width));
  if (across === 2 && down === 2 && width > 2) {
    return made((y) => double(wide, plane.row(y >> 1), other(y), width));
  }
  if (across === 1 && down === 2) {
    return made((y) => between(wide, plane.row(y >> 1), other(y), width, y & 1 ? 2 : 1));
  }
  const bytes = work.bytes(0, wide + frame.width * size);
  return made((y) => {
    const from = plane.row(Math.floor(y / down));
    for (let x = 0; x < frame.width * size; x++) {
      bytes[wide + x] = bytes[from + Math.floor(Math.floor(x / size) / across) * size + x % size]!;
    }
  });
}

/** Gives the samples of a band, row by row of units, to the planes. */
type ReadBand = (band: number) => void;

/** Decodes an image to `output`, of which `rows` rows are wanted; `isRgb`: makes RGB of YCbCr. */
export function decodeBlocks(
  work: JpegWorkspace,
  image: Segments,
  first: Scan,
  rows: number,
  isRgb: boolean,
  output: Uint8Array,
): void {
  const frame = image.frame!;
  const planes = frame.components.map((component) => new Plane(work, frame, component));
  const pixels = new PixelRows(work, frame, planes, isRgb, output.byteOffset);
  const isWhole = frame.kind < 2 && first.parts.length === planes.length;
  const read = isWhole ? oneScan(work, image, first, planes) : manyScans(work, image, first, planes);
  const high = 8 * frame.down;
  let y = 0;
  for (let band = 0; y < rows; band++) {
    read(band);
    const ready = (band + 1) * high >= frame.height ? rows : Math.min(rows, (band + 1) * high - pixels.late);
    for (; y < ready; y++) pixels.write(y);
  }
}

/** Every component is whole after one scan: nothing is kept but the last bands. */
function oneScan(work: JpegWorkspace, image: Segments, scan: Scan, planes: readonly Plane[]): ReadBand {
  const bits = new BitScan(work, image.bytes, scan, image.tables, { dc: true, ac: true });
  const units = new Units(bits, image.frame!);
  planes.forEach((plane, c) => plane.useTable(c, image.tables, image.at));
  const take: TakeBlocks = (c, row, column, count, address) =>
    planes[c]!.samples(row, column, count, address);
  return (band) => units.read(band, take);
}

/** Scans add to coefficients, or have one component each; samples are computed after the last one. */
function manyScans(work: JpegWorkspace, image: Segments, first: Scan, planes: readonly Plane[]): ReadBand {
  const frame = image.frame!;
  const kept = planes.map(({ component: { columns, rows } }) => new Int16Array(64 * columns * rows));
  const seen = new Set<number>();
  let scans = 0;
  for (let scan: Scan | undefined = first; scan; scan = image.next()) {
    if (++scans > MOST_SCANS) throw wrong(`it has more than ${MOST_SCANS} scans`, image.at);
    const bits = scanOf(work, image, scan);
    readWhole(work, new Units(bits, frame), planes, kept, scan.isProgressive);
    image.at = bits.end;
    for (const { component } of scan.parts) {
      if (scan.first > 0) continue;
      seen.add(component);
      if (!scan.isProgressive) planes[component]!.useTable(component, image.tables, image.at);
    }
    if (!scan.isProgressive && seen.size === planes.length) break;
  }
  if (seen.size < planes.length) throw wrong("a component is missing", image.at);
  if (first.isProgressive) planes.forEach((plane, c) => plane.useTable(c, image.tables, image.at));
  return (band) => {
    planes.forEach((plane, c) => sampleBand(work, plane, kept[c]!, band));
  };
}

/** Writers make about ten; each costs as much as an image. */
const MOST_SCANS = 100;

/** Checks what a scan of a progressive image says, and prepares its codes. */
function scanOf(work: JpegWorkspace, image: Segments, scan: Scan): BitScan {
  const { parts, first, last, high, low, at } = scan;
  if (!scan.isProgressive) {
    return new BitScan(work, image.bytes, scan, image.tables, { dc: true, ac: true });
  }
  if (
    first > last || last > 63 || low > 13 || (high !== 0 && high !== low + 1) ||
    (first > 0 && parts.length > 1)
  ) {
    throw wrong(`a scan of coefficients ${first} to ${last}, bits ${high} to ${low}`, at);
  }
  if (first === 0 && last > 0) throw wrong("a scan mixes coefficients", at);
  return new BitScan(work, image.bytes, scan, image.tables, { dc: first === 0 && high === 0, ac: first > 0 });
}

/** Reads a whole scan into the coefficients that are kept; `adds`: to those that are there. */
function readWhole(
  work: JpegWorkspace,
  units: Units,
  planes: readonly Plane[],
  kept: readonly Int16Array[],
  adds: boolean,
): void {
  const place = (c: number, row: number, column: number, count: number) => {
    const start = 64 * (row * planes[c]!.component.columns + column);
    return kept[c]!.subarray(start, start + 64 * count);
  };
  const take: TakeBlocks = (c, row, column, count, address) =>
    place(c, row, column, count).set(work.coefficients(address, 64 * count));
  const give: TakeBlocks = (c, row, column, count, address) =>
    work.coefficients(address, 64 * count).set(place(c, row, column, count));
  for (let row = 0; row < units.rows; row++) units.read(row, take, adds ? give : undefined);
}

/** Computes the samples of a band of a component. */
function sampleBand(work: JpegWorkspace, plane: Plane, kept: Int16Array, band: number): void {
  const { columns, rows, down } = plane.component;
  const most = Math.min(rows, (band + 1) * down);
  for (let row = band * down; row < most; row++) {
    for (let column = 0; column < columns; column += AT_ONCE) {
      const count = Math.min(AT_ONCE, columns - column), start = 64 * (row * columns + column);
      work.coefficients(work.blocks, 64 * count).set(kept.subarray(start, start + 64 * count));
      plane.samples(row, column, count, work.blocks);
    }
  }
}

/** Blocks whose samples are computed in one call. */
const AT_ONCE = 64;
