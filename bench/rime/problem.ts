/**
 * The problem of the benches of predictions: a polarised sky of 2 degrees over antennas within 8 km.
 *
 * @module
 */

import type { PredictInput } from "@tilewise/tilewise/rime";
import { baselinePairs } from "@tilewise/tilewise/unstable/rime";
import { mulberry32 } from "../../tests/kernels/call.ts";

/** How large it is. */
export interface ProblemSizes {
  readonly ntime: number;
  readonly na: number;
  readonly nchan: number;
  readonly nsrc: number;
}

/** A problem, and the parallactic angles of its antennas, (ntime, na). */
export interface Problem {
  readonly input: PredictInput;
  readonly angles: Float64Array;
}

/** The problem of some size, always the same. */
export function problemOf({ ntime, na, nchan, nsrc }: ProblemSizes): Problem {
  const random = mulberry32(1);
  const make = (n: number, of: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => of(i));
  const { antenna1, antenna2 } = baselinePairs(na);
  const input: PredictInput = {
    uvw: make(3 * ntime * na, (i) => (i % 3 === 2 ? 100 : 8000) * (random() - 0.5)),
    antenna1,
    antenna2,
    antennas: na,
    frequency: make(nchan, (c) => 856e6 + 2e6 * c),
    sky: {
      lm: make(2 * nsrc, () => 0.07 * (random() - 0.5)),
      stokes: make(4 * nsrc, (i) => i % 4 ? 0.2 * (random() - 0.5) : random()),
    },
  };
  return { input, angles: make(ntime * na, () => random()) };
}

/** The same visibilities as rows in a dense order, with times. */
export function raggedOf(input: PredictInput, ntime: number): PredictInput {
  const baselines = input.antenna1!.length;
  const repeated = (values: Int32Array) =>
    Int32Array.from({ length: ntime * baselines }, (_, i) => values[i % baselines]!);
  return {
    ...input,
    antenna1: repeated(input.antenna1!),
    antenna2: repeated(input.antenna2!),
    timeIndex: Int32Array.from({ length: ntime * baselines }, (_, i) => Math.floor(i / baselines)),
  };
}

/** Writes it for peers: raw arrays, little endian, and `problem.json`. */
export function writeProblem(folder: string, { input, angles }: Problem, sizes: ProblemSizes): void {
  const { uvw, antenna1, antenna2, frequency, sky } = input;
  const arrays = {
    uvw,
    antenna1: antenna1!,
    antenna2: antenna2!,
    frequency,
    lm: sky.lm,
    stokes: sky.stokes,
    angles,
  };
  for (const [name, { buffer }] of Object.entries(arrays)) {
    Deno.writeFileSync(`${folder}/${name}`, new Uint8Array(buffer as ArrayBuffer));
  }
  Deno.writeTextFileSync(`${folder}/problem.json`, JSON.stringify(sizes));
}
