/**
 * A process that uses a kernel of the user's, or an expression, for the first time; run by `first_use.ts`.
 *
 * It prints one line of JSON: seconds by what they were spent on. Modules of Tilewise are loaded before the clock runs,
 * as they are in any program; the compiler of kernels is not.
 *
 * @module
 */

import { createContext, expression, open, plan, run, sumFrames } from "@tilewise/tilewise";
import { kernelUdf } from "@tilewise/tilewise/unstable/udf";
import type { UdfRef } from "@tilewise/tilewise/udf";
import { analyse } from "../../src/expr/language/analysis.ts";
import { compileAnalysis } from "../../src/expr/compile.ts";
import { print } from "../timing.ts";

/** A kernel as a user writes it: the sum of the samples above a threshold, and the brightest of every pixel. */
export const SOURCE = `
import { Sample } from "tilewise";

export function frame(data: usize, rows: i32, cols: i32, bright: usize, most: usize, least: f64): void {
  let sum = 0.0;
  for (let i = 0; i < rows * cols; i++) {
    const value = <f64>load<Sample>(data + <usize>i * sizeof<Sample>());
    if (value >= least) sum += value;
    const pixel = most + 8 * <usize>i;
    store<f64>(pixel, max(load<f64>(pixel), value));
  }
  store<f64>(bright, sum);
}`;

/** Expressions, each used once. */
const TEXTS = [
  "sum(sqrt(max(x * gain - dark, 0)))",
  ...Array.from({ length: 20 }, (_, i) => `sum(sqrt(max(x * gain - dark, ${i + 1})))`),
];

function kernelOf(least: number): UdfRef {
  return kernelUdf({
    source: SOURCE,
    buffers: { bright: { kind: "nav", dtype: "float64" }, most: { kind: "sig", dtype: "float64" } },
    merge: "max",
    params: { least },
  });
}

const [SIDE, FRAMES] = [16, 256];
const maps = Object.fromEntries(
  ["gain", "dark"].map((name) => [name, new Float32Array(SIDE * SIDE).fill(1)]),
);

/** Text to kernel, nothing else. */
function compileOnce(text: string, memory: WebAssembly.Memory): number {
  const start = performance.now();
  compileAnalysis(analyse(text, { arrays: ["gain", "dark"] }), { dtype: "uint16" }).bind(memory);
  return (performance.now() - start) / 1e3;
}

/** Text to kernel: the first one, and when everything is warm. */
function compiles(): Record<string, number[]> {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 256, shared: true });
  const [first, ...later] = TEXTS.map((text) => compileOnce(text, memory)) as [number, ...number[]];
  return { "compile, first": [first], "compile, warm": later.slice(-10) };
}

/** Plan and run over a small scan: the first time, and later with the same and with other parameters. */
async function runs(udf: (i: number) => UdfRef): Promise<Record<string, number[]>> {
  const raw = { format: "raw", dtype: "uint16", nav: [FRAMES / 16, 16], sig: [SIDE, SIDE] } as const;
  const scan = await open(new Uint8Array(2 * FRAMES * SIDE * SIDE), raw);
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 1 });
  await run(await plan(scan, { sum: sumFrames() }, { context })); // starts the worker
  const seconds: number[] = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    await run(await plan(scan, { own: udf(i) }, { context }));
    seconds.push((performance.now() - start) / 1e3);
  }
  return { "plan and run, first": seconds.slice(0, 1), "plan and run, later": seconds.slice(10) };
}

const what = Deno.args[0];
const expressionOf = (i: number) => expression(TEXTS[i]!, { arrays: maps as never });
const result = what === "compile" ? compiles() : await runs(what === "kernel" ? kernelOf : expressionOf);
print(JSON.stringify(result));
