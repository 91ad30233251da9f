/**
 * The scans on which analyses are compared with NumPy: the demo's, and real ones of three formats.
 *
 * @module
 */

import { npyHeader } from "../../src/sinks/npy/npy_header.ts";
import { DemoScan } from "../../src/samples/scan.ts";

const DATA = new URL("../../../shared/data/", import.meta.url);

/** One scan. */
export interface OracleSource {
  /** What it is called in `expected.json`. */
  readonly name: string;
  /** Its file below the sample data; absent: it is made. */
  readonly file?: string;
  /** The array inside the file. */
  readonly array?: string;
}

/** All of them. */
export const SOURCES: readonly OracleSource[] = [
  { name: "demo" },
  { name: "mib", file: "mib/002_merlin_test_roi_sig256x128_nav4x2_hot_pixel_52x_39y.mib" },
  { name: "hdf5", file: "hdf5/w_4d_gzip_shuffle_fletcher.h5", array: "/scan/data" },
  { name: "nexus", file: "nexus/simple_signal.nxs", array: "/entry1/rocks/data" },
  { name: "npy", file: "npy/w_4d_big_endian_i2.npy" },
];

/** Where the file of a source is. */
export function fileOf({ file }: OracleSource): URL {
  return new URL(file!, DATA);
}

/** A small demo scan as the bytes of a `.npy`: 6 × 8 frames of 64 × 64. */
export function demoBytes(): Uint8Array<ArrayBuffer> {
  const scan = new DemoScan({ scan: [6, 8], side: 64, seed: 11 });
  const header = npyHeader("uint16", [6, 8, 64, 64]);
  const bytes = new Uint8Array(header.length + 6 * 8 * 64 * 64 * 2);
  bytes.set(header);
  let at = header.length;
  for (const frame of scan.frames()) {
    bytes.set(new Uint8Array(frame.buffer), at);
    at += frame.byteLength;
  }
  return bytes;
}
