/**
 * The model of 64 antennas, 64 channels and 4 correlations as a column of a Measurement Set, beside codex-africanus on dask
 * (as crystalball predicts). Each computes once, one after the other; casacore compares the columns.
 *
 * ```sh
 * deno run -A bench/rime/column.ts --python PROGRAM [--times 194] [--sources 20] [--workers 2] [--record]
 * ```
 *
 * 194 times are 10⁸ visibilities, 0.8 GB. The kernels of the peer are compiled before its time counts.
 *
 * @module
 */

import process from "node:process";
import { createContext } from "@tilewise/tilewise";
import { readSky } from "@tilewise/tilewise/observations";
import { planColumn } from "@tilewise/tilewise/unstable/rime";
import { readArguments } from "../arguments.ts";
import { record } from "../record.ts";
import { align, type BenchRow, print, summarize } from "../timing.ts";

const { options } = readArguments(Deno.args, ["python", "times", "sources", "workers"], ["record"]);
const python = options.python ?? "python3";
const [times, sources, workers] = [options.times ?? "194", options.sources ?? "20", options.workers ?? "2"];
const SCRIPT = new URL("./column_peer.py", import.meta.url).pathname;
const folder = Deno.makeTempDirSync({ prefix: "tilewise-column-" });
const ms = `${folder}/day.ms`;

/** Runs the peer; the object that it prints last. */
async function peer(...words: string[]): Promise<Record<string, number>> {
  const command = new Deno.Command(python, { args: [SCRIPT, ...words], stderr: "inherit" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`${python} ${words.join(" ")} failed`);
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("{"));
  return JSON.parse(lines.at(-1) ?? "{}");
}

/** Predicts the column, as `tilewise predict --column` does. */
async function ours(): Promise<Record<string, number>> {
  await using context = createContext({ memory: "256MiB", workers: Number(workers) });
  const start = performance.now(), used = process.cpuUsage();
  await using plan = await planColumn(await readSky(`${ms}.txt`), ms, "MODEL_DATA", { context });
  await plan.run();
  const { user, system } = process.cpuUsage(used);
  const memory = process.resourceUsage().maxRSS * 1024;
  return { seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6, memory };
}

try {
  await peer("make", ms, times, sources);
  const found = [["tilewise f64", await ours()], [
    "codex-africanus, dask",
    await peer("predict", ms, workers),
  ]] as const;
  const { offBy = NaN, visibilities = NaN } = await peer("compare", ms);
  const rows: BenchRow[] = found.map(([by, { seconds, cpu, memory }]) => {
    const operations = visibilities / 4 * Number(sources);
    return { name: "model column", by, operations, cpu: cpu!, offBy, memory, ...summarize([seconds!]) };
  });
  print(`${visibilities} visibilities of ${sources} sources, ${workers} workers; columns differ by ${offBy}`);
  print(align([
    ["by", "s", "s of cores", "MB"],
    ...found.map((
      [by, { seconds, cpu, memory }],
    ) => [by, seconds!.toFixed(1), cpu!.toFixed(1), (memory! / 1e6).toFixed(0)]),
  ]));
  if (options.record !== undefined) record("rime column", rows);
} finally {
  Deno.removeSync(folder, { recursive: true });
}
