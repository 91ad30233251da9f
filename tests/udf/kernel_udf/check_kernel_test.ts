/** The property test of kernels finds what it is there to find, and makes it small. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { setCacheFolder } from "../../../src/io/write/cache.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { checkKernel, type KernelCheckOptions } from "../../../src/udf/testing/kernels/check_kernel.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import type { KernelTwin, SourceKernel } from "../../../src/udf/kernel_udf/options.ts";
import { RICH, simple, SUM, SUM_SIMD } from "./kernels.ts";

setCacheFolder(""); // what other tests have compiled must not hide a fault

const NAV = { total: { kind: "nav", dtype: "float64" } } as const;

const sumTwin: KernelTwin = ({ data, frames, rows, cols, buffers }) => {
  for (let f = 0; f < frames; f++) {
    for (let i = 0; i < rows * cols; i++) {
      buffers.total![f] = Number(buffers.total![f]) + Number(data[f * rows * cols + i]);
    }
  }
};

async function failure(
  kernel: SourceKernel,
  options: KernelCheckOptions = {},
): Promise<TilewiseError<"udf">> {
  const error = await assertRejects(
    () => checkKernel(kernelUdf(kernel), { runs: 60, ...options }),
    TilewiseError,
  );
  assertEquals((error as TilewiseError).code, "udf");
  return error as TilewiseError<"udf">;
}

Deno.test("right kernels pass, against every kind of twin", async () => {
  const check = (kernel: SourceKernel, options?: KernelCheckOptions) =>
    checkKernel(kernelUdf(kernel), options);
  const sum = { source: SUM, buffers: NAV };
  const dtypes = ["uint8", "float32"] as const;
  assertEquals(await check(sum, { runs: 25, dtypes }), { runs: 50, dtypes, twin: "plain build" });
  const simd = { source: SUM_SIMD, buffers: NAV, input: "uint16" } as const;
  assertEquals((await check(simd)).twin, "plain build with SIMD");
  assertEquals((await check({ ...simd, twin: sumTwin })).twin, "function");
  const rich = await check(RICH, { shapes: [[4, 5], [2, 10], [20, 1]], dtypes: ["uint16"] });
  assertEquals(rich.runs, 100);
});

Deno.test("another export can be the twin", async () => {
  const source = `${SUM}
    export function backwards(data: usize, rows: i32, cols: i32, total: usize): void {
      let sum = 0.0;
      for (let i = rows * cols - 1; i >= 0; i--) sum += <f64>load<Sample>(data + i * sizeof<Sample>());
      store<f64>(total, sum);
    }`;
  const kernel = { source, buffers: NAV, twin: "backwards" };
  const exact = await checkKernel(kernelUdf(kernel), { dtypes: ["uint16"] });
  assertEquals(exact.twin, "export");
  const options = { dtypes: ["float64"], samples: "finite" } as const;
  const rounding = await failure(kernel, options);
  assertStringIncludes(rounding.message, "the twin has");
  await checkKernel(kernelUdf(kernel), { ...options, tolerance: 1e-6, runs: 20 });
  const missing = await failure({ ...kernel, twin: "forwards" });
  assertStringIncludes(missing.message, 'no export "forwards"');
});

Deno.test("a tail that is forgotten is found and made small", async () => {
  const source = SUM_SIMD.replace("for (; i < n; i++)", "for (; i < n - 1; i++)");
  const { message, details } = await failure({ source, buffers: NAV, input: "uint16", twin: sumTwin });
  const { frames, rows, cols, data } = details.drawn!;
  assertEquals([frames, rows, cols, data], [1, 1, 1, [1]]);
  assertStringIncludes(
    message,
    "for 1 frame of 1 × 1 uint16 [1]: total[0] is 0, the twin has 1 (seed 1, run ",
  );
});

Deno.test("NaN that is lost is found", async () => {
  const source = `
    export function frame(data: usize, rows: i32, cols: i32, most: usize): void {
      let best: f32 = 0;
      for (let i = 0; i < rows * cols; i++) {
        const value = load<f32>(data + 4 * i);
        if (value > best) best = value;
      }
      store<f32>(most, best);
    }`;
  const twin: KernelTwin = ({ data, buffers }) => {
    buffers.most![0] = Math.max(0, ...Array.from(data, Number));
  };
  const { details, message } = await failure({ source, buffers: { most: { kind: "nav" } }, twin });
  assertEquals(details.drawn!["data"], [NaN]);
  assertStringIncludes(message, "[NaN]: most[0] is 0, the twin has NaN");
});

Deno.test("writing beside a buffer and reading unfilled scratch are found, and traps have a line", async () => {
  const head = "export function frame(data: usize, rows: i32, cols: i32, out: usize, work: usize): void";
  const scratch = { work: { dtype: "float64", length: 4 } } as const;
  const beside = await failure(simple(`${head} { v128.store(out, f64x2.splat(1)); }`, { scratch }));
  assertStringIncludes(beside.message, 'it writes where it may not: 8 bytes after the start of "out"');
  const unfilled = await failure(simple(`${head} { store<f64>(out, load<f64>(work)); }`, { scratch }));
  assertStringIncludes(unfilled.message, "the twin has");
  const trap = await failure(simple(`${head} {\n  store<f64>(out, rows / (cols & 1));\n}`, { scratch }));
  assertStringIncludes(trap.message, "it traps at kernel.ts:2:");
  assertEquals(trap.details.drawn!["cols"], 2);
});

Deno.test("the same seed gives the same failure", async () => {
  const source = SUM_SIMD.replace("extadd_pairwise_i16x8_u", "extadd_pairwise_i16x8_s");
  const kernel = { source, buffers: NAV, input: "uint16", twin: sumTwin } as const;
  const [a, b] = [await failure(kernel, { seed: 5 }), await failure(kernel, { seed: 5 })];
  assertEquals(a.message, b.message);
  assert((a.details.drawn!["data"] as number[]).some((value) => value >= 32768));
});
