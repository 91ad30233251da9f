/** Which packs a run needs: by what its UDFs say of the data. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { createContext } from "../../../mod.ts";
import { open } from "../../../src/formats/open.ts";
import { annularDetector } from "../../../src/udf/builtin/detectors.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import type { Pack } from "../../../src/kernels/wasm.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { executionPlan } from "../../../src/udf/plan/execution_plan.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";

await using context = createContext({ workers: 0, memory: "16MiB" });

function scanOf(dtype: string) {
  return open(new Uint8Array(4 * 64 * 8), { format: "raw", dtype, nav: [4], sig: [8, 8] });
}

Deno.test("detectors need exact products alone where samples have at most 16 bits", async () => {
  for (const dtype of ["uint8", "int16", "uint16"]) {
    const { packs } = await plan(await scanOf(dtype), { ring: annularDetector() }, { context });
    assertEquals(packs, ["core", "masks"], dtype);
  }
  for (const dtype of ["float32", "uint32", "complex64"]) {
    const { packs } = await plan(await scanOf(dtype), { ring: annularDetector() }, { context });
    assertEquals(packs, ["core", "masks", "products"], dtype);
  }
  const { packs } = await plan(await scanOf("int64"), { ring: annularDetector() }, { context });
  assertEquals(packs, ["core", "conversions", "masks", "products"], "which no kernel multiplies");
});

Deno.test("masks of users may have any weights", async () => {
  const masks = applyMasks({ masks: [{ make: "rectangular", y: 1, x: 1, height: 2, width: 2 }] });
  assertEquals((await plan(await scanOf("uint16"), { masks }, { context })).packs, [
    "core",
    "masks",
    "products",
  ]);
});

/** A UDF that says this of its kernels. */
function naming(kernels: unknown) {
  const own = { name: "own", buffers: { one: { kind: "nav" } }, processFrame() {}, kernels };
  return udf(own as unknown as Udf);
}

/** For a UDF that takes float32, as it says nothing else. */
const CONVERTED: readonly Pack[] = ["core", "conversions"];

Deno.test("conversions are loaded where samples are given another type", async () => {
  const packsOf = async (dtype: string, own: Partial<Udf>, options: Partial<PlanOptions> = {}) => {
    const ref = udf(
      { name: "own", buffers: { one: { kind: "nav" } }, processFrame() {}, ...own } as unknown as Udf,
    );
    return (await plan(await scanOf(dtype), { own: ref }, { context, ...options })).packs;
  };
  assertEquals(await packsOf("uint16", {}), CONVERTED);
  assertEquals(await packsOf("float32", {}), ["core"]);
  assertEquals(await packsOf("uint16", { inputDType: "native" }), ["core"]);
  assertEquals(await packsOf("uint16", { inputDType: "native", raw: "kernels" }), ["core"]);
  assertEquals(await packsOf("float16", { inputDType: "native", raw: "kernels" }), CONVERTED);
  const corrections = { dark: ndarray(new Float32Array(64), [8, 8], "float32") };
  assertEquals(await packsOf("float32", {}, { corrections }), [...CONVERTED, "corrections"]);
});

Deno.test("the kernels of a UDF may depend on the data", async () => {
  const own = naming(({ nativeDType }: { nativeDType: string }) => nativeDType === "uint8" ? [] : ["fft2"]);
  assertEquals((await plan(await scanOf("uint8"), { own }, { context })).packs, CONVERTED);
  assertEquals((await plan(await scanOf("uint16"), { own }, { context })).packs, [...CONVERTED, "fft"]);
});

Deno.test("what names no families is refused", async () => {
  const scan = await scanOf("uint8");
  const refused = (kernels: unknown, words: string) =>
    assertRejects(() => plan(scan, { own: naming(kernels) }, { context }), Error, words);
  await refused(() => ["fft3"], 'UDF "own": there is no family of kernels "fft3"');
  await refused(() => "fft2", 'UDF "own": kernels is "fft2"; it must be a list');
  await refused({ fft2: true }, 'UDF "own": kernels is');
  await refused(() => Promise.resolve(["fft2"]), 'UDF "own": kernels() returned a promise');
});

Deno.test("dense data for UDFs that take it: the forms that are chosen among all", async () => {
  const udfs = { dp: sumFrames(), ring: annularDetector() };
  const { execution, udfs: planned } = await plan(await scanOf("uint8"), udfs, { context });
  const sides = planned.map(({ key }) => ({ name: key, backends: ["dense", "csr"] as const }));
  const dataset = { name: "scan", backends: ["dense"] as const };
  assertEquals(execution, executionPlan({ udfs: sides, dataset, device: "cpu" }));
});
