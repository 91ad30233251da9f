/**
 * What a row of the table of workloads is: what we run, on which data, and what must equal the peer's results.
 *
 * @module
 */

import type { Context, Dataset, NDArray, Results } from "@tilewise/tilewise";
import type { PlanOptions } from "@tilewise/tilewise/run";
import type { UdfRef } from "@tilewise/tilewise/udf";
import { ndarray } from "../../src/space/ndarray.ts";
import type { BenchData, DataKind } from "../data.ts";
import { readNpy } from "../files.ts";
import type { BenchAux } from "../masks.ts";

/**
 * Which rows belong together: `core` is what one looks at after a change, `analyses` is all that LiberTEM and
 * LiberTEM-blobfinder compute as well.
 */
export type WorkloadSet = "core" | "analyses";

/** A result of ours and the file of the peer that shows the same. */
export interface Same {
  /** Our UDF and buffer, `sum.intensity`. */
  readonly ours: string;
  /** What the peer calls it. Default: the name of the buffer. */
  readonly theirs?: string;
  /** How far values may be apart, relative to the largest one of ours. Default 2e-3: the peer adds up in float32. */
  readonly within?: number;
  /** The share of values that may be further apart. Default 0. */
  readonly outliers?: number;
  /** Whether the values are labels, which may be others for the same regions. */
  readonly labels?: boolean;
}

/** What is computed: UDFs in one pass with options, or anything on a data set. */
export type Job =
  | { readonly udfs: Readonly<Record<string, UdfRef>>; readonly options?: PlanOptions }
  | { readonly work: (scan: Dataset, context: Context) => Promise<Results> };

/** What jobs are made from. */
export interface Inputs {
  /** The file. */
  readonly data: BenchData;
  /** Files of masks and corrections. */
  readonly aux: BenchAux;
}

/** A row of the table. */
export interface Workload {
  /** Its name, which is that of the peer. */
  readonly name: string;
  /** The sets that it is part of. */
  readonly sets: readonly WorkloadSet[];
  /** The kinds of data that it runs on. */
  readonly on: readonly DataKind[];
  /** Makes what is run. */
  readonly make: (inputs: Inputs) => Job;
  /** What is compared with the peer before anything is timed. */
  readonly same?: readonly (string | Same)[];
  /** Frames that take part; all unless told. */
  readonly frames?: (data: BenchData) => number;
}

/** Data of every kind but that of disks. */
export const ANY: readonly DataKind[] = ["u16", "f32", "mib", "tiny"];

/** Data whose frames are as large as the masks. */
export const LARGE: readonly DataKind[] = ["u16", "f32", "mib"];

/** Data with diffraction disks. */
export const DISKS: readonly DataKind[] = ["disks"];

/** A small hash: the same numbers here and in `peerlib.py`. */
export function hashOf(i: number): number {
  return Math.imul(i, 2654435761) >>> 0;
}

/** One byte per frame, 1 for about a `share` of them, seeded. */
export function chosenFrames(data: BenchData, share: number): Uint8Array {
  const frames = data.nav[0] * data.nav[1];
  return Uint8Array.from({ length: frames }, (_, i) => hashOf(i + 1) < share * 2 ** 32 ? 1 : 0);
}

/** How many frames {@link chosenFrames} chooses. */
export function countOf(roi: Uint8Array): number {
  return roi.reduce((sum, on) => sum + on, 0);
}

/** The file of one array. */
export function arrayIn(path: string): NDArray {
  const found = readNpy(path);
  if (!found) throw new Error(`${path} is not there`);
  return found;
}

/** `count` masks of a file, evenly spaced for those that differ in kind (`spread`), else the first ones. */
export function masksIn(path: string, count: number, spread = false): NDArray[] {
  const { data, shape, dtype } = arrayIn(path);
  const [all, ...frame] = shape as [number, ...number[]];
  const step = spread ? Math.floor(all / count) : 1;
  const size = data.length / all;
  return Array.from({ length: count }, (_, m) => {
    return ndarray(data.slice(m * step * size, (m * step + 1) * size), frame, dtype);
  });
}
