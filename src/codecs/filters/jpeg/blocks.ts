/**
 * Sequential and progressive JPEG images, band by band: coefficients, samples, pixels.
 *
 * @module
 */

import type { JpegWorkspace } from "./workspace.ts";
import { type Scan, type Segments, wrong } from "./markers.ts";
import { PixelRows, Plane } from "./rows.ts";
import { BitScan, type TakeBlocks, Units } from "./scan.ts";

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
