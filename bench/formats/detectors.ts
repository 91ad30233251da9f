/**
 * Writes the files of detectors that pack or fold their frames: K2IS, FRMS6, raw mode of Merlin, TVIPS.
 *
 * @module
 */

import {
  BLOCK_BYTES,
  BLOCK_HEADER,
  BLOCK_ROW_BYTES,
  BLOCK_ROWS,
  BLOCKS_ACROSS,
  SECTOR_BLOCKS,
  SECTORS,
} from "../../src/dataset/layout/sectors.ts";
import { dmBytes } from "../../tests/formats/dm/dm_file.ts";
import type { Put, Scan, Write } from "./row.ts";
import { ascii, bytesOf, eachFrame, head } from "./scan.ts";

const FIRST_BLOCK = 4096;

/** Eight sectors in blocks of 12-bit samples, and tags that say nothing of a scan. */
export const k2is: Write = (scan, put, fill) => {
  put[SECTORS]!(dmBytes({ dimensions: [1, 1], data: new Uint16Array(1) }));
  const width = scan.sig[1];
  const bytes = new Uint8Array(SECTOR_BLOCKS * BLOCK_BYTES);
  const view = new DataView(bytes.buffer);
  eachFrame(scan, fill, (frame, image) => {
    for (let sector = 0; sector < SECTORS; sector++) {
      for (let place = 0; place < SECTOR_BLOCKS; place++) {
        const column = 16 * (BLOCKS_ACROSS - 1 - place % BLOCKS_ACROSS);
        const row = BLOCK_ROWS * Math.floor(place / BLOCKS_ACROSS);
        const at = place * BLOCK_BYTES;
        blockHead(view, at, { count: FIRST_BLOCK + image * SECTOR_BLOCKS + place, image, row, column });
        const from = row * width + 256 * sector + column;
        for (let r = 0; r < BLOCK_ROWS; r++) {
          packRow(bytes, at + BLOCK_HEADER + r * BLOCK_ROW_BYTES, frame, from + r * width, 16);
        }
      }
      put[sector]!(bytes);
    }
  });
};

function blockHead(
  view: DataView,
  at: number,
  { count, image, row, column }: Record<"count" | "image" | "row" | "column", number>,
): void {
  view.setUint32(at, 0xffff0055);
  view.setUint8(at + 8, 1);
  view.setUint8(at + 9, 1); // the shutter is open
  view.setUint32(at + 16, count);
  [256, 2 * BLOCK_ROWS].forEach((size, i) => view.setUint16(at + 20 + 2 * i, size));
  view.setUint32(at + 24, 1 + image);
  [column, row, column + 15, row + BLOCK_ROWS - 1].forEach((place, i) =>
    view.setUint16(at + 28 + 2 * i, place)
  );
  view.setUint32(at + 36, BLOCK_BYTES);
}

/** 12 bits per sample, the lowest first. */
function packRow(bytes: Uint8Array, at: number, frame: Uint16Array, from: number, count: number): void {
  for (let i = from; i < from + count; i += 2, at += 3) {
    const a = frame[i]!, b = frame[i + 1]!;
    bytes[at] = a;
    bytes[at + 1] = (a >> 8) | (b << 4);
    bytes[at + 2] = b >> 4;
  }
}

const DARK_FRAMES = 64;

/** A text, dark frames in `_000`, and the scan in `_001`, folded. */
export const frms6: Write = (scan, put, fill) => {
  const [rows, width] = [scan.sig[0] / 2, scan.sig[1]];
  const frames = scan.nav[0] * scan.nav[1];
  put[0]!(ascii([
    "[measurementInfo]",
    "dataName=scan",
    `darkFrames=${DARK_FRAMES}`,
    "dwellTimeMicroseconds=1000",
    "gain=1",
    `signalFrames=${frames}`,
    `stemImageSize=${scan.nav[1]}x${scan.nav[0]}`,
    `readoutMode="bin: 1, windowing: ${width} x ${scan.sig[0]}"`,
    "",
  ].join("\r\n")));
  const folded = new Uint16Array(2 * rows * width);
  const foldInto = (to: Put) => (frame: Uint16Array, index: number) => {
    for (let r = 0; r < rows; r++) {
      folded.set(frame.subarray(r * width, (r + 1) * width), 2 * r * width);
      const lower = (2 * rows - 1 - r) * width;
      folded.set(frame.slice(lower, lower + width).reverse(), (2 * r + 1) * width);
    }
    to(head(64, [[4, "u32", 1e9], [12, "u32", index]]));
    to(bytesOf(folded));
  };
  for (const [file, count] of [[1, DARK_FRAMES], [2, frames]] as const) {
    put[file]!(frms6Head(2 * width, rows, count));
    eachFrame({ ...scan, nav: [1, count] }, fill, foldInto(put[file]!));
  }
};

function frms6Head(width: number, rows: number, frames: number): Uint8Array {
  const bytes = head(1024, [[0, "u16", 1024], [2, "u16", 64], [88, "u16", width], [90, "u16", rows], [
    1020,
    "u32",
    frames,
  ]]);
  bytes[7] = 6;
  return bytes;
}

/** Raw mode: pixels in 64-bit words, the last byte first; with four chips, side by side, two of them turned. */
export function mibRaw(bits: 1 | 6 | 12, chips: 1 | 4 = 1): Write {
  return (scan, [put], fill) => {
    const [height, width] = scan.sig;
    const words = new Uint8Array(height * width * (bits === 1 ? 1 / 8 : bits === 6 ? 1 : 2));
    const stored = new Uint16Array(height * width);
    eachFrame(scan, fill, (frame, index) => {
      if (chips === 4) asQuad(frame, stored, height, width);
      pack(chips === 4 ? stored : frame, words, bits);
      for (let at = 0; at < words.length; at += 8) words.subarray(at, at + 8).reverse();
      put!(mibHead(scan, index + 1, bits, chips));
      put!(words);
    });
  };
}

function pack(samples: Uint16Array, out: Uint8Array, bits: number): void {
  if (bits === 12) out.set(bytesOf(samples));
  else if (bits === 6) out.set(samples);
  else {
    out.fill(0);
    for (let i = 0; i < samples.length; i++) out[i >> 3]! |= samples[i]! << (i & 7);
  }
}

/** Chips 4, 3, 2, 1 a stored row: the two lower ones from right to left, from the last row upwards. */
function asQuad(frame: Uint16Array, out: Uint16Array, height: number, width: number): void {
  const chip = width / 2;
  for (let r = 0; r < height / 2; r++) {
    const upper = r * width, lower = (height - 1 - r) * width;
    out.set(frame.slice(lower, lower + width).reverse(), 2 * r * width);
    out.set(frame.subarray(upper + chip, upper + width), 2 * r * width + width);
    out.set(frame.subarray(upper, upper + chip), 2 * r * width + width + chip);
  }
}

function mibHead({ sig: [height, width] }: Scan, sequence: number, bits: number, chips: 1 | 4): Uint8Array {
  const bytes = new Uint8Array(chips === 4 ? 768 : 384);
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  const size = chips === 4 ? [2 * width, height / 2] : [width, height];
  const text = [
    `MQ1,${digits(sequence, 6)},${digits(bytes.length, 5)},${digits(chips, 2)}`,
    ...size.map((n) => digits(n, 4)),
    `R64,   ${chips === 4 ? "2x2" : "1x1"},01,2026-01-01 00:00:00.000000,0.001000,0,0,0`,
    `MQ1A,2026-01-01T00:00:00.000000000Z,1000000ns,${bits},`,
  ];
  bytes.set(ascii(text.join(",")));
  return bytes;
}

/** Version 2: a head for the series, and one for each frame that says where the beam is. */
export const tvips: Write = (scan, [put], fill) => {
  const [height, width] = scan.sig;
  const series = [256, 2, width, height, 16, 0, 0, 1, 1, 15500, 200, 50000, 128];
  put!(head(256, series.map((value, i) => [4 * i, "u32", value])));
  eachFrame(scan, fill, (frame, index) => {
    const [y, x] = [Math.floor(index / scan.nav[1]), index % scan.nav[1]];
    put!(head(128, [[0, "u32", index], [68, "f32", x], [72, "f32", y]]));
    put!(bytesOf(frame));
  });
};
