import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { leafFrames, MOST_PARTITIONS, planPartitions } from "../../src/dataset/tiling/partition.ts";
import { normalizeRoi } from "../../src/dataset/roi/roi.ts";

const MiB = 2 ** 20;

Deno.test("leaves are powers of two of at most 16 MiB and 32 frames", () => {
  const rows = [[1, 32], [512 * 1024, 32], [512 * 1024 + 1, 16], [MiB, 16], [9 * MiB, 1], [16 * MiB, 1], [
    99 * MiB,
    1,
  ]];
  for (const [bytes, leaf] of rows) assertEquals(leafFrames(bytes!), leaf!, `${bytes}`);
});

Deno.test("default partitions have 1 to 32 MiB, and there are about 64 of medium data", () => {
  const each = (frames: number, frameBytes: number) => planPartitions({ frames, frameBytes }).framesEach;
  assertEquals(each(65536, 131072), 256); // 8 GiB: 32 MiB each
  assertEquals(each(8192, 131072), 128); // 1 GiB: 16 MiB each, 64 of them
  assertEquals(each(100, 128), 128); // tiny: one partition
  assertEquals(each(100, 64 * MiB), 1); // huge frames: one each
});

Deno.test("partitions cover the scan in order, are aligned, and stay within 32 MiB where frames allow", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 1, max: 8 * MiB }),
      fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
      (frames, frameBytes, count) => {
        const plan = planPartitions({ frames, frameBytes }, count === undefined ? {} : { count });
        let at = 0;
        for (const { index, start, stop, selected, compressedStart } of plan.partitions) {
          assertEquals([start, compressedStart, index * plan.framesEach], [at, at, at]);
          assertEquals(selected, stop - start);
          at = stop;
        }
        assertEquals(at, frames);
        assertEquals(Math.log2(plan.framesEach / plan.leaf) % 1, 0);
        if (count === undefined) {
          assert(plan.framesEach * frameBytes <= Math.max(32 * MiB, plan.leaf * frameBytes));
        } else {assert(
            plan.partitions.length >= count || plan.warnings.length === 1 && plan.framesEach === plan.leaf,
          );}
        // One level up would be too few.
        if (count !== undefined && plan.framesEach < frames) {
          assert(Math.ceil(frames / (2 * plan.framesEach)) < count);
        }
      },
    ),
    { numRuns: 2000, seed: 3 },
  );
});

Deno.test("a request for more partitions than leaves warns", () => {
  const plan = planPartitions({ frames: 64, frameBytes: 100 }, { count: 5 });
  assertEquals(plan.partitions.length, 2);
  assert(/5 partitions were asked for; there are 2/.test(plan.warnings[0]!));
});

Deno.test("partitions without a selected position are dropped, neighbours with few are one", () => {
  const mask = new Uint8Array(256);
  for (const at of [3, 64, 65, 200, 255]) mask[at] = 1;
  const roi = normalizeRoi(mask, [16, 16]);
  assertEquals(planPartitions({ frames: 256, frameBytes: 64 }, { roi, count: 4 }).partitions, [
    { index: 0, start: 0, stop: 64, selected: 1, compressedStart: 0 },
    { index: 1, start: 64, stop: 96, selected: 2, compressedStart: 1 },
    { index: 2, start: 192, stop: 224, selected: 1, compressedStart: 3 },
    { index: 3, start: 224, stop: 256, selected: 1, compressedStart: 4 },
  ]);
  assertEquals(
    planPartitions({ frames: 256, frameBytes: 64 }, { roi: normalizeRoi([], [256]) }).partitions,
    [],
  );
});

Deno.test("wrong counts and regions of another size are refused", () => {
  const input = { frames: 10, frameBytes: 10 };
  assertThrows(() => planPartitions(input, { count: 0 }), TilewiseError, "0 partitions");
  assertThrows(
    () => planPartitions(input, { roi: normalizeRoi(undefined, [11]) }),
    TilewiseError,
    "11 positions",
  );
  assertThrows(() => planPartitions({ frames: -1, frameBytes: 10 }), TilewiseError, "-1 frames");
});

Deno.test("partitions grow to whole bands of chunks while there are enough of them", () => {
  const each = (frames: number, band: number) =>
    planPartitions({ frames, frameBytes: 32768, band }).framesEach;
  assertEquals(each(4096, 1), 64);
  assertEquals(each(4096, 256), 256); // four rows of 64
  assertEquals(each(65536, 1024), 1024);
  assertEquals(each(65536, 400), 4096); // four rows of 100: no power of two fits, one border in ten bands
  assertEquals(each(2048, 1024), 32); // two partitions would not keep workers busy
});

Deno.test("partitions grow with large results, and the tree of leaves stays", () => {
  const of = (frames: number, frameBytes: number, resultBytes: number) =>
    planPartitions({ frames, frameBytes, resultBytes });
  const frame = 1860 * 2048 * 2;
  assertEquals(of(128, frame, 0).framesEach, 2);
  assertEquals(of(128, frame, 4 * frame).framesEach, 32); // four are left
  assertEquals(of(4096, frame, 4 * frame).framesEach, 128); // 32 times the results
  assertEquals(of(65536, 131072, 524288).framesEach, 256); // small results change nothing
  for (const results of [0, frame, 64 * frame]) assertEquals(of(128, frame, results).leaf, 2);
});

Deno.test("partitions beyond those that can be listed grow", () => {
  for (
    const input of [{ frames: 2 ** 32, frameBytes: 2 ** 30 }, { frames: 2 ** 31 + 5, frameBytes: 2 ** 24 }]
  ) {
    const { partitions, framesEach, leaf } = planPartitions(input);
    assert(partitions.length <= MOST_PARTITIONS && partitions.length > MOST_PARTITIONS / 2);
    assertEquals([framesEach % leaf, Math.log2(framesEach / leaf) % 1], [0, 0], "a node of the merge tree");
    assertEquals([partitions[0]!.start, partitions.at(-1)!.stop], [0, input.frames]);
  }
  const { partitions, warnings } = planPartitions({ frames: 2 ** 32, frameBytes: 16 }, { count: 2 ** 40 });
  assert(partitions.length <= 2 * MOST_PARTITIONS);
  assert(/are enough for any run/.test(warnings[0]!), warnings[0]);
});

Deno.test("partitions of a region are as many as can be listed, too", () => {
  const roi = normalizeRoi({ range: "::3" }, [1_000_000]);
  const { partitions } = planPartitions({ frames: 1_000_000, frameBytes: 2 ** 40 }, { roi, count: 2 ** 40 });
  assert(partitions.length <= 4 * MOST_PARTITIONS, `${partitions.length}`);
  assertEquals(partitions.reduce((sum, { selected }) => sum + selected, 0), roi.count);
});
