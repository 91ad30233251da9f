/** Partitions under a region of interest: as many selected frames each as the merge tree allows, and the same bits. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { planPartitions } from "../../../src/dataset/tiling/partition.ts";
import { normalizeRoi } from "../../../src/dataset/roi/roi.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

/** Regions as people draw them: blocks here and there, single positions, every n-th. */
const regions = (frames: number) =>
  fc.oneof(
    fc.uniqueArray(fc.nat(frames - 1), { maxLength: 80 }),
    fc.tuple(fc.nat(frames - 1), fc.integer({ min: 1, max: frames })).map(([start, length]) =>
      Array.from({ length: Math.min(length, frames - start) }, (_, i) => start + i)
    ),
    fc.integer({ min: 2, max: 70 }).map((step) => Array.from({ length: frames / step }, (_, i) => i * step)),
  );

Deno.test("partitions are nodes of the tree, hold every selected position once, and none is empty", () => {
  const count = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
  fc.assert(
    fc.property(fc.integer({ min: 80, max: 3000 }), fc.nat(), count, (frames, seed, wanted) => {
      const [indices] = fc.sample(regions(frames), { numRuns: 1, seed });
      const roi = normalizeRoi({ shape: [frames], indices: indices! }, [frames]);
      const { partitions, leaf, warnings } = planPartitions({ frames, frameBytes: 4096 }, {
        roi,
        ...(wanted === undefined ? {} : { count: wanted }),
      });
      let [at, before] = [0, 0];
      for (const { start, stop, selected, compressedStart } of partitions) {
        assert(start >= at && stop <= frames);
        const inside = roi.indices!.filter((i) => i >= start && i < stop).length;
        assertEquals([selected, compressedStart], [inside, before]);
        assert(selected > 0);
        const leaves = 2 ** Math.ceil(Math.log2(Math.ceil((stop - start) / leaf)));
        assert(start % (leaf * leaves) === 0, "aligned to its own length");
        [at, before] = [stop, before + selected];
      }
      assertEquals(before, roi.count);
      if (wanted === undefined || partitions.length >= wanted || wanted > roi.count) return;
      assertEquals(warnings.length, 1);
      assert(partitions.every(({ start, stop, selected }) => stop - start <= leaf || selected === 1));
    }),
    { numRuns: 300, seed: 21 },
  );
});

Deno.test("a dense corner of a scan is cut finer than the rest", () => {
  const frames = 4096;
  const indices = [...Array(512).keys(), 1000, 2000, 3000, 4000];
  const roi = normalizeRoi({ shape: [frames], indices }, [frames]);
  const { partitions } = planPartitions({ frames, frameBytes: 65536 }, { roi, count: 16 });
  const sizes = partitions.map(({ selected }) => selected);
  assertEquals(sizes, [...Array(16).fill(32), 1, 1, 2]);
  assertEquals(partitions.at(-1), { index: 18, start: 2048, stop: 4096, selected: 2, compressedStart: 514 });
});

const FRAMES = 640;
const FLOATS = counts(FRAMES * 16, 5).map((v, i) => v * Math.PI - (i % 7) / 3);
const scan = () => memoryScan(FLOATS, [FRAMES], [4, 4], "float32");

Deno.test("the number of partitions changes no bit of a float result", async () => {
  await using context = createContext({ memory: 2 ** 25, workers: 0 });
  const udfs = { sum: sumFrames(), sd: standardDeviation() };
  await fc.assert(
    fc.asyncProperty(regions(FRAMES), async (indices) => {
      const roi = { shape: [FRAMES], indices };
      const results = [];
      for (const partitions of [1, 2, 3, 7, 20, 100]) {
        const { sum, sd } = await run(await plan(scan(), udfs, { context, roi, partitions }));
        results.push([...numbers(sum!.intensity!.data), ...numbers(sd!.var!.data)]);
      }
      const plain = numbers(
        Float32Array.from(
          { length: 16 },
          (_, i) => indices.reduce((total, f) => total + Math.fround(FLOATS[16 * f + i]!), 0),
        ),
      );
      results[0]!.slice(0, 16).forEach((v, i) =>
        assert(Math.abs(v - plain[i]!) <= 1e-3 * (1 + Math.abs(v)), `${v} is near ${plain[i]}`)
      );
      for (const other of results) assertEquals(other, results[0]);
    }),
    { numRuns: 25, seed: 8 },
  );
});

Deno.test("results that wait for their neighbours in the tree never stop a run", async () => {
  const frames = 2 ** 15;
  const indices = [0];
  for (let half = frames / 2; half >= 32; half /= 2) indices.push(indices.at(-1)! + half);
  const big = memoryScan(counts(frames, 1), [frames], [1, 1], "float32");
  for (const workers of [0, 1]) {
    await using context = createContext({ memory: 2 ** 24, workers });
    const roi = { shape: [frames], indices };
    const job = await plan(big, { sum: sumFrames() }, { context, roi, partitions: indices.length });
    assertEquals(job.partitions.length, indices.length);
    await run(job);
  }
});

Deno.test("a tile is as deep as asked for in selected frames, not in positions", async () => {
  const depths: number[] = [];
  const watch: Udf<Record<"x", DType>> = {
    name: "watch",
    buffers: { x: { kind: "nav" } },
    tiling: { depth: 16, totalBytes: 16 * 16 * 4 },
    processTile: (tile) => void depths.push(tile.frames),
  };
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const roi = { shape: [FRAMES], indices: Array.from({ length: 64 }, (_, i) => 10 * i) };
  const job = await plan(scan(), { watch: udf(watch) }, { context, roi });
  await run(job);
  assertEquals(depths, [16, 16, 16, 16]);
  assertStringIncludes(job.explain(), "64 of 640 positions selected");
  assertStringIncludes(job.explain(), "1 partition of 64 selected frames");
});
