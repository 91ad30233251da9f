/**
 * Series of data sets that are one stack: `data_000001`, `data_000002` … of a Dectris detector, each usually behind a link
 * to a file of its own.
 *
 * @module
 */

import type { Hdf5Array } from "./arrays.ts";

/** A name with a number of six digits, as Dectris detectors write them. */
const NUMBERED = /^(.*\/data)_(\d{6})$/;

/** The stacks that some of `arrays` make, named without the number; and the arrays that are in none. */
export function seriesOf(arrays: readonly Hdf5Array[]): { stacks: Hdf5Array[]; others: Hdf5Array[] } {
  const series = new Map<string, { array: Hdf5Array; number: number }[]>();
  for (const array of arrays) {
    const [, path, number] = NUMBERED.exec(array.dataset.path) ?? [];
    if (path === undefined || array.shape.length < 3) continue;
    const members = series.get(path) ?? [];
    series.set(path, members);
    members.push({ array, number: Number(number) });
  }
  const stacks: Hdf5Array[] = [];
  const taken = new Set<Hdf5Array>();
  for (const [path, members] of series) {
    const parts = members.toSorted((a, b) => a.number - b.number).map(({ array }) => array);
    if (parts.length < 2 || !parts.every((part) => isAlike(part, parts[0]!))) continue;
    if (arrays.some(({ dataset }) => dataset.path === path)) continue; // there is one of that name
    parts.forEach((part) => taken.add(part));
    stacks.push(stackOfParts(path, parts));
  }
  return { stacks, others: arrays.filter((array) => !taken.has(array)) };
}

function stackOfParts(path: string, parts: readonly Hdf5Array[]): Hdf5Array {
  const { dataset, sample, shape } = parts[0]!;
  const length = parts.reduce((sum, part) => sum + part.shape[0]!, 0);
  return { dataset: { ...dataset, path }, sample, shape: [length, ...shape.slice(1)], parts };
}

function isAlike({ shape, sample }: Hdf5Array, first: Hdf5Array): boolean {
  return sample.dtype === first.sample.dtype && shape.length === first.shape.length &&
    shape.every((size, d) => d === 0 || size === first.shape[d]);
}
