/**
 * Predicted and simulated visibilities beside peers: 64 antennas, 100 times, 64 channels, 100 sources, 1 and 4
 * correlations, dense and ragged, and with Jones matrices, in both precisions, on one and two workers. Results are compared
 * before they are timed.
 *
 * ```sh
 * deno run -A bench/rime/predict.ts [--python PROGRAM] [--times 100] [--few 2] [--repeats 5] [--workers 1,2] [--record]
 * ```
 *
 * The peers, `predict_peers.py`, run first, in the same minute, with `NUMBA_NUM_THREADS` as given by the caller; without
 * `--python` they are left out. The slowest of them compute `--few` times only. Figures are source visibilities per second,
 * which all correlations share, and per second of a core, which says more while others use the machine. Results are freed before
 * the next run, as those of the peers are: the first use of memory that the machine has to fetch takes longer than the sums.
 * `--record` keeps them in `bench/record/`.
 *
 * @module
 */

import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Context, createContext } from "@tilewise/tilewise";
import { predict, type PredictOptions } from "@tilewise/tilewise/rime";
import { feedRotation, simulate } from "@tilewise/tilewise/unstable/rime";
import { readArguments } from "../arguments.ts";
import { record } from "../record.ts";
import { align, type BenchRow, print, summarize } from "../timing.ts";
import { problemOf, raggedOf, writeProblem } from "./problem.ts";

const { options } = readArguments(Deno.args, ["python", "times", "few", "repeats", "workers"], ["record"]);
const SIZES = { ntime: Number(options.times ?? 100), na: 64, nchan: 64, nsrc: 100 };
const repeats = Number(options.repeats ?? 5);
const workers = (options.workers ?? "1,2").split(",").map(Number);
const problem = problemOf(SIZES);
const ragged = raggedOf(problem.input, SIZES.ntime);

/** Sources times visibilities of one time. */
const PER_TIME = SIZES.nsrc * SIZES.nchan * problem.input.antenna1!.length;
setFlagsFromString("--expose-gc");
/** Frees what nobody holds. */
const collect: () => void = runInNewContext("gc");
const rows: BenchRow[] = [];
const notes: string[] = [];
/** The visibilities of the first peer of each task. */
const expected = new Map<string, Float64Array>();

function add(
  task: string,
  by: string,
  times: number,
  samples: readonly number[],
  cpu: number,
  more: object,
): void {
  rows.push({ name: task, by, operations: PER_TIME * times, cpu, ...more, ...summarize(samples) });
}

/** Runs the peers: each line is a task, or a peer that is not installed. */
async function peers(python: string): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "tilewise-predict-" });
  writeProblem(folder, problem, SIZES);
  const script = new URL("./predict_peers.py", import.meta.url).pathname;
  const command = new Deno.Command(python, { args: [script, folder, options.few ?? "2"], stderr: "inherit" });
  const text = new TextDecoder().decode((await command.output()).stdout);
  for (const line of text.split("\n").filter((line) => line.startsWith("{"))) {
    const { task, name, times, samples, cpu, note } = JSON.parse(line);
    if (note) {
      notes.push(`${name}: ${note}`);
      continue;
    }
    const found = new Float64Array(Deno.readFileSync(`${folder}/${task}.${name}.bin`).buffer);
    add(task, name, times, samples, cpu, { offBy: offBy(found, expected.get(task)) });
    if (!expected.has(task)) expected.set(task, found);
  }
  Deno.removeSync(folder, { recursive: true });
}

/** The largest difference, if there is something to compare with: numbers that both have. */
function offBy(found: ArrayLike<number>, expected: ArrayLike<number> | undefined): number | undefined {
  if (!expected) return undefined;
  let worst = 0;
  for (let i = 0; i < Math.min(found.length, expected.length); i++) {
    worst = Math.max(worst, Math.abs(found[i]! - expected[i]!));
  }
  return worst;
}

async function ours(
  task: string,
  by: string,
  count: number,
  run: (context: Context) => Promise<{ readonly data: ArrayLike<number> }>,
): Promise<void> {
  await using context = createContext({ memory: "128MiB", workers: count });
  const samples: number[] = [];
  let cpu = Infinity, off: number | undefined;
  for (let i = 0; i <= repeats; i++) {
    collect();
    const start = performance.now(), used = process.cpuUsage();
    const { data } = await run(context);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(used);
    if (i === 0) off = offBy(data, expected.get(task));
    else {
      samples.push(seconds);
      cpu = Math.min(cpu, (user + system) / 1e6);
    }
  }
  add(task, by, SIZES.ntime, samples, cpu, { workers: count, offBy: off });
}

async function all(precision: "f64" | "mixed", count: number): Promise<void> {
  const one: readonly [string, PredictOptions["correlations"]] = ["1 correlation", ["I"]];
  const four: readonly [string, PredictOptions["correlations"]] = ["4 correlations", [
    "XX",
    "XY",
    "YX",
    "YY",
  ]];
  for (const [task, correlations] of [one, four]) {
    for (const [layout, input] of [["dense", problem.input], ["ragged", ragged]] as const) {
      await ours(task, `tilewise ${precision}, ${layout}`, count, (context) => {
        return predict(input, { precision, correlations: correlations!, context });
      });
    }
  }
  const { angles: parallactic_angles, input } = problem;
  const termInputs = { parallactic_angles, feed_angles: new Float64Array(SIZES.na) };
  await ours("matrices", `tilewise ${precision}, dense`, count, async (context) => {
    const terms = [feedRotation("linear")];
    return { data: (await simulate({ ...input, terms, termInputs }, { precision, context })).model };
  });
}

/** The figures of a row as text; beside those of the first peer, numba, and of the same with one worker. */
function shown(row: BenchRow): string[] {
  const { name, by, workers, operations, min, cpu, offBy } = row;
  const speed = operations! / min;
  const other = (found: BenchRow | undefined) =>
    found && found !== row ? (speed / (found.operations! / found.min)).toFixed(2) : "";
  const numba = rows.find((one) => one.name === name && one.by === "numba");
  const alone = rows.find((one) => one.name === name && one.by === by && one.workers === 1);
  return [
    by!,
    name,
    workers === undefined ? "" : `${workers}`,
    (speed / 1e9).toFixed(3),
    (operations! / Number(cpu) / 1e9).toFixed(3),
    other(numba),
    other(alone),
    offBy === undefined ? "" : Number(offBy).toExponential(1),
  ];
}

if (options.python) await peers(options.python);
for (const count of workers) {
  for (const precision of ["f64", "mixed"] as const) await all(precision, count);
}
const head = [
  "who",
  "task",
  "workers",
  "G per second",
  "of a core",
  "× numba",
  "× 1 worker",
  "off by at most",
];
print([align([head, ...rows.map(shown)]), ...notes].join("\n"));
if (options.record) await record("predict", rows);
