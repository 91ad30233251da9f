/**
 * Speed of the kernels of cosine and sine, beside `Math.sin` and `Math.cos`; with `--write FOLDER` it writes ten million random
 * and hard arguments of each kernel and what it makes of them, for `sincos_ulp.py FOLDER`, which says the largest error.
 *
 * ```sh
 * deno run -A bench/rime/sincos.ts [--write FOLDER]
 * ```
 *
 * @module
 */

import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32 } from "../../tests/kernels/call.ts";
import { align, print } from "../timing.ts";

await loadKernels();

const N = 1 << 16;
const memory = new WebAssembly.Memory({ initial: 64, maximum: 64 });
const { exports } = instantiateKernels(memory);
const [WORK, FROM, COS, SIN] = [1024, 4096, 4096 + 8 * N, 4096 + 16 * N];

/** A kernel: what it takes, and how many bytes its results have. */
interface Case {
  readonly name: string;
  readonly run: (cos: number, sin: number, from: number, n: number, work: number) => void;
  readonly from: "float32" | "float64";
  readonly to: "float32" | "float64";
  /** Parts of a whole turn that are hard: multiples of a quarter. */
  readonly quarter: number;
}

const CASES: readonly Case[] = [
  { name: "sincos_turns_f64", run: exports.sincos_turns_f64, from: "float64", to: "float64", quarter: 0.25 },
  { name: "sincos_turns_f32", run: exports.sincos_turns_f32, from: "float64", to: "float32", quarter: 0.25 },
  { name: "sincos_f64", run: exports.sincos_f64, from: "float64", to: "float64", quarter: Math.PI / 2 },
  { name: "sincos_f32", run: exports.sincos_f32, from: "float32", to: "float32", quarter: Math.PI / 2 },
];

const arrayOf = (dtype: Case["from"], at: number) =>
  dtype === "float64" ? new Float64Array(memory.buffer, at, N) : new Float32Array(memory.buffer, at, N);

/** The fastest of some runs, in nanoseconds per argument. */
function time(run: () => void): number {
  let best = Infinity;
  for (let i = 0; i < 40; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best * 1e6 / N;
}

function speed({ name, run, from, to, quarter }: Case): string[] {
  const random = mulberry32(1);
  const angles = arrayOf(from, FROM), [cos, sin] = [arrayOf(to, COS), arrayOf(to, SIN)];
  for (let i = 0; i < N; i++) angles[i] = 400 * quarter * (random() - 0.5);
  const radians = Float64Array.from(angles, (x) => x * Math.PI / 2 / quarter);
  const own = time(() => run(COS, SIN, FROM, N, WORK));
  const math = time(() => {
    for (let i = 0; i < N; i++) {
      cos[i] = Math.cos(radians[i]!);
      sin[i] = Math.sin(radians[i]!);
    }
  });
  return [name, math.toFixed(2), own.toFixed(2), `${(math / own).toFixed(1)}×`];
}

/** An argument: of ordinary size, of any size, or near a multiple of a quarter turn. */
function argument(i: number, random: () => number, { from, quarter }: Case): number {
  const wide = from === "float64" ? 1075 : 150;
  const sign = random() < 0.5 ? -1 : 1;
  switch (i % 5) {
    case 0:
      return 20 * (random() - 0.5);
    case 1:
      return sign * (1 + random()) * 2 ** (wide * (2 * random() - 1));
    case 2:
      return 2e6 * (random() - 0.5);
    case 3:
      return sign * (1 + random()) * 2 ** (60 * random() - 20);
    default:
      return Math.floor(random() * 2 ** (24 * random())) * quarter *
        (1 + (Math.floor(9 * random()) - 4) * 2 ** -53);
  }
}

async function write(folder: string, count: number): Promise<void> {
  for (const one of CASES) {
    const random = mulberry32(7);
    const angles = arrayOf(one.from, FROM), results = [arrayOf(one.to, COS), arrayOf(one.to, SIN)];
    const files = await Promise.all(
      ["from", "cos", "sin"].map((part) =>
        Deno.open(`${folder}/${one.name}.${part}`, { write: true, create: true, truncate: true })
      ),
    );
    for (let done = 0; done < count; done += N) {
      for (let i = 0; i < N; i++) angles[i] = argument(i, random, one);
      one.run(COS, SIN, FROM, N, WORK);
      for (const [i, array] of [angles, ...results].entries()) {
        await files[i]!.write(new Uint8Array(array.slice().buffer));
      }
    }
    files.forEach((file) => file.close());
  }
}

const at = Deno.args.indexOf("--write");
if (at >= 0) await write(Deno.args[at + 1]!, 1e7);
else print(align([["kernel", "Math, ns", "kernel, ns", "faster"], ...CASES.map(speed)]));
