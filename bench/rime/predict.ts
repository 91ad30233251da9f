/**
 * Predicted visibilities beside peers: 64 antennas, 100 times, 64 channels, 100 sources, 1 and 4 correlations, dense and
 * ragged, in both precisions, on one and two workers. Results are compared before they are timed.
 *
 * ```sh
 * deno run -A bench/rime/predict.ts [--python PROGRAM] [--times 100] [--repeats 3] [--workers 1,2]
 * ```
 *
 * The peers, `predict_peers.py`, run first, in the same minute, with `NUMBA_NUM_THREADS` as given by the caller; without
 * `--python` they are left out. Figures are source visibilities per second, which all
 * correlations share, and per second of a core, which says more while others use the machine.
 *
 * @module
 */

import process from "node:process";
import { createContext } from "@tilewise/tilewise";
import { baselinePairs, predict, type PredictInput, type PredictOptions } from "../../src/rime/mod.ts";
import { mulberry32 } from "../../tests/kernels/call.ts";
import { readArguments } from "../arguments.ts";
import { align, print } from "../timing.ts";

const { options } = readArguments(Deno.args, ["python", "times", "repeats", "workers"], []);
const SIZES = { ntime: Number(options.times ?? 100), na: 64, nchan: 64, nsrc: 100 };
const repeats = Number(options.repeats ?? 3);
const workers = (options.workers ?? "1,2").split(",").map(Number);
const folder = Deno.makeTempDirSync({ prefix: "tilewise-predict-" });
const rows: string[][] = [[
  "who",
  "correlations",
  "G per second",
  "G per second of a core",
  "off by at most",
]];

/** A polarised sky of 2 degrees over antennas within 8 km. */
function problem(): PredictInput {
  const { ntime, na, nchan, nsrc } = SIZES;
  const random = mulberry32(1);
  const make = (n: number, of: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => of(i));
  const { antenna1, antenna2 } = baselinePairs(na);
  return {
    uvw: make(3 * ntime * na, (i) => (i % 3 === 2 ? 100 : 8000) * (random() - 0.5)),
    antenna1,
    antenna2,
    antennas: na,
    frequency: make(nchan, (c) => 856e6 + 2e6 * c),
    sky: {
      lm: make(2 * nsrc, () => 0.07 * (random() - 0.5)),
      stokes: make(4 * nsrc, (i) => i % 4 ? 0.2 * (random() - 0.5) : random()),
    },
  };
}

function write({ uvw, antenna1, antenna2, frequency, sky }: PredictInput): void {
  const arrays = { uvw, antenna1: antenna1!, antenna2: antenna2!, frequency, lm: sky.lm, stokes: sky.stokes };
  for (const [name, { buffer }] of Object.entries(arrays)) {
    Deno.writeFileSync(`${folder}/${name}`, new Uint8Array(buffer as ArrayBuffer));
  }
  Deno.writeTextFileSync(`${folder}/problem.json`, JSON.stringify(SIZES));
}

const all = (input: PredictInput) =>
  SIZES.nsrc * SIZES.ntime * SIZES.nchan * input.antenna1!.length / (input.timeIndex ? SIZES.ntime : 1);

/** Runs the peers; the visibilities of the first by number of correlations. */
async function peers(input: PredictInput): Promise<Map<number, Float64Array>> {
  const expected = new Map<number, Float64Array>();
  if (!options.python) return expected;
  const script = new URL("./predict_peers.py", import.meta.url).pathname;
  const command = new Deno.Command(options.python, { args: [script, folder], stderr: "inherit" });
  const text = new TextDecoder().decode((await command.output()).stdout);
  for (const line of text.split("\n").filter((line) => line.startsWith("{"))) {
    const { name, correlations, seconds, cpu, note } = JSON.parse(line);
    if (note) {
      rows.push([name, "", "", "", note]);
      continue;
    }
    const found = new Float64Array(Deno.readFileSync(`${folder}/${name}.${correlations}.bin`).buffer);
    const first = expected.get(correlations);
    if (!first) expected.set(correlations, found);
    const off = first ? offBy(found, first) : "first";
    rows.push([name, `${correlations}`, speedOf(input, seconds), speedOf(input, cpu), off]);
  }
  return expected;
}

const speedOf = (input: PredictInput, seconds: number) => (all(input) / seconds / 1e9).toFixed(3);

function offBy(found: ArrayLike<number>, expected: ArrayLike<number> | undefined): string {
  if (!expected) return "not compared";
  let worst = 0;
  for (let i = 0; i < found.length; i++) worst = Math.max(worst, Math.abs(found[i]! - expected[i]!));
  return worst.toExponential(1);
}

/** The same visibilities as rows in a dense order, with times. */
function ragged(input: PredictInput): PredictInput {
  const { ntime } = SIZES, baselines = input.antenna1!.length;
  const repeated = (values: Int32Array) =>
    Int32Array.from({ length: ntime * baselines }, (_, i) => values[i % baselines]!);
  return {
    ...input,
    antenna1: repeated(input.antenna1!),
    antenna2: repeated(input.antenna2!),
    timeIndex: Int32Array.from({ length: ntime * baselines }, (_, i) => Math.floor(i / baselines)),
  };
}

async function ours(
  name: string,
  input: PredictInput,
  given: PredictOptions,
  count: number,
  expected: ReadonlyMap<number, Float64Array>,
): Promise<void> {
  await using context = createContext({ memory: "128MiB", workers: count });
  let best = Infinity, least = Infinity, off = "";
  for (let i = 0; i <= repeats; i++) {
    const start = performance.now(), used = process.cpuUsage();
    const { data } = await predict(input, { ...given, context });
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(used);
    if (i === 0) off = offBy(data, expected.get(given.correlations!.length));
    else [best, least] = [Math.min(best, seconds), Math.min(least, (user + system) / 1e6)];
  }
  const { precision, correlations } = given;
  const who = `tilewise ${precision}, ${name}, ${count} workers`;
  rows.push([who, `${correlations!.length}`, speedOf(input, best), speedOf(input, least), off]);
}

const input = problem();
write(input);
const expected = await peers(input);
for (const count of workers) {
  for (const precision of ["f64", "mixed"] as const) {
    for (const correlations of [["I"], ["XX", "XY", "YX", "YY"]] as const) {
      await ours("dense", input, { precision, correlations }, count, expected);
      await ours("ragged", ragged(input), { precision, correlations }, count, expected);
    }
  }
}
print(align(rows));
Deno.removeSync(folder, { recursive: true });
