/**
 * Types travel from the declaration of a UDF to its results. There is nothing to run: `deno check` is the test.
 */

import {
  annularDetector,
  applyMasks,
  centreOfMass,
  crystallinity,
  type Dataset,
  expression,
  fftOfFrames,
  logSum,
  mapFrames,
  type NDArray,
  pickFrames,
  plan,
  radialFourier,
  run,
  standardDeviation,
  sumFrames,
  sumPixels,
  udf,
} from "@tilewise/tilewise";
import { derive, kernelUdf } from "@tilewise/tilewise/unstable/udf";
import { type DType, ndarray, zeros } from "@tilewise/tilewise/arrays";
import { zeroArray } from "@tilewise/tilewise/unstable/arrays";
import type { CubePlan, CubeReport, CubeRunOptions } from "@tilewise/tilewise/hypercube";
import type { dryRun } from "@tilewise/tilewise/unstable/run";
import { auxData, type FloatArray, objectsOf, type Udf, type UdfRef, withMask } from "@tilewise/tilewise/udf";
import type { MapPlan } from "@tilewise/tilewise/views";
import * as blobs from "@tilewise/tilewise/unstable/blobs";
import { holds, type Same } from "./same.ts";

/** The data do not matter. */
declare const scan: Dataset;

/** Arrays. */
export function arrays(): void {
  holds<Same<ReturnType<typeof zeros<"int64">>, BigInt64Array>>();
  const image = zeroArray([2, 2], "uint16");
  holds<Same<typeof image, NDArray<"uint16">>>();
  holds<Same<typeof image.data, Uint16Array>>();
  holds<Same<NDArray<"complex64">["data"], Float32Array>>();
  holds<Same<NDArray<"bool">["data"], Uint8Array>>();
  const any: NDArray = image;
  ndarray(Float32Array.of(1), [1], "float32");
  ndarray(Float32Array.of(1, 2), [1], "complex64");
  // @ts-expect-error: float32 samples lie in a Float32Array
  ndarray(Float64Array.of(1), [1], "float32");
  // @ts-expect-error: complex128 samples lie in a Float64Array
  ndarray(Float32Array.of(1, 2), [1], "complex128");
  // @ts-expect-error: there is no such dtype
  zeros("f8", 1);
  // @ts-expect-error: any array may be of another dtype
  const some: NDArray<"uint16"> = any;
  void some;
}

/** Built-ins. */
export async function builtins(): Promise<void> {
  const job = await plan(scan, {
    dp: sumFrames(),
    haadf: annularDetector({ ri: 4, ro: 8 }),
    single: applyMasks({ masks: [{ cy: 0, cx: 0, ro: 3 }], dtype: "float32" }),
    com: centreOfMass(),
    sd: standardDeviation(),
    frames: pickFrames(),
    orders: radialFourier(),
    log: logSum(),
    rings: crystallinity({ ri: 1, ro: 2 }),
    fft: fftOfFrames(),
    disks: blobs.correlatePattern({ pattern: blobs.circularPattern({ radius: 2 }), peaks: [[1, 1]] }),
    least: kernelUdf({ kernel: "min_max" }),
  });
  const results = await run(job);
  holds<Same<typeof results.dp.intensity.data, Float64Array>>();
  holds<Same<typeof results.haadf.intensity.data, Float64Array>>();
  holds<Same<typeof results.single.intensity.data, Float32Array>>();
  holds<Same<typeof results.com.field_y.dtype, "float64">>();
  holds<Same<typeof results.com.curl, NDArray<"float64"> | undefined>>();
  holds<Same<typeof results.sd.num_frames.data, Float64Array>>();
  holds<Same<typeof results.frames.intensity.dtype, DType>>();
  holds<Same<typeof results.orders.dominant.data, Uint16Array>>();
  holds<Same<typeof results.log.logsum.data, Float64Array>>();
  holds<Same<typeof results.rings.intensity.data, Float64Array>>();
  holds<Same<typeof results.fft.fft.dtype, "complex128">>();
  holds<Same<typeof results.disks.centers.data, Int32Array>>();
  holds<Same<typeof results.least.extremes.data, Float64Array>>();
  // @ts-expect-error: misspelt key
  void results.hadf;
  // @ts-expect-error: misspelt result
  void results.haadf.intesity;
  // @ts-expect-error: intermediate buffers are not results
  void results.sd.first;
  for await (const { results: { dp }, damage } of run(job)) {
    holds<Same<typeof dp.intensity.data, Float64Array>>();
    holds<Same<typeof damage.data, Uint8Array>>();
  }
  holds<Same<ReturnType<typeof dryRun<{ a: { b: "int8" } }>>["a"]["b"]["data"], Int8Array>>();
  // @ts-expect-error: a plan has no such option
  await plan(scan, { dp: sumFrames() }, { tilesize: 3 });
}

/** UDFs that are declared in place. */
export async function own(): Promise<void> {
  const bright = udf({
    name: "bright",
    buffers: {
      count: { kind: "nav", dtype: "int32" },
      mean: { kind: "nav" },
      sums: { kind: "single", dtype: "float64", merge: "sum", use: "private" },
      peaks: { kind: "nav", dtype: "object" },
    },
    constants: () => ({ dark: Float32Array.of(1) }),
    scratch: () => ({ room: { dtype: "uint8", length: 3 } }),
    aux: () => ({ shift: auxData(Int16Array.of(1)) }),
    taskData: () => new Map<string, number>(),
    processFrame({ data }, buffers, { constants, scratch, aux, taskData, objects }) {
      holds<Same<typeof data, FloatArray>>();
      holds<Same<typeof buffers.count, Int32Array>>();
      holds<Same<typeof buffers.mean, Float32Array>>();
      holds<Same<typeof constants.dark, Float32Array<ArrayBuffer>>>();
      holds<Same<typeof scratch.room, Uint8Array>>();
      holds<Same<typeof aux.shift, Int16Array>>();
      holds<Same<typeof taskData, Map<string, number>>>();
      objects.peaks.set(0, [1, 2]);
      // @ts-expect-error: misspelt buffer
      void buffers.cuont;
      // @ts-expect-error: lists are among the objects
      void buffers.peaks;
      // @ts-expect-error: numbers are not objects
      void objects.count;
      // @ts-expect-error: misspelt constant
      void constants.drak;
      // @ts-expect-error: whole numbers are not bigints
      buffers.count[0] = 1n;
    },
  });
  holds<
    Same<
      typeof bright,
      UdfRef<{ readonly count: "int32"; readonly mean: "float32"; readonly peaks: "object" }>
    >
  >();
  const { it } = await run(await plan(scan, { it: bright }));
  holds<Same<typeof it.count.data, Int32Array>>();
  holds<Same<typeof it.mean.data, Float32Array>>();
  void objectsOf(it).peaks.data;
  // @ts-expect-error: it is private
  void it.sums;
  // @ts-expect-error: JSON values are found with objectsOf
  void it.peaks;
  // @ts-expect-error: no such list
  void objectsOf(it).peeks;

  udf({
    name: "native",
    inputDType: "native",
    buffers: ({ sigShape }) => ({ first: { kind: "nav", dtype: "uint8", extraShape: sigShape } }),
    processTile({ data }, { first }) {
      holds<Same<typeof data, NDArray["data"]>>();
      holds<Same<typeof first, Uint8Array>>();
    },
  });
  udf({
    name: "double",
    inputDType: "float64",
    buffers: { all: { kind: "sig", merge: "sum" } },
    processPartition: ({ data }) => holds<Same<typeof data, Float64Array>>(),
  });
  // @ts-expect-error: there is no such kind
  udf({ name: "x", buffers: { a: { kind: "frame" } }, processFrame() {} });
  // @ts-expect-error: there is no such dtype
  udf({ name: "x", buffers: { a: { kind: "nav", dtype: "f4" } }, processFrame() {} });
  // @ts-expect-error: results that were not declared
  udf({
    name: "x",
    buffers: { a: { kind: "nav" } },
    processFrame() {},
    results: () => ({ b: new Float32Array(1) }),
  });
}

/** UDFs of a type that is written down. */
export const written: Udf<{ total: "float64"; some?: "uint8" }, { taskData: number }> = {
  name: "written",
  buffers: { total: { kind: "nav", dtype: "float64" } },
  taskData: () => 3,
  processFrame(_frame, { total, some }, { taskData }) {
    holds<Same<typeof total, Float64Array>>();
    holds<Same<typeof some, Uint8Array | undefined>>();
    total[0] = taskData;
  },
};

/** Another dtype than the type says. */
export const odd: Udf<{ total: "float64" }> = {
  name: "odd",
  // @ts-expect-error: the type says float64
  buffers: { total: { kind: "nav", dtype: "int32" } },
  processFrame() {},
};

/** Results of results, functions of frames, expressions, kernels. */
export async function made(): Promise<void> {
  const angle = derive(centreOfMass(), {
    buffers: { angle: { kind: "nav", dtype: "float32" } },
    results: ({ field_y, field_x }) => {
      holds<Same<typeof field_y.data, Float64Array>>();
      return {
        angle: Float32Array.from(field_y.data),
        both: withMask(field_x, [true]),
        far: 3,
        words: ["a"],
      };
    },
  });
  const results = await run(
    await plan(scan, {
      angle,
      most: mapFrames((frame) => Math.max(...frame)),
      flag: mapFrames(() => true),
      text: mapFrames(() => "x"),
      bytes: mapFrames(() => 1, { dtype: "uint8" }),
      one: expression("sum(x)"),
      two: expression({ bright: "count(x > 1)", image: "frames.sum(x)" }),
      sums: sumPixels(),
      kernel: kernelUdf({ source: "", buffers: { out: { kind: "nav", dtype: "int16" } } }),
    }),
  );
  holds<Same<typeof results.angle.angle.data, Float32Array>>();
  holds<Same<typeof results.angle.both.data, Float64Array>>();
  holds<Same<typeof results.angle.far.data, Float64Array>>();
  holds<Same<typeof results.angle.field_x.data, Float64Array>>();
  void objectsOf(results.angle).words.data;
  holds<Same<typeof results.most.result.data, Float64Array>>();
  holds<Same<typeof results.flag.result.dtype, "bool">>();
  void objectsOf(results.text).result.data;
  holds<Same<typeof results.bytes.result.data, Uint8Array>>();
  void results.one.value.data;
  void results.two.image.data;
  holds<Same<typeof results.sums.intensity.data, Float64Array>>();
  holds<Same<typeof results.kernel.out.data, Int16Array>>();
  // @ts-expect-error: it was not computed
  void results.two.value;
  // @ts-expect-error: text is not an array of numbers
  void results.text.result;
  // @ts-expect-error: there is no such field
  derive(centreOfMass(), { results: ({ feild }) => ({ a: feild }) });
  // @ts-expect-error: there is no such family
  kernelUdf({ kernel: "sum" });
}

/** One `run` for plans of all kinds. */
export async function anyPlan(
  filter: MapPlan<"float32">,
  cube: CubePlan,
  solving: CubeRunOptions,
): Promise<void> {
  const image = await run(filter);
  holds<Same<typeof image, NDArray<"float32">>>();
  for await (const { data } of run(filter)) holds<Same<typeof data, Float32Array>>();
  const delivered = run(filter, { sink: ({ data }) => holds<Same<typeof data, Float32Array>>() });
  holds<Same<typeof delivered, Promise<void>>>();
  const solved = run(cube, solving);
  holds<Same<typeof solved, Promise<CubeReport>>>();
  // @ts-expect-error: a cube needs a kernel, sources and sinks
  await run(cube);
}
