/** Rows that no UDF needs stay unread, and no bit of a result changes. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { box } from "../../../src/space/box.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { annularDetector, diskDetector } from "../../../src/udf/builtin/detectors.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const [NAV, SIG] = [[5, 4], [96, 80]] as const;
const [FRAMES, PIXELS] = [20, 96 * 80];
const WHOLE = counts(FRAMES * PIXELS, 3, 30000);
const FLOATS = WHOLE.map((v, i) => v / 3 - (i % 5));

const scan = (dtype: DType, options = {}) =>
  memoryScan(dtype.startsWith("float") ? FLOATS : WHOLE, NAV, SIG, dtype, options);
const context = createContext({ memory: 2 ** 25, workers: 0 });

async function both(data: StoredDataset, udfs: Record<string, UdfRef>, options: PlanOptions = {}) {
  const culled = await plan(data, udfs, { ...options, context });
  const whole = await plan(data, udfs, { ...options, context, cull: false });
  return { culled, whole, results: [await run(culled), await run(whole)] as [Results, Results] };
}

const bits = (results: Results) =>
  Object.values(results).flatMap((buffers) => Object.values(buffers).map(({ data }) => numbers(data)));

/** A mask with weights in some rows, or in none. */
const masks = fc.record({
  rows: fc.uniqueArray(fc.nat(40), { maxLength: 6 }),
  first: fc.nat(55),
  float: fc.boolean(),
  seed: fc.nat(1000),
}).map(({ rows, first, float, seed }) => {
  const weights = new Float32Array(PIXELS);
  for (const row of rows) {
    for (let x = 0; x < 80; x++) {
      weights[(first + row) * 80 + x] = (seed * x + row) % 7 - 3 + (float ? 0.1 * x : 0);
    }
  }
  return ndarray(weights, SIG, "float32");
});

Deno.test("random masks: the same bits with and without culling, and those of a plain program", async () => {
  const variations = fc.record({
    dtype: fc.constantFrom<DType>("uint8", "uint16", "int32", "float32", "float64"),
    order: fc.constantFrom("little" as const, "big" as const),
    frameHeaderBytes: fc.constantFrom(0, 12),
    roi: fc.option(fc.uniqueArray(fc.nat(FRAMES - 1)), { nil: undefined }),
    tileBytes: fc.constantFrom(4096, 2 ** 20),
    syncOffset: fc.integer({ min: -3, max: 3 }),
  });
  let read = 0;
  const check = async (
    stack: ReturnType<typeof ndarray>[],
    vary: typeof variations extends fc.Arbitrary<infer V> ? V : never,
  ) => {
    const { dtype, roi, tileBytes, ...layout } = vary;
    const options = { tileBytes, ...(roi ? { roi: { shape: NAV, indices: roi } } : {}) };
    const { culled, results: [found, expected] } = await both(scan(dtype, layout), {
      masks: applyMasks({ masks: stack }),
      disk: diskDetector({ cy: 40, cx: 30, r: 9 }),
    }, options);
    assertEquals(bits(found), bits(expected));
    if (culled.culling.box) read++;
    const values = numbers(found.masks!.intensity!.data);
    const position = 7; // one frame is enough: the others are compared with the run that is not culled
    if (!found.masks!.intensity!.valid![position]) return;
    const data = (dtype.startsWith("float") ? FLOATS : WHOLE).subarray(
      (position + layout.syncOffset) * PIXELS,
    );
    stack.forEach((mask, m) => {
      let [sum, size] = [0, 1];
      for (let i = 0; i < PIXELS; i++) {
        const sample = dtype === "uint8" ? data[i]! & 255 : data[i]!;
        const product = sample * Number(mask.data[i]);
        [sum, size] = [sum + product, size + Math.abs(product)];
      }
      const value = values[position * stack.length + m]!;
      assert(Math.abs(value - sum) <= 1e-5 * size, `${value} is ${sum}`);
    });
  };
  await fc.assert(fc.asyncProperty(fc.array(masks, { minLength: 1, maxLength: 3 }), variations, check), {
    numRuns: 60,
    seed: 12,
  });
  assert(read > 30, `${read} of 60 runs read less`);
});

Deno.test("disk, ring and centre of mass read only their rows; with another UDF everything is read", async () => {
  const udfs = {
    disk: diskDetector({ cy: 48, cx: 40, r: 5 }),
    ring: annularDetector({ cy: 40, cx: 40, ri: 3, ro: 6 }),
    com: centreOfMass({ cy: 50, cx: 40, r: 6 }),
  };
  for (const dtype of ["uint16", "float32"] as const) {
    const { culled, whole, results: [found, expected] } = await both(scan(dtype), udfs);
    assertEquals(culled.culling.box, box([34, 0], [23, 80]));
    assertEquals(bits(found), bits(expected));
    assertEquals(culled.bytesToRead / whole.bytesToRead, 23 / 96);
    assertStringIncludes(culled.explain(), "only rows 34 to 56 of 96 are needed");
    const more = await both(scan(dtype), { ...udfs, sum: sumFrames() });
    assertEquals(more.culled.bytesToRead, whole.bytesToRead);
    const { sum: _, ...rest } = more.results[0];
    assertEquals(bits(rest), bits(expected));
  }
});

Deno.test("what lies outside the rows of a mask never counts, be it infinite", async () => {
  const values = FLOATS.map((v, i) => Math.floor(i / 80) % 96 < 60 ? v : Infinity);
  const data = memoryScan(values, NAV, SIG, "float32");
  const { results } = await both(data, { disk: diskDetector({ cy: 30, cx: 30, r: 8 }) });
  assertEquals(bits(results[0]), bits(results[1]));
  assert(bits(results[0]).flat().every(Number.isFinite));
});

Deno.test("the bytes that stay unread are never asked for", async () => {
  let asked = 0;
  class Counting extends Blob {
    override slice(start = 0, end = this.size, type?: string): Blob {
      if (end - start > 1) asked += end - start; // a byte is read in the end, to see whether the file has changed
      return super.slice(start, end, type);
    }
  }
  const memory = memoryScan(counts(4 * 2 ** 16, 1), [4], [256, 256], "uint32");
  const [file] = memory.layout.files;
  const bytes = (file!.source as { bytes: Uint8Array<ArrayBuffer> }).bytes.slice();
  const source = { kind: "blob", name: "scan", blob: new Counting([bytes]) } as const;
  const data = new StoredDataset({
    source: "blob",
    detection: memory.detection,
    navShape: [4],
    layout: { ...memory.layout, files: [{ ...file!, source }] },
  });
  const udfs = { disk: diskDetector({ cy: 48, cx: 40, r: 5 }) };
  const job = await plan(data, udfs, { context });
  const { disk } = await run(job);
  assertEquals([asked, job.bytesToRead], [4 * 11 * 1024, 4 * 11 * 1024]);
  const { disk: expected } = await run(await plan(memory, udfs, { context, cull: false }));
  assertEquals(numbers(disk!.intensity!.data), numbers(expected!.intensity!.data));
});

/** The brightest pixel of a part, by one of the three methods. */
function brightest(
  method: "tile" | "frame" | "partition",
  part = box([60, 0], [9, 80]),
): Udf<Record<"most", DType>> {
  const look: Udf["processTile"] = (tile, { most }) => {
    const { data, frames, pixels, rowLength } = tile;
    for (let f = 0; f < frames; f++) {
      for (let i = 0; i < pixels; i++) {
        const row = tile.box.origin[0]! + Math.floor(i / rowLength);
        if (row < 60 || row >= 69) continue;
        most![f] = Math.max(Number(most![f]), Number(data[f * pixels + i]));
      }
    }
  };
  const key =
    ({ tile: "processTile", frame: "processFrame", partition: "processPartition" } as const)[method];
  return {
    name: `brightest by ${method}`,
    buffers: { most: { kind: "nav" } },
    pixels: () => part,
    [key]: look,
  };
}

Deno.test("own UDFs by tile, frame and partition are shown the rows that are needed", async () => {
  for (const method of ["tile", "frame", "partition"] as const) {
    const { culled, results: [found, expected] } = await both(scan("uint16"), {
      own: udf(brightest(method)),
    });
    assertEquals(culled.culling.box, box([60, 0], [9, 80]), method);
    assertEquals(bits(found), bits(expected));
  }
  for (const part of [box([90, 0], [7, 80]), box([0], [3]), box([0, 0], [0, 80])]) {
    const job = plan(scan("uint16"), { own: udf(brightest("tile", part)) }, { context });
    const error = await assertRejects(() => job, TilewiseError, "pixels() gave a box");
    assertEquals(error.code, "udf");
  }
});

Deno.test("where all must be read, the plan says why", async () => {
  const disk = { disk: diskDetector({ cy: 48, cx: 40, r: 5 }) };
  const excluded = [[3, 3]];
  const dead = await both(scan("uint16"), disk, { corrections: { excluded } });
  assertStringIncludes(dead.culled.explain(), "cull       nothing: dead pixels");
  assertEquals(bits(dead.results[0]), bits(dead.results[1]));
  const dark = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => i % 9), SIG, "float32");
  const corrected = await both(scan("uint16"), disk, { corrections: { dark } });
  assert(corrected.culled.culling.box, "a dark frame does not keep rows from being culled");
  assertEquals(bits(corrected.results[0]), bits(corrected.results[1]));
  const inside = { disk: diskDetector({ cy: 16, cx: 16, r: 5 }) };
  const small = await both(memoryScan(WHOLE, [10], [32, 32], "uint16"), inside);
  assertStringIncludes(small.culled.explain(), "too few to be worth a read");
  const image: Udf<Record<"x", DType>> = {
    name: "image",
    buffers: { x: { kind: "sig" } },
    pixels: () => box([0, 0], [1, 80]),
    processTile: () => {},
    merge: () => {},
  };
  const job = await plan(scan("uint16"), { image: udf(image) }, { context });
  assertStringIncludes(job.explain(), "image has results for every pixel");
});
