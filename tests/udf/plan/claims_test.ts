/** What is far too large is refused by arithmetic, before anything is made of it. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { crystallinity } from "../../../src/udf/builtin/crystallinity.ts";
import { expression } from "../../../src/udf/builtin/expression.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { UdfInput } from "../../../src/udf/plan/given.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

const MiB = 2 ** 20;
const scan = (nav: number[], sig: number[]) =>
  open(new Uint8Array(sig.reduce((a, b) => a * b, 1)), { format: "raw", dtype: "uint8", nav, sig });

/** Plans in 16 MiB. */
async function attempt(nav: number[], sig: number[], it: UdfInput, options: PlanOptions = {}) {
  await using context = createContext({ memory: 16 * MiB, workers: 0 });
  return await plan(await scan(nav, sig), { it }, { ...options, context });
}

/** How such a plan is refused. */
async function refusal(...claim: Parameters<typeof attempt>): Promise<TilewiseError> {
  return await assertRejects(() => attempt(...claim), TilewiseError);
}

Deno.test("a scan with more positions than bytes is refused before its positions are listed", async () => {
  for (const nav of [[100_000, 100_000], [2 ** 26]]) {
    for (const options of [{}, { partitions: 2 ** 40 }, { roi: { range: nav.map(() => ":").join(",") } }]) {
      const { code, details } = await refusal(nav, [4, 4], sumPixels(), options);
      const positions = nav.reduce((a, b) => a * b, 1);
      assert(code === "over-budget" || code === "invalid" && positions > 2 ** 32, code);
      assertEquals(details.found, code === "invalid" ? positions : 16 * MiB);
    }
  }
});

Deno.test("a region whose list of positions does not fit is refused before it is made", async () => {
  const { code, message } = await refusal([2 ** 22], [2, 2], sumPixels(), { roi: { range: ":" } });
  assertEquals(code, "over-budget");
  assertStringIncludes(message, "needs 20 MiB");
  const few = await attempt([2 ** 20], [2, 2], sumPixels(), { roi: { range: ":5" } });
  assertEquals(few.roi.count, 5);
  assert(few.memory.results > 2 ** 20 + 5 * 4, "mask and indices are counted");
});

Deno.test("UDFs that come with Tilewise say what they need before they make it", async () => {
  const pattern = (radius: number) => blobs.circularPattern({ radius });
  const peaks = [[4, 4]] as const;
  const cases: [sig: number[], UdfInput][] = [
    [[1024, 1024], radialFourier()],
    [[64, 64], radialFourier({ bins: 1_000_000 })],
    [[64, 64], radialFourier({ maxOrder: 1e9 })],
    [[64, 64], applyMasks({ masks: [{ make: "radialBins", cy: 0, cx: 0, bins: 1e9 }] })],
    [
      [64, 64],
      applyMasks({ masks: [{ make: "radialFourierMasks", cy: 0, cx: 0, bins: 100, maxOrder: 1e6 }] }),
    ],
    [[64, 64], applyMasks({ masks: [{ make: "stampDisks", r: 1, stamps: [{ mask: 1e9, y: 0, x: 0 }] }] })],
    [[64, 64], applyMasks({ masks: [{ make: "stampDisks", r: 1e6, stamps: [] }] })],
    [[2048, 2048], crystallinity({ ri: 1, ro: 2 })],
    [[64, 64], blobs.correlatePattern({ pattern: pattern(1e6), peaks })],
    [[64, 64], blobs.correlatePattern({ pattern: pattern(1e6), peaks, method: "full" })],
    [[64, 64], blobs.correlatePattern({ pattern: pattern(1e6), peaks, method: "sparse", steps: 2 })],
    [[64, 64], mapFrames(() => 0, { dtype: "float64", shape: [1e9] })],
  ];
  for (const [sig, udf] of cases) {
    const { code, details } = await refusal([4], sig, udf);
    assertEquals([code, details.option, details.found], ["over-budget", "memory", 16 * MiB], String(sig));
    assert(Number(details.expected) > 16 * MiB);
  }
});

Deno.test("leastBytes() is counted before buffers and constants of a UDF are made", async () => {
  const own = (least: number): Udf => ({
    name: "own",
    buffers: { it: { kind: "nav" } },
    leastBytes: () => least,
    constants: () => {
      throw new Error("constants() was called");
    },
    processFrame() {},
  });
  const { code, message } = await refusal([4], [8, 8], own(17 * MiB));
  assertEquals(code, "over-budget");
  assertStringIncludes(message, "17 MiB of masks, tables, scratch and results");
  assertStringIncludes((await refusal([4], [8, 8], own(1))).message, "constants() was called");
  assertStringIncludes((await refusal([4], [8, 8], own(NaN))).message, "leastBytes() gave NaN");
});

Deno.test("what several UDFs need is added up", async () => {
  const own = (name: string): Udf => ({
    name,
    buffers: { it: { kind: "nav" } },
    leastBytes: () => 9 * MiB,
    processFrame() {},
  });
  await using context = createContext({ memory: 16 * MiB, workers: 0 });
  const dataset = await scan([4], [8, 8]);
  await plan(dataset, { a: own("a") }, { context });
  const planned = plan(dataset, { a: own("a"), b: own("b") }, { context });
  assertStringIncludes((await assertRejects(() => planned, TilewiseError)).message, "beside 9.0 MiB");
});

Deno.test("frames that would be cut into more tiles than can be listed are refused", async () => {
  const { code, message } = await refusal([1], [200_000, 16], sumPixels(), { tileBytes: 16 });
  assertEquals(code, "invalid");
  assertStringIncludes(message, "200000 tiles");
  assertEquals((await attempt([1], [200_000, 16], sumPixels())).scheme.slices.length, 4);
});

Deno.test("patterns that reach too far are refused when features are made of them", () => {
  const pattern = blobs.circularPattern({ radius: 1e6 });
  try {
    blobs.featureVector({ pattern, peaks: [[1, 1]] });
    throw new Error("it was taken");
  } catch (error) {
    assertStringIncludes((error as Error).message, "it can reach 1447");
  }
});

Deno.test("many small masks are planned in a part of the memory of dense ones", async () => {
  const masks = Array.from({ length: 3000 }, (_, i) => ({ cy: i % 256, cx: i % 251, ro: 2 }));
  const { memory } = await attempt([4], [256, 256], applyMasks({ masks }));
  assert(memory.constants < 12 * 13 * 3000 + 5 * 3000, `${memory.constants}`); // dense: 375 MiB
});

Deno.test("results of ordinary frames stay as they were planned", async () => {
  const { memory, partitions, scheme } = await attempt([16, 16], [64, 64], sumFrames());
  assertEquals([partitions.length, scheme.slices.length, memory.inline], [1, 1, false]);
});

Deno.test("rings, expressions and tables of peaks are counted before they are made", async () => {
  const peaks = Array.from({ length: 100_000 }, (_, i) => [i % 64, i % 61] as const);
  const gain = new Float32Array(2048 * 2049);
  const cases: [sig: number[], UdfInput, what: RegExp][] = [
    [[3_000_000, 4], fluctuation({ ro: 1e7 }), /masks, tables/],
    [[3_000_000, 4], centreOfMass(), /masks, tables/],
    [[2048, 2049], expression("sum(x * gain)", { arrays: { gain } }), /masks, tables/],
    [[64, 64], blobs.correlatePattern({ pattern: blobs.circularPattern({ radius: 2 }), peaks }), /results/],
  ];
  for (const [sig, udf, what] of cases) {
    const { code, message } = await refusal([1], sig, udf);
    assertEquals(code, "over-budget", String(sig));
    assert(what.test(message), message);
  }
});

Deno.test("a plan counts what workers keep of each peak", async () => {
  const disks = (count: number) => {
    const peaks = Array.from({ length: count }, (_, i) => [i % 64, i % 61] as const);
    return attempt(
      [1],
      [64, 64],
      blobs.correlatePattern({ pattern: blobs.circularPattern({ radius: 2 }), peaks }),
    );
  };
  const [few, many] = [await disks(8), await disks(8008)];
  assertEquals(many.memory.slab - few.memory.slab >= 84 * 8000, true);
});
