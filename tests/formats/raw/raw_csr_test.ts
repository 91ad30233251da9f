/** Raw CSR: the description, what is refused, and the same results as from dense data with the same samples. */

import "../../fences/mod.ts";
import { sha256 } from "../read_all.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import type { DType } from "../../../src/space/dtype.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { crystallinity } from "../../../src/udf/builtin/crystallinity.ts";
import { pointDetector, rectangularDetector } from "../../../src/udf/builtin/detectors.ts";
import { expression } from "../../../src/udf/builtin/expression.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import { pixelValues } from "../../../src/udf/builtin/pixel_values.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import { builtin, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { cli } from "../../cli/harness.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { csrFiles, type CsrOptions, sparseCounts, stored } from "../../udf/csr_data.ts";
import { memoryScan, numbers } from "../../udf/data.ts";
import { failure } from "../helpers.ts";

const [NAV, SIG, FRAMES, PIXELS] = [[5, 6], [16, 18], 30, 288] as const;
const VALUES = sparseCounts(FRAMES, PIXELS);

interface Sidecar {
  readonly nav?: readonly number[];
  readonly sig?: readonly number[];
  readonly lines?: Readonly<Record<string, string | undefined>>;
}

function sidecar({ nav = NAV, sig = SIG, lines = {} }: Sidecar = {}, mark = "<"): string {
  const fields: Record<string, string | undefined> = {
    indptr_file: '"rows.bin"',
    indptr_dtype: `"${mark}i8"`,
    indices_file: '"columns.bin"',
    indices_dtype: `"${mark}i4"`,
    data_file: '"values.bin"',
    data_dtype: `"${mark}u2"`,
    ...lines,
  };
  const text = Object.entries(fields).filter(([, value]) => value).map(([key, value]) => `${key} = ${value}`);
  const shapes = `nav_shape = [${nav}]\nsig_shape = [${sig.join(",\n  ")},]`;
  return `# a sparse scan\n[params]\nfiletype = "RAW_CSR"\n${shapes}\n\n[raw_csr]\n${text.join("\n")}\n`;
}

type Parts = Partial<Record<"rows.bin" | "columns.bin" | "values.bin", Uint8Array<ArrayBuffer>>>;

function filesOf(options: CsrOptions = {}, dtype: DType = "uint16"): Required<Parts> {
  const { indptr, indices, data } = csrFiles(VALUES, PIXELS, dtype, options);
  return { "rows.bin": indptr, "columns.bin": indices, "values.bin": data };
}

function asFiles(text: string, parts: Parts): File[] {
  return [
    new File([text], "scan.toml"),
    ...Object.entries(parts).map(([name, bytes]) => new File([bytes], name)),
  ];
}

const openCsr = (options: OpenOptions = {}) => open(asFiles(sidecar(), filesOf()), options);

async function results(
  dataset: StoredDataset,
  udfs: Record<string, UdfRef>,
  options: PlanOptions = {},
  workers = 0,
) {
  await using context = createContext({ memory: 64 * 2 ** 20, workers });
  return await run(await plan(dataset, udfs, { context, ...options }));
}

Deno.test("files, blobs, bytes and HTTP give the same samples", async () => {
  const expected = [...VALUES];
  const samples = async (dataset: StoredDataset) =>
    numbers((await results(dataset, { it: builtin("pick_frames") })).it!.intensity!.data);
  const parts = filesOf();
  const scan = await open(asFiles(sidecar(), parts));
  assertEquals([scan.navShape, scan.sigShape, scan.dtype, scan.detection.format], [
    NAV,
    SIG,
    "uint16",
    "raw_csr",
  ]);
  assertEquals(scan.backends, ["csr"]);
  assertEquals(await samples(scan), expected);
  const bytes = [new TextEncoder().encode(sidecar()), ...Object.values(parts)];
  assertEquals(await samples(await open(bytes)), expected);
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/parts`);
    const lines = { data_file: "'parts/values.bin'" };
    await Deno.writeTextFile(`${folder}/scan.toml`, sidecar({ lines }));
    for (const [name, data] of Object.entries(parts)) {
      await Deno.writeFile(`${folder}/${name === "values.bin" ? "parts/" : ""}${name}`, data);
    }
    assertEquals(await samples(await open(`${folder}/scan.toml`)), expected);
    await Deno.remove(`${folder}/rows.bin`);
    assertStringIncludes((await failure(open(`${folder}/scan.toml`), "not-found")).message, "rows.bin");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const served: Record<string, Uint8Array> = { "/scan.toml": bytes[0]!, ...withSlash(parts) };
  await using server = serve((question) => rightAnswer(served[question.path]!, question));
  assertEquals(await samples(await open(new URL("/scan.toml", server.url))), expected);
});

function withSlash(parts: Parts): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [`/${name}`, bytes]));
}

Deno.test("types, byte orders, untidy entries", async () => {
  for (
    const [dtype, short] of [["uint8", "u1"], ["int16", "i2"], ["float32", "f4"], ["float64", "f8"]] as const
  ) {
    for (
      const [indexDType, index] of [["int32", "i4"], ["uint16", "u2"], ["int64", "i8"], [
        "uint64",
        "u8",
      ]] as const
    ) {
      for (const order of ["little", "big"] as const) {
        const mark = order === "big" ? ">" : "<";
        const lines = { indices_dtype: `"${mark}${index}"`, data_dtype: `"${mark}${short}"` };
        const parts = filesOf({ indexDType, order, untidy: index === "i8" }, dtype);
        const scan = await open(asFiles(sidecar({ lines }, mark), parts));
        const { it } = await results(scan, { it: builtin("pick_frames") });
        assertEquals([scan.dtype, it!.intensity!.dtype], [dtype, dtype]);
        assertEquals(numbers(it!.intensity!.data), [...VALUES], `${dtype} ${indexDType} ${order}`);
      }
    }
  }
  const lines = { indptr_dtype: '"uint16"', indices_dtype: '"int32"', data_dtype: '"u2"' };
  const scan = await open(asFiles(sidecar({ lines }), filesOf({ indptrDType: "uint16" })));
  assertEquals(numbers((await results(scan, { it: builtin("pick_frames") })).it!.intensity!.data), [
    ...VALUES,
  ]);
});

const RING = { cy: 8, cx: 9, ro: 7, ri: 2 };
const WEIGHTS = Float32Array.from({ length: PIXELS }, (_, i) => Math.sin(i));

const UDFS: Record<string, UdfRef> = {
  sum: builtin("sum_frames"),
  sumsig: builtin("sum_pixels"),
  stddev: builtin("standard_deviation"),
  logsum: builtin("log_sum"),
  com: builtin("centre_of_mass"),
  pick: builtin("pick_frames"),
  nothing: builtin("noop"),
  fem: fluctuation({ cy: 8, cx: 9, ri: 2, ro: 6 }),
  crystallinity: crystallinity({ ri: 1, ro: 5 }),
  radial: radialFourier({ cy: 8, cx: 9, ri: 0, ro: 7, bins: 2, maxOrder: 3 }),
  fftSum: builtin("fft_of_sum"),
  fftFrames: builtin("fft_of_frames"),
  point: pointDetector({ cy: 3, cx: 5 }),
  rectangle: rectangularDetector({ y: 2, x: 3, height: 7, width: 9 }),
  expr: expression({ far: "count(x > 9)", image: "frames.sum(x)", one: "x * row" }),
  some: pixelValues({ at: [[0, 1], [9, 9]] }),
  correlate: blobs.correlatePattern({
    pattern: blobs.circularPattern({ radius: 2 }),
    peaks: [[8, 9], [4, 5]],
  }),
  disk: builtin("disk_detector", { cy: 8, cx: 9, r: 4 }),
  annular: builtin("annular_detector", RING),
  ints: builtin("apply_masks", { masks: [RING, { cy: 3, cx: 4, ro: 3 }] }),
  floats: builtin("apply_masks", {
    masks: [{ data: WEIGHTS, shape: [...SIG], dtype: "float32", stride: [18, 1] }],
  }),
};

Deno.test("every built-in gives the bits that it gives on dense data", async () => {
  for (const dtype of ["uint8", "uint16", "int32", "float32", "float64"] as const) {
    const float = dtype.startsWith("float");
    const values = VALUES.map((v) => float ? Math.fround(v * Math.PI) : v);
    const { indptr, indices, data } = csrFiles(values, PIXELS, dtype);
    const parts = { "rows.bin": indptr, "columns.bin": indices, "values.bin": data };
    const lines = { data_dtype: `"${dtype}"` };
    for (const syncOffset of [0, 4, -3]) {
      const sparse = await open(asFiles(sidecar({ lines }), parts), { syncOffset });
      const dense = memoryScan(values, NAV, SIG, dtype, { syncOffset });
      for (
        const options of [{}, { roi: Uint8Array.from(VALUES.slice(0, FRAMES), (_, i) => i % 3 ? 1 : 0) }]
      ) {
        const [expected, found] = [await results(dense, UDFS, options), await results(sparse, UDFS, options)];
        for (const [udf, buffers] of Object.entries(expected)) {
          for (const [name, { data, valid }] of Object.entries(buffers)) {
            assertEquals(found[udf]![name]!.data, data, `${dtype} ${syncOffset} ${udf}.${name}`);
            assertEquals(found[udf]![name]!.valid, valid);
          }
        }
      }
    }
  }
});

Deno.test("any sparse scan, in any partitions and on any number of workers", async () => {
  const scan = await openCsr();
  const expected = await results(scan, UDFS);
  for (const [workers, partitions] of [[1, 3], [2, 5], [3, 1]] as const) {
    const found = await results(scan, UDFS, { partitions }, workers);
    for (const [udf, buffers] of Object.entries(expected)) {
      for (const [name, { data }] of Object.entries(buffers)) {
        assertEquals(found[udf]![name]!.data, data, `${udf}.${name}`);
      }
    }
  }
  const any = fc.array(fc.oneof(fc.constant(0), fc.nat(300)), { minLength: 24, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(
      any,
      fc.integer({ min: -5, max: 5 }),
      fc.boolean(),
      async (values, syncOffset, untidy) => {
        const { indptr, indices, data } = csrFiles(values, 4, "uint16", { untidy });
        const parts = { "rows.bin": indptr, "columns.bin": indices, "values.bin": data };
        const sparse = await open(asFiles(sidecar({ nav: [2, 3], sig: [2, 2] }), parts), { syncOffset });
        const udfs = { pick: builtin("pick_frames"), sum: builtin("sum_frames") };
        const [a, b] = [
          await results(sparse, udfs),
          await results(memoryScan(values, [2, 3], [2, 2], "uint16", { syncOffset }), udfs),
        ];
        assertEquals(a.pick!.intensity!.data, b.pick!.intensity!.data);
        assertEquals(a.sum!.intensity!.data, b.sum!.intensity!.data);
      },
    ),
    { numRuns: 25, seed: 3 },
  );
});

Deno.test("the plan counts entries; what does not fit is refused", async () => {
  const scan = await openCsr();
  await using context = createContext({ memory: 300_000, workers: 0 });
  const small = await plan(scan, { it: builtin("sum_pixels") }, { context });
  const entries = VALUES.filter((v) => v !== 0).length;
  assertEquals([small.bytesToRead, small.memory.entries], [entries * 6, entries]);
  assert(small.memory.total < 300_000);
  await using tiny = createContext({ memory: 2000, workers: 0 });
  await failure(plan(scan, { it: builtin("sum_pixels") }, { context: tiny }), "over-budget");
});

Deno.test("what is wrong is said", async () => {
  const cases: readonly [Sidecar, Parts, Parameters<typeof failure>[1], string][] = [
    [{ lines: { data_file: undefined } }, {}, "malformed", "raw_csr.data_file is missing"],
    [{ lines: { data_file: "3" } }, {}, "malformed", "raw_csr.data_file is 3"],
    [{ lines: { data_dtype: '"what"' } }, {}, "malformed", "what"],
    [{ lines: { data_dtype: '"c8"' } }, {}, "unsupported", "complex64"],
    [{ lines: { indices_dtype: '"f4"' } }, {}, "unsupported", "float32"],
    [{ lines: { indices_file: '"../columns.bin"' } }, {}, "invalid", "inside its folder"],
    [{ nav: [0, 3] }, {}, "malformed", "params.nav_shape"],
    [{ sig: [1.5] }, {}, "malformed", "params.sig_shape"],
    [{ lines: { data_file: '"other.bin"', x: "{ a = 1 }" } }, {}, "not-found", "other.bin"],
    [{}, { "rows.bin": stored([0, 5, 3, 8], "int64") }, "malformed", "row pointer 2 is 3, after 5"],
    [{}, { "rows.bin": stored([-1, 5], "int64") }, "malformed", "row pointer 0 is -1"],
    [{}, { "rows.bin": new Uint8Array(13) }, "truncated", "13 bytes"],
    [{}, { "rows.bin": new Uint8Array(8) }, "malformed", "8 bytes"],
    [{}, { "columns.bin": new Uint8Array(40) }, "truncated", "columns.bin"],
    [{}, { "values.bin": new Uint8Array(40) }, "truncated", "values.bin"],
  ];
  for (const [description, parts, code, text] of cases) {
    const error = await failure(open(asFiles(sidecar(description), { ...filesOf(), ...parts })), code);
    assertStringIncludes(error.message, text);
  }
  await failure(open([new File([sidecar()], "scan.toml")]), "not-found");
  const columns = filesOf()["columns.bin"].slice();
  new DataView(columns.buffer).setInt32(40, PIXELS, true);
  const scan = await open(asFiles(sidecar(), { ...filesOf(), "columns.bin": columns }));
  const wrong = await failure(results(scan, { it: builtin("sum_frames") }), "malformed");
  assertStringIncludes(wrong.message, "entry 10 of image 0 is outside of a frame of 288 pixels");
  const twice = csrFiles([200, 0], 2, "uint8");
  const parts = {
    "rows.bin": stored([0, 2], "int64"),
    "columns.bin": stored([1, 1], "int32"),
    "values.bin": stored([200, 100], "uint8"),
  };
  assertEquals(twice.data.length, 1);
  const lines = { data_dtype: '"u1"'.replace("u1", "uint8") };
  const sum = await open(asFiles(sidecar({ nav: [1], sig: [1, 2], lines }), parts));
  assertStringIncludes(
    (await failure(results(sum, { it: builtin("sum_frames") }), "malformed")).message,
    "add up to 300",
  );
});

Deno.test("surplus entries and scans of another size are warnings", async () => {
  const parts = filesOf();
  const more = new Uint8Array([...parts["values.bin"], 1, 2]);
  const columns = new Uint8Array([...parts["columns.bin"], 1, 2, 3, 4]);
  const scan = await open(
    asFiles(sidecar({ nav: [5, 7] }), { ...parts, "values.bin": more, "columns.bin": columns }),
  );
  assertEquals(scan.warnings.length, 2);
  const reshaped = await open(asFiles(sidecar(), parts), { nav: [6, 5], sig: [288] });
  assertEquals(reshaped.shape, [6, 5, 288]);
});

Deno.test("info, stats, pick and run on the command line", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/scan.toml`, sidecar());
    for (const [name, data] of Object.entries(filesOf())) await Deno.writeFile(`${folder}/${name}`, data);
    const path = `${folder}/scan.toml`;
    const [info] = (await cli(["info", "--json", path])).json();
    assertEquals([info!.format, info!.sparse, info!.dtype], ["raw_csr", "csr", "uint16"]);
    assertStringIncludes((await cli(["info", path])).out, "rows of a sparse matrix");
    const [stats] = (await cli(["stats", "--json", path])).json();
    const total = VALUES.reduce((a, b) => a + b, 0);
    assertEquals([stats!.sum, stats!.min, stats!.max], [total, 0, Math.max(...VALUES)]);
    const [pick] = (await cli(["pick", "--json", "--at", "1,2", path])).json();
    assertEquals((pick!.values as number[][]).flat(), [...VALUES.slice(8 * PIXELS, 9 * PIXELS)]);
    const [box] = (await cli(["pick", "--json", "--box", "1:2,2:3,3:5,4:7", path])).json();
    const at = (y: number, x: number) => VALUES[8 * PIXELS + 18 * y + x]!;
    assertEquals(
      (box!.values as number[][][][]).flat(3),
      [3, 4].flatMap((y) => [4, 5, 6].map((x) => at(y, x))),
    );
    assertEquals((await cli(["run", "sum", path])).code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

for (const file of ["scan.toml", "inline.toml"]) {
  Deno.test(`${file} and its matrix, as SciPy wrote them`, async () => {
    const scan = await open(new URL(`../../data/raw_csr/${file}`, import.meta.url));
    assertEquals([scan.shape, scan.dtype], [[2, 3, 5, 7], "uint16"]);
    const { data } = await readBox(scan, wholeBox(scan.shape));
    const digest = "d3ead656b498bc34adb86322caef74a30129e6acd8be7621f437a6571faeb3f5";
    assertEquals(sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)), digest);
  });
}
