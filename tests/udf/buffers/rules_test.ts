/** Small rules of the UDF interface that no larger test looks at. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { Backend } from "../../../src/dataset/facts.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { logSum } from "../../../src/udf/builtin/log_sum.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { goldenScan, memoryScan, numbers } from "../data.ts";

async function results(own: Partial<Udf>, options: PlanOptions = {}) {
  await using context = createContext({ workers: 0 });
  const ref = udf({ name: "own", buffers: { x: { kind: "nav" } }, ...own });
  return (await run(await plan(goldenScan(), { own: ref }, { context, ...options }))).own!;
}

Deno.test("the golden scan is the one of the specification", () => {
  const { files } = goldenScan().layout;
  const bytes = (files[0]!.source as unknown as { bytes: Uint8Array }).bytes;
  const samples = new Uint16Array(bytes.slice().buffer);
  const first = [0, 10, 3, 10, 0, 4, 22, 23, 7, 5, 17, 12, 21, 13, 19, 8, 11, 28, 28, 11];
  assertEquals([...samples.subarray(0, 20)], first);
  assertEquals(samples.reduce((a, b) => a + b), 3113);
});

Deno.test("of several process methods the first of tile, frame, partition runs", async () => {
  const calls = new Set<string>();
  const tile = { processTile: () => void calls.add("tile") };
  const frame = { processFrame: () => void calls.add("frame") };
  const partition = { processPartition: () => void calls.add("partition") };
  const cases = [
    [{ ...partition, ...frame, ...tile }, "tile"],
    [{ ...partition, ...frame }, "frame"],
    [{ ...partition, ...tile }, "tile"],
    [partition, "partition"],
  ] as const;
  for (const [methods, expected] of cases) {
    calls.clear();
    await results(methods);
    assertEquals([...calls], [expected]);
  }
});

Deno.test("a buffer of which nothing is said holds zeros of float32", async () => {
  const seen: unknown[] = [];
  const { x, s } = await results({
    buffers: { x: { kind: "nav" }, s: { kind: "single", extraShape: [2] } },
    processFrame: (_, { x, s }) => void seen.push(x!.constructor, [...x!], [...s!]),
    merge: () => {},
  });
  assertEquals([x!.dtype, s!.dtype, s!.shape], ["float32", "float32", [2]]);
  assertEquals(seen, Array(12).fill([Float32Array, [0], [0, 0]]).flat());
  assertEquals([numbers(x!.data), numbers(s!.data)], [Array(12).fill(0), [0, 0]]);
});

Deno.test("a frame shows a scalar buffer as an array of one number", async () => {
  const { x } = await results({
    processFrame: ({ positions }, { x }) => void x!.fill(positions[0] as never),
  });
  assertEquals(numbers(x!.data), [...Array(12).keys()]);
});

Deno.test("names that are not identifiers are refused", async () => {
  for (const name of ["a b", "a-b", "1a", "", "a.b", "ä b"]) {
    const error = await assertRejects(
      () => results({ buffers: { [name]: { kind: "nav" } }, processFrame() {} }),
      TilewiseError,
      "identifier",
    );
    assertEquals(error.code, "udf");
  }
});

Deno.test("a dtype that is none is refused, in a buffer and in a wish", async () => {
  const wrong: Partial<Udf>[] = [
    { buffers: { x: { kind: "nav", dtype: "float31" as DType } }, processFrame() {} },
    { inputDType: "quux" as DType, processFrame() {} },
  ];
  for (const own of wrong) {
    const error = await assertRejects(() => results(own), TilewiseError);
    assertEquals(error.code, "udf");
    assertStringIncludes(error.message, "own");
  }
});

Deno.test("a form of tiles that is none is refused, by a UDF and by a plan", async () => {
  const quux = ["quux" as Backend];
  for (const [own, options] of [[{ backends: quux }, {}], [{}, { backends: quux }]] as const) {
    const error = await assertRejects(() => results({ ...own, processFrame() {} }, options), TilewiseError);
    assertStringIncludes(error.message, "quux");
  }
});

Deno.test("extra shapes that are none are refused", async () => {
  for (const extraShape of [[-1], [1.5], [NaN], [2 ** 40, 2 ** 40]]) {
    const own: Partial<Udf> = { buffers: { x: { kind: "nav", extraShape } }, processFrame() {} };
    await assertRejects(() => results(own), TilewiseError);
  }
});

Deno.test("what JavaScript lets a UDF say, and no type allows, is an error of that UDF", async () => {
  const wrong: Record<string, Record<string, unknown>> = {
    "a buffer that is nothing": { buffers: { x: undefined } },
    "a buffer that is a word": { buffers: { x: "nav" } },
    "an unknown use": { buffers: { x: { kind: "nav", use: "secret" } } },
    "a shape that is a number": { buffers: { x: { kind: "nav", extraShape: 3 } } },
    "buffers() of nothing": { buffers: () => undefined },
    "constants that are lists": { constants: () => ({ c: [1, 2, 3] }) },
    "scratch of no dtype": { scratch: () => ({ s: { dtype: "float31", length: 3 } }) },
    "scratch of no length": { scratch: () => ({ s: { dtype: "float32", length: -3 } }) },
    "scratch that is a number": { scratch: () => ({ s: 3 }) },
    "an odd order": { order: () => "twig" },
    "backends that are a word": { backends: "dense" },
    "backends that are none": { backends: [] },
    "aux that is a list": { aux: () => ({ a: [1, 2] }) },
    "tiles of no depth": { tiling: { depth: 0 } },
    "tiles of half a frame": { tiling: { depth: 0.5 } },
    "tiles of no bytes": { tiling: { totalBytes: NaN } },
    "pixels that are no box": { pixels: () => ({ origin: [0, 0], shape: [9, 9] }) },
  };
  for (const [what, members] of Object.entries(wrong)) {
    const own = { processFrame() {}, ...members } as Partial<Udf>;
    const error = await assertRejects(() => results(own), TilewiseError);
    assertEquals(error.code, "udf", `${what}: ${error.message}`);
    assertStringIncludes(error.message, "own", what);
  }
});

Deno.test("one dark pixel changes the logarithms of its whole frame", async () => {
  await using context = createContext({ workers: 0 });
  const of = async (dark: number) => {
    const frame = [dark, 5, 6, 7];
    const { it } = await run(
      await plan(memoryScan(frame, [1], [2, 2], "uint8"), { it: logSum() }, { context }),
    );
    return numbers(it!.logsum!.data).map((v) => Math.round(Math.exp(v)));
  };
  assertEquals(await of(5), [1, 1, 2, 3]);
  assertEquals(await of(0), [1, 6, 7, 8]);
});
