/**
 * Two worker processes on this machine, on the same file: Tilewise (an engine on Redis; shards) beside LiberTEM on Dask, and
 * what each does when one of its workers is killed (SIGKILL) or stopped (SIGSTOP) in the middle.
 *
 * ```sh
 * deno task bench:cluster [--mib 256] [--repeats 5] [--workers 2] [--faults none,kill,stop] [--limit 120] [--python PROGRAM]
 * ```
 *
 * Times of an engine, of one process (with a thread per worker) and of LiberTEM are those of a call in a process that is
 * ready, ours with files for results; times of shards are those of processes that start. It ends with 1 where results differ.
 *
 * @module
 */

import { loadavg } from "node:os";
import { join } from "@std/path";
import { hasRedis } from "../../tests/cluster/engine/redis_server.ts";
import { readArguments } from "../arguments.ts";
import { align, print } from "../timing.ts";
import { type Measured, Ours, type OursOptions, WORKS } from "./ours.ts";
import { asksForHelp, inOneLine } from "../../assembly/task.ts";
import { type PeerLine, runPeer } from "./peer.ts";

if (asksForHelp("bench:cluster")) Deno.exit();
const names = ["mib", "repeats", "workers", "faults", "limit", "python"];
const { options } = await inOneLine("bench:cluster", () => readArguments(Deno.args, names));
const mib = Number(options.mib ?? 256);
const repeats = Number(options.repeats ?? 5);
const workers = Number(options.workers ?? 2);
const limit = Number(options.limit ?? 120);
const faults = (options.faults ?? "none,kill,stop").split(",").filter((name) => name);
/** Milliseconds per frame of the UDF in whose middle something happens: several seconds in all. */
const SLOW = 2;
/** Seconds until it happens. */
const AFTER = 3;

/** A scan of 32 columns, with frames of 256 × 256 pixels of noise. */
async function writeScan(path: string): Promise<readonly number[]> {
  const shape = [Math.max(1, mib * 8 / 32), 32, 256, 256];
  const block = new Uint16Array(2 ** 19);
  using file = await Deno.open(path, { write: true, create: true });
  for (let i = 0, state = 1; i < mib; i++) {
    for (let j = 0; j < block.length; j++) {
      block[j] = (state = Math.imul(state, 1664525) + 1013904223 | 0) >>> 20;
    }
    await file.write(new Uint8Array(block.buffer));
  }
  return shape;
}

const pause = (seconds: number) => new Promise<void>((go) => setTimeout(go, 1000 * seconds));

/** What the fault is to a process. */
const SIGNALS: Readonly<Record<string, Deno.Signal>> = { kill: "SIGKILL", stop: "SIGSTOP" };

async function oursWithFault(ours: Ours, fault: string): Promise<Measured> {
  const [victim] = await ours.restart();
  const signal = SIGNALS[fault];
  const run = ours.onEngine("slow", SLOW);
  if (signal) void pause(AFTER).then(() => victim?.kill(signal));
  return await Promise.race([run, pause(limit).then(() => late())]);
}

async function shardsWithFault(ours: Ours, fault: string): Promise<Measured> {
  const signal = SIGNALS[fault];
  return await ours.inShards("slow", SLOW, (shards) => {
    if (signal) void pause(AFTER).then(() => shards[0]?.kill(signal));
    // a scheduler ends a task that stands still by its time limit
    if (fault === "stop") void pause(AFTER + 10).then(() => shards[0]?.kill("SIGKILL"));
  });
}

function late(): Measured {
  return { seconds: NaN, error: `nothing after ${limit} s` };
}

function timesOf(samples: readonly number[]): string {
  const sorted = samples.toSorted((a, b) => a - b);
  return `${sorted[0]?.toFixed(2)} (${sorted[sorted.length >> 1]?.toFixed(2)})`;
}

/** Results that should be one; a Dask worker sums in another order. */
function same(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined) return "";
  return Math.abs(a - b) <= 1e-6 * Math.abs(b) ? "same" : `DIFFERENT: ${a}, ${b}`;
}

async function speedTable(ours: Ours, peer: readonly PeerLine[]): Promise<string[][]> {
  await ours.restart();
  const rows = [[
    "work",
    "one process: s, least (median)",
    "engine",
    "shards and merge",
    "LiberTEM on Dask",
    "results",
  ]];
  for (const work of Object.keys(WORKS)) {
    const [local, engine, shards]: [Measured[], Measured[], Measured[]] = [[], [], []];
    for (let i = 0; i < repeats; i++) {
      local.push(await ours.local(work));
      engine.push(await ours.onEngine(work));
      shards.push(await ours.inShards(work));
    }
    const theirs = peer.find((line) => line.work === work);
    const [check] = engine.map((one) => one.check);
    const agree = [same(shards[0]?.check, check), same(local[0]?.check, check), same(check, theirs?.check)]
      .filter((text) => text).join(
        ", ",
      );
    const failed = [...local, ...engine, ...shards].find(({ error }) => error)?.error;
    const cells = [local, engine, shards].map((all) => timesOf(all.map(({ seconds }) => seconds)));
    rows.push([work, ...cells, theirs ? timesOf(theirs.seconds as number[]) : "", failed ?? agree]);
  }
  return rows;
}

async function faultTable(ours: Ours, peer: readonly PeerLine[]): Promise<string[][]> {
  const rows = [["a worker is", "engine: s", "shards, started again", "LiberTEM on Dask", "results"]];
  const said = ({ seconds, error }: Pick<PeerLine, "seconds" | "error">) =>
    error ?? Number(seconds).toFixed(1);
  for (const fault of faults) {
    const engine = await oursWithFault(ours, fault);
    const shards = await shardsWithFault(ours, fault);
    const theirs = peer.find((line) => line.fault === fault);
    const agree = [same(shards.check, engine.check), same(engine.check, theirs?.check)].filter((text) =>
      text
    );
    const name = { none: "left alone", kill: "killed", stop: "stopped" }[fault] ?? fault;
    rows.push([name, said(engine), said(shards), theirs ? said(theirs) : "", agree.join(", ")]);
  }
  return rows;
}

async function main(): Promise<number> {
  if (!hasRedis()) {
    print("skipped: redis-server is not installed");
    return 0;
  }
  const folder = await Deno.makeTempDir({ prefix: "tilewise-bench-" });
  try {
    const path = join(folder, "scan.raw");
    const scan: OursOptions = { path, shape: await writeScan(path), workers, folder };
    const python = options.python ?? "python3";
    const peer = await runPeer({ ...scan, python, repeats, faults, milliseconds: SLOW, limit });
    if (typeof peer === "string") print(`LiberTEM on Dask is skipped: ${peer}`);
    await using ours = await Ours.open(scan);
    const lines = typeof peer === "string" ? [] : peer;
    const tables = [await speedTable(ours, lines), await faultTable(ours, lines)].map(align);
    print(`${mib} MiB, ${workers} workers, load ${loadavg().map((one) => one.toFixed(1)).join(" ")}`);
    print(`\n${tables.join("\n\n")}`);
    return tables.some((text) => text.includes("DIFFERENT")) ? 1 : 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main());
