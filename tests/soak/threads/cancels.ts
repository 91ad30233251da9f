/**
 * Runs that are cancelled at random times: how soon the caller hears of it, and how soon the next run answers.
 *
 * @module
 */

import { readdirSync } from "node:fs";
import { isTilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import type { UdfPlan } from "../../../src/udf/plan/plan_facts.ts";
import { run } from "../../../src/run.ts";
import { Random } from "../../compare/data/random.ts";
import { describe, type Outcome, type Part, type SoakOptions, Tally } from "../part.ts";

/** The part. */
export const CANCELS: Part = {
  name: "cancels",
  help: "runs are cancelled at random times; the caller hears of it, nothing is left, the next run is right",
  run: randomCancels,
};

/** Files that this process has open, where the system tells. */
export function openFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

/** Milliseconds of each cancel and of each run after it. */
interface Times {
  readonly heard: number[];
  readonly next: number[];
}

/** Two plans in one context: one that is cancelled, and a small one that follows. */
interface Jobs {
  readonly context: RunContext;
  readonly long: UdfPlan;
  readonly short: UdfPlan;
}

async function summing(frames: number, context: RunContext): Promise<UdfPlan> {
  const scan = await open({
    data: new Float32Array(frames * 4096).fill(1),
    shape: [frames, 64, 64],
    sigDims: 2,
  });
  return await plan(scan, { sum: sumFrames() }, { context, partitions: 64 });
}

async function randomCancels({ quick, seed }: SoakOptions): Promise<Outcome> {
  const tally = new Tally(), random = new Random(seed);
  const times: Times = { heard: [], next: [] };
  await using context = new RunContext({ workers: 2, memory: 2 ** 26 });
  const jobs = { context, long: await summing(2048, context), short: await summing(64, context) };
  const begun = performance.now();
  await run(jobs.long);
  const whole = performance.now() - begun, before = openFiles();
  for (let i = 0; i < (quick ? 10 : 1000); i++) {
    await tally.add(`cancel ${i}`, () => wrongAfter(jobs, whole * random.next(), times));
  }
  await tally.add("open files", () => {
    const after = openFiles();
    return Promise.resolve(after > before ? `${after} files are open, ${before} before` : undefined);
  });
  const figures = [
    ["milliseconds", "median", "99 %", "most"],
    ["until the caller hears", ...ranks(times.heard)],
    ["until the next run is done", ...ranks(times.next)],
  ];
  return { cases: tally.cases, findings: tally.findings, figures };
}

function ranks(times: number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.99, 1].map((q) => (sorted[Math.ceil(q * sorted.length) - 1] ?? 0).toFixed(1));
}

/** What is wrong when the long run is cancelled after `delay` milliseconds, if anything. */
async function wrongAfter(
  { context, long, short }: Jobs,
  delay: number,
  { heard, next }: Times,
): Promise<string | undefined> {
  const stop = new AbortController();
  let at = Infinity;
  const timer = setTimeout(() => {
    at = performance.now();
    stop.abort();
  }, delay);
  const cancelled = async () => await run(long, { signal: stop.signal });
  const error = await cancelled().then(() => undefined, (error: unknown) => error);
  clearTimeout(timer);
  if (error !== undefined && !isTilewiseError(error, "aborted")) return `it ended with ${describe(error)}`;
  const now = performance.now();
  if (error !== undefined) heard.push(now - at);
  const { sum } = await run(short);
  next.push(performance.now() - now);
  if (sum!.intensity!.data.some((value: number | bigint) => value !== 64)) return "the next run is wrong";
  await context.settled();
  return context.arena.used > 0 ? `${context.arena.used} bytes are still leased` : undefined;
}
