/**
 * Compares what was computed from the simulated scan with what was simulated.
 *
 * The bounds come from counting statistics: a deviation may not be larger than the noise of the counts explains.
 *
 * @module
 */

import { asNumbers } from "../../space/numbers.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { BACKGROUND, type DemoScan } from "../../samples/scan.ts";

/** One comparison. */
export interface Check {
  /** What was compared. */
  readonly name: string;
  /** Whether it is right. */
  readonly ok: boolean;
  /** The deviation found. */
  readonly found: number;
  /** The deviation allowed. */
  readonly bound: number;
  /** In words. */
  readonly text: string;
}

/** Factor that allows for chance, and for pixels at the rim of a disk that are partly inside. */
const SLACK = 1.3;

/** The comparisons: sum exactly, ring and deflection within noise. */
export function checkDemo(results: Results, scan: DemoScan): Check[] {
  return [checkSum(results, scan), checkRing(results, scan), checkDeflection(results, scan)];
}

function checkSum(results: Results, { truth }: DemoScan): Check {
  const sum = values(results, "sum", "intensity");
  const wrong = truth.sum.reduce((n, expected, i) => n + (sum[i] === expected ? 0 : 1), 0);
  const total = truth.sum.reduce((a, b) => a + b, 0);
  const text = `${wrong} of ${sum.length} pixels differ from the ${total} counts drawn`;
  return { name: "sum", ok: wrong === 0, found: wrong, bound: 0, text };
}

/** The ring holds the Bragg disks, and a part of the background that is not known for each frame. */
function checkRing(results: Results, scan: DemoScan): Check {
  const ring = values(results, "ring", "intensity");
  const share = ringPixels(scan) / scan.spec.side ** 2;
  const background = BACKGROUND * scan.spec.side ** 2;
  const bound = SLACK * Math.sqrt(background * share * (1 - share));
  const found = rms(ring, (n) => ring[n]! - scan.truth.bragg[n]! - background * share);
  const mean = scan.truth.bragg.reduce((a, b) => a + b, 0) / ring.length;
  const text = `${found.toFixed(1)} of ${mean.toFixed(0)} counts off (RMS), at most ${
    bound.toFixed(1)
  } by background`;
  return { name: "ring", ok: found <= bound, found, bound, text };
}

function ringPixels({ geometry: { centre, ring: [ri, ro] }, spec: { side } }: DemoScan): number {
  let pixels = 0;
  for (let i = 0; i < side * side; i++) {
    const square = (Math.floor(i / side) - centre) ** 2 + (i % side - centre) ** 2;
    if (square > ri * ri && square <= ro * ro) pixels++;
  }
  return pixels;
}

/** A disk of radius r with n counts has its centre within r / 2√n, along each axis. */
function checkDeflection(results: Results, { truth, geometry }: DemoScan): Check {
  const [y, x] = [values(results, "com", "field_y"), values(results, "com", "field_x")];
  const noise = rms(y, (n) => geometry.disk / 2 / Math.sqrt(truth.direct[n]!)) * Math.SQRT2;
  const bound = SLACK * noise;
  const found = rms(y, (n) => Math.hypot(y[n]! - truth.shiftY[n]!, x[n]! - truth.shiftX[n]!));
  const longest = `of up to ${geometry.deflection} px`;
  const text = `${found.toFixed(4)} px off (RMS) ${longest}, at most ${bound.toFixed(4)} px by noise`;
  return { name: "field", ok: found <= bound, found, bound, text };
}

function values(results: Results, udf: string, buffer: string): Float64Array {
  return Float64Array.from(asNumbers(results[udf]![buffer]!.data));
}

function rms(over: Float64Array, deviation: (n: number) => number): number {
  let squares = 0;
  for (let n = 0; n < over.length; n++) squares += deviation(n) ** 2;
  return Math.sqrt(squares / over.length);
}
