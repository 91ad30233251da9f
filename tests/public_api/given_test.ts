/** What runs are given: data sets, UDFs, plans; what is none of these says so, and what would work. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { diskDetector, run as runPlan, save, udf } from "../../mod.ts";
import { localMaxima } from "@tilewise/tilewise/unstable/analyses";
import { dtypeOf, ndarray, zeros } from "@tilewise/tilewise/arrays";
import { arrayDigest, saveAll } from "@tilewise/tilewise/results";
import { objectsOf } from "@tilewise/tilewise/udf";
import { arrayOf, planViews } from "@tilewise/tilewise/unstable/views";
import { boxMean, fileSink, localMinimum, mapViews, planMap } from "@tilewise/tilewise/views";
import * as blobs from "@tilewise/tilewise/unstable/blobs";
import * as masks from "@tilewise/tilewise/masks";
import { TilewiseError } from "../../src/errors.ts";
import type { DType } from "../../src/space/dtype.ts";
import { exportDataset } from "../../src/udf/run/export_dataset.ts";
import { pickFrames } from "../../src/udf/builtin/pick_frames.ts";
import { sumFrames } from "../../src/udf/builtin/sum_frames.ts";
import { inspect } from "../../src/udf/plan/inspect.ts";
import { runManifest } from "../../src/udf/results/manifest.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { dryRun } from "../../src/udf/results/dry_run.ts";
import { run } from "../../src/run.ts";
import { read } from "../../src/udf/run/read.ts";
import { testUdf } from "../../src/udf/testing/test_udf.ts";
import type { Udf } from "../../src/udf/interface/udf.ts";
import { show } from "../../src/notebook/mod.ts";
import { open } from "../../src/formats/open.ts";
import { encodeNpy } from "../npy_files.ts";
import { goldenScan } from "../udf/data.ts";

const scan = goldenScan();
const FIRST: Udf<Record<"first", DType>> = {
  name: "first",
  buffers: { first: { kind: "nav", dtype: "float64" } },
  processFrame: ({ data }, { first }) => first[0] = Number(data[0]),
};

async function refused(work: () => unknown, words: string, option?: string): Promise<void> {
  const error = await assertRejects(async () => await work(), TilewiseError, words);
  assertEquals([error.code, error.details.option], ["invalid", option]);
}

Deno.test("a plain UDF is planned, inspected and tested without udf() around it", async () => {
  const { it } = await run(await plan(scan, { it: FIRST }));
  assertEquals(it!.first!.data[1], (7 * 400 + 60) % 31);
  assertEquals((await inspect(scan, FIRST)).first!.shape, [3, 4]);
  assertEquals((await inspect(scan, { a: FIRST, b: sumFrames() })).a.first!.kind, "nav");
  assertEquals((await testUdf(FIRST, { workers: 0 })).results.first!.shape, [15, 20]);
});

Deno.test("a UDF whose buffers are called like members of a UDF is planned by its key", async () => {
  const odd: Udf<Record<"buffers", DType>> = {
    name: "odd",
    buffers: { buffers: { kind: "nav" } },
    processFrame: (_, { buffers }) => buffers[0] = 1,
  };
  const { buffers, name } = await run(await plan(scan, { buffers: odd, name: FIRST }));
  assertEquals([buffers!.buffers!.data[0], name!.first!.shape], [1, [3, 4]]);
});

Deno.test("a UDF without a key is refused, and says how it is given", async () => {
  for (const one of [sumFrames(), FIRST]) {
    await refused(
      () => plan(scan, one as never),
      "an object that maps names to UDFs, such as { it: udf }",
      "udfs",
    );
  }
});

Deno.test("no UDF, or something else, is refused with the key", async () => {
  await refused(() => plan(scan, {}), "Cannot plan a run without a UDF", "udfs");
  await refused(() => inspect(scan, {}), "Cannot plan a run without a UDF", "udfs");
  await refused(() => plan(scan, undefined as never), "such as { sum: sumFrames() }", "udfs");
  await refused(() => plan(scan, Promise.resolve({}) as never), "was given a promise", "udfs");
  const wrong: readonly [unknown, string][] = [
    [null, '"it" is null, which is not a UDF'],
    [undefined, '"it" is undefined, which is not a UDF'],
    [sumFrames, '"it" is a function, which is not a UDF; call it to make the UDF'],
    [Promise.resolve(FIRST), '"it" is a promise, which is not a UDF; await it'],
    ["sum", '"it" is "sum", which is not a UDF'],
    [{ name: "x" }, '"it" is an object, which is not a UDF'],
  ];
  for (const [it, words] of wrong) await refused(() => plan(scan, { it } as never), words, "udfs.it");
  await refused(() => testUdf(sumFrames as never), "call it to make the UDF", "udfs.it");
});

Deno.test("a data set or plan that has not been awaited is refused, in every call", async () => {
  const late = open(new Uint8Array(2), { format: "raw", dtype: "uint8", sig: [1, 1] });
  const job = plan(scan, { sum: sumFrames() });
  const wait = "it was given a promise; await it";
  for (
    const call of [
      () => plan(late as never, { sum: sumFrames() }),
      () => inspect(late as never, sumFrames()),
      () => exportDataset(late as never, "/nowhere/x.npy"),
      () => read(late as never, [0]),
      async () => await run(job as never),
      () => dryRun(job as never),
      () => runManifest(job as never, {}),
      () => show(job as never),
    ]
  ) {
    await refused(call, wait);
  }
  await refused(
    () => plan("scan.mib" as never, { sum: sumFrames() }),
    'as await open() gives it; it was given "scan.mib"',
  );
  await Promise.all([late, job]);
});

Deno.test("corrections that correct nothing change nothing, not even the type of the samples", async () => {
  for (
    const corrections of [
      {},
      { excluded: [] },
      { dark: undefined, gain: undefined, excluded: undefined },
      { allowEmpty: true },
      { excluded: [], allowEmpty: false },
    ]
  ) {
    const options = { corrections } as never;
    const job = await plan(scan, { pick: pickFrames(), sum: sumFrames() }, options);
    assertEquals([job.nativeDType, job.corrections, job.udfs[0]!.meta.corrected], [
      "uint16",
      undefined,
      false,
    ]);
    const { pick } = await run(job);
    assertEquals([pick!.intensity!.dtype, pick!.intensity!.data[1]], ["uint16", 10]);
    assertEquals((await read(scan, [0, 0], options)).dtype, "uint16");
    assertEquals((await inspect(scan, pickFrames(), options)).intensity!.dtype, "uint16");
    const folder = await Deno.makeTempDir();
    assertEquals((await exportDataset(scan, `${folder}/x.npy`, options)).dtype, "uint16");
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a scan of single values can be opened, and a run over it says what would work", async () => {
  const points = await open(encodeNpy(new Uint8Array(6), [2, 3], "uint8"), { sigDims: 0 });
  assertEquals([points.navShape, points.sigShape], [[2, 3], []]);
  await refused(
    () => plan(points, { sum: sumFrames() }),
    "(sigDims 0); open it with sigDims 1 or more",
    "sigDims",
  );
});

Deno.test("an array is asked for where results, a promise or something else is given", async () => {
  const results = run(await plan(scan, { sum: sumFrames() }));
  const { sum } = await results;
  const calls: readonly (readonly [() => unknown, string])[] = [
    [() => save(sum as never, "/nowhere/x.png"), "it has the arrays intensity: take one of them"],
    [() => save(results as never, "/nowhere/x.png"), "its array is a promise, not an array"],
    [() => saveAll({ a: results } as never, "/nowhere/x.npz"), '"a" is a promise, not an array'],
    [() => localMaxima(sum as never), "it has the arrays intensity"],
    [() => blobs.findPeaks(sum as never, {} as never), "it has the arrays intensity"],
    [() => arrayDigest(null as never), "its array is null, not an array"],
    [() => objectsOf(results as never), "objectsOf() takes the results of one UDF; it was given a promise"],
    [() => arrayOf(Promise.resolve(scan) as never), "as await open() gives it; it was given a promise"],
    [() => planViews(results as never, { tile: [1] }), "as arrayOf() makes it; it was given a promise"],
    [
      () => planMap([] as never, boxMean()),
      "planMap() takes a data set, as await open() gives it, or an array",
    ],
    [
      () => mapViews(results as never, boxMean()),
      "or an array, as arrayOf() makes it; it was given a promise",
    ],
    [() => mapViews(arrayOf(scan), (() => {}) as never), "make one of it with viewFunction()"],
    [() => mapViews(arrayOf(scan), boxMean as never), "takes an operation over views, such as boxMean()"],
    [() => mapViews(arrayOf(scan), sumFrames() as never), "takes an operation over views"],
    [() => runPlan(planMap(arrayOf(scan), localMinimum()) as never), "a promise"],
    [() => fileSink(5 as never), '"path" is 5; it must be a text'],
    [
      () => blobs.strainArrays(results as never, results as never),
      "is a promise (await it); it must be a list",
    ],
  ];
  for (const [call, words] of calls) await assertRejects(async () => await call(), TilewiseError, words);
});

Deno.test("the objects of all UDFs at once are none of one UDF", async () => {
  const it = udf({
    name: "peaks",
    buffers: { peaks: { kind: "nav", dtype: "object" } },
    processFrame: (_, __, { objects }) => objects.peaks!.set(0, [1]),
  });
  const results = await run(await plan(scan, { it }));
  assertEquals(objectsOf(results.it!).peaks!.data[0], [1]);
  assertEquals(objectsOf((await run(await plan(scan, { sum: sumFrames() }))).sum!), {});
  await assertRejects(
    () => Promise.resolve().then(() => objectsOf(results as never)),
    TilewiseError,
    "those of all UDFs: take one of them",
  );
});

Deno.test("new parameters of a run are objects by the keys of its UDFs", async () => {
  const going = run(await plan(scan, { bf: diskDetector() }));
  for (const patches of [null, 5, [], { bf: 5 }, { bf: null }]) {
    const error = await assertRejects(
      () => going.update(patches as never),
      TilewiseError,
      "an object of parameters",
    );
    assertEquals(error.code, "invalid");
  }
  assertEquals(await going.update({ bf: { r: 1 } }), 1);
});

Deno.test("arrays are made of the parts that belong together", () => {
  const wrong: readonly (readonly [() => unknown, string])[] = [
    [() => ndarray([1, 2] as never, [2], "float64"), "its data is [1,2]; it must be a Float64Array"],
    [
      () => ndarray(new Uint8Array(4) as never, [4], "float32"),
      "its data is a Uint8Array; it must be a Float32Array",
    ],
    [() => ndarray(new Float64Array(4), 4 as never, "float64"), "its shape is 4; it must be a list of sizes"],
    [
      () => ndarray(new Float64Array(4) as never, [4], "f8" as never),
      'its dtype is "f8"; it must be one of bool, uint8',
    ],
    [() => zeros("f8" as never, 3), 'There is no dtype "f8"'],
    [() => dtypeOf([1] as never), "[1] is not a typed array"],
    [
      () => masks.circular(8 as never, { cy: 1, cx: 1, r: 1 }),
      "it must be a list of sizes, such as [128, 128]",
    ],
  ];
  for (const [call, words] of wrong) assertThrows(call, TilewiseError, words);
});
