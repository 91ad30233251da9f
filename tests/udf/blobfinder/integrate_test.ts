/** Disks are integrated where they are in each frame, and frames become vectors of weighted sums. */

import { assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const FRAMES = 6, SIZE = [20, 24] as const, PIXELS = SIZE[0] * SIZE[1];
const DATA = counts(FRAMES * PIXELS, 3, 1000);
const PATTERN = blobs.backgroundSubtractionPattern({ radius: 2.6 });

/** Σ pattern · frame by its definition. */
function expected(frame: number, y: number, x: number): number {
  const mask = blobs.patternMask(PATTERN, [21, 21]).data as Float64Array;
  let sum = 0;
  for (let i = 0; i < 441; i++) {
    const [v, u] = [y - 10 + Math.floor(i / 21), x - 10 + i % 21];
    if (v >= 0 && u >= 0 && v < SIZE[0] && u < SIZE[1]) {
      sum += mask[i]! * DATA[frame * PIXELS + v * SIZE[1] + u]!;
    }
  }
  return sum;
}

async function result(ref: UdfRef, name: string): Promise<number[]> {
  const scan = memoryScan(DATA, [2, 3], SIZE, "uint16");
  const { found } = await run(await plan(scan, { found: ref }, { partitions: 3 }));
  assertEquals(found![name]!.shape.slice(0, 2), [2, 3]);
  return numbers(found![name]!.data);
}

Deno.test("integration at positions of their own in every frame", async () => {
  const peaks = 11;
  const positions = Float32Array.from(
    { length: FRAMES * peaks * 2 },
    (_, i) => (i * 37 % 31) - 3 + (i % 5) / 7,
  );
  positions[9] = NaN;
  const array = ndarray(positions, [2, 3, peaks, 2], "float32");
  const found = await result(blobs.integratePeaks({ pattern: PATTERN, positions: array }), "integration");
  assertEquals(found.length, FRAMES * peaks);
  found.forEach((value, i) => {
    const [y, x] = [positions[2 * i]!, positions[2 * i + 1]!];
    if (i === 4) assertEquals(value, NaN);
    else assertAlmostEquals(value, expected(Math.floor(i / peaks), Math.round(y), Math.round(x)), 2e-3);
  });
  const flat = ndarray(positions, [positions.length], "float32");
  assertThrows(
    () => blobs.integratePeaks({ pattern: PATTERN, positions: flat }),
    TilewiseError,
    "(…scan, peaks, 2)",
  );
  const few = ndarray(positions.slice(0, 4), [1, 2, 2], "float32");
  await assertRejects(
    () => result(blobs.integratePeaks({ pattern: PATTERN, positions: few }), "integration"),
    TilewiseError,
  );
});

Deno.test("positions that no whole number of 32 bits holds are outside of the frame", async () => {
  const far = [2 ** 32 + 5, 5, -(2 ** 33) + 5, 5, 5, 1e300, 5, 5];
  const positions = Float64Array.from(Array.from({ length: FRAMES }, () => far).flat());
  const array = ndarray(positions, [2, 3, 4, 2], "float64");
  const found = await result(blobs.integratePeaks({ pattern: PATTERN, positions: array }), "integration");
  found.forEach((value, i) => {
    if (i % 4 < 3) assertEquals(value, 0);
    else assertAlmostEquals(value, expected(Math.floor(i / 4), 5, 5), 2e-3);
  });
});

Deno.test("a feature vector is the same at positions that do not change", async () => {
  const peaks = [[5, 5], [10.2, 18.7], [0, 23]] as const;
  const found = await result(blobs.featureVector({ pattern: PATTERN, peaks }), "intensity");
  found.forEach((value, i) => {
    const [y, x] = peaks[i % 3]!;
    assertAlmostEquals(value, expected(Math.floor(i / 3), Math.round(y), Math.round(x)), 2e-2);
  });
});
