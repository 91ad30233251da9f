/**
 * Correlation by its three methods, with and without upsampling.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { perEntry, SINGLE } from "../../verdict/bounds.ts";
import type { Expectations } from "../../compare.ts";
import type { Params, Subject } from "../../data/spec.ts";
import type { Truth } from "../../data/truth.ts";
import { type AnyWork, compute, type Judged, work } from "../../work.ts";
import {
  type CorrelateParams,
  correlateParams,
  halfEven,
  hasRoom,
  type Method,
  shiftArray,
  shiftAt,
} from "./correlate_params.ts";
import { fastMaps, fullMaps, scene, sparseMaps } from "./maps.ts";
import { patternOf } from "./patterns.ts";
import { type PeakBounds, peakBounds, UNCERTAIN } from "./plain.ts";

/** Bounds of the four results of a correlation. */
export function correlateExpectations(
  judged: Judged<Params>,
  { pattern, peaks, upsample, shifts, steps }: CorrelateParams,
  method: Method,
): Expectations {
  const { opened: { data, truth } } = judged;
  const made = patternOf(pattern);
  const maps = method === "fast"
    ? fastMaps(made)
    : method === "full"
    ? fullMaps(made, data.sig)
    : sparseMaps(made, steps);
  const found = new Map<number, PeakBounds[]>();
  const isComparable = method !== "sparse" || haveOneMinimum(judged.opened, truth);
  for (const position of truth.present) {
    const [dy, dx] = shiftAt(shifts, position);
    const here = scene(judged.opened, position);
    found.set(
      position,
      peaks.map(([y, x]) => {
        if (!isComparable) return UNCERTAIN;
        const map = maps(here, [halfEven(y!) + dy, halfEven(x!) + dx]);
        return map === "constant" ? CERTAIN : peakBounds(map);
      }),
    );
  }
  const list = (of: (bounds: PeakBounds) => number[]) =>
    perEntry(truth, peaks.length * of(CERTAIN).length, (position) => found.get(position)!.flatMap(of));
  return {
    centers: list(({ center }) => [center, center]),
    refineds: list(({ center, refined }) => {
      const off = coordinateError(data.sig) + (upsample ? center + 1.01 / factorOf(upsample) : refined);
      return [off, off];
    }),
    peak_values: list(({ value }) => [value]),
    peak_elevations: list(({ elevation }) => [elevation]),
  };
}

/** Whether all tiles have the same least sample: the peer's sparse correlation scales each by its own. */
function haveOneMinimum({ data }: Subject, truth: Truth): boolean {
  const [rows, columns] = (data.chunks?.slice(data.nav.length) ?? data.sig) as [number, number];
  const width = data.sig[1]!;
  const minima = new Set<number>();
  for (const position of truth.present) {
    const cells = new Map<string, number>(); // a tile has whole chunks
    truth.samples(position).forEach((value, p) => {
      const cell = `${Math.floor(Math.floor(p / width) / rows)} ${Math.floor(p % width / columns)}`;
      cells.set(cell, Math.min(value, cells.get(cell) ?? Infinity));
    });
    for (const least of cells.values()) minima.add(least);
  }
  return truth.sampleError === 0 && minima.size <= 1;
}

/** Roundings of a coordinate in float32. */
function coordinateError(sig: readonly number[]): number {
  return 8 * SINGLE * (Math.max(...sig) + 32);
}

function factorOf(upsample: boolean | number): number {
  return upsample === true ? 20 : Number(upsample);
}

const CERTAIN: PeakBounds = { center: 0, refined: 0, value: 0, elevation: 0 };

function correlateOptions(
  params: CorrelateParams,
  nav: readonly number[],
  method: Method,
): blobs.CorrelateOptions {
  const { pattern, peaks, upsample, shifts, steps } = params;
  return {
    pattern: patternOf(pattern),
    peaks: peaks as unknown as blobs.Vector[],
    method,
    ...(method === "sparse" ? { steps } : { upsample }),
    ...(shifts === null ? {} : { shifts: shiftArray(shifts, nav) }),
  };
}

/** The works. */
export const CORRELATE: readonly AnyWork[] = (["fast", "full", "sparse"] as const).map((method) =>
  work<CorrelateParams>({
    word: `correlate-${method}`,
    covers: ["correlate_pattern"],
    suits: hasRoom,
    params: (random, { data }) => correlateParams(random, data, method),
    ours: async (opened, params) =>
      await compute(opened, blobs.correlatePattern(correlateOptions(params, opened.data.nav, method))),
    expect: (judged) => correlateExpectations(judged, judged.params, method),
  })
);
