/**
 * Makes a failing case small: half the frames, rows, columns, then simpler samples, as long as it still fails.
 *
 * @module
 */

import type { KernelCase } from "./case.ts";

/** Largest number of cases that are tried. */
const PATIENCE = 600;

/** The smallest case found for which `fails` is true. */
export function shrink(first: KernelCase, fails: (one: KernelCase) => boolean): KernelCase {
  let best = first;
  let left = PATIENCE;
  for (let found = true; found && left > 0;) {
    found = false;
    for (const smaller of candidates(best)) {
      if (left-- <= 0) break;
      if (!fails(smaller)) continue;
      best = smaller;
      found = true;
      break;
    }
  }
  return best;
}

/** Smaller cases, those with the largest reduction first. */
function* candidates(one: KernelCase): Generator<KernelCase> {
  const { frames, rows, cols } = one;
  for (const end of [false, true]) {
    for (const n of fewer(frames)) yield cropped(one, n, rows, cols, end);
    for (const n of fewer(rows)) yield cropped(one, frames, n, cols, end);
    for (const n of fewer(cols)) yield cropped(one, frames, rows, n, end);
  }
  if (one.gap > 0) yield { ...one, gap: 0 };
  if (one.skew > 0) yield { ...one, skew: 0 };
  yield* simpler(one);
}

/**
 * Smaller numbers, those with the largest reduction first; not only halves, as some faults occur only at even or at odd
 * numbers.
 */
function fewer(n: number): number[] {
  const tries = [1, 2, 3, Math.floor(n / 2), n - 8, n - 2, n - 1];
  return [...new Set(tries)].filter((smaller) => smaller > 0 && smaller < n);
}

/** The first frames, rows and columns, or the last ones. */
function cropped(one: KernelCase, frames: number, rows: number, cols: number, end: boolean): KernelCase {
  const [f0, row0, col0] = end ? [one.frames - frames, one.rows - rows, one.cols - cols] : [0, 0, 0];
  const data: number[] = [];
  for (let f = f0; f < f0 + frames; f++) {
    for (let row = row0; row < row0 + rows; row++) {
      const from = (f * one.rows + row) * one.cols + col0;
      data.push(...one.data.slice(from, from + cols));
    }
  }
  return { ...one, frames, rows, cols, data };
}

/** Runs of samples, from all samples to a single one, become zeros; then each sample becomes 1. */
function* simpler(one: KernelCase): Generator<KernelCase> {
  const { data } = one;
  for (let size = data.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < data.length; from += size) {
      const part = data.slice(from, from + size);
      if (part.some((value) => !Object.is(value, 0))) yield replaced(one, from, part.length, 0);
    }
  }
  for (let i = 0; i < data.length; i++) {
    if (!Object.is(data[i], 0) && data[i] !== 1) yield replaced(one, i, 1, 1);
  }
}

function replaced(one: KernelCase, from: number, count: number, value: number): KernelCase {
  return { ...one, data: one.data.map((old, i) => i >= from && i < from + count ? value : old) };
}
