/**
 * A Norpix sequence with known samples, and all the side files that it may have.
 *
 * @module
 */

import { ascii, join } from "../helpers.ts";

/** Rows, columns and number of the frames. */
export const [HEIGHT, WIDTH, FRAMES]: readonly [number, number, number] = [4, 6, 3];
/** Pixels of a frame. */
export const PIXELS = HEIGHT * WIDTH;

/** Pixel `p` of frame `f`. */
export function sample(f: number, p: number): number {
  return 50 + 40 * f + 3 * p;
}

/** A file with a copy of these bytes. */
export function file(name: string, bytes: Uint8Array): File {
  return new File([bytes.slice()], name);
}

/** The sequence. */
export function seqBytes(): Uint8Array {
  const head = new DataView(new ArrayBuffer(1024));
  head.setUint32(0, 0xfeed, true);
  const fields = [[28, 3], [548, WIDTH], [552, HEIGHT], [556, 16], [560, 12], [564, 2 * PIXELS], [568, 100], [
    572,
    FRAMES,
  ], [580, 2 * PIXELS + 8]];
  for (const [at, value] of fields) head.setUint32(at!, value!, true);
  const frames = Array.from(
    { length: FRAMES },
    (_, f) =>
      join(
        new Uint8Array(Uint16Array.from({ length: PIXELS }, (_, p) => sample(f, p)).buffer),
        new Uint8Array(8),
      ),
  );
  return join(new Uint8Array(head.buffer), ...frames);
}

/** An MRC file of floats. */
export function mrcBytes(values: readonly number[], sections = 1, width = WIDTH): Uint8Array {
  const head = new DataView(new ArrayBuffer(1024));
  [width, values.length / sections / width, sections, 2].forEach((value, i) =>
    head.setInt32(4 * i, value, true)
  );
  head.setUint8(212, 0x44);
  return join(new Uint8Array(head.buffer), new Uint8Array(Float32Array.from(values).buffer));
}

/** The dark frame. */
export const DARK: readonly number[] = Array.from({ length: PIXELS }, (_, p) => p % 5);
/** The gain map. */
export const GAIN: readonly number[] = Array.from({ length: PIXELS }, (_, p) => 1 + p % 3 / 4);

/** Metadata of a window of the sensor at row 10, column 20. */
export function metadata({ height = HEIGHT, width = WIDTH, binning = 1 } = {}): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(400));
  [48, 1, width, height, 20, 10, binning].forEach((value, i) => bytes.setInt32(282 + 4 * i, value, true));
  return new Uint8Array(bytes.buffer);
}

/** Defects of the sensor, of which some lie in the window. */
export const XML: Uint8Array = ascii(`<?xml version="1.0"?>
<Configuration><BadPixels>
  <BadPixelMap Rows="20" Columns="30" Binning="2"><Defect Row="0"/></BadPixelMap>
  <BadPixelMap Columns='64' Rows='48'>
    <Defect Row="11" Column="22"/> <!-- <Defect Row="12"/> -->
    <Defect Columns="25-40"></Defect>
    <Defect Row="3"/>
  </BadPixelMap>
</BadPixels></Configuration>`);
/** Dead pixels, as row and column. */
export const DEAD: readonly (readonly number[])[] = [[0, 5], [1, 2], [1, 5], [2, 5], [3, 5]];

/** The sequence and its side files. */
export const SEQ_FILES: readonly File[] = [
  file("x.seq", seqBytes()),
  file("x.seq.dark.mrc", mrcBytes(DARK)),
  file("x.seq.gain.mrc", mrcBytes(GAIN)),
  file("x.seq.Config.Metadata.xml", XML),
  file("x.seq.metadata", metadata()),
];
