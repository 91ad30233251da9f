/** What UDFs may declare and return: names, kinds, types, shapes, private and result-only buffers, mergeAll. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { createContext } from "../../../src/runner/context.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { BufferSpec, Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const DATA = import.meta.resolve("../interface/data_udf.ts");
const ROI = Uint8Array.from({ length: 200 }, (_, i) => i % 7 === 3 ? 1 : 0);
/** Enough frames for several partitions. */
const many = () => memoryScan(counts(1200, 4), [10, 20], [2, 3], "uint16");
const RESULT = { kind: "nav", dtype: "float32", use: "result" } as const;

/** Runs a UDF that declares `buffers` and returns `given`. */
async function results(
  buffers: Readonly<Record<string, BufferSpec>>,
  given: Record<string, unknown> | undefined,
  more: Partial<Udf> = {},
) {
  await using context = createContext({ workers: 0 });
  const own = udf({
    name: "own",
    buffers,
    processFrame() {},
    ...(given ? { results: () => given as never } : {}),
    ...more,
  });
  return (await run(await plan(goldenScan(), { own }, { context, partitions: 3 }))).own!;
}

async function refused(words: readonly string[], ...args: Parameters<typeof results>) {
  const error = await assertRejects(() => results(...args), TilewiseError);
  assertEquals(error.code, "udf");
  for (const word of ["own", ...words]) assertStringIncludes(error.message, word);
}

Deno.test("results that were not declared, are private, or are missing are refused", async () => {
  const merge = () => {};
  await refused(["other", 'use: "result"'], { x: { kind: "nav" } }, { other: new Float32Array(12) });
  await refused(["private", '"x"'], { x: { kind: "nav", use: "private" } }, { x: new Float32Array(12) });
  await refused(["did not return", '"x"'], { x: RESULT }, {});
  await refused(["no results()", '"x"'], { x: RESULT }, undefined);
  await refused(["merge()", "mergeAll()", "sig"], { x: { kind: "sig" } }, undefined);
  await refused(["identifier", "a-b"], { "a-b": { kind: "nav" } }, undefined);
  await refused(["frame", '"nav", "sig" or "single"'], { x: { kind: "frame" as "nav" } }, undefined);
  await refused(["needs 12 values", "11"], { x: RESULT }, { x: new Float32Array(11) });
  await refused(["4 × 5 × 3", "60"], { x: { ...RESULT, kind: "sig", extraShape: [3] } }, {
    x: new Float32Array(20),
  });
  const { y, ...rest } = await results(
    { x: { kind: "single", use: "private" }, y: { kind: "nav", use: "result" } },
    { y: new Float32Array(12).fill(3) },
    { merge },
  );
  assertEquals([numbers(y!.data), rest], [Array(12).fill(3), {}]);
});

Deno.test("results of the same kind of number are converted, others refused", async () => {
  const ways: readonly [DType, TypedArray][] = [
    ["float32", new Float64Array(12).fill(1.5)],
    ["float64", new Float32Array(12).fill(1.5)],
    ["float16", new Float64Array(12).fill(1.5)],
    ["uint8", new Uint32Array(12).fill(7)],
    ["uint64", new Uint16Array(12).fill(7)],
    ["int32", new BigInt64Array(12).fill(-7n)],
    ["complex64", new Float64Array(24).fill(2)],
    ["complex128", new Float64Array(24).fill(2)],
    ["bool", new Uint8Array(12).fill(1)],
  ];
  for (const [dtype, given] of ways) {
    const { x } = await results({ x: { ...RESULT, dtype } }, { x: given });
    assertEquals(x!.data.constructor, zeros(dtype, 0).constructor);
    assertEquals([x!.dtype, x!.shape, numbers(x!.data)], [dtype, [3, 4], numbers(given)]);
  }
  const others: readonly [DType, TypedArray][] = [
    ["float32", new Int32Array(12)],
    ["uint16", new Int16Array(12)],
    ["int16", new Float32Array(12)],
    ["complex64", new Int32Array(24)],
    ["bool", new Uint16Array(12)],
  ];
  for (const [dtype, given] of others) {
    await refused([dtype, given.constructor.name, "kind"], { x: { ...RESULT, dtype } }, { x: given });
  }
  await refused(["float32", "Array"], { x: RESULT }, { x: Array(12).fill(0) });
});

Deno.test("buffers of every type, kind and shape reach a UDF as views of their size", async () => {
  for (const dtype of ["bool", "uint8", "int64", "float16", "float32", "complex64", "complex128"] as const) {
    const unit = dtypeInfo(dtype).kind === "c" ? 2 : 1;
    for (const extraShape of [[], [2], [2, 3]]) {
      const entry = unit * extraShape.reduce((a, b) => a * b, 1);
      const spec = (kind: BufferSpec["kind"]) => ({ kind, dtype, extraShape });
      const lengths = new Map<string, number[]>();
      const note = (name: string) => (tile: { frames: number }, { n, s, o }: Record<string, TypedArray>) => {
        lengths.set(name, [n!.length / tile.frames, s!.length, o!.length]);
        n!.fill((dtype === "int64" ? 1n : 1) as never);
      };
      for (const method of ["tile", "frame", "partition"] as const) {
        const process = { tile: "processTile", frame: "processFrame", partition: "processPartition" }[method];
        const more: Partial<Udf> = { [process]: note(method), method: () => method, merge() {} };
        const { n, s, o } = await results(
          { n: spec("nav"), s: spec("sig"), o: spec("single") },
          undefined,
          more,
        );
        assertEquals(lengths.get(method), [entry, 20 * entry, entry], method);
        assertEquals([n!.shape, s!.shape, o!.shape], [
          [3, 4, ...extraShape],
          [4, 5, ...extraShape],
          extraShape,
        ]);
        assertEquals(numbers(n!.data), Array(12 * entry).fill(1));
      }
    }
  }
});

both("mergeAll gives what merge gives", async (context) => {
  const of = async (together: boolean, roi?: Uint8Array) => {
    const ref = udf(DATA, { export: "all", params: { together } });
    const job = await plan(many(), { it: ref }, { context, partitions: 7, ...(roi ? { roi } : {}) });
    assert(job.partitions.length > 3 || job.bytesToRead === 0);
    const { it } = await run(job);
    const { most, first, ...rest } = it!;
    assertEquals(rest, {});
    return [numbers(most!.data), numbers(first!.data), first!.shape, objectsOf(it!).marks!.data];
  };
  assertEquals(await of(true), await of(false));
  const some = await of(true, ROI);
  assertEquals(some, await of(false, ROI));
  assertEquals(some[2], [29]);
  assertEquals(await of(true, new Uint8Array(200)), await of(false, new Uint8Array(200)));
});

Deno.test("mergeAll sees ordered parts as copies, and may give rows for all their frames", async () => {
  await using context = createContext({ workers: 0 });
  const seen: number[][] = [];
  const own = udf({
    name: "own",
    buffers: {
      at: { kind: "nav", dtype: "int32", extraShape: [2] },
      tag: { kind: "nav", dtype: "object" },
      log: { kind: "single", dtype: "object" },
    },
    processFrame(frame, { at }, { objects }) {
      at.set([frame.positions[0]!, 1] as never);
      objects.log!.set(0, frame.positions[0]!);
    },
    mergeAll: (parts) => {
      seen.push(parts.map(({ partition }) => partition));
      const positions = parts.flatMap(({ positions }) => [...positions]);
      assertEquals(parts.flatMap(({ buffers }) => numbers(buffers.at!)), positions.flatMap((p) => [p, 1]));
      assert(parts.every(({ buffers }) => buffers.at!.buffer instanceof ArrayBuffer));
      return {
        at: Int32Array.from(positions.flatMap((p) => [-p, 2])),
        tag: positions.map((p) => `frame ${p}`),
        log: [parts.map(({ objects }) => objects.log!.get(0))],
      };
    },
  });
  const { it } = await run(await plan(many(), { it: own }, { context, partitions: 7, roi: ROI }));
  assert(seen.at(-1)!.length > 3);
  assertEquals(seen.at(-1), seen.at(-1)!.toSorted((a, b) => a - b));
  assertEquals(numbers(it!.at!.data), [...ROI].flatMap((on, p) => on ? [-p, 2] : [0, 0]));
  const { tag, log } = objectsOf(it!);
  assertEquals(tag!.data, Array.from(ROI, (on, p) => on ? `frame ${p}` : null));
  assertEquals((log!.data[0] as number[]).at(-1), 199);
});

Deno.test("what mergeAll gives must fit the declarations", async () => {
  const buffers = { n: { kind: "nav" }, s: { kind: "sig" }, o: { kind: "nav", dtype: "object" } } as const;
  const s = new Float32Array(20);
  const bad = (words: string[], given: unknown) =>
    refused(["mergeAll()", ...words], buffers, undefined, { mergeAll: () => given as never });
  await bad(['"x"', "n, s, o"], { s, x: s });
  await bad(["did not give", '"s"', "sig"], {});
  await bad(["19", "20", '"s"'], { s: new Float32Array(19) });
  await bad(["13", "12", "frames of all parts"], { s, n: new Float32Array(13) });
  await bad(["list"], { s, o: s });
  await bad(["11", "12"], { s, o: Array(11).fill(null) });
  await refused(["Int32Array", "kind"], buffers, undefined, { mergeAll: () => ({ s: new Int32Array(20) }) });
  await refused(["tree", "merge()"], buffers, undefined, { mergeAll: () => ({ s }), order: () => "tree" });
});

Deno.test("the plan counts what mergeAll and start values keep", async () => {
  await using context = createContext({ workers: 0 });
  const of = async (more: Partial<Udf>) => {
    const own = udf({
      name: "own",
      buffers: { s: { kind: "sig", extraShape: [100] } },
      processFrame() {},
      ...more,
    });
    const { memory, partitions } = await plan(many(), { own }, { context, partitions: 4 });
    return [memory.results, partitions.length] as const;
  };
  const [base] = await of({ merge() {} });
  const bytes = 2432; // 6 pixels of 100 numbers of 4 bytes, in whole cache lines
  assertEquals((await of({ merge() {}, preprocess() {} }))[0], base + bytes);
  const [all, partitions] = await of({ mergeAll: () => ({}) });
  assertEquals(all, base + (partitions + 1) * bytes);
});
