/** Detectors have the defaults of LiberTEM's analyses. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as masks from "../../../src/masks/mod.ts";
import {
  annularDetector,
  diskDetector,
  pointDetector,
  rectangularDetector,
} from "../../../src/udf/builtin/detectors.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const SIG = [11, 14];

async function compute(udf: UdfRef, sig = SIG): Promise<NDArray> {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  const scan = memoryScan(counts(6 * 154, 4, 900), [2, 3], sig, "uint16");
  return (await run(await plan(scan, { it: udf }, { context }))).it!.intensity!;
}

const centre = { cy: 5.5, cx: 7 };
const CASES: [string, UdfRef, NDArray][] = [
  ["disk", diskDetector(), masks.circular(SIG, { ...centre, r: 1.65 })],
  [
    "disk of r 2 around (3, 4)",
    diskDetector({ cy: 3, cx: 4, r: 2 }),
    masks.circular(SIG, { cy: 3, cx: 4, r: 2 }),
  ],
  ["annular", annularDetector(), masks.ring(SIG, { ...centre, ro: 5.5, ri: 4.4 })],
  ["annular to 4", annularDetector({ ro: 4 }), masks.ring(SIG, { ...centre, ro: 4, ri: 3.2 })],
  ["point", pointDetector(), masks.rectangular(SIG, { y: 5, x: 7, height: 1e-9, width: 1e-9 })],
  ["point (2.9, 13)", pointDetector({ cy: 2.9, cx: 13 }), masks.circular(SIG, { cy: 2, cx: 13, r: 0 })],
  ["rectangle", rectangularDetector(), masks.rectangular(SIG, { y: 2, x: 3, height: 5, width: 6 })],
  [
    "rectangle from its last corner",
    rectangularDetector({ y: 5, x: 6, height: -2, width: -3 }),
    masks.rectangular(SIG, { y: 3, x: 3, height: 2, width: 3 }),
  ],
];

for (const [name, udf, mask] of CASES) {
  Deno.test(`${name}: the sum under its mask`, async () => {
    const found = await compute(udf);
    assertEquals(found.shape, [2, 3]);
    assertEquals(numbers(found.data), numbers((await compute(applyMasks({ masks: [mask] }))).data));
  });
}

Deno.test("the disk that nobody gives has a pixel in frames of any size", async () => {
  for (const [height, width] of [[1, 1], [1, 4], [2, 2], [3, 3], [3, 4], [4, 4], [5, 3]] as const) {
    await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
    const scan = memoryScan(Array<number>(6 * height * width).fill(1), [2, 3], [height, width], "uint16");
    const { it } = await run(await plan(scan, { it: diskDetector() }, { context }));
    assert(numbers(it.intensity.data).every((sum) => sum > 0), `${height} × ${width}`);
  }
});

Deno.test("detectors refuse what they cannot draw", async () => {
  assertThrows(() => diskDetector({ r: NaN }), Error, '"r" is NaN');
  assertThrows(() => diskDetector({ r: -2 }), Error, '"r" is -2; it must be a number from 0');
  await assertRejects(() => compute(annularDetector({ ri: 5, ro: 4 })), Error, "ri must be less than ro");
  await assertRejects(() => compute(annularDetector({ ri: 50 })), Error, "from ri = 50 to ro = 5.5");
  const far = { cy: 5, cx: 90 };
  await assertRejects(() => compute(diskDetector(far)), Error, "no pixel within 1.65 px of (5, 90)");
  await assertRejects(() => compute(annularDetector(far)), Error, "no pixel from");
  await assertRejects(() => compute(rectangularDetector({ y: 50 })), Error, "no pixel");
  await assertRejects(() => compute(pointDetector({ cy: 11 })), Error, "outside of frames of 11 × 14");
  await assertRejects(() => compute(annularDetector(), [154]), Error, "needs frames of 2 dimensions");
});
