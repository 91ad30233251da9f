/** Rows of observations on the grid of times and baselines, also those of later blocks; and rows read by their numbers. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { gridOf, readRows } from "../../../src/observations/model/grid.ts";
import type { Observation } from "../../../src/observations/observation.ts";
import { Random } from "../../compare/data/random.ts";
import { failure } from "../../formats/helpers.ts";

/** An observation with these rows: times, first and second antennas. */
function observationOf(
  antennas: number,
  times: number,
  rows: readonly (readonly [number, number, number])[],
): Observation {
  const column = (k: 0 | 1 | 2) => (start: number, stop: number) =>
    Promise.resolve(Int32Array.from(rows.slice(start, stop), (row) => row[k]));
  return {
    source: "rows",
    antennas: Array.from({ length: antennas }, (_, i) => ({ name: `a${i}`, position: [0, 0, 0] as const })),
    times: Float64Array.from({ length: times }, (_, i) => i),
    rows: rows.length,
    timeIndex: column(0),
    antenna1: column(1),
    antenna2: column(2),
  } as unknown as Observation;
}

Deno.test("every row is at its time and baseline, whichever block it is read in", async () => {
  const [antennas, times] = [20, 500];
  const random = new Random("grid");
  const all = Array.from({ length: times }, (_, t) => t).flatMap((t) =>
    Array.from({ length: antennas }, (_, p) => p).flatMap((p) =>
      Array.from({ length: antennas - p - 1 }, (_, i) => [t, p, p + 1 + i] as const)
    )
  );
  const rows = all.filter(([, p, q]) => !(p === 3 && q === 7) && random.chance(0.97));
  rows.sort(([s, , q], [t, , r]) => t % 7 - s % 7 || q - r); // in no order of times
  const grid = await gridOf(observationOf(antennas, times, rows));
  assertEquals(rows.length > 2 ** 16, true); // several blocks
  const baselines = antennas * (antennas - 1) / 2 - 1;
  assertEquals([grid.times, grid.antenna1.length, grid.rows.length], [times, baselines, times * baselines]);
  assertEquals(grid.missing, times * baselines - rows.length);
  let found = 0;
  grid.rows.forEach((row, place) => {
    if (row < 0) return;
    found++;
    const baseline = place % baselines;
    const expected = [Math.floor(place / baselines), grid.antenna1[baseline]!, grid.antenna2[baseline]!];
    if (rows[row]!.join() !== expected.join()) assertEquals([...rows[row]!], expected, `row ${row}`);
  });
  assertEquals(found, rows.length);
  const pairs = Array.from(grid.antenna1, (p, i) => p * antennas + grid.antenna2[i]!);
  assertEquals(pairs, pairs.toSorted((a, b) => a - b));
});

Deno.test("two rows of a baseline at one time are refused by their numbers", async () => {
  const rows = [[0, 0, 1], [1, 0, 1], [1, 1, 2], [1, 0, 1]] as const;
  const error = await failure(gridOf(observationOf(3, 2, rows)), "unsupported");
  assertStringIncludes(error.message, "rows 1 and 3 are both of the baseline a0 – a1");
});

Deno.test("rows are read by their numbers, near ones in one step, and those of -1 are 0", async () => {
  const random = new Random("rows");
  for (let n = 0; n < 20; n++) {
    const rows = Int32Array.from(
      { length: random.int(0, 60) },
      () => random.chance(0.2) ? -1 : random.int(0, 400),
    );
    const steps: [number, number][] = [];
    const read = (start: number, stop: number) => {
      steps.push([start, stop]);
      return Promise.resolve(Float64Array.from({ length: 3 * (stop - start) }, (_, i) => 3 * start + i));
    };
    const expected = Array.from(rows, (row) => row < 0 ? [0, 0, 0] : [0, 1, 2].map((k) => 3 * row + k))
      .flat();
    assertEquals([...await readRows(read, rows, 3)], expected);
    steps.slice(1).forEach(([start], i) => assertEquals(start - (steps[i]![1] - 1) > 16, true));
  }
});
