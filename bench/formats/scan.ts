/**
 * Frames of any size for the files of the bench of formats: the counting detector, repeated side by side.
 *
 * @module
 */

import { countingDetector, SIDE } from "../counts.ts";
import type { Fill, Scan } from "./row.ts";

/** Gives a function that fills frames of `scan`; no sample is above `most`. */
export function framesOf({ nav, sig: [height, width] }: Scan, most: number): Fill {
  const detector = countingDetector(nav[1]);
  const tile = new Uint16Array(SIDE * SIDE);
  const [down, across] = [Math.ceil(height / SIDE), Math.ceil(width / SIDE)];
  return (index, out) => {
    for (let t = 0; t < down * across; t++) {
      detector(index * down * across + t, tile);
      if (most < 4095) { for (let i = 0; i < tile.length; i++) tile[i] = Math.min(tile[i]!, most); }
      const [y0, x0] = [SIDE * Math.floor(t / across), SIDE * (t % across)];
      const columns = Math.min(SIDE, width - x0);
      for (let y = y0; y < Math.min(y0 + SIDE, height); y++) {
        out.set(tile.subarray((y - y0) * SIDE, (y - y0) * SIDE + columns), y * width + x0);
      }
    }
  };
}

/** Calls `each` with every frame of a scan, always the same array. */
export function eachFrame(
  { nav, sig }: Scan,
  fill: Fill,
  each: (frame: Uint16Array, index: number) => void,
): void {
  const frame = new Uint16Array(sig[0] * sig[1]);
  for (let i = 0; i < nav[0] * nav[1]; i++) {
    fill(i, frame);
    each(frame, i);
  }
}

/** A head with numbers at their places: `[offset, kind, value]`, little endian. */
export function head(
  size: number,
  fields: readonly (readonly [at: number, kind: "u16" | "u32" | "u64" | "f32" | "f64", value: number])[],
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(size));
  for (const [at, kind, value] of fields) {
    if (kind === "u16") view.setUint16(at, value, true);
    else if (kind === "u32") view.setUint32(at, value, true);
    else if (kind === "u64") view.setBigUint64(at, BigInt(value), true);
    else if (kind === "f32") view.setFloat32(at, value, true);
    else view.setFloat64(at, value, true);
  }
  return new Uint8Array(view.buffer);
}

/** The bytes of samples, as this machine has them: little endian. */
export function bytesOf(samples: Uint16Array | Float32Array | Uint8Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Text as bytes. */
export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
