/** UDFs that write into what they see: others see what is in the file, and tests find it out. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan } from "../data.ts";
import { SAMPLES, scanOf } from "../builtin/every_builtin.ts";

const OWN = import.meta.resolve("../own_udf.ts");
const VALUES = counts(64 * 64, 1);
const FRAMES = Array.from(
  { length: 64 },
  (_, f) => VALUES.subarray(64 * f, 64 * f + 64).reduce((a, b) => a + b),
);
const writing = (what: string, writesTile = false) =>
  udf(OWN, { export: "writing", params: { what, writesTile } });
const summing = udf(OWN, { params: { power: 1 } });

for (const workers of [0, 2]) {
  for (const dtype of ["float32", "uint16"] as const) { // shown in place, and converted
    Deno.test(`${workers} workers: what a UDF writes into ${dtype} tiles, no other UDF sees`, async () => {
      await using context = createContext({ memory: 2 ** 24, workers });
      const scan = memoryScan(VALUES, [8, 8], [8, 8], dtype);
      const udfs = {
        first: writing("samples"),
        ours: sumPixels(),
        theirs: summing,
        second: writing("samples"),
        image: sumFrames(),
        last: summing,
      };
      const { first, ours, theirs, second, image, last } = await run(
        await plan(scan, udfs, { context, partitions: 3 }),
      );
      for (const sum of [first!.sum!, ours!.intensity!, theirs!.sum!, second!.sum!, last!.sum!]) {
        assertEquals(Array.from(sum.data, Number), FRAMES);
      }
      const total = Array.from(image!.intensity!.data, Number).reduce((a, b) => a + b);
      assertEquals(total, FRAMES.reduce((a, b) => a + b));
    });
  }

  Deno.test(`${workers} workers: with checkWrites, a UDF that changes what others see is an error that names it`, async () => {
    await using context = createContext({ memory: 2 ** 24, workers });
    const scan = memoryScan(VALUES, [8, 8], [8, 8], "float32");
    const CASES = {
      "samples": "tile.data",
      "one sample": "tile.data",
      "constant": 'the constant "weight"',
      "aux": 'the auxiliary data "dose"',
      "positions": "tile.positions",
    };
    for (const [what, found] of Object.entries(CASES)) {
      const job = await plan(scan, { sum: sumPixels(), ref: writing(what) }, { context });
      const error = await assertRejects(async () => await run(job, { checkWrites: true }), TilewiseError);
      assertEquals([error.code, error.details.udf, error.details.found], ["udf", `writing ${what}`, found]);
      assertStringIncludes(error.message, `has changed ${found}, which others see as well: change a copy`);
    }
    const own = await plan(scan, { ref: writing("samples", true), sum: sumPixels() }, { context });
    const { ref } = await run(own, { checkWrites: true });
    assertEquals(Array.from(ref!.sum!.data, Number), FRAMES);
  });
}

Deno.test("the copy of a UDF that writes is counted in the plan, and not of one alone", async () => {
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const scan = memoryScan(VALUES, [8, 8], [8, 8], "float32");
  const bytes = async (...refs: ReturnType<typeof writing>[]) =>
    (await plan(scan, Object.fromEntries(refs.map((ref, i) => [`u${i}`, ref])), { context, partitions: 1 }))
      .memory
      .slab;
  const tile = await bytes(writing("samples", true)) - await bytes(writing("samples"));
  assertEquals(tile % (64 * 4), 0);
  assert(tile > 0);
  assertEquals(await bytes(summing, summing) - await bytes(summing), tile);
  assertEquals(await bytes(sumFrames(), summing), await bytes(summing, sumFrames()));
});

Deno.test("testUdf finds out that a UDF writes, also a function of frames", async () => {
  const options = { workers: 0, nav: [3, 4], dtype: "float32" } as const;
  await assertRejects(() => testUdf(writing("one sample"), options), TilewiseError, "has changed tile.data");
  await testUdf(writing("one sample", true), options);
  const doubling = mapFrames((frame) => {
    frame[0] = 2 * frame[0]! + 1;
    return frame[0]!;
  });
  await assertRejects(() => testUdf(doubling, options), TilewiseError, "has changed tile.data");
});

Deno.test("a raw UDF cannot have tiles of its own", async () => {
  const raw = udf({
    name: "raw one",
    buffers: { x: { kind: "nav" } },
    raw: true,
    writesTile: true,
    processTile: () => {},
  });
  const scan = memoryScan(VALUES, [8, 8], [8, 8], "float32");
  const error = await assertRejects(() => plan(scan, { raw }), TilewiseError, 'UDF "raw one": writesTile');
  assertEquals(error.code, "udf");
});

Deno.test("no UDF of ours writes into what others see", async () => {
  await using context = createContext({ memory: 2 ** 27, workers: 0 });
  for (const refs of Object.values(SAMPLES)) {
    for (const ref of refs) {
      await run(await plan(scanOf("float32"), { ref }, { context }), { checkWrites: true });
    }
  }
});
