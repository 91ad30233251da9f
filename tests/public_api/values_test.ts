/** Values of options that cannot be right: refused where they are given, with the name of the option. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { Arena } from "../../src/memory/arena.ts";
import { insideOf } from "../../src/runner/context.ts";
import { udfPlan as insidePlan } from "../../src/udf/run/plan.ts";
import * as tilewise from "./tilewise.ts";
import { show } from "../../src/notebook/mod.ts";
import { goldenScan } from "../udf/data.ts";

const { blobs, createContext, masks, ndarray, open, plan, run, sumFrames } = tilewise;
const scan = goldenScan();
const RAW = { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] };
const raw = (more: object) => open(new Uint8Array(4), { ...RAW, ...more } as never);
const planned = (more: object) => plan(scan, { sum: sumFrames() }, more as never);
const image = ndarray(new Float64Array(64), [8, 8], "float64");

interface Case {
  readonly what: string;
  readonly run: () => unknown;
  readonly option: string;
  readonly words: string;
}

/** Calls with one option each; `at`: where the value is wrong, if not at the option itself. */
function cases(
  run: (options: never) => unknown,
  ...all: readonly (readonly [option: string, value: unknown, words: string, at?: string])[]
): Case[] {
  return all.map(([option, value, words, at = option]) => {
    const what = `${option}: ${Deno.inspect(value).slice(0, 40)}`;
    const options = option.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    return { what, run: () => run(options as never), option: at, words };
  });
}

const REFUSED: readonly Case[] = [
  ...cases(
    raw,
    ["nav", 4, "is 4; it must be a list of whole numbers from 1, such as [256, 256]"],
    ["nav", "4x4", 'is "4x4"; it must be a list of whole numbers'],
    ["nav", [2.5], "is [2.5]; it must be a list of whole numbers"],
    ["sig", ["1", "2"], 'is ["1","2"]; it must be a list of whole numbers'],
    ["sig", [1, -2], "is [1,-2]; it must be a list of whole numbers from 1"],
    ["sigAxes", "yx", "a list of axes, by name or number"],
    ["navAxes", [1.5], "a list of axes, by name or number"],
    ["sigDims", "2", 'is "2"; it must be a whole number from 0'],
    ["sigDims", -1, "is -1; it must be a whole number from 0"],
    ["syncOffset", "1", 'is "1"; it must be a whole number'],
    ["syncOffset", 0.5, "is 0.5; it must be a whole number"],
    ["headerBytes", "much", 'is "much"; it must be a count of bytes from 0'],
    ["headerBytes", NaN, "is NaN; it must be a count of bytes from 0"],
    ["byteOrder", "middle", 'is "middle"; it must be "little" or "big"'],
    ["bits", 64, "is 64; it must be a whole number from 1 to 32"],
    ["allowTruncated", "yes", 'is "yes"; it must be true or false'],
    ["allowMissing", 1, "is 1; it must be true or false"],
    ["format", 5, "is 5; it must be a text"],
    [
      "signal",
      new AbortController(),
      "is an AbortController; it must be an AbortSignal, such as controller.signal",
    ],
    ["http", "fast", "options are an object"],
    ["http.retry.attempts", 0, "is 0; it must be a whole number from 1"],
    ["http.timeout", "1s", 'is "1s"; it must be a number above 0'],
    ["http.wholeLimit", "much", "a size in text such as 64MiB"],
    ["http.headers", { accept: 5 }, "it must be a text", "http.headers.accept"],
    ["level", 2, "has one level of resolution, 0"],
  ),
  ...cases(
    createContext,
    ["memory", "lots", 'is "lots"; it must be a count of bytes from 1, or a size in text such as 64MiB'],
    ["memory", NaN, "is NaN; it must be a count of bytes"],
    ["memory", -1, "is -1; it must be a count of bytes"],
    ["memory", "-1GiB", 'is "-1GiB"; it must be a count of bytes'],
    ["memory", 0, "is 0; it must be a count of bytes"],
    ["memory", Infinity, "is Infinity; it must be a count of bytes"],
    ["memory", null, "is null; it must be a count of bytes"],
    ["workers", -1, "is -1; it must be a whole number from 0 to 1024"],
    ["workers", 1.5, "is 1.5; it must be a whole number from 0"],
    ["workers", "2", 'is "2"; it must be a whole number from 0'],
    ["workers", NaN, "is NaN; it must be a whole number from 0"],
    ["executor", {}, "is an object; it must be an executor, as workerPool() or processExecutor() makes it"],
  ),
  ...cases(
    planned,
    ["tileBytes", "huge", "a size in text such as 64MiB"],
    ["tileBytes", -5, "is -5; it must be a count of bytes"],
    ["partitions", 0, "is 0; it must be a whole number from 1"],
    ["partitions", "4", 'is "4"; it must be a whole number from 1'],
    ["cull", 0, "is 0; it must be true or false"],
    ["backends", "csr", 'is "csr"; it must be a list of some of dense, csr'],
    ["backends", ["quux"], 'is ["quux"]; it must be a list of some of dense, csr'],
    ["context", { workers: 2 }, "is an object; it must be a context, as createContext() makes it"],
    ["corrections", "off", 'is "off"; it must be "none"'],
    ["corrections", [1], "is [1]; it must be an object such as { dark, gain, excluded }"],
    [
      "corrections.dark",
      new Float32Array(20),
      "is a Float32Array; it must be an array, as ndarray(data, shape, dtype)",
    ],
    ["corrections.excluded", [3, 5], "is [3,5]; it must be a list of pixels, such as [[3, 5]]"],
    ["corrections.allowEmpty", 1, "is 1; it must be true or false"],
    ["roi", [[9, 9]], "Position (9, 9) is not in a scan"],
  ),
  ...cases(
    async (options) => await run(await planned({}), options),
    ["signal", new AbortController(), "it must be an AbortSignal"],
    ["stallTimeout", "5s", 'is "5s"; it must be a number above 0'],
    ["onProgress", {}, "is an object; it must be a function"],
    ["progressRate", 0, "is 0; it must be a number above 0"],
  ),
  ...cases(
    tilewise.diskDetector,
    ["cy", "64", 'is "64"; it must be a finite number'],
    ["r", [3], "is [3]; it must be a number"],
  ),
  ...cases(tilewise.centreOfMass, ["flipY", "no", 'is "no"; it must be true or false']),
  ...cases((o: object) => tilewise.crystallinity({ ri: 1, ro: 2, ...o }), [
    "real",
    3,
    "options are an object",
  ]),
  ...cases(tilewise.radialFourier, ["channels", 1, "is 1; it must be true or false"]),
  ...cases(tilewise.pixelValues, ["at", 3, "is 3; it must be a list"]),
  ...cases(tilewise.applyMasks, ["masks", image, "is an object; it must be a list of masks"]),
  ...cases(
    (o: object) => tilewise.applyMasks({ masks: [image], ...o }),
    ["useSparse", "yes", 'is "yes"; it must be true, false or "auto"'],
    ["dtype", "int8", 'it must be "float32", "float64", "complex64" or "complex128"'],
    ["shifts", 3, "is 3; it must be a list of numbers"],
  ),
  ...cases((o: never) => tilewise.expression("sum(x)", o), [
    "precision",
    "double",
    'it must be "float32" or "float64"',
  ]),
  ...cases((o: never) => tilewise.mapFrames((frame) => frame[0]!, o), [
    "shape",
    2,
    "is 2; it must be a list",
  ]),
  ...cases((o: never) => tilewise.testUdf(sumFrames(), o), ["workers", "2", "it must be a whole number"]),
  ...cases((o: never) => tilewise.localMaxima(image, o), ["minDistance", "2", "it must be a number"]),
  ...cases((o: object) => tilewise.clusterFrames(scan, { n: 2, ...o }), ["n", 99, "Cannot make 99 clusters"]),
  ...cases((o: never) => tilewise.workerPool(o), ["workers", 0, "it must be a whole number from 1"], [
    "idle",
    "5s",
    "a number from 0",
  ], ["memory", "none", 'is "none"']),
  ...cases(
    (o: never) => tilewise.processExecutor(o),
    ["workers", 0, "it must be a whole number from 1"],
    ["permissions", "all", "options are an object"],
    ["configFile", 7, "is 7; it must be a text"],
    ["heap", -1, "is -1; it must be a number above 0"],
  ),
  ...cases((o: never) => new Arena(o), ["budget", "lots", "a count of bytes from 1"], [
    "budget",
    2 ** 40,
    "1 byte to 4.0 GiB",
  ]),
  ...cases((o: never) => masks.circular([8, 8], o), ["cy", "4", 'is "4"; it must be a finite number']),
  ...cases((o: object) => masks.circular([8, 8], { cy: 1, cx: 1, ...o } as never), [
    "r",
    undefined,
    "is undefined; it must be a number from 0",
  ]),
  ...cases(
    (o: object) =>
      blobs.correlatePattern({ pattern: blobs.circularPattern({ radius: 2 }), peaks: [[1, 1]], ...o }),
    [
      "pattern",
      { radius: 8 },
      "is an object; it must be a match pattern, as blobs.circularPattern({ radius }) makes it",
    ],
    ["peaks", 5, "is 5; it must be a list of pairs [y, x]"],
    ["upsample", "20", 'is "20"; it must be true, false or a number'],
  ),
  ...cases((o: never) => blobs.strainArrays([1, 0], [0, 1], o), [
    "form",
    "green",
    'it must be "polar" or "infinitesimal"',
  ], [
    "reference",
    "middle",
    'it must be "mean" or "median"',
  ]),
  ...cases(
    (o: object) => tilewise.planViews(tilewise.arrayOf(scan), { tile: [1, 1, 2, 2], ...o }),
    ["tile", 4, "is 4; it must be a list"],
    ["radius", "1", "it must be a number of samples"],
    ["radius", { front: [1] }, "takes 4 counts"],
    ["border", "mirrored", "Unknown border"],
    ["border", 5, "it must be the name of a border, a function"],
    ["border", ["edge"], "A list of borders has one per dimension"],
    ["clipped", 1, "it must be true or false"],
  ),
  ...cases(
    (o: object) => tilewise.mapViews(tilewise.arrayOf(scan), tilewise.localMinimum(), o),
    ["radius", "1", "it must be a number of samples, or a list"],
    ["radius", -1, "it must be a number of samples, or a list"],
    ["radius", [1], "takes 4 counts"],
    ["border", "mirrored", "Unknown border"],
    ["fill", "0", "it must be a number"],
    ["tile", 4, "is 4; it must be a list"],
    ["tile", [0, 0, 0, 0], "Cannot cut"],
    ["traversal", "spirals", 'Unknown traversal "spirals"; known are row-major, snake, diagonal'],
    [
      "sink",
      "out.npy",
      'is "out.npy"; it must be a function of blocks, or a sink such as fileSink("mean.npy")',
    ],
    ["sink", { takes: "rows", write: () => {} }, "it must be a function of blocks"],
    ["onProgress", true, "it must be a function"],
    ["context", {}, "must be a context"],
  ),
  ...cases(
    (o: object) => tilewise.planMap(tilewise.arrayOf(scan), tilewise.localMinimum(), o),
    ["blocks", "rows", 'it must be "bands" or "tiles"'],
  ),
  ...cases(
    (o: object) => tilewise.fileSink("a.zarr", o),
    ["chunk", 256, "it must be a list of whole numbers from 1"],
    ["shard", "big", 'is "big"; it must be a list of samples, or a count of bytes such as 256MiB'],
    ["compression", "lz4", "it must be one of none, zstd, blosc, gzip, zlib"],
    ["compression", "zstd:90", "levels of zstd are -7 to 22"],
    ["format", 4, "it must be 2 or 3"],
    ["levels", 0, 'it must be a whole number from 1 to 32, or "auto"'],
    ["reduce", "sum", 'it must be "mean", "max" or "nearest"'],
    ["axes", "yx", "it must be a list of objects"],
    ["resume", 1, "it must be true or false"],
  ),
  ...cases(
    (o: object) => tilewise.fileSink("a.ome.tif", o),
    ["tile", 100, "it must be a multiple of 16"],
    ["compression", "jpeg", "it must be one of none, deflate, zstd, lzw, packbits"],
    ["predictor", 2, "it must be true or false"],
    ["big", "yes", "it must be true or false"],
  ),
  ...cases(
    (o: object) => tilewise.viewFunction(() => {}, o),
    ["radius", "1", "it must be a number of samples, or a list"],
    ["input", "float", 'is "float"; it must be "bool", "uint8"'],
    ["dtype", "float", 'is "float"; it must be "bool", "uint8"'],
    ["params", 5, "it must be an object of parameters by name"],
    ["export", 5, "it must be a text"],
  ),
  ...cases((o: never) => tilewise.boxMean(o), ["radius", 0.5, "it must be a number of samples, or a list"]),
  ...cases(
    (o: object) => tilewise.reduceViews(tilewise.arrayOf(scan), tilewise.sampleRange(), o),
    ["border", "mirrored", "Unknown border"],
    ["fill", "0", "it must be a number"],
  ),
  ...cases(
    (o: object) => tilewise.viewExpression("x", o),
    ["params", 5, "it must be an object of numbers by name"],
    ["dtype", "int8", 'it must be "float32" or "float64"'],
  ),
  ...cases((o: never) => tilewise.threshold(o), ["value", "5", "it must be a number"]),
  ...cases((o: never) => tilewise.convert(o), ["dtype", "float", 'is "float"; it must be "bool", "uint8"']),
  ...cases(
    (o: object) => tilewise.downSample({ factor: 2, ...o }),
    ["factor", 0, "it must be a whole number from 1, or a list with one per dimension"],
    ["factor", [2, 0], "it must be a whole number from 1, or a list with one per dimension"],
    ["reduce", "median", 'it must be "mean", "max", "min", "sum" or "nearest"'],
  ),
  ...cases(
    (o: object) => tilewise.gaussian({ sigma: 1, ...o }),
    ["sigma", -1, "it must be a number from 0, or a list with one per dimension"],
    ["sigma", [1, NaN], "it must be a number from 0, or a list with one per dimension"],
    ["order", 0.5, "it must be a whole number from 0 to 8, or a list with one per dimension"],
    ["truncate", 0, "it must be a number above 0"],
    ["dtype", "int64", 'it must be "float32", "float64", "uint8"'],
  ),
  ...cases(
    (o: object) => tilewise.percentile({ percent: 1, ...o }),
    ["percent", 101, "it must be a number from 0 to 100"],
    ["footprint", [[1, 1], [1, 1]], "numbers in nested lists of equal, odd lengths"],
    ["footprint", [[1, 1, 1], [1]], "numbers in nested lists of equal, odd lengths"],
  ),
  ...cases((o: never) => tilewise.correlate(o), ["weights", [1, "2", 3], "numbers in nested lists"]),
  ...cases((o: never) => tilewise.sobel(o), ["axis", 0.5, "it must be a whole number"]),
  ...cases((o: never) => tilewise.save(image, "/nowhere/x.png", o), [
    "colormap",
    "jet",
    "it must be one of gray, viridis",
  ], [
    "bits",
    12,
    "it must be 8 or 16",
  ], ["range", 5, "two numbers, such as [0, 100]"]),
  ...cases(
    (o: object) =>
      tilewise.planTiles(tilewise.hypercube({ dimensions: { n: 4 }, arrays: [] }), {
        tile: ["n"],
        ...o,
      }),
    ["context", { workers: 2 }, "must be a context, as createContext() makes it"],
    ["tile", "n", 'is "n"; it must be a list'],
    ["tile", ["m"], 'There is no dimension "m"'],
    ["inFlight", 0, "it must be a whole number from 1"],
    ["strategy", "best", 'it must be "joint", "montblanc" or "rules"'],
    ["rules", 5, "it must be a text, or a list of texts"],
    ["largestTile", 0, "a size in text such as 64MiB, or Infinity"],
    ["sourceBatch", 1.5, "it must be a whole number from 1"],
  ),
  ...cases((o: never) => tilewise.phaseKernel(o), ["convention", "mine", 'it must be "fourier" or "casa"']),
  ...cases(async (o) => await show(await planned({}), o), ["rate", 0, "a number above 0"]),
];

for (const { what, run, option, words } of REFUSED) {
  Deno.test(`${what} is refused`, async () => {
    const error = await assertRejects(async () => await run(), TilewiseError, words);
    assertEquals([error.details.option, error.code], [option, "invalid"], error.message);
  });
}

Deno.test("options that are undefined are not set", async () => {
  const unset = { roi: undefined, corrections: undefined, tileBytes: undefined, context: undefined };
  assertEquals((await planned(unset)).bytesToRead, (await planned({})).bytesToRead);
  assertEquals((await raw({ syncOffset: undefined, http: undefined })).shape, [2, 1, 2]);
});

Deno.test("sizes may be given in text wherever bytes are taken", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  assertEquals(context.memory, 64 * 2 ** 20);
  const tile = async (tileBytes: number | string) =>
    (await insidePlan(scan, { sum: sumFrames() }, { tileBytes, context } as never)).scheme.tileShape;
  assertEquals(await tile("80B"), await tile(80));
  assert(String(await tile(80)) !== String(await tile("1MiB")));
  assertEquals(new Arena({ budget: "64KiB" }).budget, 65536);
  assertEquals((await raw({ sig: [1, 1], nav: [2], headerBytes: "2B" })).images, 2);
});

Deno.test("a context may have more memory than one arena can address", async () => {
  await using context = createContext({ memory: "8GiB", workers: 0 });
  assertEquals([context.memory, insideOf(context).arenaBudget < 2 ** 32], [8 * 2 ** 30, true]);
  const { sum } = await run(await planned({ context }));
  assertEquals(sum!.intensity!.shape, [4, 5]);
  assertEquals(context.used, 0);
});
