/**
 * Compares Tilewise with LiberTEM and libertem-blobfinder on random data sets: `deno task compare`, see `--help`.
 *
 * @module
 */

import { ensurePeers } from "../../bench/peers/setup.ts";
import { print } from "../../bench/timing.ts";
import { randomSubject } from "./data/data.ts";
import { keepCase } from "./keep.ts";
import { KEPT } from "./kept.ts";
import { type CompareOptions, HELP, readOptions } from "./options.ts";
import { Peer } from "./peer.ts";
import { Random } from "./data/random.ts";
import { complaint, Report } from "./verdict/report.ts";
import { Bench, type Outcome, type Task } from "./runner.ts";
import type { AnyWork } from "./work.ts";
import { WORKS } from "./works/index.ts";

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === "files") return await (await import("./files/main.ts")).main(words.slice(1));
  const options = readable(words);
  if (options instanceof Error) return said(options.message, 2);
  if (options.help) return said(HELP, 0);
  if (options.list) return said(WORKS.map(({ word }) => word).join("\n"), 0);
  const unknown = options.only?.find((word) => !WORKS.some((work) => work.word === word));
  if (unknown) {
    return said(`There is no work "${unknown}"; there are ${WORKS.map(({ word }) => word).join(", ")}`, 2);
  }
  const peers = await ensurePeers(options.venv);
  if ("skipped" in peers) {
    return said(`The peers cannot be installed: ${peers.skipped}`, options.allowMissingPeers ? 0 : 1);
  }
  return await compareAll(peers.python, options);
}

/** The options, or what is wrong with them. */
function readable(words: readonly string[]): CompareOptions | Error {
  try {
    return readOptions(words);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

async function compareAll(python: string, options: CompareOptions): Promise<number> {
  const report = new Report();
  const folder = await Deno.makeTempDir({ prefix: "tilewise-compare-" });
  const started = performance.now();
  try {
    await using peer = new Peer(python);
    await using bench = new Bench(peer, folder);
    for (const { command, task } of tasksOf(options)) {
      for await (const outcome of bench.compare(task)) {
        report.add(outcome);
        if (outcome.end === "unexplained") await complain(outcome, command(outcome.at.word), options);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return conclude(report, options, (performance.now() - started) / 1000);
}

/** A data set with its works, and how one of them is run again. */
interface Planned {
  readonly task: Task;
  readonly command: (word: string) => string;
}

function* tasksOf(options: CompareOptions): Generator<Planned> {
  const { seed, runs, run } = options;
  const chosen = WORKS.filter(({ word }) => options.only?.includes(word) ?? true);
  for (let index = run ?? 0; index < (run === undefined ? runs : run + 1); index++) {
    const task = randomTask(seed, index, chosen);
    if (task.works.length === 0) continue;
    yield { task, command: (word) => `deno task compare --seed ${seed} --run ${index} --only ${word}` };
  }
  if (run !== undefined) return;
  for (const { why, word, params, ...subject } of KEPT) {
    const work = chosen.find((one) => one.word === word);
    if (!work) continue;
    const task = { ...subject, works: [[work, params]] as const };
    yield { task, command: () => `deno task compare --runs 0 --only ${word}    (kept: ${why})` };
  }
}

/** Data set number `index`, with all of `works` that suit it, each with random parameters of its own. */
function randomTask(seed: number, index: number, works: readonly AnyWork[]): Task {
  const subject = randomSubject(seed, index);
  const suitable = works.filter((work) => work.suits?.(subject) ?? true);
  return {
    ...subject,
    works: suitable.map((work) => [work, work.params(new Random(seed, index, work.word), subject)] as const),
  };
}

async function complain(outcome: Outcome, command: string, { json, keep }: CompareOptions): Promise<void> {
  const kept = keep === undefined ? undefined : await keepCase(outcome, keep);
  if (!json) return print(complaint(outcome, command) + (kept ? `\n  kept in ${kept}` : ""));
  const differences = outcome.differences.filter(({ rows }) => rows.length === 0).map(({ text }) => text);
  print(JSON.stringify({ unexplained: outcome.at, differences, command, ...(kept ? { kept } : {}) }));
}

function conclude(report: Report, options: CompareOptions, seconds: number): number {
  const { cases, unexplained } = report;
  const isWhole = options.only === undefined && options.run === undefined && options.runs >= 500;
  const idle = isWhole ? report.idle : [];
  if (options.json) {
    for (const row of report.rows.values()) print(JSON.stringify(row));
    for (const [{ name, reason }, count] of report.used) {
      print(JSON.stringify({ deliberate: name, reason, count }));
    }
    print(JSON.stringify({ cases, unexplained, seconds, idle: idle.map(({ name }) => name) }));
  } else {
    print(String(report));
    for (const { name } of idle) print(`The deliberate difference "${name}" did not occur: is it still one?`);
    print(`${cases} comparisons in ${seconds.toFixed(0)} s, ${unexplained} unexplained`);
  }
  return unexplained > 0 ? 1 : 0;
}

function said(text: string, code: number): number {
  print(text);
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
