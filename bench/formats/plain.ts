/**
 * Writes the files of formats that store samples as they are, behind headers of their own.
 *
 * @module
 */

import { dmBytes, type DmFile } from "../../tests/formats/dm/dm_file.ts";
import { mibFrameHeader } from "../../tests/formats/mib/mib_files.ts";
import type { Write } from "./row.ts";
import { ascii, bytesOf, eachFrame, head } from "./scan.ts";

/** Big-endian uint16 behind a header of 384 bytes; frames are square. */
export const mib: Write = (scan, [put], fill) => {
  const swapped = new Uint16Array(scan.sig[0] * scan.sig[1]);
  eachFrame(scan, fill, (frame, index) => {
    for (let i = 0; i < frame.length; i++) swapped[i] = (frame[i]! << 8) | (frame[i]! >>> 8);
    put!(mibFrameHeader(2, index + 1, { sig: [scan.sig[0], scan.sig[1]] }));
    put!(bytesOf(swapped));
  });
};

/** Tags with a stack of frames, or with a scan that is stored frame by frame; samples are put in afterwards. */
export function dm(dimensions: 3 | 4): Write {
  return (scan, [put], fill) => {
    const [[ny, nx], [height, width]] = [scan.nav, scan.sig];
    const about = (data: Uint16Array): DmFile => ({
      dimensions: [width, height, ...(dimensions === 4 ? [nx, ny] : [nx * ny])],
      data,
      format: "Diffraction image",
      axes: ["1/nm", "1/nm", "nm", "nm"].slice(0, dimensions).map((unit) => [1, unit] as const),
      ...(dimensions === 4 ? { swapped: true } : {}),
    });
    const samples = new Uint16Array(nx * ny * height * width);
    eachFrame(scan, fill, (frame, index) => samples.set(frame, index * frame.length));
    put!(dmBytes(about(samples)));
  };
}

/** float32, and two rows behind each frame that are no image. */
export const empad: Write = (scan, [put], fill) => {
  const stored = new Float32Array(130 * 128);
  eachFrame(scan, fill, (frame) => {
    stored.set(frame);
    put!(bytesOf(stored));
  });
};

/** Elements with a head each, and their places at the end. */
export const ser: Write = (scan, [put], fill) => {
  const [[ny, nx], [height, width]] = [scan.nav, scan.sig];
  const frames = ny * nx;
  const start = 34 + 2 * 32, pitch = 50 + 2 * height * width + 8;
  const table = start + frames * pitch;
  put!(head(start, [
    ...[0x4949, 0x0197, 0x0220].map((value, i) => [2 * i, "u16", value] as const),
    ...[0x4122, 0x4152, frames, frames].map((value, i) => [6 + 4 * i, "u32", value] as const),
    [22, "u64", table],
    [30, "u32", 2],
    ...[nx, ny].flatMap((size, d) => [
      [34 + 32 * d, "u32", size] as const, // its texts are empty
      [34 + 32 * d + 12, "f64", 1] as const,
    ]),
  ]));
  eachFrame(scan, fill, (frame, index) => {
    put!(head(50, [[8, "f64", 1], [28, "f64", 1], [40, "u16", 2], [42, "u32", width], [46, "u32", height]]));
    put!(bytesOf(frame));
    put!(head(8, [[0, "u16", 0x4152], [4, "u32", index]]));
  });
  const places = new BigUint64Array(2 * frames);
  for (let i = 0; i < frames; i++) {
    places[i] = BigInt(start + i * pitch);
    places[frames + i] = BigInt(start + (i + 1) * pitch - 8);
  }
  put!(new Uint8Array(places.buffer));
};

/** uint8 behind 6 bytes, and a picture of the scan before them. */
export const blo: Write = (scan, [put], fill) => {
  const [[ny, nx], [side]] = [scan.nav, scan.sig];
  const start = 4096 * Math.ceil((240 + ny * nx) / 4096);
  const bytes = head(start, [[8, "u32", 240], [12, "u32", start], [20, "u16", side], [24, "u16", nx], [
    26,
    "u16",
    ny,
  ]]);
  bytes.set(ascii("IMGBLO"));
  bytes.set([258 & 255, 258 >> 8], 6);
  put!(bytes);
  const samples = new Uint8Array(side * side);
  eachFrame(scan, fill, (frame, index) => {
    samples.set(frame);
    put!(head(6, [[0, "u16", 0x55aa], [2, "u32", index]]));
    put!(samples);
  });
};

/** Mode 2: float32 behind 1024 bytes. */
export const mrc: Write = (scan, [put], fill) => {
  const [height, width] = scan.sig;
  const frames = scan.nav[0] * scan.nav[1];
  const sizes = [width, height, frames, 2, 0, 0, 0, width, height, frames].map((n, i) =>
    [4 * i, "u32", n] as const
  );
  const bytes = head(1024, [...sizes, [40, "f32", width], [44, "f32", height], [48, "f32", frames]]);
  bytes.set(ascii("MAP "), 208);
  bytes.set([0x44, 0x44], 212);
  put!(bytes);
  eachFrame(scan, fill, (frame) => put!(bytesOf(Float32Array.from(frame))));
};

/** Version 5: 8192 bytes, then frames with some bytes behind each. */
export const seq: Write = (scan, [put], fill) => {
  const [height, width] = scan.sig;
  const bytes = 2 * height * width, pitch = bytes + 512;
  const fields = [
    ...[[0, 0xfeed], [28, 5], [32, 1024], [548, width], [552, height], [556, 16], [560, 12], [564, bytes]],
    ...[[568, 100], [572, scan.nav[0] * scan.nav[1]], [580, pitch], [624, 1767225600]],
  ] as [number, number][];
  const first = head(8192, fields.map(([at, value]) => [at, "u32", value]));
  for (const at of [4, 36]) first.set([0x73, 0, 0x65, 0, 0x71, 0], at); // texts of two bytes a letter
  put!(first);
  const rest = new Uint8Array(512);
  eachFrame(scan, fill, (frame) => (put!(bytesOf(frame)), put!(rest)));
};

/** Version 1.0, little-endian uint16. */
export const npy: Write = (scan, [put], fill) => {
  const text = `{'descr': '<u2', 'fortran_order': False, 'shape': (${
    [...scan.nav, ...scan.sig].join(", ")
  }), }`;
  const padded = text.padEnd(117) + "\n";
  put!(Uint8Array.of(0x93, ...ascii("NUMPY"), 1, 0, padded.length, 0));
  put!(ascii(padded));
  eachFrame(scan, fill, (frame) => put!(bytesOf(frame)));
};

/** The events of sparse frames: a text, then rows, columns and counts; all counts below 16 are left out. */
export const csr: Write = (scan, put, fill) => {
  put[0]!(ascii([
    "[params]",
    'filetype = "raw_csr"',
    `nav_shape = [${scan.nav.join(", ")}]`,
    `sig_shape = [${scan.sig.join(", ")}]`,
    "[raw_csr]",
    ...["indptr", "indices", "data"].flatMap((name, i) => [
      `${name}_file = "csr.${name}"`,
      `${name}_dtype = "${["<i8", "<i4", "<u2"][i]}"`,
    ]),
    "",
  ].join("\n")));
  const rows = [0];
  eachFrame(scan, fill, (frame) => {
    const pixels = Int32Array.from(frame.keys()).filter((p) => frame[p]! >= 16);
    put[2]!(new Uint8Array(pixels.buffer));
    put[3]!(bytesOf(Uint16Array.from(pixels, (p) => frame[p]!)));
    rows.push(rows.at(-1)! + pixels.length);
  });
  put[1]!(new Uint8Array(BigInt64Array.from(rows, BigInt).buffer));
};
