/** Auxiliary data: cut like buffers, for tiles, frames and partitions, under regions and sync offsets. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { auxData, type AuxSpec } from "../../../src/udf/interface/aux_data.ts";
import { createContext } from "../../../src/runner/context.ts";
import { travelling, udf } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const DATA = import.meta.resolve("./data_udf.ts");
const [NAV, SIG, FRAMES, PIXELS] = [[6, 10], [2, 64, 128], 60, 16384] as const;
const SAMPLES = counts(FRAMES * PIXELS, 3, 100);
const SHIFT = Float64Array.from({ length: 2 * FRAMES }, (_, i) => i + 0.25);
const GAIN = Float64Array.from({ length: PIXELS }, (_, p) => p % 1000);
const ONE = ndarray(Float64Array.of(1, 2, 3, 4, 5, 6), [3], "complex128");
const aux = () => ({
  shift: auxData(SHIFT, { extraShape: [2] }),
  gain: auxData(GAIN, { kind: "sig" }),
  one: auxData(ONE, { kind: "single", extraShape: [3] }),
});

for (const method of ["tile", "frame", "partition"] as const) {
  both(`auxiliary data follow the ${method}`, async (context) => {
    for (const syncOffset of [0, 7, -7]) {
      for (const holes of [false, true]) {
        const mask = Uint8Array.from(
          { length: FRAMES },
          (_, i) => holes && (i % 4 === 1 || i > 40 && i < 48) ? 0 : 1,
        );
        const ref = udf(DATA, { export: "auxSeen", params: { ...aux(), method } });
        const scan = memoryScan(SAMPLES, NAV, SIG, "uint16", { syncOffset, images: FRAMES });
        const job = await plan(scan, { it: ref }, {
          context,
          partitions: 4,
          ...(holes ? { roi: mask } : {}),
        });
        assert(method !== "tile" || job.scheme.slices.length > 1, "the scheme cuts frames");
        const { shift, weighted, one, sizes } = (await run(job)).it!;
        for (let i = 0; i < FRAMES; i++) {
          const image = i + syncOffset;
          if (!mask[i] || image < 0 || image >= FRAMES) continue;
          assertEquals(numbers(shift!.data).slice(2 * i, 2 * i + 2), [...SHIFT.subarray(2 * i, 2 * i + 2)]);
          let expected = 0;
          for (let p = 0; p < PIXELS; p++) expected += SAMPLES[image * PIXELS + p]! * GAIN[p]!;
          assertEquals(Number(weighted!.data[i]), expected, `${syncOffset} ${holes} ${i}`);
          assertEquals(Number(one!.data[i]), 7);
          assertEquals(numbers(sizes!.data).slice(3 * i + 1, 3 * i + 3), [PIXELS, 6]);
        }
      }
    }
  });
}

Deno.test("auxiliary data of the wrong size, kind or type are refused with what would be right", async () => {
  await using context = createContext({ workers: 0 });
  const refused = async (spec: AuxSpec, ...words: string[]) => {
    const own = udf({
      name: "own",
      buffers: { x: { kind: "nav" } },
      aux: () => ({ shift: spec }),
      processFrame() {},
    });
    const error = await assertRejects(() => plan(goldenScan(), { own }, { context }), TilewiseError);
    assertEquals(error.code, "udf");
    for (const word of ["own", "shift", ...words]) assertStringIncludes(error.message, word);
    return error.details;
  };
  const { expected, found } = await refused(auxData(new Float32Array(11)), "3 × 4", "11", "12");
  assertEquals([expected, found], [12, 11]);
  await refused(auxData(new Float32Array(12), { extraShape: [2] }), "3 × 4 × 2", "24");
  await refused(auxData(new Float32Array(12), { kind: "sig" }), "4 × 5", "20");
  await refused(auxData(new Float32Array(12), { kind: "single" }), "scalar");
  await refused(auxData(new Float32Array(12), { dtype: "complex64" }), "24");
  await refused(auxData(new Float32Array(12), { dtype: "float64" }), "Float64Array", "Float32Array");
  await refused({ ...auxData(new Float32Array(12)), kind: "frame" as "nav" }, '"nav", "sig" or "single"');
  await refused({ ...auxData(new Float32Array(12)), data: [1] as never }, "not a typed array");
});

Deno.test("the numbers of auxiliary data do not travel with the parameters, and are in the plan", async () => {
  await using context = createContext({ workers: 0 });
  const params = { ...aux(), method: "tile", list: Float32Array.of(1) };
  const light = travelling(params);
  assertEquals((light.shift as unknown as AuxSpec).data.length, 0);
  assertEquals([light.method, light.list], [params.method, params.list]);
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16", { images: FRAMES });
  const ref = udf(DATA, { export: "auxSeen", params });
  const { memory } = await plan(scan, { it: ref }, { context, roi: [[0, 0]] });
  const bytes = 2 * 8 + 2 * GAIN.byteLength + 48; // one frame is read, pixels have two orders
  assert(memory.constants >= bytes && memory.constants < bytes + 1024);
});

both("auxiliary data of a region without a frame are no trouble", async (context) => {
  const ref = udf(DATA, { export: "auxSeen", params: { ...aux(), method: "frame" } });
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16", { images: FRAMES });
  const { it } = await run(await plan(scan, { it: ref }, { context, roi: [] }));
  assert(numbers(it!.weighted!.data).every(Number.isNaN));
});
