/**
 * Reading a column of visibilities in Dysco, by rows, beside casacore with its plug-in for Dysco.
 *
 * ```sh
 * deno run -A bench/rime/dysco.ts --python PROGRAM [--times 100] [--record]
 * ```
 *
 * Bytes are those of the samples as complex64. casacore makes the set, and compares the sums.
 *
 * @module
 */

import process from "node:process";
import { openObservation } from "@tilewise/tilewise/observations";
import { readArguments } from "../arguments.ts";
import { record } from "../record.ts";
import { align, type BenchRow, print, summarize } from "../timing.ts";
import { readSamples } from "../../src/rime/observed/product.ts";

const { options } = readArguments(Deno.args, ["python", "times"], ["record"]);
const SCRIPT = new URL("./dysco_peer.py", import.meta.url).pathname;
const folder = Deno.makeTempDirSync({ prefix: "tilewise-dysco-" }), ms = `${folder}/day.ms`;

/** Runs the peer; the object that it prints last. */
async function peer(...words: string[]): Promise<Record<string, number>> {
  const command = new Deno.Command(options.python ?? "python3", {
    args: [SCRIPT, ...words],
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`${words.join(" ")} failed`);
  return JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
}

/** Reads all samples, a block of rows at a time; seconds, and their sum. */
async function ours(): Promise<Record<string, number>> {
  await using observation = await openObservation(ms);
  let [seconds, cpu, sum] = [0, 0, 0];
  for (let row = 0; row < observation.rows; row += 2000) {
    const start = performance.now(), used = process.cpuUsage();
    const samples = await readSamples(observation.visibility!, row, Math.min(observation.rows, row + 2000));
    const { user, system } = process.cpuUsage(used);
    seconds += (performance.now() - start) / 1000;
    cpu += (user + system) / 1e6;
    for (let i = 0; i < samples.length; i += 2) sum += samples[i]! as number;
  }
  return { seconds, cpu, sum };
}

try {
  const { bytes } = await peer("make", ms, options.times ?? "100");
  const found = [["tilewise", await ours()], ["casacore", await peer("read", ms)]] as const;
  const [own, other] = found.map(([, { sum }]) => sum!);
  if (!(Math.abs(own! - other!) <= 1e-6 * bytes!)) throw new Error(`the sums differ: ${own}, ${other}`);
  const rows: BenchRow[] = found.map(([by, { seconds, cpu }]) => ({
    name: "Dysco column",
    by,
    bytes: bytes!,
    cpu: cpu!,
    ...summarize([seconds!]),
  }));
  print(align([
    ["by", "s", "s of cores", "MB/s of cores"],
    ...found.map((
      [by, { seconds, cpu }],
    ) => [by, seconds!.toFixed(2), cpu!.toFixed(2), (bytes! / 1e6 / cpu!).toFixed(0)]),
  ]));
  if (options.record !== undefined) record("rime dysco", rows);
} finally {
  Deno.removeSync(folder, { recursive: true });
}
