/** Several UDFs in one pass: each gets the type it wants, tiles suit all, and results are those of UDFs alone. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { DType } from "../../../src/space/dtype.ts";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { diskDetector } from "../../../src/udf/builtin/detectors.ts";
import { logSum } from "../../../src/udf/builtin/log_sum.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const OWN = import.meta.resolve("../own_udf.ts");
const [NAV, SIG] = [[10, 12], [16, 24]] as const;
const WHOLE = counts(120 * 16 * 24, 4, 30000);
const FLOATS = WHOLE.map((v, i) => v / 3 - (i % 7));
const scan = (dtype: DType) => memoryScan(dtype === "float32" ? FLOATS : WHOLE, NAV, SIG, dtype);
const context = createContext({ memory: 2 ** 25, workers: 0 });

const UDFS: Record<string, UdfRef> = {
  sum: sumFrames(),
  bright: sumPixels(),
  sd: standardDeviation(),
  log: logSum(),
  com: centreOfMass({ r: 6 }),
  disk: diskDetector({ cy: 8, cx: 12, r: 3 }),
  masks: applyMasks({ masks: [{ cy: 3, cx: 3, ro: 2 }, { cy: 12, cx: 20, ro: 3, ri: 1 }] }),
  power: udf(OWN, { params: { power: 2 } }),
  deep: udf(OWN, { export: "deep" }),
};

const bits = (result: UdfResult) => Object.entries(result).map(([name, { data }]) => [name, numbers(data)]);

Deno.test("any set of UDFs gives what each of them gives alone, in any region", async () => {
  const chosen = fc.subarray(Object.keys(UDFS), { minLength: 2 });
  const roi = fc.option(fc.uniqueArray(fc.nat(119), { maxLength: 60 }), { nil: undefined });
  const dtypes = fc.constantFrom<DType>("uint16", "float32");
  const check = async (keys: string[], indices: number[] | undefined, dtype: DType) => {
    const options: PlanOptions = { context, ...(indices ? { roi: { shape: NAV, indices } } : {}) };
    const all = Object.fromEntries(keys.map((key) => [key, UDFS[key]!]));
    const together = await run(await plan(scan(dtype), all, options));
    assertEquals(Object.keys(together), keys);
    for (const key of keys) {
      const { alone } = await run(await plan(scan(dtype), { alone: UDFS[key]! }, options));
      assertEquals(bits(together[key]!), bits(alone!), key);
    }
  };
  await fc.assert(fc.asyncProperty(chosen, roi, dtypes, check), { numRuns: 25, seed: 6 });
});

Deno.test("the same UDF twice, with other keys and parameters, is two", async () => {
  const first = diskDetector({ cy: 4, cx: 4, r: 2 });
  const second = diskDetector({ cy: 10, cx: 10, r: 4 });
  const job = await plan(scan("uint16"), { first, second, again: first }, { context });
  const results = await run(job);
  for (const [key, ref] of [["first", first], ["second", second], ["again", first]] as const) {
    const { alone } = await run(await plan(scan("uint16"), { alone: ref }, { context }));
    assertEquals(bits(results[key]!), bits(alone!));
  }
});

/** Notes the form in which samples come. */
function watcher(name: string, wish: Partial<Udf<Record<"x", DType>>>, seen: Set<string>): UdfRef {
  const look: Udf["processTile"] = ({ data, shape }) =>
    void seen.add(`${data.constructor.name} ${shape.join("x")}`);
  const method = wish.processFrame ? {} : wish.processPartition ? {} : { processTile: look };
  return udf({ name, buffers: { x: { kind: "nav" } }, ...method, ...wish });
}

Deno.test("types are each UDF's own, tiles are those of the one with the hardest wish", async () => {
  const seen = { native: new Set<string>(), float32: new Set<string>(), float64: new Set<string>() };
  const watch = (extra: Record<string, UdfRef> = {}) =>
    plan(scan("uint16"), {
      native: watcher(
        "native",
        { inputDType: "native", tiling: { depth: 4, totalBytes: 3072 } },
        seen.native,
      ),
      float32: watcher("float32", { tiling: { depth: 8 } }, seen.float32),
      float64: watcher("float64", { inputDType: "float64" }, seen.float64),
      ...extra,
    }, { context, roi: { shape: NAV, indices: Array.from({ length: 24 }, (_, i) => 5 * i) } });
  const clear = () => Object.values(seen).forEach((set) => set.clear());
  const tiled = await watch();
  await run(tiled);
  const shape = tiled.scheme.tileShape.join("x");
  assertEquals([...seen.native], [`Uint16Array ${shape}`]);
  assertEquals([...seen.float32], [`Float32Array ${shape}`]);
  assertEquals([...seen.float64], [`Float64Array ${shape}`]);
  assertEquals(tiled.scheme.intent, "tile");

  clear();
  const frames = new Set<string>();
  const look: Udf["processFrame"] = ({ data, shape }) =>
    void frames.add(`${data.constructor.name} ${shape.join("x")}`);
  await run(await watch({ frame: watcher("frame", { processFrame: look }, frames) }));
  assertEquals([...frames], ["Float32Array 1x16x24"]);
  assertEquals([...seen.native].every((found) => found.endsWith("x16x24")), true, "whole frames for all");

  clear();
  const whole = new Set<string>();
  const take: Udf["processPartition"] = ({ shape }) => void whole.add(shape.join("x"));
  await run(await watch({ whole: watcher("whole", { processPartition: take }, whole) }));
  assertEquals([...whole], ["24x16x24"], "all selected frames at once");
  assertEquals([...seen.float64], ["Float64Array 24x16x24"]);
});
