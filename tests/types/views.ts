/**
 * Types travel from an operation over views to its result, its blocks and its sink. There is nothing to run: `deno check` is the
 * test.
 */

import { type Dataset, type NDArray, run } from "@tilewise/tilewise";
import type { DType } from "@tilewise/tilewise/arrays";
import { defineViewUdf, reduceViews, viewKernel, viewUdf } from "@tilewise/tilewise/unstable/views";
import {
  boxMean,
  correlate,
  fileSink,
  gaussian,
  labelImage,
  localMinimum,
  localThreshold,
  type MapPlan,
  mapViews,
  measure,
  median,
  perSample,
  planMap,
  sobel,
  type ViewFunction,
  viewFunction,
  type ViewOperation,
} from "@tilewise/tilewise/views";
import { holds, type Same } from "./same.ts";

/** The data do not matter. */
declare const image: Dataset;

/** What comes out. */
export async function results(): Promise<void> {
  const mean = await mapViews(image, boxMean({ radius: 2 }));
  holds<Same<typeof mean, NDArray<"float32" | "float64">>>();
  holds<Same<typeof mean.data, Float32Array | Float64Array>>();
  const least = await mapViews(image, localMinimum());
  holds<Same<typeof least, NDArray<DType>>>();
  const smooth = await mapViews(image, gaussian({ sigma: 2 }));
  holds<Same<typeof smooth, NDArray<"float32" | "float64">>>();
  const rounded = await mapViews(image, gaussian({ sigma: [0, 2], dtype: "uint16" }));
  holds<Same<typeof rounded.data, Uint16Array>>();
  const middle = await mapViews(image, median({ footprint: [[0, 1, 0], [1, 1, 1], [0, 1, 0]] }));
  holds<Same<typeof middle, NDArray<DType>>>();
  const bright = await mapViews(image, localThreshold({ sigma: 20, offset: 3 }));
  holds<Same<typeof bright, NDArray<"bool">>>();
  const written = await mapViews(image, boxMean(), { sink: fileSink("mean.npy") });
  holds<Same<typeof written, void>>();
  await mapViews(image, boxMean(), {
    sink: ({ data }) => holds<Same<typeof data, Float32Array | Float64Array>>(),
  });
  const plan = await planMap(image, boxMean(), { radius: [0, 1], traversal: "snake" });
  holds<Same<typeof plan, MapPlan<"float32" | "float64">>>();
  holds<Same<typeof plan.dtype, "float32" | "float64">>();
  for await (const { data, origin } of run(plan)) {
    holds<Same<typeof data, Float32Array | Float64Array>>();
    holds<Same<typeof origin, readonly number[]>>();
  }
}

/** Labels, and what is measured of them. */
export async function measured(): Promise<void> {
  const found = await labelImage(image, { threshold: 3 });
  holds<Same<typeof found.labels, NDArray<"uint32">>>();
  holds<Same<typeof found.labels.data, Uint32Array>>();
  const { count } = await labelImage(image, { sink: ({ data }) => holds<Same<typeof data, Uint32Array>>() });
  holds<Same<typeof count, number>>();
  const { area, mean } = await measure(image, image);
  holds<Same<typeof area, Float64Array>>();
  holds<Same<typeof mean, Float64Array | undefined>>();
  // @ts-expect-error: with a sink there are no labels
  (await labelImage(image, { sink: () => {} })).labels;
  await mapViews(image, boxMean(), { border: ["edge", (i, n) => i % n], traversal: [[0, 0]] });
  // @ts-expect-error: a halo has two sides
  await mapViews(image, boxMean(), { radius: { left: 1 } });
}

/** What functions get, and what they make. */
export function functions(): void {
  const counts = viewFunction((view, out) => {
    holds<Same<typeof view.data, Uint16Array>>();
    holds<Same<typeof out.data, Int32Array>>();
    holds<Same<typeof view.params.least, number>>();
  }, { input: "uint16", dtype: "int32", params: { least: 3 } });
  holds<Same<typeof counts, ViewOperation<"int32">>>();
  const plain = viewFunction(({ data }, out) => {
    holds<Same<typeof data, Float32Array>>();
    out.data.set(data.subarray(0, out.data.length));
  });
  holds<Same<typeof plain, ViewOperation<"float32">>>();
  const exported = viewFunction(new URL("file:///f.ts"), { export: "f", dtype: "uint8" });
  holds<Same<typeof exported, ViewOperation<"uint8">>>();
  const slope = viewFunction(perSample((at) => at(0, 1) - at()), { radius: 1, dtype: "int16" });
  holds<Same<typeof slope, ViewOperation<"int16">>>();
  const wide = viewFunction(perSample((at) => at()), { input: "float64" });
  holds<Same<typeof wide, ViewOperation<"float32">>>();
}

/** Functions of several arrays. */
export function joined(): void {
  const ratio = viewFunction(({ arrays: { nir, red } }, out) => {
    holds<Same<typeof nir.data, Uint16Array>>();
    out.data[0] = nir.data[0]! / red.data[0]!;
  }, { inputs: ["nir", "red"], input: "uint16" });
  holds<Same<typeof ratio, ViewOperation<"float32">>>();
  viewFunction(({ arrays }) => {
    // @ts-expect-error: there is no such array
    arrays.blue;
  }, { inputs: ["nir", "red"] });
}

/** Results of UDFs. */
export async function udfs(): Promise<void> {
  const both = viewUdf({
    buffers: {
      count: { kind: "single", dtype: "int64", merge: "sum" },
      means: { kind: "tile" },
    },
    input: "uint16",
    processView({ data }, { count, means }) {
      holds<Same<typeof data, Uint16Array>>();
      holds<Same<typeof count, BigInt64Array>>();
      holds<Same<typeof means, Float32Array>>();
    },
  });
  const { count, means } = await reduceViews(image, both);
  holds<Same<typeof count, NDArray<"int64">>>();
  holds<Same<typeof means, NDArray<"float32">>>();
  const bright = ({ least }: { readonly least: number }) =>
    defineViewUdf({
      buffers: { sum: { kind: "single", dtype: "float64", merge: "sum" } },
      processView: (_, { sum }) => void (sum[0] = least),
    });
  const { sum } = await reduceViews(image, viewUdf<typeof bright>("file:///bright.ts"));
  holds<Same<typeof sum, NDArray<"float64">>>();
  viewUdf({
    buffers: { a: { kind: "tile" } },
    // @ts-expect-error: there is no such buffer
    processView: (_, { b }) => void b,
  });
}

/** Results of kernels. */
export function kernels(): void {
  const plain = viewKernel({ source: "" });
  holds<Same<typeof plain, ViewOperation<"float32">>>();
  const counts = viewKernel({ file: "count.as.ts", radius: 1, dtype: "int32", params: { least: 3 } });
  holds<Same<typeof counts, ViewOperation<"int32">>>();
  const native = viewKernel({ source: "", dtype: "native" });
  holds<Same<typeof native, ViewOperation>>();
  // @ts-expect-error: parameters are numbers
  viewKernel({ source: "", params: { least: "3" } });
  // @ts-expect-error: there is no such dtype
  viewKernel({ source: "", dtype: "float" });
}

/** What does not compile. */
export async function refused(plan: MapPlan<"float32">): Promise<void> {
  // @ts-expect-error: there is no such option
  boxMean({ radii: 2 });
  // @ts-expect-error: sigma is missing
  gaussian({});
  // @ts-expect-error: sums are not integers of 64 bits
  sobel({ dtype: "int64" });
  // @ts-expect-error: weights are numbers
  correlate({ weights: [["1"]] });
  // @ts-expect-error: a function is not an operation
  await mapViews(image, () => {});
  // @ts-expect-error: a path is not a sink
  await mapViews(image, boxMean(), { sink: "mean.npy" });
  // @ts-expect-error: the sink takes other samples
  await run(plan, { sink: ({ data }: { data: Uint8Array }) => void data });
  // @ts-expect-error: with a sink there is no result
  (await mapViews(image, boxMean(), { sink: () => {} })).data;
  // @ts-expect-error: the sink says what blocks are
  await mapViews(image, boxMean(), { blocks: "tiles" });
  // @ts-expect-error: there is no such dtype
  viewFunction(() => {}, { dtype: "float" });
  viewFunction(({ params }) => {
    // @ts-expect-error: there is no such parameter
    params.most;
  }, { params: { least: 3 } });
  const counts: ViewFunction<"uint16", "int32"> = () => {};
  viewFunction(counts, { input: "uint16", dtype: "int32" });
  // @ts-expect-error: it would get samples of float32
  viewFunction(counts, { dtype: "int32" });
  // @ts-expect-error: it would make results of float32
  viewFunction(counts, { input: "uint16" });
  // @ts-expect-error: bigints are not numbers
  viewFunction((_, out) => out.data.fill(1), { dtype: "int64" });
  // @ts-expect-error: a sample is a number
  perSample((at) => at("left"));
}
