/** The one-call test of UDFs finds results that depend on how the scan is cut. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { setCacheFolder } from "../../../src/io/write/cache.ts";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { builtin, udf } from "../../../src/udf/interface/udf_ref.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import { RICH } from "../kernel_udf/kernels.ts";

setCacheFolder(""); // what other tests have compiled must not hide a fault

Deno.test("UDFs that keep the promise pass", async () => {
  assertEquals((await testUdf(builtin("standard_deviation"), { dtype: "float32" })).variants.length, 8);
  await testUdf(builtin("centre_of_mass"), { dtype: "int32", samples: "any" });
  await testUdf(kernelUdf(RICH), { sig: [4, 5], workers: 1 });
  const power = udf(new URL("../own_udf.ts", import.meta.url), { params: { power: 2 } });
  const { results, data } = await testUdf(power, { nav: [3], sig: [2, 2], seed: 9 });
  const most = [0, 1, 2, 3].map((p) => Math.max(...[0, 4, 8].map((f) => Number(data[f + p]))));
  assertEquals(Array.from(results.most!.data, Number), most);
});

const base = { buffers: { out: { kind: "nav", dtype: "float64" } } } as const;

async function failure(one: Udf<Record<"out", DType>>): Promise<string> {
  const error = await assertRejects(() => testUdf(udf(one), { workers: 0, dtype: "float32" }), TilewiseError);
  return error.message;
}

Deno.test("a UDF that forgets that a tile may hold a part of a frame is found", async () => {
  const message = await failure({
    ...base,
    name: "assigns",
    processTile({ data, frames, pixels }, { out }) {
      for (let f = 0; f < frames; f++) {
        out[f] = Array.from(data.subarray(f * pixels, (f + 1) * pixels), Number).reduce((a, b) => a + b);
      }
    },
  });
  assertStringIncludes(
    message,
    'UDF "assigns" gives another result when it is run beside a UDF that wants tiles of few rows: out[0] is ',
  );
});

Deno.test("a UDF that keeps state, and one that rounds in the order of partitions, are found", async () => {
  let count = 0;
  const state = await failure({
    ...base,
    name: "state",
    processFrame: (_, { out }) => void (out[0] = count++),
  });
  assertStringIncludes(
    state,
    'UDF "state" gives another result when it is run in 3 partitions: out[0] is 300, not 0',
  );
  const sums = await failure({
    name: "rounds",
    buffers: { out: { kind: "single" } },
    processFrame({ data }, { out }) {
      out[0] = Number(out[0]) + Array.from(data, Number).reduce((a, b) => a + b) / 3;
    },
    merge: (into, from) => void (into.out[0] = Number(into.out[0]) + Number(from.out[0])),
  });
  assertStringIncludes(sums, "partition");
});

Deno.test("a UDF whose frames depend on the region of interest is found", async () => {
  const message = await failure({
    ...base,
    name: "counts",
    processFrame: (_, { out }, { meta }) => void (out[0] = meta.selected),
  });
  assertStringIncludes(message, "on a region of interest: out[0] is 200, not 300");
});
