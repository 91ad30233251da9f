/** Results have the same bits for any tiling, partitioning, form of the region, byte order, executor and worker count. */

import { assertEquals } from "@std/assert";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { crystallinity } from "../../../src/udf/builtin/crystallinity.ts";
import { fftOfSum } from "../../../src/udf/builtin/fft_of.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import { logSum } from "../../../src/udf/builtin/log_sum.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { share } from "../../suite/cases.ts";
import { counts, memoryScan, type ScanOptions } from "../data.ts";

const [NAV, SIG] = [[15, 20], [24, 40]] as const;
const FRAMES = 300;
const PIXELS = 960;
const FLOATS = counts(FRAMES * PIXELS, 5).map((v, i) => v * Math.PI - (i % 7) / 3);
const WHOLE = counts(FRAMES * PIXELS, 5, 30000);
const WEIGHTS = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => Math.sin(i)), SIG, "float32");

const UDFS = {
  sum: sumFrames(),
  bright: sumPixels(),
  sd: standardDeviation(),
  masks: applyMasks({ masks: [WEIGHTS, { cy: 12, cx: 20, ro: 10, ri: 4 }] }),
  waves: applyMasks({ masks: [{ make: "radialFourierMasks", cy: 12, cx: 20, bins: 2, maxOrder: 3 }] }),
  com: centreOfMass({ r: 11, regression: 1, scanRotation: 20 }),
  log: logSum(),
  crystals: crystallinity({ ri: 2, ro: 9, real: { cy: 12, cx: 20, r: 3 } }),
  fem: fluctuation({ cy: 12, cx: 20, ri: 4, ro: 10 }),
  fft: fftOfSum(),
  own: udf(import.meta.resolve("../own_udf.ts"), { params: { power: 2 } }),
};

/** Another UDF in the run makes for other tiles: none of these wants its tiles to be one read. */
const DEEP = udf(import.meta.resolve("../own_udf.ts"), { export: "deep" });

function scan(dtype: DType, options?: ScanOptions) {
  return memoryScan(dtype.startsWith("float") ? FLOATS : WHOLE, NAV, SIG, dtype, options);
}

async function digest(results: Results): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [udf, buffers] of Object.entries(results)) {
    for (const [name, { data }] of Object.entries(buffers)) {
      const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
      found[`${udf}.${name}`] = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(
        0,
        16,
      );
    }
  }
  return found;
}

const inline = () => createContext({ memory: 64 * 2 ** 20, workers: 0 });

interface Variation extends PlanOptions {
  readonly options?: ScanOptions;
  readonly joined?: boolean;
}

async function results(dtype: DType, context: Context, { options, joined, ...rest }: Variation = {}) {
  const udfs = joined ? { ...UDFS, deep: DEEP } : UDFS;
  const { deep: _, ...found } = await run(await plan(scan(dtype, options), udfs, { ...rest, context })) as
    & Results
    & {
      deep?: unknown;
    };
  return digest(found as Results);
}

for (const [n, dtype] of (["uint16", "int32", "float32", "float64"] as const).entries()) {
  Deno.test(`${dtype}: partitions, tiles, byte order and frame headers change no bit`, async () => {
    await using context = inline();
    const expected = await results(dtype, context);
    const variations: Variation[] = [
      { partitions: 1 },
      { partitions: 2 },
      { partitions: 7 },
      { partitions: 64 },
      { tileBytes: 4096 },
      { tileBytes: 1 << 24, partitions: 3 },
      { joined: true },
      { joined: true, partitions: 5 },
      { options: { order: "big" } },
      { options: { order: "big", frameHeaderBytes: 13 }, partitions: 4 },
    ];
    for (const variation of share(variations, 2, n)) {
      assertEquals(await results(dtype, context, variation), expected, JSON.stringify(variation));
    }
  });

  Deno.test(`${dtype}: the form of the region of interest changes no bit`, async () => {
    await using context = inline();
    const mask = Uint8Array.from({ length: FRAMES }, (_, i) => i % 3 === 0 || (i > 90 && i < 140) ? 1 : 0);
    const coordinates = [...mask.keys()].filter((i) => mask[i]).map((i) => [Math.floor(i / 20), i % 20]);
    const roi = ndarray(mask, NAV, "bool");
    const expected = await results(dtype, context, { roi });
    assertEquals(await results(dtype, context, { roi: coordinates }), expected);
    assertEquals(await results(dtype, context, { roi, partitions: 9 }), expected);
    assertEquals(await results(dtype, context, { roi, tileBytes: 8192, joined: true }), expected);
  });
}

Deno.test("the number of workers changes no bit", async () => {
  await using alone = inline();
  const how = { partitions: 10 };
  const expected = {
    uint16: await results("uint16", alone, how),
    float32: await results("float32", alone, how),
  };
  for (const workers of share([1, 2, 3], 2)) {
    await using context = createContext({ memory: 64 * 2 ** 20, workers });
    for (const dtype of ["uint16", "float32"] as const) {
      assertEquals(await results(dtype, context, how), expected[dtype], `${workers} workers`);
    }
  }
});

Deno.test("exact results do not depend on the sample type", async () => {
  await using context = inline();
  const of = async (dtype: DType) => {
    const all = await run(
      await plan(memoryScan(WHOLE, NAV, SIG, dtype), { s: sumFrames(), p: pickFrames() }, { context }),
    );
    return [...all.s!.intensity!.data].map(Number);
  };
  const expected = await of("uint16");
  for (const dtype of ["int32", "uint32", "float32", "float64", "int16"] as const) {
    assertEquals(await of(dtype), expected);
  }
});
