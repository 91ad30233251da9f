/** Results that are made of the results of a UDF: whatever they are, and wherever results are looked at. */

import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { isTilewiseError, TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { save } from "../../../src/pictures/save.ts";
import type { TypedArray } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { diskDetector } from "../../../src/udf/builtin/detectors.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { DerivedValue, DeriveOptions } from "../../../src/udf/interface/derivation.ts";
import { derive } from "../../../src/udf/interface/derive.ts";
import { inspect } from "../../../src/udf/plan/inspect.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import { runManifest } from "../../../src/udf/results/manifest.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { withMask } from "../../../src/udf/interface/objects.ts";
import { cli, withFolder, writeNpy } from "../../cli/harness.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const SUMS = [252, 230, 298, 239, 239, 298, 230, 252, 302, 225, 269, 279];
const MODULE = import.meta.resolve("./derived_udf.ts");
const KEYS = Array.from({ length: 12 }, (_, i) => i);

async function compute(it: UdfRef, options: PlanOptions = {}, scan = goldenScan()) {
  await using own = createContext({ memory: 2 ** 24, workers: 0 });
  return (await run(await plan(scan, { it }, { context: own, ...options }))).it!;
}

/** Frame sums with one more result. */
function more(value: () => unknown, options: Partial<DeriveOptions> = {}): UdfRef {
  return derive(sumPixels(), { results: () => ({ more: value() as DerivedValue }), ...options });
}

const halved = (): UdfRef =>
  derive(sumPixels(), {
    buffers: { half: { kind: "nav", dtype: "float32" } },
    results: ({ intensity }) => ({
      half: Float32Array.from(intensity!.data as Float64Array, (sum) => sum / 2),
    }),
  });

both(
  "declared results have shape, type and validity from the run; the base runs on workers",
  async (context) => {
    const roi = [[0, 1], [1, 2], [2, 0]];
    const { half, intensity } = await compute(halved(), { context, roi, partitions: 5 });
    assertEquals([half!.shape, half!.dtype], [[3, 4], "float32"]);
    const at = (i: number) => [1, 6, 8].includes(i);
    assertEquals(numbers(half!.data), KEYS.map((i) => at(i) ? SUMS[i]! / 2 : NaN));
    assertEquals([...half!.valid!], KEYS.map((i) => at(i) ? 1 : 0));
    assertEquals(numbers(intensity!.data), KEYS.map((i) => at(i) ? SUMS[i]! : NaN));
  },
);

Deno.test("a result that is not given leaves the others, in whatever order they come", async () => {
  const some = derive(sumPixels(), {
    results: () =>
      ({
        first: ndarray(Int32Array.of(1), [1], "int32"),
        none: undefined,
        last: ndarray(Int32Array.of(2), [1], "int32"),
      }) as never,
  });
  const found = await compute(some as UdfRef) as Readonly<Record<string, NDArray>>;
  assertEquals(Object.keys(found), ["intensity", "first", "last"]);
  assertEquals([numbers(found["first"]!.data), numbers(found["last"]!.data)], [[1], [2]]);
});

Deno.test("positions without a frame are not valid in declared results", async () => {
  const scan = memoryScan([1, 2, 3], [2, 3], [1, 1], "uint8", { syncOffset: -2 });
  const ones = derive(sumPixels(), {
    buffers: {
      one: { kind: "nav", dtype: "float64" },
      count: { kind: "nav", dtype: "int32", extraShape: [2] },
    },
    results: () => ({ one: new Float64Array(6).fill(1), count: new Int32Array(12).fill(7) }),
  });
  const { one, count } = await compute(ones, {}, scan);
  assertEquals([numbers(one!.data), [...one!.valid!]], [[NaN, NaN, 1, 1, 1, NaN], [0, 0, 1, 1, 1, 0]]);
  assertEquals([count!.shape, numbers(count!.data).slice(3, 5)], [[2, 3, 2], [7, 7]]);
});

Deno.test("arrays have any shape and keep their mask; others are what JSON has words for", async () => {
  const five = ndarray(Float32Array.of(1, 2, 3, 4, 5), [5], "float32", Uint8Array.of(1, 0, 1, 1, 1));
  const arrays: [unknown, Partial<NDArray>][] = [
    [five, { shape: [5], dtype: "float32", valid: Uint8Array.of(1, 0, 1, 1, 1) }],
    [withMask(five, [true, true, false, true, true]), { shape: [5], valid: Uint8Array.of(1, 1, 0, 1, 1) }],
    [ndarray(new Float64Array(2 * 24), [1, 2, 3, 4], "complex128"), {
      shape: [1, 2, 3, 4],
      dtype: "complex128",
    }],
    [2.5, { shape: [], dtype: "float64", data: Float64Array.of(2.5) }],
    [NaN, { shape: [], dtype: "float64", data: Float64Array.of(NaN) }],
    [7n, { shape: [], dtype: "int64", data: BigInt64Array.of(7n) }],
    [true, { shape: [], dtype: "bool", data: Uint8Array.of(1) }],
  ];
  for (const [value, expected] of arrays) {
    const found = (await compute(more(() => value))).more!;
    for (const [key, part] of Object.entries(expected)) assertEquals(found[key as keyof NDArray], part, key);
    if (!("valid" in expected)) assertEquals(found.valid, undefined);
  }
  for (const value of ["seven", null, { mean: 3, list: [1, 2] }, [1, "a", null], [], { data: 1, mask: 2 }]) {
    const found = await compute(more(() => value));
    assertEquals([objectsOf(found).more!.data, objectsOf(found).more!.shape], [[value], []]);
    assertEquals(found.more, undefined);
  }
});

Deno.test("a transposed array is made dense", async () => {
  const data = Float64Array.of(1, 2, 3, 4, 5, 6);
  const { more: found } = await compute(
    more(() => ({ data, shape: [3, 2], stride: [1, 3], dtype: "float64" })),
  );
  assertEquals([found!.stride, numbers(found!.data)], [[2, 1], [1, 4, 2, 5, 3, 6]]);
});

Deno.test("declared lists are object results with an entry a position", async () => {
  const words = derive(sumPixels(), {
    buffers: { word: { kind: "nav", dtype: "object" }, note: { kind: "single", dtype: "object" } },
    results: ({ intensity }) => ({
      word: numbers(intensity!.data).map((sum) => sum > 250 ? "bright" : null),
      note: withMask([{ any: true }], false),
    }),
  });
  const { word, note } = objectsOf(await compute(words, { roi: [[0, 0], [0, 1]] }));
  assertEquals([word!.data.slice(0, 3), [...word!.valid!].slice(0, 3)], [["bright", null, null], [1, 1, 0]]);
  assertEquals([note!.data, [...note!.valid!]], [[{ any: true }], [0]]);
});

Deno.test("results of the base are replaced, by the same form or by another one", async () => {
  const log = derive(sumPixels(), {
    results: ({ intensity }) => ({ intensity: Float64Array.from(intensity!.data as Float64Array, Math.log) }),
  });
  const { intensity } = await compute(log, { roi: [[0, 0]] });
  assertEquals(numbers(intensity!.data).slice(0, 2), [Math.log(252), NaN]);
  assertEquals([...intensity!.valid!].slice(0, 2), [1, 0]);
  const other = await compute(
    derive(sumPixels(), { results: () => ({ intensity: ndarray(new Uint8Array(2), [2], "uint8") }) }),
  );
  assertEquals([other.intensity!.shape, other.intensity!.dtype], [[2], "uint8"]);
  const json = await compute(derive(sumPixels(), { results: () => ({ intensity: { total: 5 } }) }));
  assertEquals([Object.keys(json), objectsOf(json).intensity!.data], [[], [{ total: 5 }]]);
  const same = await compute(derive(sumPixels(), { results: () => ({ intensity: undefined }) }));
  assertEquals(numbers(same.intensity!.data), SUMS);
});

Deno.test("the base keeps its results, whatever is made of their arrays", async () => {
  const alias = derive(sumPixels(), {
    buffers: { again: { kind: "nav", dtype: "float64" } },
    results: ({ intensity }) => ({
      again: intensity!.data,
      whole: intensity!,
      masked: withMask(intensity!, false),
    }),
  });
  const { intensity, again, whole, masked } = await compute(alias);
  const arrays = [intensity, again, whole, masked].map((array) => array!.data.buffer);
  assertEquals(new Set(arrays).size, 4);
  for (const array of [intensity, again, whole, masked]) assertEquals(numbers(array!.data), SUMS);
  assertEquals([intensity!.valid![0], masked!.valid![0]], [1, 0]);
});

both("a derived UDF can be derived again", async (context) => {
  const twice = derive(
    derive(sumPixels(), { results: ({ intensity }) => ({ a: Number(intensity!.data[0]) }) }),
    {
      results: (r) => ({ b: 2 * Number(r.a!.data[0]), intensity: r.intensity!.shape.length }),
    },
  );
  const thrice = derive(twice, {
    results: (r) => ({ c: Number(r.b!.data[0]) + Number(r.intensity!.data[0]) }),
  });
  const found = await compute(thrice, { context });
  assertEquals([found.a, found.b, found.c, found.intensity].map((array) => array!.data[0]), [
    252,
    504,
    506,
    2,
  ]);
});

both("built-ins, maps, kernels and modules can be derived", async (context) => {
  const total = (ref: UdfRef, name: string) =>
    derive(ref, {
      results: (r) => ({ total: (numbers(r[name]!.data)).reduce((a, b) => a + b) }),
    });
  const all = SUMS.reduce((a, b) => a + b);
  const refs = {
    sum: total(sumFrames(), "intensity"),
    map: total(mapFrames(import.meta.resolve("../builtin/map_functions.ts")), "result"),
    family: total(kernelUdf({ kernel: "sum_pixels" }), "intensity"),
    own: total(udf(import.meta.resolve("../own_udf.ts"), { params: { power: 1 } }), "sum"),
  };
  const results: Results = await run(await plan(goldenScan(), refs, { context, partitions: 3 }));
  for (const key of Object.keys(refs)) assertEquals(Number(results[key]!.total!.data[0]), all, key);
  const objects = derive(
    mapFrames(import.meta.resolve("../builtin/map_functions.ts"), { export: "peaks", params: { least: 28 } }),
    {
      results: (r) => ({ found: objectsOf(r).result!.data.flat().length }),
    },
  );
  const found = await compute(objects, { context });
  assertEquals(objectsOf(found).result!.data.flat().length, found.found!.data[0]);
});

Deno.test("a kernel that is compiled, and a closure, can be derived", async () => {
  const source = `import { Sample } from "tilewise";
    export function frame(data: usize, rows: i32, cols: i32, first: usize): void {
      store<f64>(first, <f64>load<Sample>(data));
    }`;
  const kernel = kernelUdf({ source, buffers: { first: { kind: "nav", dtype: "float64" } } });
  const most = (name: string) => ({
    results: (r: Record<string, NDArray>) => ({ most: Math.max(...numbers(r[name]!.data)) }),
  });
  const firsts = KEYS.map((i) => (7 * (20 * i) ** 2 + 60 * i) % 31);
  assertEquals((await compute(derive(kernel, most("first")))).most!.data[0], Math.max(...firsts));
  const closure = derive(mapFrames((frame) => frame[0]!), most("result"));
  assertEquals((await compute(closure)).most!.data[0], Math.max(...firsts));
});

both("parts of a running run have derived results of what there is", async (context) => {
  const scan = memoryScan(counts(2400 * 4, 3), [40, 60], [2, 2], "uint16");
  const seen = derive(sumPixels(), {
    results: (_r, meta, { validNav }) => ({
      frames: validNav(true).reduce((a, b) => a + b, 0),
      selected: meta.selected,
    }),
  });
  const job = await plan(scan, { it: seen }, { context, partitions: 19 });
  const steps: number[] = [];
  for await (const { results, damage } of run(job)) {
    const merged = numbers(damage.data).reduce((a, b) => a + b);
    steps.push(Number(results.it!.frames!.data[0]));
    assertEquals([steps.at(-1), results.it!.selected!.data[0]], [merged, 2400]);
  }
  assert(steps.length > 1);
  assertEquals(steps.at(-1), 2400);
});

both("new parameters of a running run reach the base, and what is made of it", async (context) => {
  const scan = memoryScan(counts(600 * 64, 3), [20, 30], [8, 8], "uint16");
  const ref = derive(diskDetector({ cy: 4, cx: 4, r: 1 }), {
    results: (r) => ({ total: numbers(r.intensity!.data).filter((v) => v === v).reduce((a, b) => a + b, 0) }),
  });
  const work = run(await plan(scan, { it: ref }, { context, partitions: 20 }));
  const parts = work[Symbol.asyncIterator]();
  await parts.next();
  assertEquals(await work.update({ it: { r: 3 } }), 1);
  let last: number | undefined;
  for (let step = await parts.next(); !step.done; step = await parts.next()) {
    const { intensity, total } = step.value.results.it!;
    last = Number(total!.data[0]);
    assertEquals(last, numbers(intensity!.data).filter((v) => v === v).reduce((a, b) => a + b, 0));
  }
  assert(last! > 0);
});

Deno.test("a dry run, inspect and explain know derived results", async () => {
  const job = await plan(goldenScan(), { it: halved() });
  const dry = dryRun(job).it!;
  assertEquals([numbers(dry.half!.data), dry.half!.shape], [Array(12).fill(NaN), [3, 4]]);
  const { half } = await inspect(goldenScan(), halved());
  assertEquals(half, { kind: "nav", dtype: "float32", shape: [3, 4], use: "result", bytes: 48 });
  assertStringIncludes(job.explain(), "derive     it: half, made of its results on this thread");
  const silent = await plan(goldenScan(), { it: more(() => 1) });
  assertStringIncludes(silent.explain(), "derive     it: results that are not declared");
});

Deno.test("declared results are in the memory of the plan", async () => {
  const scan = memoryScan(new Float64Array(4096), [64, 64], [1, 1], "uint8");
  const bytesOf = async (ref: UdfRef, roi?: PlanOptions["roi"]) =>
    (await plan(scan, { it: ref }, roi ? { roi } : {})).memory.results;
  const big = derive(sumPixels(), {
    buffers: (meta) => ({
      cube: { kind: "nav", dtype: "float64", extraShape: [meta.pixels, 100] },
      rows: { kind: "nav", dtype: "float64", compressed: true },
      map: { kind: "sig", dtype: "float32", extraShape: [16] },
    }),
    results: () => ({}),
  });
  assertEquals(await bytesOf(big) - await bytesOf(sumPixels()), 4096 * 800 + 4096 * 8 + 64);
  const roi = [[0, 0], [1, 1]];
  assertEquals(await bytesOf(big, roi) - await bytesOf(sumPixels(), roi), 4096 * 800 + 64 + 64);
  await using small = createContext({ memory: 2 ** 20, workers: 0 });
  const error = await assertRejects(() => plan(scan, { it: big }, { context: small }), TilewiseError);
  assertEquals(error.code, "over-budget");
});

Deno.test("a manifest has digests of derived results, and says where their code is", async () => {
  const digests = async (ref: UdfRef) => {
    const job = await plan(goldenScan(), { it: ref });
    return await runManifest(job, await run(job));
  };
  const closure = await digests(halved());
  assertEquals(closure.results.map(({ result }) => result), ["intensity", "half"]);
  assertEquals([closure.udfs[0]!.module, closure.udfs[0]!.derived], ["tilewise:builtin", {}]);
  assertEquals((await digests(sumPixels())).udfs[0]!.derived, undefined);
  const module = await digests(udf(MODULE));
  assertEquals([module.udfs[0]!.export, module.udfs[0]!.derived!.module], ["centre_of_mass", MODULE]);
  assertEquals(module.udfs[0]!.derived!.sha256?.length, 64);
  const summary = module.results.find(({ result }) => result === "summary")!;
  assertEquals([summary.dtype, summary.shape], ["object", []]);
});

Deno.test("derived results can be saved, and shown in a notebook", async () => {
  const results = await compute(derive(sumPixels(), {
    results: (r) => ({
      row: ndarray(Float64Array.from(r.intensity!.data as Float64Array), [12], "float64"),
      one: 3,
    }),
  }));
  await withFolder(async (folder) => {
    await save(results.row!, `${folder}/row.npy`);
    const back = await open(`${folder}/row.npy`);
    assertEquals([back.shape, back.dtype], [[12], "float64"]);
  });
  for (const name of ["intensity", "row", "one"]) {
    const show = (results[name] as unknown as Record<symbol, () => Promise<Record<string, string>>>)[
      Symbol.for("Jupyter.display")
    ]!;
    assertStringIncludes((await show())["text/plain"]!, name);
  }
});

Deno.test("the command line runs, saves and replays a module that exports a derived UDF", async () => {
  await withFolder(async (folder) => {
    const bytes = new Uint8Array(
      Uint16Array.from({ length: 240 }, (_, k) => (7 * k * k + 3 * k) % 31).buffer,
    );
    await writeNpy(`${folder}/scan.npy`, "<u2", [3, 4, 4, 5], bytes);
    const word = `${fromFileUrl(MODULE)}:least=0.25`;
    const made = await cli(["run", word, `${folder}/scan.npy`, "-o", `${folder}/out/`]);
    assertEquals(made.code, 0, made.err);
    const { data } = JSON.parse(await Deno.readTextFile(`${folder}/out/derived_udf-summary.json`));
    assertEquals(data, [{ frames: 12, least: 0.25 }]);
    const again = await cli(["replay", `${folder}/out/derived_udf.run.json`, "--json", "--allow-modules"]);
    assertEquals(again.code, 0, again.err);
    assert(again.json().some(({ result, same }) => result === "share" && same === true));
  });
});

Deno.test("errors name the UDF and say what would do", async () => {
  const refused = async (ref: UdfRef, ...words: string[]) => {
    const error = await assertRejects(() => compute(ref), TilewiseError);
    assertEquals([error.code, error.details.udf], ["udf", "sum_pixels"], error.message);
    for (const word of words) assertStringIncludes(error.message, word);
    return error;
  };
  const thrown = await refused(
    more(() => {
      throw new RangeError("no good");
    }),
    'UDF "sum_pixels" failed in results() of derive(): no good',
  );
  assert(thrown.cause instanceof RangeError);
  const ours = await refused(
    more(() => ndarray(new Float32Array(3), [2], "float32")),
    "failed in results() of derive()",
  );
  assert(isTilewiseError(ours.cause, "invalid"));
  await refused(more(() => new Float32Array(3)), 'Float32Array as "more"', "ndarray(data, shape, dtype)");
  await refused(more(() => ({ at: NaN })), '"more"', "the number NaN");
  await refused(more(() => Promise.resolve(1)), "Promise");
  await refused(
    more(() => ({ ...ndarray(new Float32Array(4), [4], "float32"), shape: [5] })),
    '"more"',
    "beyond its 4 numbers",
  );
  await refused(
    more(() => ({ ...ndarray(new Float32Array(4), [4], "float32"), dtype: "int8" })),
    "dtype is int8",
  );
  await refused(more(() => ({ ...ndarray(new Float32Array(4), [4], "float32"), dtype: "x" })), "dtype is x");
  await refused(more(() => withMask(ndarray(new Float32Array(4), [4], "float32"), [true, false])), "mask");
  await refused(
    more(() => ({ ...ndarray(new Float32Array(4), [4], "float32"), valid: new Uint8Array(3) })),
    "mask has 3",
  );
  await refused(derive(sumPixels(), { results: (async () => await {}) as never }), "it must not be async");
  await refused(derive(sumPixels(), { results: () => 5 as never }), "must return an object");
  await refused(derive(sumPixels(), { results: () => ({ "a-b": 1 }) }), "not an identifier");
  const declared = { more: { kind: "nav", dtype: "float64" } } as const;
  await refused(more(() => undefined, { buffers: declared }), 'did not return the declared result "more"');
  await refused(more(() => new Float64Array(3), { buffers: declared }), "needs 12 values, it was given 3");
  await refused(more(() => new Int32Array(12), { buffers: declared }), "numbers of another kind");
  await refused(more(() => ({ a: 1 }), { buffers: declared }), "needs numbers of float64");
  await refused(
    more(() => ndarray(new Float64Array(12), [12], "float64"), { buffers: declared }),
    "which is 3 × 4",
  );
  await refused(
    more(() => withMask(new Float32Array(20), [true, false]), { buffers: { more: { kind: "sig" } } }),
    "mask",
  );
});

Deno.test("declarations that cannot be right are errors of the plan", async () => {
  const refused = async (buffers: unknown, ...words: string[]) => {
    const ref = derive(sumPixels(), { buffers: buffers as never, results: () => ({}) });
    const error = await assertRejects(() => plan(goldenScan(), { ref }), TilewiseError);
    assertEquals([error.code, error.details.udf], ["udf", "sum_pixels"]);
    for (const word of words) assertStringIncludes(error.message, word);
  };
  await refused({ a: { kind: "frame" } }, 'kind" is "frame"');
  await refused({ a: { kind: "nav", dtype: "float33" } }, "float33");
  await refused({ a: { kind: "nav", use: "private" } }, "has use", "only makes results");
  await refused({ a: { kind: "sig", merge: "sum" } }, "has merge");
  await refused({ "a b": { kind: "nav" } }, "not an identifier");
  await refused(() => {
    throw new Error("no good");
  }, "no good");
  assertThrows(
    () => derive(sumPixels(), {} as never),
    TilewiseError,
    '"results" is undefined; it must be a function',
  );
  assertThrows(() => derive(sumPixels(), { result: () => ({}) } as never), TilewiseError, 'mean "results"');
  assertThrows(() => derive({ name: "it" } as never, { results: () => ({}) }), TilewiseError, "by reference");
});

Deno.test("results that depend on the whole scan pass testUdf: the same bits however it is cut", async () => {
  const spread = derive(centreOfMass(), {
    buffers: { angle: { kind: "nav", dtype: "float64" } },
    results({ field_y, field_x }) {
      const [y, x] = [field_y!.data as Float64Array, field_x!.data as Float64Array];
      const angle = y.map((value, i) => Math.atan2(value, x[i]!));
      return { angle, mean: angle.reduce((a, b) => a + b, 0) / angle.length, all: { n: angle.length } };
    },
  });
  const { results } = await testUdf(spread, { nav: [6, 8] });
  assertEquals(results.angle!.shape, [6, 8]);
});

Deno.test("nothing but the base travels to workers", async () => {
  await using context = createContext({ memory: 2 ** 24, workers: 2 });
  const job = await plan(goldenScan(), { it: halved() }, { context });
  assertEquals(["derived" in job.udfs[0]!.ref, job.udfs[0]!.given.derived?.length], [false, 1]);
  structuredClone(job.udfs[0]!.ref);
  const { it } = await run(job);
  assertEquals(numbers(it!.half!.data as TypedArray), SUMS.map((sum) => sum / 2));
});
