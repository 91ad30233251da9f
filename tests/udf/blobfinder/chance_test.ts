/** What fits a lattice by chance: the formulas against random peaks, and warnings where there is no lattice. */

import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { binomialTail, chanceAt, ellipseInSquare } from "../../../src/udf/builtin/blobfinder/match.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { memoryScan } from "../data.ts";
import { addDisk, congruential } from "./frames.ts";

type Vector = blobs.Vector;

/** Numbers from 0 to 1, and from the normal distribution. */
function randomNumbers(seed: number) {
  const numbers = congruential(seed);
  for (let i = 0; i < 8; i++) numbers.next(); // neighbouring seeds start alike
  const uniform = () => numbers.next().value as number;
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

function someLattice(length: number, middle: number, uniform: () => number): blobs.Lattice {
  const angle = 2 * Math.PI * uniform(), between = 1.1 + uniform(), ratio = 1 + 0.6 * uniform();
  return {
    zero: [middle + uniform(), middle - uniform()],
    a: [length * Math.sin(angle), length * Math.cos(angle)],
    b: [ratio * length * Math.sin(angle + between), ratio * length * Math.cos(angle + between)],
  };
}

Deno.test("the area of an ellipse inside of the cell is what a fine grid counts", () => {
  const steps = 400;
  for (
    const [alpha, beta] of [[0.1, 0.3], [0.5, 0.5], [0.3, 0.7], [0.6, 0.6], [0.65, 4], [0.8, 0.75], [9, 2]]
  ) {
    let inside = 0;
    for (let i = 0; i < steps ** 2; i++) {
      const [u, v] = [(Math.floor(i / steps) + 0.5) / steps - 0.5, (i % steps + 0.5) / steps - 0.5];
      if ((u / alpha!) ** 2 + (v / beta!) ** 2 < 1) inside++;
    }
    assertAlmostEquals(ellipseInSquare(alpha!, beta!), inside / steps ** 2, 2e-4, `${alpha}, ${beta}`);
    assertAlmostEquals(ellipseInSquare(beta!, alpha!), ellipseInSquare(alpha!, beta!), 1e-12);
  }
  assertEquals([ellipseInSquare(0, 3), ellipseInSquare(3, 0)], [0, 0]);
});

Deno.test("as many random peaks fit a lattice as are expected", () => {
  const { uniform } = randomNumbers(7);
  for (const [length, tolerance] of [[9, 1.5], [9, 3], [15, 2.5], [15, undefined], [6, 1]] as const) {
    let fitting = 0, expected = 0;
    for (let trial = 0; trial < 150; trial++) {
      const lattice = someLattice(length, 128, uniform);
      const points = Array.from({ length: 60 }, (): Vector => [256 * uniform(), 256 * uniform()]);
      const cell = Math.min(Math.hypot(...lattice.a), Math.hypot(...lattice.b));
      const limit = tolerance ?? Math.min(3, cell / 6);
      expected += points.reduce((sum, point) => sum + chanceAt(lattice, point, limit), 0);
      const options = tolerance === undefined ? {} : { tolerance };
      for (const point of points) fitting += fits(lattice, point, options) ? 1 : 0;
    }
    assertAlmostEquals(fitting / expected, 1, 0.04, `${length}, ${tolerance}`);
  }
});

/** Whether a point fits beside three points that lie on the lattice, and have nearly all the weight. */
function fits({ zero, a, b }: blobs.Lattice, point: Vector, options: blobs.MatchOptions): boolean {
  const positions = [
    zero,
    [zero[0] + a[0], zero[1] + a[1]],
    [zero[0] + b[0], zero[1] + b[1]],
    point,
  ] as const;
  const weights = [1, 1, 1, 1e-9];
  return blobs.fastmatch({ positions, weights }, { zero, a, b }, { ...options, minWeight: 0 }).selector[3] ===
    1;
}

Deno.test("the probability that so many fit is that of a binomial", () => {
  const choose = (n: number, k: number): number => k === 0 ? 1 : choose(n - 1, k - 1) * n / k;
  for (const [n, p] of [[1, 0.3], [7, 0.5], [20, 0.05], [12, 0.9]] as const) {
    for (let k = 0; k <= n + 1; k++) {
      let sum = 0;
      for (let i = k; i <= n; i++) sum += choose(n, i) * p ** i * (1 - p) ** (n - i);
      assertAlmostEquals(binomialTail(n, p, k), sum, 1e-12, `P(X(${n}, ${p}) ≥ ${k})`);
    }
  }
  assertEquals([binomialTail(9, 1, 9), binomialTail(9, 0, 1), binomialTail(0, 0.3, 0)], [1, 0, 1]);
  assert(binomialTail(100, 0.05, 90) > 0 && binomialTail(100, 0.05, 90) < 1e-90);
});

Deno.test("the tolerance is 3 px or a sixth of the shorter vector, a given one is taken as it is", () => {
  const taken = (a: Vector, b: Vector, off: number, tolerance?: number) =>
    fits(
      { zero: [90, 90], a, b },
      [90 - a[0] + off, 90 - a[1]],
      tolerance === undefined ? {} : { tolerance },
    );
  assertEquals([taken([30, 0], [0, 40], 2.9), taken([30, 0], [0, 40], 3.1)], [true, false]);
  assertEquals([taken([18, 0], [0, 40], 2.9), taken([18, 0], [0, 40], 3.1)], [true, false]);
  assertEquals([taken([9, 0], [0, 18], 1.4), taken([9, 0], [0, 18], 1.6)], [true, false]);
  assertEquals([taken([18, 0], [0, 9], 1.4), taken([18, 0], [0, 9], 1.6)], [true, false]);
  assertEquals([taken([9, 0], [0, 18], 2.9, 3), taken([9, 0], [0, 18], 3.1, 3)], [true, false]);
});

/** A picture of noise, with disks at some places. */
function picture(
  side: number,
  disks: readonly Vector[],
  radius: number,
  random: ReturnType<typeof randomNumbers>,
) {
  const data = Float64Array.from({ length: side * side }, () => 100 + 8 * random.normal());
  for (const disk of disks) {
    const height = 30 + 60 * random.uniform();
    addDisk(data, [side, side], disk, radius, (share, i) => data[i]! += height * share);
  }
  return ndarray(data, [side, side], "float64");
}

async function bestLattice(image: ReturnType<typeof picture>, radius: number): Promise<blobs.ChosenMatch> {
  const pattern = blobs.backgroundSubtractionPattern({ radius });
  const { positions, values } = await blobs.findPeaks(image, { pattern, count: 100 });
  return blobs.findLattices({ positions, weights: values }, { lattices: 1, minWeight: 0 })[0]!;
}

const SIZES = [[64, 2.5], [96, 3], [128, 5], [160, 8]] as const;

/** Pictures of each size. */
const SEEDS = 5;

Deno.test("a lattice in pictures without one is no better than chance, and that is said", async () => {
  let warned = 0, all = 0;
  for (const [side, radius] of SIZES) {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomNumbers(1000 * side + seed);
      const anywhere = Array.from({ length: seed % 2 ? 0 : 30 }, (): Vector => [
        side * random.uniform(),
        side * random.uniform(),
      ]);
      const { matched, expected, chance, warning } = await bestLattice(
        picture(side, anywhere, radius, random),
        radius,
      );
      all++;
      if (warning === undefined) continue;
      warned++;
      assert(chance > 0.01 && expected < matched, `${matched} fit, ${expected} expected, ${chance}`);
      assertMatch(
        warning,
        /^\d+ of \d+ peaks fit the lattice, which is no better than chance: [\d.]+ would fit/,
      );
    }
  }
  assert(warned >= 0.95 * all, `${warned} of ${all}`);
});

Deno.test("a lattice that is there is found, and no chance", async () => {
  for (const [side, radius] of SIZES) {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomNumbers(2000 * side + seed);
      const lattice = someLattice(radius * (2.4 + random.uniform()), side / 2, random.uniform);
      const { peaks } = blobs.latticePoints(lattice, { frame: [side, side], margin: radius });
      const disks = peaks.map(([y, x]): Vector => [y + 0.3 * random.normal(), x + 0.3 * random.normal()]);
      const { warning, chance, a, b } = await bestLattice(picture(side, disks, radius, random), radius);
      assertEquals(warning, undefined, `${side}, ${seed}: ${chance}`);
      const area = Math.abs(a[0] * b[1] - a[1] * b[0]);
      const truth = Math.abs(lattice.a[0] * lattice.b[1] - lattice.a[1] * lattice.b[0]);
      assertAlmostEquals(area / truth, 1, 0.06, `${side}, ${seed}`);
    }
  }
});

const CELL = { zero: [48, 48], a: [13, 1], b: [-2, 15] } as const;
const { indices: INDICES, peaks: PLACES } = blobs.latticePoints(CELL, { frame: [96, 96], margin: 4 });
const REFINE = {
  ...CELL,
  indices: INDICES,
  pattern: blobs.backgroundSubtractionPattern({ radius: 3 }),
} as const;

async function fit(disks: readonly Vector[], options: blobs.RefineOptions, udf = blobs.refineLattice) {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const random = randomNumbers(31);
  const frames = Array.from({ length: 12 }, () => [...picture(96, disks, 3, random).data as Float64Array]);
  const scan = memoryScan(frames.flat(), [3, 4], [96, 96], "float32");
  const planned = await plan(scan, { fit: udf(options) }, { context });
  return { warnings: planned.warnings, fit: (await run(planned)).fit! };
}

for (const method of ["fast", "full"] as const) {
  for (const udf of [blobs.refineLattice, blobs.strainMap]) {
    Deno.test(`${udf.name}, ${method}: fits to noise are no better than chance, those to disks are`, async () => {
      for (const tolerance of [undefined, 3]) {
        const options = { ...REFINE, method, ...(tolerance ? { tolerance } : {}) };
        const [warning, ...more] = blobs.fitWarnings((await fit([], options, udf)).fit, options);
        assertMatch(
          warning!,
          /^\d+ % of the disks fit the lattice, which is no better than chance: \d+ % would fit/,
        );
        assertEquals(more, []);
        assertEquals(blobs.fitWarnings((await fit(PLACES, options, udf)).fit, options), []);
      }
    });
  }
}

Deno.test("nothing is said where a few steps let anything fit, and where all disks are taken", async () => {
  for (
    const options of [{ ...REFINE, method: "sparse", steps: 2 }, { ...REFINE, match: "affine" }] as const
  ) {
    assertEquals(blobs.fitWarnings((await fit([], options)).fit, options), []);
  }
});

Deno.test("the plan warns of a tolerance that is wide for the cell", async () => {
  for (const udf of [blobs.refineLattice, blobs.strainMap]) {
    const { warnings } = await fit([], { ...REFINE, tolerance: 6 }, udf);
    assertMatch(
      warnings.join(),
      /^(refinelattice|strainmap): \d\d % of the disks fit the lattice wherever they are, as a tolerance of 6 px is wide for vectors of 13.0 and 15.1 px; give a smaller one$/,
    );
    assertEquals((await fit([], REFINE, udf)).warnings, []);
    assertEquals((await fit([], { ...REFINE, tolerance: 6, match: "affine" }, udf)).warnings, []);
  }
});
