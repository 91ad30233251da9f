/**
 * Types travel from a UDF in a module of its own to the results of whoever runs it, on workers as well. There is nothing
 * to run: `deno check` is the test.
 */

import { type Dataset, type NDArray, plan, run, sumFrames, udf } from "@tilewise/tilewise";
import { inspect, kernelUdf } from "@tilewise/tilewise/unstable/udf";
import { testUdf } from "@tilewise/tilewise/testing";
import { type FloatArray, mapFrames, objectsOf, type Udf, type UdfRef } from "@tilewise/tilewise/udf";
import bright, { total } from "./defined_udf.ts";
import { holds, type Same } from "./same.ts";

/** The data do not matter. */
declare const scan: Dataset;

/** The dtypes of its results: what is private is none. */
type Bright = { readonly count: "int32"; readonly sum: "float64"; readonly places: "object" };

/** In place, by reference, from its module. */
export async function defined(): Promise<void> {
  const module = import.meta.resolve("./defined_udf.ts");
  const there = udf<typeof bright>(module, { params: { least: 3 } });
  holds<Same<typeof there, UdfRef<Bright>>>();
  const results = await run(
    await plan(scan, {
      there,
      here: bright(),
      wrapped: udf(bright()),
      total,
      other: udf<typeof total>(module, { export: "total" }),
      untyped: udf(module),
      said: udf<{ sum: "uint8" }>(module),
    }),
  );
  holds<Same<typeof results.there.count.data, Int32Array>>();
  holds<Same<typeof results.here.sum.data, Float64Array>>();
  holds<Same<typeof results.wrapped.count.dtype, "int32">>();
  holds<Same<typeof results.total.total.data, Float64Array>>();
  holds<Same<typeof results.other.total.data, Float64Array>>();
  holds<Same<typeof results.said.sum.data, Uint8Array>>();
  holds<Same<typeof results.untyped.sum, NDArray | undefined>>();
  void objectsOf(results.there).places.data;
  // @ts-expect-error: it is private
  void results.here.steps;
  // @ts-expect-error: misspelt
  void results.there.cuont;
  // @ts-expect-error: no such list
  void objectsOf(results.here).place;
  const ref: UdfRef = there, any: Udf = total;
  await inspect(scan, [ref, any, bright()][0]!);
}

/** Tests of UDFs. */
export async function tested(): Promise<void> {
  const { data, results } = await testUdf(bright());
  holds<Same<typeof data, Uint16Array>>();
  holds<Same<typeof results.count.data, Int32Array>>();
  const other = await testUdf(sumFrames(), { dtype: "int64" });
  holds<Same<typeof other.data, BigInt64Array>>();
  holds<Same<typeof other.results.intensity.data, Float64Array>>();
}

/** Twins of kernels. */
export function twin(): void {
  kernelUdf({
    source: "",
    buffers: { sum: { kind: "nav", dtype: "float64" }, hits: { kind: "sig", merge: "sum" } },
    arrays: { weights: Int16Array.of(1) },
    params: { least: 3 },
    twin({ buffers, arrays, params }) {
      holds<Same<typeof buffers.sum, Float64Array>>();
      holds<Same<typeof buffers.hits, Float32Array>>();
      holds<Same<typeof arrays.weights, Int16Array<ArrayBuffer>>>();
      holds<Same<typeof params.least, number>>();
      // @ts-expect-error: misspelt buffer
      void buffers.smu;
      // @ts-expect-error: misspelt parameter
      void params.laest;
    },
  });
}

/** Functions of frames. */
export async function mapped(): Promise<void> {
  const { it: { result: flags } } = await run(
    await plan(scan, { it: mapFrames((frame) => frame.every((value) => value > 1)) }),
  );
  holds<Same<typeof flags, NDArray<"bool">>>();
}

/** Samples as floats have all that both arrays have. */
export function floats(samples: FloatArray): number {
  samples.forEach((value, p) => value + p);
  return samples.reduce((sum, value) => sum + value, 0) + samples.map(Math.sqrt).length;
}

/** So have parts of them. */
export function parts(samples: FloatArray): number {
  const part = samples.subarray(1, 3).slice(1).map((value) => 2 * value).filter((value) => value > 3);
  holds<Same<typeof part, FloatArray>>();
  const any: Float32Array | Float64Array = part;
  const floats: FloatArray = Float32Array.of(1);
  return part.reduce((sum, value) => sum + value) + any.length + floats.length;
}
