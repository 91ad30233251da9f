/**
 * Data sets of a Gatan K2 with known samples: eight sectors that begin and end at different blocks, and tags.
 *
 * @module
 */

import { ascii, join } from "../helpers.ts";

/** How such a data set is made. */
export interface K2Init {
  /** Complete frames. */
  readonly images: number;
  /** Blocks of the frame before in each sector. Default: none. */
  readonly lead?: readonly number[];
  /** Blocks of the frame after. Default: none. */
  readonly tail?: readonly number[];
  /** Bytes that are no block at the beginning of each file. */
  readonly junk?: readonly number[];
  /** Rows and columns of the scan, for the tags; none: a time series. */
  readonly scan?: readonly [number, number];
  /** The same without flyback. */
  readonly withoutFlyback?: readonly [number, number];
  /** First image with an open shutter. Default 0. */
  readonly exposed?: number;
  /** Changes the header of a block; `null` leaves the block out. */
  readonly block?: (sector: number, image: number, place: number, header: DataView) => void | null;
}

const FIRST_BLOCK = 7 * 32 + 1000;
const FIRST_FRAME = 41;

/** The sample at a place: 12 bits, different from its neighbours. */
export function k2Sample(image: number, y: number, x: number): number {
  return (image * 1237 + y * 5 + x * 11 + (x >> 7) * 333) & 4095;
}

/** All samples of one frame. */
export function k2Frame(image: number): Uint16Array {
  const frame = new Uint16Array(1860 * 2048);
  for (let i = 0; i < frame.length; i++) frame[i] = k2Sample(image, Math.floor(i / 2048), i % 2048);
  return frame;
}

/** The nine files, by their names: `scan_.gtg`, `scan_1.bin` to `scan_8.bin`. */
export function k2Files(init: K2Init): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map([["scan_.gtg", gtg(init)]]);
  for (let sector = 0; sector < 8; sector++) files.set(`scan_${sector + 1}.bin`, sectorBytes(init, sector));
  return files;
}

/** They as a list of files, in that order. */
export function k2List(files: Map<string, Uint8Array<ArrayBuffer>>): File[] {
  return [...files].map(([name, bytes]) => new File([bytes], name));
}

function sectorBytes(init: K2Init, sector: number): Uint8Array<ArrayBuffer> {
  const { images, lead, tail, junk, block } = init;
  const pieces: Uint8Array[] = [new Uint8Array(junk?.[sector] ?? 0).fill(0xff)];
  const first = -(lead?.[sector] ?? 0);
  const end = 32 * images + (tail?.[sector] ?? 0);
  for (let n = first; n < end; n++) {
    const [image, place] = [Math.floor(n / 32), (n + 32) % 32];
    const bytes = blockBytes(sector, image, place);
    const view = new DataView(bytes.buffer);
    view.setUint8(9, image >= (init.exposed ?? 0) ? 1 : 0);
    if (block?.(sector, image, place, view) !== null) pieces.push(bytes);
  }
  return join(...pieces);
}

function blockBytes(sector: number, image: number, place: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(22360);
  const view = new DataView(bytes.buffer);
  const [x, y] = [16 * (15 - place % 16), 930 * Math.floor(place / 16)];
  view.setUint32(0, 0xffff0055);
  view.setUint8(8, 1);
  view.setUint32(16, FIRST_BLOCK + 32 * image + place);
  [256, 1860].forEach((size, i) => view.setUint16(20 + 2 * i, size));
  view.setUint32(24, FIRST_FRAME + image);
  [x, y, x + 15, y + 929].forEach((at, i) => view.setUint16(28 + 2 * i, at));
  view.setUint32(36, 22360);
  for (let row = 0, at = 40; row < 930; row++) {
    for (let column = 0; column < 16; column += 2, at += 3) {
      const a = k2Sample(image, y + row, 256 * sector + x + column);
      const b = k2Sample(image, y + row, 256 * sector + x + column + 1);
      bytes[at] = a & 255;
      bytes[at + 1] = (a >> 8) | (b & 15) << 4;
      bytes[at + 2] = b >> 4;
    }
  }
  return bytes;
}

/** A file of tags, version 3. */
function gtg({ scan, withoutFlyback }: K2Init): Uint8Array<ArrayBuffer> {
  const size = (
    y: string,
    x: string,
    shape: readonly [number, number],
  ) => [tag(y, shape[0]), tag(x, shape[1])];
  const sampling = (tags: Uint8Array[]) =>
    group("SI Image Tags", [group("SI", [group("Acquisition", [group("Spatial Sampling", tags)])])]);
  const root = tags([
    group("ImageTags", [tag("Nothing", 5)]),
    ...(scan ? [group("SI Dimensions", size("Size Y", "Size X", scan))] : []),
    ...(withoutFlyback ? [sampling(size("Height (pixels)", "Width (pixels)", withoutFlyback))] : []),
  ]);
  return join(u32(3, root.length, 1), root, new Uint8Array(8));
}

function tags(all: Uint8Array[]): Uint8Array {
  return join(Uint8Array.of(1, 0), u32(all.length), ...all);
}

function group(name: string, all: Uint8Array[]): Uint8Array {
  return join(named(20, name), tags(all));
}

/** A number of 32 bits, little endian as the head says. */
function tag(name: string, value: number): Uint8Array {
  return join(named(21, name), ascii("%%%%"), u32(1, 5), new Uint8Array(Uint32Array.of(value).buffer));
}

function named(kind: number, name: string): Uint8Array {
  return join(Uint8Array.of(kind, 0, name.length), ascii(name));
}

function u32(...values: number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => bytes.setUint32(4 * i, value));
  return new Uint8Array(bytes.buffer);
}
