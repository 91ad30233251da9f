/**
 * Damages sample files by the thousand and opens them: `deno task fuzz [--parser NAME] [--runs N] [--seed S] [--only N]`.
 *
 * Each execution follows from the seed and its number, so `--only N` repeats one. What ends otherwise than in samples or
 * a typed error, takes more than 250 ms of the processor or needs more than 64 MiB is a finding: with as few changes as still show
 * it, the file is kept in `tests/data/fuzz`, where a test opens it from then on.
 *
 * @module
 */

import { readArguments } from "../../bench/arguments.ts";
import { attempt, type Outcome } from "./attempt.ts";
import { attemptKernel, UNPACKERS } from "./kernels.ts";
import { attemptFilter, FILTERS } from "./filters.ts";
import { apply, type Mutation, mutations } from "./mutate.ts";
import { attemptObserved, OBSERVED } from "./observations.ts";
import { FINDINGS, parsers, type Sample, samplesOf } from "./targets.ts";

interface Options {
  readonly parser: string | undefined;
  readonly runs: number;
  readonly seed: number;
  readonly only: number | undefined;
}

/** What the executions of one parser came to. */
class Tally {
  readonly #ends = new Map<string, number>();
  readonly #started = performance.now();
  #runs = 0;
  #slowest = 0;
  /** Findings, by what was wrong. */
  readonly findings = new Map<string, string>();

  constructor(private readonly name: string) {}

  add({ end, milliseconds }: Outcome): void {
    this.#ends.set(end, (this.#ends.get(end) ?? 0) + 1);
    this.#slowest = Math.max(this.#slowest, milliseconds);
    this.#runs++;
  }

  toString(): string {
    const seconds = (performance.now() - this.#started) / 1000;
    const ends = [...this.#ends].toSorted((a, b) => b[1] - a[1]).map(([end, n]) => `${end} ${n}`);
    const per1000 = 1000 * seconds / Math.max(1, this.#runs);
    return `${this.name}: ${this.#runs} executions, ${per1000.toFixed(1)} s per 1000, slowest ` +
      `${this.#slowest.toFixed(1)} ms; ${ends.join(", ")}; ${this.findings.size} findings`;
  }
}

async function fuzzParser(parser: string, { runs, seed, only }: Options): Promise<Tally> {
  const samples: Sample[] = [];
  for (const sample of samplesOf(parser)) if ((await tryOut(sample, [])).end === "read") samples.push(sample);
  const tally = new Tally(parser);
  if (samples.length === 0) return tally; // files beside it are too large
  for (let n = only ?? 0; n < (only === undefined ? runs : only + 1); n++) {
    const sample = samples[n % samples.length]!;
    const changes = changesOf(sample, Math.floor(n / samples.length), seed * 1_000_003 + n);
    const outcome = await tryOut(sample, changes);
    tally.add(outcome);
    if (only !== undefined) say(JSON.stringify({ file: sample.name, changes, outcome }, plain, 1));
    if (outcome.problem === undefined) continue;
    const kind = kindOf(outcome.problem);
    if (tally.findings.has(kind)) continue;
    const file = await keep(parser, sample, changes, kind);
    tally.findings.set(kind, file);
    say(`  execution ${n} of ${sample.name}, kept as ${file}: ${outcome.problem.slice(0, 600)}`);
  }
  return tally;
}

/** Each sample is cut at 200 places, every fourth time that it is used; otherwise it is changed. */
function changesOf({ bytes }: Sample, turn: number, seed: number): Mutation[] {
  const isCut = turn % 4 === 0 && turn < 4 * CUTS;
  return isCut
    ? [{ kind: "cut", at: Math.floor(turn / 4 * bytes.length / CUTS) }]
    : mutations(bytes.length, seed);
}

/** Places where each sample is cut. */
const CUTS = 200;

function tryOut({ name, bytes, ...company }: Sample, changes: readonly Mutation[]): Promise<Outcome> {
  return attempt(name, apply(bytes, changes), company);
}

/** The first line, without numbers: the same fault gives many messages. */
function kindOf(problem: string): string {
  const lines = problem.split("\n");
  return `${lines[0]} ${lines[1] ?? ""}`.replace(/\d+/g, "#");
}

/** Leaves changes out as long as the same thing goes wrong, and writes the file. */
async function keep(parser: string, sample: Sample, all: readonly Mutation[], kind: string): Promise<string> {
  let changes = [...all];
  for (let i = 0; i < changes.length;) {
    const fewer = changes.filter((_, c) => c !== i);
    const { problem } = await tryOut(sample, fewer);
    if (problem !== undefined && kindOf(problem) === kind) changes = fewer;
    else i++;
  }
  const bytes = apply(sample.bytes, changes);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const name = `${parser}-${digest.toHex().slice(0, 8)}-${sample.name.replaceAll("/", "_")}`;
  await Deno.mkdir(FINDINGS, { recursive: true });
  await Deno.writeFile(FINDINGS + name, bytes);
  return name;
}

/** Kernels, filters, observations and skies: each execution follows from its number. */
async function fuzzEach(
  kind: string,
  name: string,
  { runs, seed, only }: Options,
  attempt: (name: string, seed: number) => Outcome | Promise<Outcome>,
): Promise<Tally> {
  const tally = new Tally(`${kind} ${name}`);
  for (let n = only ?? 0; n < (only === undefined ? runs : only + 1); n++) {
    const outcome = await attempt(name, seed * 1_000_003 + n);
    tally.add(outcome);
    if (outcome.problem === undefined) continue;
    if (tally.findings.size === 0) say(`  execution ${n}: ${outcome.problem}`);
    tally.findings.set(outcome.problem, String(n));
  }
  return tally;
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Reads the command line; an error says what is wrong with it. */
function optionsOf(args: readonly string[]): Options {
  const { options: { parser, runs = "2000", seed = "1", only }, names: [extra] } = readArguments(
    args,
    ["parser", "runs", "seed", "only"],
  );
  if (extra !== undefined) throw new Error(`Cannot use "${extra}"; write --parser NAME`);
  const count = (name: string, text: string) => {
    if (/^\d+$/.test(text)) return Number(text);
    throw new Error(`Cannot use --${name} ${text}: it must be a whole number`);
  };
  return {
    parser,
    runs: count("runs", runs),
    seed: count("seed", seed),
    only: only === undefined ? undefined : count("only", only),
  };
}

function helpOf(names: readonly string[]): string {
  return [
    "deno task fuzz [--parser NAME] [--runs N] [--seed S] [--only N]",
    "",
    "Damages sample files and streams, and reads them. It ends with 1 if an execution has another end than samples",
    "or a typed error, takes more than 250 ms of the processor, or needs more than 64 MiB.",
    "",
    "  --parser NAME  only this one (default all)",
    "  --runs N       executions of each (default 2000)",
    "  --seed S       another series of random numbers (default 1)",
    "  --only N       execution N alone, with what was changed",
    "",
    `Names: ${names.join(", ")}`,
  ].join("\n");
}

async function main(args: readonly string[]): Promise<void> {
  const names = [...parsers(), ...UNPACKERS, ...FILTERS, ...OBSERVED];
  if (args.includes("--help")) return say(helpOf(names));
  let options: Options;
  try {
    options = optionsOf(args);
  } catch (error) {
    say((error as Error).message);
    Deno.exit(2);
  }
  const chosen = names.filter((name) => options.parser === undefined || name === options.parser);
  if (chosen.length === 0) {
    say(`There is no parser "${options.parser}"; there are ${names.join(", ")}`);
    Deno.exit(2);
  }
  let findings = 0;
  for (const name of chosen) {
    const tally = UNPACKERS.some((family) => family === name)
      ? await fuzzEach("kernel", name, options, attemptKernel)
      : FILTERS.includes(name)
      ? await fuzzEach("filter", name, options, attemptFilter)
      : OBSERVED.includes(name)
      ? await fuzzEach("file of", name, options, attemptObserved)
      : await fuzzParser(name, options);
    say(String(tally));
    findings += tally.findings.size;
  }
  if (findings > 0) Deno.exit(1);
}

/** Output for people is this program's business. */
function say(text: string): void {
  // deno-lint-ignore no-console -- a program of the command line
  console.log(text);
}

if (import.meta.main) await main(Deno.args);
