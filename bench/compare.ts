/**
 * Compares our results with those of a peer: a fast wrong answer is no answer.
 *
 * @module
 */

import type { Results } from "@tilewise/tilewise";

/** Which of our buffers a peer's file shows, and how far both may be apart, relative to the largest value. */
const FILES: Readonly<
  Record<string, { readonly udf: string; readonly buffer: string; readonly file: string }>
> = {
  sum: { udf: "sum", buffer: "intensity", file: "intensity" },
  sumsig: { udf: "sumsig", buffer: "intensity", file: "intensity" },
  stddev: { udf: "stddev", buffer: "std", file: "std" },
  masks1: { udf: "masks", buffer: "intensity", file: "intensity" },
  masks16: { udf: "masks", buffer: "intensity", file: "intensity" },
  masks64: { udf: "masks", buffer: "intensity", file: "intensity" },
  rings16: { udf: "masks", buffer: "intensity", file: "intensity" },
  rings64: { udf: "masks", buffer: "intensity", file: "intensity" },
  com: { udf: "com", buffer: "raw_com", file: "raw_com" },
  "corrected-sum": { udf: "sum", buffer: "intensity", file: "intensity" },
  "radial-fourier": { udf: "radial", buffer: "intensity", file: "intensity" },
  "radial-fourier-24": { udf: "radial", buffer: "intensity", file: "intensity" },
  logsum: { udf: "logsum", buffer: "logsum", file: "logsum" },
};

/** LiberTEM adds up in float32: over some thousand frames that costs four digits. */
const TOLERANCE = 2e-3;

/** A line that says how far our result is from the peer's; throws when too far; nothing when there is no peer's result. */
export function compareWithPeer(folder: string, workload: string, results: Results): string | undefined {
  const what = FILES[workload];
  const theirs = what && readNumbers(`${folder}/${workload}.${what.file}.npy`);
  if (!what || !theirs) return undefined;
  const ours = results[what.udf]![what.buffer]!.data as Float64Array;
  if (ours.length !== theirs.length) {
    throw new Error(`${workload}: ${ours.length} numbers, the peer has ${theirs.length}`);
  }
  const largest = ours.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const apart = ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i]!)), 0) / largest;
  if (!(apart <= TOLERANCE)) throw new Error(`${workload}: results differ by ${apart} of the largest value`);
  return `  ${workload}: equal to the peer's within ${apart.toExponential(1)}`;
}

function readNumbers(path: string): ArrayLike<number> | undefined {
  let file: Uint8Array;
  try {
    file = Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const start = 10 + file[8]! + 256 * file[9]!;
  const double = new TextDecoder().decode(file.subarray(0, start)).includes("<f8");
  const bytes = file.slice(start).buffer;
  return double ? new Float64Array(bytes) : new Float32Array(bytes);
}
