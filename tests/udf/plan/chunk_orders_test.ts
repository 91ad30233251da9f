/** Chunks of many frames: decoded as rarely as the UDFs of a run allow, with the results of whole frames. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { range } from "../../../src/dataset/roi/region.ts";
import { createContext } from "../../../src/runner/context.ts";
import { run } from "../../../src/run.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { digests } from "../builtin/every_builtin.ts";
import { chunked } from "../chunked.ts";
import { counts, memoryScan } from "../data.ts";

const NAV = [72, 60] as const, SIG = [40, 50] as const, PIXELS = 2000;
const VALUES = counts(sizeOf([...NAV, ...SIG]), 5);

const mask = (n: number) =>
  ndarray(Float32Array.from({ length: PIXELS }, (_, i) => i % n / 3), SIG, "float32");

/** What accepts tiles of many frames; and what takes few frames at a time, or whole ones. */
const DEEP: Readonly<Record<string, UdfRef>> = {
  sum: sumFrames(),
  pixels: sumPixels(),
  com: centreOfMass(),
  masks: applyMasks({ masks: [mask(7), mask(5)] }),
};
const FLAT: Readonly<Record<string, UdfRef>> = {
  std: standardDeviation(),
  picked: pickFrames(),
};

/** The scan, frame by frame. */
const FRAMES = memoryScan(VALUES, NAV, SIG, "uint16");

async function computed(
  dataset: StoredDataset,
  udfs: Readonly<Record<string, UdfRef>>,
  options: PlanOptions = {},
) {
  const planned = await plan(dataset, udfs, options);
  return { planned, found: await digests(await run(planned)) };
}

Deno.test("chunks of any order are decoded once where UDFs allow, and give the results of frames", async () => {
  await using context = createContext({ memory: 200 * 2 ** 20, workers: 2 });
  const [deep, flat] = [
    await computed(FRAMES, DEEP, { context }),
    await computed(FRAMES, FLAT, { context, roi: range("10:50,3") }),
  ];
  const region = { context, roi: range("3:70:2,5:") };
  const part = await computed(FRAMES, DEEP, region);
  for (const chunk of [[72, 60, 1, 1], [72, 1, 1, 50], [50, 7, 11, 9]]) {
    const name = chunk.join(" × "), scan = chunked(FRAMES, chunk);
    const whole = await computed(scan, DEEP, { context });
    assertEquals(whole.found, deep.found, name);
    assertEquals(whole.planned.decodes?.times, 1, name);
    assertMatch(whole.planned.explain(), /decode .* each once/);
    assertEquals((await computed(scan, DEEP, region)).found, part.found, name);
    const each = await computed(scan, FLAT, { context, roi: range("10:50,3") });
    assertEquals(each.found, flat.found, name);
    assertEquals(each.planned.decodes?.times, 1, `${name}: all chunks are kept`);
  }
});

Deno.test("where memory keeps few chunks, tiles are still deep; what takes whole frames is told the cost", async () => {
  await using context = createContext({ memory: 14 * 2 ** 20, workers: 2 });
  const scan = chunked(FRAMES, [72, 60, 1, 1]);
  const { planned, found } = await computed(scan, DEEP, { context });
  assertEquals(found, (await computed(FRAMES, DEEP, { context })).found);
  assertEquals([planned.decodes?.times, planned.warnings], [1, []]);
  const costly = await plan(scan, {
    most: mapFrames(import.meta.resolve("../builtin/map_functions.ts"), { monitor: true }),
  }, { context });
  assert(costly.decodes!.times > 4, `${costly.decodes!.times}`);
  assertMatch(
    costly.warnings.join(),
    /72 × 60 × 1 × 1, which hold samples of 4320 frames; each is decoded about \d+ times/,
  );
});
