/** Lattices are fitted to peaks like libertem-blobfinder does, outliers are left out, and lattices are found alone. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { addDisk, congruential } from "./frames.ts";
import golden from "./golden.json" with { type: "json" };

type Vector = blobs.Vector;

function wobblingLattice() {
  const random = congruential(99), next = () => random.next().value as number;
  const indices: Vector[] = [];
  for (let i = -3; i <= 3; i++) for (let j = -3; j <= 3; j++) indices.push([i, j]);
  const positions: [number, number][] = [], weights: number[] = [];
  for (const [i, j] of indices) {
    const at = [128.25 + i * 33.1 - j * 1.7, 127.5 + i * 2.2 + j * 31.9] as const;
    positions.push([at[0] + 2 * next() - 1, at[1] + 2 * next() - 1]);
    weights.push(5 * next());
  }
  positions[5] = [positions[5]![0] + 9, positions[5]![1] + 9];
  positions[11] = [40, 200];
  return { peaks: { positions, weights }, indices };
}

function assertMatch(found: blobs.LatticeMatch, expected: typeof golden.lattice.fast): void {
  for (const name of ["zero", "a", "b"] as const) {
    found[name].forEach((v, d) => assertAlmostEquals(v, expected[name][d]!, 1e-9, name));
  }
  assertAlmostEquals(found.error, expected.error, 1e-9);
  const out = [...found.selector.keys()].filter((p) => !found.selector[p]);
  assertEquals(out, expected.out);
  assertEquals(found.matched, found.selector.length - out.length);
}

Deno.test("fastmatch and affinematch fit as libertem-blobfinder does", () => {
  const { peaks, indices } = wobblingLattice();
  assertMatch(
    blobs.fastmatch(peaks, { zero: [129, 128], a: [33.4, 2], b: [-2, 31.7] }),
    golden.lattice.fast,
  );
  assertMatch(blobs.affinematch(peaks, indices), golden.lattice.affine);
});

Deno.test("any lattice is found again from a start nearby, whatever outliers there are", () => {
  const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const input = fc.record({
    angle: number(0, 6.28),
    length: number(20, 40),
    ratio: number(0.8, 1.25),
    between: number(1, 2.1),
    off: number(-0.4, 0.4),
    outliers: fc.array(fc.tuple(number(0, 255), number(0, 255)), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(input, ({ angle, length, ratio, between, off, outliers }) => {
      const a: Vector = [length * Math.sin(angle), length * Math.cos(angle)];
      const b: Vector = [
        ratio * length * Math.sin(angle + between),
        ratio * length * Math.cos(angle + between),
      ];
      const lattice = { zero: [128, 127], a, b } as const;
      const { peaks } = blobs.latticePoints(lattice, { frame: [256, 256] });
      const weights = [...peaks.map(() => 1), ...outliers.map(() => 1e-3)];
      const start = { zero: [128 + off, 127], a: [a[0] + off, a[1]], b: [b[0], b[1] - off] } as const;
      const found = blobs.fastmatch({ positions: [...peaks, ...outliers], weights }, start, { minWeight: 0 });
      for (const name of ["zero", "a", "b"] as const) {
        found[name].forEach((v, d) => assertAlmostEquals(v, lattice[name][d]!, 0.02, name));
      }
      assert(found.selector.subarray(0, peaks.length).every(Boolean));
    }),
    { numRuns: 60, seed: 3 },
  );
});

Deno.test("what cannot be matched is NaN: too few peaks, peaks on a line, no weight, NaN", () => {
  const start = { zero: [0, 0], a: [10, 0], b: [0, 10] } as const;
  const cases: blobs.PeakList[] = [
    { positions: [[0, 0], [10, 0]] },
    { positions: [[0, 0], [10, 0], [20, 0], [30, 0]] },
    { positions: [[0, 0], [10, 0], [0, 10], [10, 10]], weights: [1, 1, 0.01, 0] },
    { positions: [[0, 0], [NaN, 0], [0, NaN], [10, 10]] },
    { positions: [[5, 5], [15, 5], [5, 15]] },
  ];
  for (const peaks of cases) {
    const { zero, a, b, error, matched, selector } = blobs.fastmatch(peaks, start);
    assertEquals([...zero, ...a, ...b, error], Array(7).fill(NaN));
    assertEquals([matched, selector.some(Boolean)], [0, false]);
  }
  const flat = { zero: [0, 0], a: [10, 0], b: [20, 0] } as const;
  assertEquals(blobs.fastmatch({ positions: [[0, 0], [10, 0], [0, 10]] }, flat).matched, 0);
  assertThrows(() => blobs.affinematch({ positions: [[0, 0]] }, []), TilewiseError, "1 peaks, but 0 pairs");
  assertThrows(() => blobs.latticePoints(flat, { frame: [9, 9] }), TilewiseError, "parallel");
});

Deno.test("two lattices in one set of peaks are both found, without a start", () => {
  const one = { zero: [120, 130], a: [29, 4], b: [-6, 35] } as const;
  const two = { zero: [127, 118], a: [41, 21], b: [-23, 44] } as const;
  const random = congruential(5), wobble = () => (random.next().value as number) - 0.5;
  const move = (points: readonly Vector[]) => points.map(([y, x]): Vector => [y + wobble(), x + wobble()]);
  const first = move(blobs.latticePoints(one, { frame: [256, 256], margin: 12 }).peaks);
  const second = move(blobs.latticePoints(two, { frame: [256, 256], margin: 12 }).peaks);
  const found = blobs.findLattices({ positions: [...first, ...second] }, { tolerance: 2, minMatch: 8 });
  assertEquals(found.length, 2);
  [one, two].forEach((lattice, l) => {
    for (const name of ["a", "b"] as const) {
      found[l]![name].forEach((v, d) => assertAlmostEquals(v, lattice[name][d]!, 0.5, `${l} ${name}`));
    }
  });
  assert(found[0]!.matched >= first.length);
});

Deno.test("from a picture to a lattice", async () => {
  const lattice = { zero: [62.3, 65.6], a: [24.2, 2.1], b: [-3.3, 27.4] } as const;
  const { peaks } = blobs.latticePoints(lattice, { frame: [128, 128], margin: 8 });
  const picture = new Float64Array(128 * 128).map((_, i) => 3 + (i * 7919) % 4);
  for (const peak of peaks) addDisk(picture, [128, 128], peak, 5, (share, i) => picture[i]! += 60 * share);
  const pattern = blobs.backgroundSubtractionPattern({ radius: 5 });
  const found = await blobs.findPeaks(ndarray(picture, [128, 128], "float64"), { pattern });
  assertEquals(found.positions.length, peaks.length);
  for (const [y, x] of peaks) {
    assert(found.positions.some(([v, u]) => Math.hypot(v - y, u - x) < 0.5), `${y}, ${x}`);
  }
  const [match] = blobs.findLattices({ positions: found.positions });
  for (const name of ["a", "b"] as const) {
    match![name].forEach((v, d) => assertAlmostEquals(v, lattice[name][d]!, 0.1, name));
  }
  const strict = await blobs.findPeaks(ndarray(picture, [128, 128], "float64"), {
    pattern,
    count: 3,
    minDistance: 40,
  });
  assertEquals(strict.positions.length, 3);
  const empty = ndarray(new Uint16Array(64), [8, 8], "uint16");
  assertEquals((await blobs.findPeaks(empty, { pattern })).positions, []);
});
