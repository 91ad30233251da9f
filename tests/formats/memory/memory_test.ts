/** Arrays in memory as data sets: what they are called, how they are cut into frames, and what is refused. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { isTilewiseError, TilewiseError } from "../../../src/errors.ts";
import {
  openAllStored as openAll,
  type OpenInput,
  type OpenOptions,
  openStored as open,
} from "../../../src/formats/open.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { arrayOf } from "../../../src/views/array.ts";

const values = (dtype: DType, n: number): TypedArray => {
  const array = zeros(dtype, n);
  const big = array instanceof BigInt64Array || array instanceof BigUint64Array;
  for (let i = 0; i < array.length; i++) {
    const value = dtype === "bool" ? i % 2 : (7 * i * i + 3 * i) % 31;
    array[i] = big ? BigInt(value) : value;
  }
  return array;
};

/** All samples, by way of a run. */
async function samples(scan: StoredDataset, workers = 0): Promise<TypedArray> {
  await using context = new RunContext({ memory: 2 ** 24, workers });
  const { it } = await run(await plan(scan, { it: pickFrames() }, { context }));
  await context.settled();
  assertEquals(context.arena.used, 0);
  return it!.intensity!.data;
}

/** The samples of a layout that lies in memory. */
function bytesOf({ layout }: StoredDataset): Uint8Array {
  const { source } = layout.files[0]!;
  if (source.kind !== "bytes") throw new Error(`samples are in ${source.kind}`);
  return source.bytes;
}

async function refused(source: unknown, options: OpenOptions, ...words: string[]): Promise<TilewiseError> {
  const error = await assertRejects(() => open(source as OpenInput, options), TilewiseError);
  assertEquals(error.code, "invalid", error.message);
  for (const word of words) assertStringIncludes(error.message, word);
  return error;
}

for (const workers of [0, 2]) {
  for (const dtype of DTYPES) {
    Deno.test(`${dtype}: samples in memory are read as they lie, ${workers} workers`, async () => {
      const data = values(dtype, 240);
      const scan = await open({ data, shape: [3, 4, 4, 5], dtype });
      assertEquals([scan.navShape, scan.sigShape, scan.dtype], [[3, 4], [4, 5], dtype]);
      assertEquals(bytesOf(scan).buffer, data.buffer); // no copy
      assertEquals([...await samples(scan, workers) as Float64Array], [...data as Float64Array]);
    });
  }
}

Deno.test("the type is that of the typed array, unless another one lies the same way", async () => {
  for (const dtype of DTYPES) {
    const { kind } = dtypeInfo(dtype);
    const scan = await open({ data: zeros(dtype, 12), shape: kind === "c" ? [1, 3, 8] : [1, 3, 4] });
    const own = { bool: "uint8", complex64: "float32", complex128: "float64" } as Record<string, DType>;
    assertEquals(scan.dtype, own[dtype] ?? dtype);
  }
  const clamped = { data: new Uint8ClampedArray(12) as unknown as Uint8Array, shape: [3, 2, 2] };
  assertEquals((await open(clamped)).dtype, "uint8");
  assertEquals(
    (await open({ data: new Float32Array(24), shape: [3, 2, 2], dtype: "c8" })).dtype,
    "complex64",
  );
  await refused(
    { data: new Uint16Array(12), shape: [3, 2, 2], dtype: "float32" },
    {},
    "uint16",
    "not converted",
  );
  await refused(
    { data: new Uint8Array(24), shape: [3, 2, 2], dtype: "uint16" },
    {},
    "open(bytes, { dtype, sig })",
  );
});

Deno.test("the last two dimensions are the frame, or as many as nav, sig and sigDims say", async () => {
  const data = new Float32Array(240);
  const split = async (input: object, options: OpenOptions = {}) => {
    const { navShape, sigShape, warnings } = await open({ data, ...input } as OpenInput, options);
    return [navShape, sigShape, warnings.length];
  };
  assertEquals(await split({ shape: [3, 4, 4, 5] }), [[3, 4], [4, 5], 0]);
  assertEquals(await split({ shape: [3, 4, 4, 5], sigDims: 1 }), [[3, 4, 4], [5], 0]);
  assertEquals(await split({ shape: [3, 4, 4, 5], sig: [5] }), [[3, 4, 4], [5], 0]);
  assertEquals(await split({ shape: [3, 4, 4, 5] }, { sigDims: 3 }), [[3], [4, 4, 5], 0]);
  assertEquals(await split({ shape: [12, 4, 5], nav: [3, 4] }), [[3, 4], [4, 5], 0]);
  assertEquals(await split({ shape: [12, 4, 5] }, { nav: [3, 4], sig: [20] }), [[3, 4], [20], 0]);
  assertEquals(await split({ nav: [3, 4], sig: [4, 5] }), [[3, 4], [4, 5], 0]);
  assertEquals(await split({ sig: [4, 5] }), [[12], [4, 5], 0]);
  assertEquals(await split({ shape: [12, 20] }), [[], [12, 20], 0]);
  assertEquals(await split({ shape: [240] }), [[], [240], 0]);
  // as of files: positions without an image stay blank, images without a position are not shown
  assertEquals(await split({ shape: [12, 4, 5], nav: [3, 5] }), [[3, 5], [4, 5], 1]);
  assertEquals(await split({ shape: [12, 4, 5], nav: [2, 5] }), [[2, 5], [4, 5], 1]);
});

Deno.test("a sync offset leaves positions blank, as of files", async () => {
  const scan = await open({ data: Uint8Array.of(1, 2, 3), shape: [3, 1, 1], syncOffset: -1 });
  assertEquals([...await samples(scan) as Uint8Array], [0, 1, 2]);
});

Deno.test("sizes that do not fit are refused, with the sum", async () => {
  const data = new Float32Array(59);
  const { details } = await refused(
    { data, shape: [3, 4, 5] },
    {},
    "3 × 4 × 5 = 60 samples of float32, its data has 59",
  );
  assertEquals([details.expected, details.found], [60, 59]);
  await refused({ data, nav: [3], sig: [4, 5] }, {}, "nav and sig take 3 × 4 × 5 = 60 samples");
  await refused({ data, sig: [4, 5] }, {}, "2 × 4 × 5 = 40 samples of float32, its data has 59");
  await refused({ data: new Float32Array(119), shape: [60], dtype: "complex64" }, {}, "has 59.5");
  await refused({ data }, {}, "without its shape");
  await refused({ data, nav: [59] }, {}, "without its shape");
  await refused({ data, shape: [59, 1.5] }, {}, "whole numbers");
  await refused({ data, shape: [59, 1], sigDims: 3 }, {}, "3 signal dimensions");
  await refused({ data, shape: [59, 1], sig: [7] }, {}, "7 samples");
});

Deno.test("what is said twice must be the same", async () => {
  const data = new Float32Array(240);
  const twice = { data, shape: [12, 4, 5], nav: [3, 4], dtype: "f4" };
  assertEquals((await open(twice, { nav: [3, 4], dtype: "float32" })).navShape, [3, 4]);
  await refused(twice, { nav: [4, 3] }, "its nav is [3,4], the option nav is [4,3]; say it once");
  await refused(twice, { dtype: "complex64" }, "its dtype is");
  await refused({ ...twice, sigDims: 2 }, { sigDims: 1 }, "sigDims");
});

Deno.test("options and members that mean nothing for an array are refused", async () => {
  const input = { data: new Float32Array(240), shape: [12, 4, 5] };
  await refused(input, { headerBytes: 12 }, "option headerBytes", "nav, sig");
  await refused(input, { format: "npy" }, "option format");
  await refused({ ...input, shpae: [1] }, {}, "shpae", 'did you mean "shape"');
  assertEquals((await open(input, { format: "memory" })).frames, 12);
  await refused(new Uint16Array(4), {}, "Uint16Array alone", "open({ data, shape");
  await refused({ data: [1, 2, 3], shape: [3] }, {}, "typed array");
  const error = await assertRejects(() => open({ shape: [3] } as unknown as OpenInput));
  assert(isTilewiseError(error, "invalid"));
});

Deno.test("the facts of an array are those of any data set", async () => {
  const scan = await open({ data: new Float32Array(240), shape: [3, 4, 4, 5], name: "corrected" });
  assertEquals([scan.source, scan.detection.format, scan.array, scan.images], [
    "corrected",
    "memory",
    "",
    12,
  ]);
  assertEquals(scan.detection.why, ["an array of 3 × 4 × 4 × 5 float32 was given"]);
  assertEquals(String(scan), "(3, 4 | 4, 5) float32, memory");
  assertEquals(scan.axes.length, 4);
  assertEquals((await openAll({ data: new Float32Array(240), shape: [12, 20] })).length, 1);
});

Deno.test("a part of a buffer is no more than that part, and shared memory stays where it is", async () => {
  const all = Uint16Array.from({ length: 20 }, (_, i) => i);
  const part = await open({ data: all.subarray(4, 16), shape: [3, 2, 2] });
  assertEquals([...await samples(part, 2) as Uint16Array], [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  const shared = new Uint16Array(new SharedArrayBuffer(24));
  shared.set(all.subarray(0, 12));
  const scan = await open({ data: shared, shape: [3, 2, 2] });
  assertEquals(bytesOf(scan).buffer, shared.buffer);
  await using context = new RunContext({ workers: 2 });
  assertEquals((await plan(scan, { it: pickFrames() }, { context })).memory.samples, 0);
  assertEquals([...await samples(scan, 2) as Uint16Array], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

Deno.test("later runs see what the samples are then, on workers as on the calling thread", async () => {
  const data = new Uint8Array(12);
  const scan = await open({ data, shape: [3, 2, 2] });
  for (const workers of [0, 2]) {
    for (const value of [3, 9]) {
      data.fill(value);
      assertEquals([...await samples(scan, workers) as Uint8Array], Array(12).fill(value));
    }
  }
});

Deno.test("transposed arrays are read in the order of their shape", async () => {
  const data = Float64Array.from({ length: 24 }, (_, i) => i);
  const transposed = { data, shape: [4, 3, 2], stride: [1, 4, 12], dtype: "float64" } as const;
  const expected = Array.from(
    { length: 24 },
    (_, i) => Math.floor(i / 6) + 4 * (Math.floor(i / 2) % 3) + 12 * (i % 2),
  );
  assertEquals([...await samples(await open(transposed)) as Float64Array], expected);
  const pairs = {
    ...transposed,
    data: Float64Array.from({ length: 48 }, (_, i) => i),
    dtype: "complex128",
  } as const;
  const complex = [...await samples(await open(pairs)) as Float64Array];
  assertEquals(complex, expected.flatMap((n) => [2 * n, 2 * n + 1]));
  const every = await open({ data, shape: [3, 1, 2], stride: [8, 8, 2] });
  assertEquals([...await samples(every) as Float64Array], [0, 2, 8, 10, 16, 18]);
  await refused({ data, shape: [3, 1, 2], stride: [12, 8, 2] }, {}, "reaches beyond its 24 samples");
  await refused({ data, shape: [3, 1, 2], stride: [-8, 8, 2] }, {}, "strides -8, 8, 2");
});

Deno.test("frames that are not valid are not read, and views show zeros for them", async () => {
  const data = Float32Array.of(1, 2, NaN, 7, 5, 6);
  const scan = await open(ndarray(data, [3, 1, 2], "float32", Uint8Array.of(1, 0, 1)));
  assertEquals(scan.warnings, ["1 frame is not valid, of 3: no run selects them"]);
  assertEquals([...await samples(scan) as Float32Array], [1, 2, 5, 6]);
  const views = arrayOf(scan);
  assertEquals("layout" in views && [...views.valid!], [1, 0, 1]);
  const perSample = ndarray(data, [3, 1, 2], "float32", Uint8Array.of(1, 1, 0, 0, 1, 1));
  assertEquals([...(await open(perSample)).valid!], [1, 0, 1]);
  const perGroup = ndarray(new Float32Array(16), [2, 2, 2, 2], "float32", Uint8Array.of(1, 0));
  assertEquals([...(await open(perGroup)).valid!], [1, 1, 0, 0]);
  const all = ndarray(data, [3, 1, 2], "float32", Uint8Array.of(1, 1, 1));
  assertEquals((await open(all)).valid, undefined);
});

Deno.test("frames that are valid in part are refused, with what would work", async () => {
  const map = ndarray(new Float32Array(6), [2, 3], "float32", Uint8Array.of(1, 1, 1, 0, 1, 1));
  await refused(map, {}, "1 of its frames is valid in part", "sigDims", "valid: undefined");
  assertEquals((await open({ ...map, valid: undefined })).sigShape, [2, 3]);
  await refused({ ...map, valid: new Uint8Array(4) }, {}, "has 4 values, its array 6 samples");
});

Deno.test("what is said of an array must fit its shape; units that are none stay as text", async () => {
  const data = new Uint16Array(6);
  const refused = async (said: Record<string, unknown>, text: string) => {
    const error = await assertRejects(
      () => open({ data, shape: [2, 3], ...said } as never),
      TilewiseError,
      text,
    );
    assertEquals(error.code, "invalid");
  };
  await refused({ axes: [{ name: "x" }] }, "its shape of 2 × 3 has 2 dimensions, its axes are 1");
  await refused(
    { axes: [{ name: "c", names: ["DAPI"] }, {}] },
    "axis c has 1 names, the array has 2 samples along it",
  );
  await refused(
    { axes: [{}, { positions: [1, 2] }] },
    "axis 1 has 2 positions, the array has 3 samples along it",
  );
  await refused(
    { axes: [{ name: "y", size: 4 }, {}] },
    "axis y is 4 samples long, the array has 2 samples along it",
  );
  await refused({ axes: [{ kind: "places" }, {}] }, "axes[0].kind");
  await refused({ axes: [{ scale: 0 }, {}] }, "axes[0].scale");
  await refused({ values: { kind: "weight" } }, "values.kind");
  await refused({ values: { kind: "amount", missing: NaN } }, "values.missing");
  const axes = [{ name: "y", scale: 2, unit: "furlongs (old)" }, { name: "x", scale: 1, unit: "°" }];
  const opened = await open({
    data,
    shape: [2, 3],
    axes,
    values: { kind: "amount", unit: "no unit at all" },
  });
  assertEquals(opened.axes.map(({ unit }) => unit), ["furlongs (old)", "°"]);
  assertEquals(opened.values, { kind: "amount", unit: "no unit at all" });
});
