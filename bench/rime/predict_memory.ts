/**
 * The most memory that a process needs to predict the visibilities of many sources: 64 antennas, 64 channels, a budget of
 * 128 MiB. Tiles go to a sink that drops them, so that results do not count.
 *
 * ```sh
 * deno run -A bench/rime/predict_memory.ts [--sources 100,100000] [--times 100,6] [--workers 0,2] [--terms]
 * ```
 *
 * Each figure is the peak of the resident set (`VmHWM`, Linux) of a process of its own, less that of one that predicts one source
 * at one time, which is the runtime's own. `--times` has a number of times for each number of sources: two or three tiles for each
 * worker are enough, as more would only take longer. With `--terms` sources have Jones matrices.
 *
 * @module
 */

import { runCube } from "../../src/hypercube/run/run_cube.ts";
import { createContext } from "@tilewise/tilewise";
import { fromArrays } from "@tilewise/tilewise/hypercube";
import { planPredict } from "@tilewise/tilewise/rime";
import { baselinePairs, jonesFunction, predictKernel, simulate } from "@tilewise/tilewise/unstable/rime";
import { mulberry32 } from "../../tests/kernels/call.ts";
import { readArguments } from "../arguments.ts";
import { align, print } from "../timing.ts";

const BUDGET = "128MiB";
const MIB = 2 ** 20;

/** A term that dims sources away from the phase centre. */
export function dish({ l, m }: { readonly l: number; readonly m: number }, out: Float64Array): void {
  const gain = Math.exp(-100 * (l * l + m * m));
  for (let i = 0; i < out.length; i += 8) out[i] = out[i + 6] = gain;
}

/** Antennas within 8 km and a sky of 4 degrees. */
function problem(sources: number, ntime: number) {
  const random = mulberry32(1);
  const make = (n: number, of: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => of(i));
  const { antenna1, antenna2 } = baselinePairs(64);
  return {
    uvw: make(3 * ntime * 64, (i) => (i % 3 === 2 ? 100 : 8000) * (random() - 0.5)),
    antenna1,
    antenna2,
    frequency: make(64, (c) => 856e6 + 2e6 * c),
    sky: {
      lm: make(2 * sources, () => 0.07 * (random() - 0.5)),
      stokes: make(4 * sources, (i) => i % 4 ? 0 : random()),
    },
  };
}

/** Predicts in this process, and prints the peak of its memory and of its leases. */
async function measure(sources: number, times: number, workers: number, hasTerms: boolean): Promise<void> {
  await using context = createContext({ memory: BUDGET, workers });
  const input = problem(sources, times);
  if (hasTerms) {
    await simulate({ ...input, terms: [jonesFunction(import.meta.url, { export: "dish" })] }, { context });
  } else {
    const { uvw, antenna1, antenna2, frequency, sky: { lm, stokes } } = input;
    const plan = planPredict(input, { context, correlations: ["I"] });
    let found = 0;
    await runCube("run()", plan, {
      kernel: predictKernel(plan.kernel),
      sources: [fromArrays({ lm, stokes, uvw, antenna1, antenna2, frequency })],
      sinks: { model_vis: () => void found++ },
    });
    console.error(`${found} tiles of ${(plan.tileBytes / MIB).toFixed(1)} MiB`);
  }
  const [, peak = "0"] = /VmHWM:\s*(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status")) ?? [];
  console.log(JSON.stringify({ peak: Number(peak) / 1024, leased: context.peak / MIB }));
}

async function inChild(
  numbers: readonly number[],
  hasTerms: boolean,
): Promise<{ peak: number; leased: number }> {
  const args = ["run", "-A", import.meta.url, "--child", numbers.join(), ...(hasTerms ? ["--terms"] : [])];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error(`the process with ${numbers.join()} has failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function compare(
  sources: readonly number[],
  times: readonly number[],
  workers: readonly number[],
  hasTerms: boolean,
): Promise<void> {
  const rows = [["sources", "times", "workers", "peak MiB", "less the runtime's own", "leased at most"]];
  for (const count of workers) {
    const own = await inChild([1, 1, count], hasTerms);
    for (const [i, many] of sources.entries()) {
      const { peak, leased } = await inChild([many, times[i] ?? 6, count], hasTerms);
      const figures = [peak, peak - own.peak, leased].map((value) => value.toFixed(1));
      rows.push([`${many}`, `${times[i] ?? 6}`, `${count}`, ...figures]);
    }
  }
  print(align(rows));
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["sources", "times", "workers", "child"], ["terms"]);
  const list = (text: string) => text.split(",").map(Number);
  const [first, second, third = 0] = list(options["child"] ?? "0,0");
  const hasTerms = options["terms"] === "true";
  if (options["child"]) await measure(first!, second!, third, hasTerms);
  else {
    const [sources, times, workers] = ["sources", "times", "workers"].map((name) => options[name]);
    await compare(list(sources ?? "100,100000"), list(times ?? "100,6"), list(workers ?? "0,2"), hasTerms);
  }
}
