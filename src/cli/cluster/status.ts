/**
 * `tilewise status`: the runs and workers of an engine.
 *
 * @module
 */

import type { RunSight, WorkerSight } from "../../cluster/engine/engine.ts";
import { openEngine } from "../../cluster/open_engine.ts";
import type { Arguments } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const STATUS: Verb = {
  ...HEADS.status,
  least: 1,
  most: 1,
  flags: [],
  examples: [[
    "tilewise status redis://:PASSWORD@lab:6379",
    "Runs with their progress, and the workers that are there.",
  ]],
  run: status,
};

async function status(args: Arguments, io: CliIo): Promise<number> {
  await using engine = await openEngine(args.positionals[0] ?? "");
  const { runs, workers } = await engine.status();
  if (args.has("json")) {
    for (const run of runs) outJson(io, run);
    for (const worker of workers) outJson(io, worker);
    return 0;
  }
  outTable(io, [...runs.map(runRow), ...workers.map(workerRow)]);
  if (runs.length + workers.length === 0) outTable(io, [["engine", "no runs, no workers"]]);
  return 0;
}

function runRow({ run, state, done, total, title, store, reason }: RunSight): [string, string] {
  const why = reason ? ` · ${reason}` : "";
  return [
    `run ${printable(run)}`,
    printable(`${state} · ${done} of ${total} parts · ${title} · ${store}${why}`),
  ];
}

function workerRow({ worker, job, refuses, tilewise }: WorkerSight): [string, string] {
  const what = refuses ? `refuses run ${refuses.run}: ${refuses.message}` : job ? `computes ${job}` : "waits";
  return [`worker ${printable(worker)}`, printable(`${what} · Tilewise ${tilewise}`)];
}
