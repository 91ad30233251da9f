/**
 * Expressions against the kernels that were written by hand: time to the first result, and speed.
 *
 * `deno run -A bench/kernels/expression_bench.ts` prints both tables; `first_use.ts` takes the speeds. First use: text to callable function, in a fresh worker,
 * and once more when everything is warm. Speed: frames of 256 × 256 uint16, a few of them, in the second-level cache;
 * results are compared before they are timed, and the two sides take turns. GB/s count the bytes of the samples.
 *
 * @module
 */

import { FLOATS } from "../../src/expr/program/precision.ts";
import { lanesBytes } from "../../src/expr/program/call.ts";
import { analyse } from "../../src/expr/language/analysis.ts";
import { compileAnalysis, type KernelSource } from "../../src/expr/compile.ts";
import { kernel } from "../../src/kernels/registry.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { align, type BenchRow, measureTogether, print, summarize, table } from "../timing.ts";

await loadKernels();

const [FRAMES, WIDTH] = [2, 256];
const PIXELS = WIDTH * WIDTH;
const TYPICAL = "sum(sqrt(max(x * gain - dark, 0)))";
const memory = new WebAssembly.Memory({ initial: 256, maximum: 256, shared: true });
const kernels = instantiateKernels(memory);

const DATA = 1 << 16;
const GAIN = DATA + 2 * PIXELS * FRAMES;
const DARK = GAIN + 4 * PIXELS;
const LANES = DARK + 4 * PIXELS;
const OUT = LANES + 4096;
const OTHER = OUT + 8 * PIXELS * FRAMES;

/** Makes the samples and the maps. */
function fill(): void {
  const samples = new Uint16Array(memory.buffer, DATA, PIXELS * FRAMES);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.imul(i, 2654435761) >>> 20;
  new Float32Array(memory.buffer, GAIN, PIXELS).forEach((_, i, gain) => gain[i] = 1 + (i % 97) / 500);
  new Float32Array(memory.buffer, DARK, PIXELS).forEach((_, i, dark) => dark[i] = (i % 31) / 8);
}

function compile(text: string): KernelSource {
  return compileAnalysis(analyse(text, { arrays: ["gain", "dark"] }), { dtype: "uint16" });
}

/** Milliseconds from the text to a kernel that can be called. */
function firstUse(text: string): number {
  const start = performance.now();
  compile(text).bind(memory);
  return performance.now() - start;
}

/** One call of an expression over all frames, its outputs at `at`. */
function callOf(text: string, at: number): () => void {
  const compiled = compile(text);
  const run = compiled.bind(memory);
  const { reductions, arrays, maps } = compiled.program;
  if (lanesBytes(compiled.program) > 4096) throw new Error("no room for the lanes");
  const places = { gain: GAIN, dark: DARK } as Record<string, number>;
  const call = {
    data: DATA,
    frames: FRAMES,
    frameStride: 2 * PIXELS,
    start: 0,
    count: PIXELS,
    width: WIDTH,
    frame: 0,
    lanes: LANES,
    arrays: arrays.map((name) => places[name]!),
    params: [],
    outputs: [
      ...reductions.map(({ axis }) => ({ pointer: at, stride: axis === "frame" ? 8 : 0 })),
      ...maps.map(() => ({ pointer: at, stride: FLOATS.float32.bytes * PIXELS })),
    ],
  };
  return () => run(call);
}

const convert = kernel(kernels, "convert_f32", "uint16");
const correct = kernel(kernels, "correct_f32", "uint16");
const addPixels = kernel(kernels, "sum_pixels", "uint16");
const addFloats = kernel(kernels, "sum_pixels", "float32");
const addFrames = kernel(kernels, "sum_frames", "uint16");
const STRIDE = 4 * PIXELS;

/** Expressions beside what a hand-written kernel does for them. */
const ROWS: readonly { name: string; text: string; bytes: number; byHand: () => void }[] = [
  {
    name: "convert",
    text: "x",
    bytes: STRIDE * FRAMES,
    byHand: () => convert(OTHER, DATA, PIXELS * FRAMES),
  },
  {
    name: "correct",
    text: "(x - dark) * gain",
    bytes: STRIDE * FRAMES,
    byHand: () => correct(OTHER, STRIDE, DATA, 2 * PIXELS, FRAMES, DARK, GAIN, PIXELS),
  },
  {
    name: "sum_pixels",
    text: "sum(x)",
    bytes: 8 * FRAMES,
    byHand: () => addPixels(OTHER, 8, DATA, FRAMES, 2 * PIXELS, WIDTH, WIDTH),
  },
  {
    name: "sum_frames",
    text: "frames.sum(x)",
    bytes: 8 * PIXELS,
    byHand: () => addFrames(OTHER, DATA, FRAMES, 2 * PIXELS, PIXELS),
  },
  {
    name: "correct, sum_pixels",
    text: "sum((x - dark) * gain)",
    bytes: 8 * FRAMES,
    byHand: () => {
      const corrected = OTHER + 4096;
      correct(corrected, STRIDE, DATA, 2 * PIXELS, FRAMES, DARK, GAIN, PIXELS);
      addFloats(OTHER, 8, corrected, FRAMES, STRIDE, WIDTH, WIDTH);
    },
  },
];

/** Speed of one expression and of what was written by hand, in turns; they are compared first. */
async function speed({ name, text, bytes, byHand }: (typeof ROWS)[number]): Promise<BenchRow[]> {
  const expression = callOf(text, OUT);
  const outputs = [OUT, OTHER].map((at) => new Uint8Array(memory.buffer, at, bytes));
  outputs.forEach((output) => output.fill(0));
  expression();
  byHand();
  const [found, expected] = outputs as [Uint8Array, Uint8Array];
  if (!found.every((byte, i) => byte === expected[i])) throw new Error(`${text} differs from ${name}`);
  const times = (work: () => void) => () => {
    for (let i = 0; i < 20; i++) work();
  };
  const timings = await measureTogether({ hand: times(byHand), own: times(expression) }, {
    repeats: 60,
    warmup: 20,
  });
  const about = { name: text, bytes: 40 * PIXELS * FRAMES };
  return [{ ...about, by: "by hand", kernel: name, ...timings.hand }, {
    ...about,
    by: "simd",
    ...timings.own,
  }];
}

/** Rows for the speed of expressions: by hand, then the expression. */
export async function expressionRows(): Promise<BenchRow[]> {
  fill();
  const rows: BenchRow[] = [];
  for (const row of ROWS) rows.push(...await speed(row));
  return rows;
}

/** Time to the first kernel in a fresh worker, in milliseconds. */
function freshWorker(): Promise<{ first: number; second: number }> {
  const worker = new Worker(import.meta.url, { type: "module" });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
  });
}

async function main(): Promise<void> {
  const fresh = [];
  for (let i = 0; i < 5; i++) fresh.push(await freshWorker());
  const ms = (samples: number[]) => summarize(samples);
  const warm = Array.from({ length: 300 }, (_, i) => firstUse(`${TYPICAL} + ${i}`)).slice(200);
  const rows = [
    ["first in a fresh worker", ms(fresh.map(({ first }) => first))],
    ["second in a fresh worker", ms(fresh.map(({ second }) => second))],
    ["another one, warm", ms(warm)],
  ] as const;
  const cells = rows.map(([name, { min, p75 }]) => [name, TYPICAL, min.toFixed(2), p75.toFixed(2)]);
  print(align([["text to kernel", "expression", "min ms", "p75 ms"], ...cells]) + "\n");
  const speeds = await expressionRows();
  print(table(speeds, (row) => speeds.find(({ name, by }) => name === row.name && by === "by hand")));
}

/** A worker runs this module too, and only it has a `postMessage`. */
const { postMessage } = globalThis as { readonly postMessage?: (message: unknown) => void };
if (postMessage && !import.meta.main) {
  postMessage({ first: firstUse(TYPICAL), second: firstUse("sum(sqrt(max(x * gain - dark, 1)))") });
} else if (import.meta.main) await main();
