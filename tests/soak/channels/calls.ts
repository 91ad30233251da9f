/**
 * Calls of eight threads on four channels, while threads of callers and runners end at random: no call is lost, none is answered twice,
 * nobody waits for ever.
 *
 * @module
 */

import { startHostWith } from "../../../src/channels/host/host.ts";
import { poolOfRunners } from "../../../src/channels/host/runners.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { createContext, insideOf } from "../../../src/runner/context.ts";
import { type Finding, type Outcome, type Part, type SoakOptions, within } from "../part.ts";
import { FATE } from "./calls_job.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

const MODULE = import.meta.resolve("./calls_job.ts");
const WORKERS = 8, CHANNELS = 4, RUNNERS = 2;

/** The part of the soak test. */
export const CALLS: Part = {
  name: "calls",
  help: "calls on channels while threads end at random: none is lost, none is answered twice",
  run: ({ seed, quick }) => run({ seed, quick }, quick ? 32_000 : 1_000_000, quick ? 30 : 600),
};

async function run({ seed }: SoakOptions, calls: number, kills: number): Promise<Outcome> {
  const counts = new SharedArrayBuffer(4 * calls), fates = new SharedArrayBuffer(4 * calls);
  const tasks = WORKERS * 4, perTask = calls / tasks;
  await using context = createContext({ memory: "1MiB" });
  const service = { module: MODULE, export: "countingService", shared: { counts } };
  const options = { channels: CHANNELS, bufferLength: 1, elementSize: 8, runners: RUNNERS };
  const host = await startHostWith(context, options, [service]);
  await using pool = workerPool({ workers: WORKERS, stuckTimeout: 10_000 });
  const shared = { layout: insideOfHost(host)!.layout, counts, fates, calls: perTask };
  const { memory } = insideOf(context).arena;
  const job = { module: MODULE, export: "callingJob", shared };
  const numbers = Array.from({ length: tasks }, (_, task) => task);
  const work = Array.fromAsync(pool.run(job, numbers, { memory, attempts: 1_000_000, stallTimeout: 60_000 }));
  const killed = { callers: 0, runners: 0 };
  const random = randomBelow(seed);
  let over = false;
  const done = work.finally(() => over = true);
  const killing = (async () => {
    for (let n = 0; n < kills && !over; n++) {
      await new Promise((resolve) => setTimeout(resolve, 5 + random(60)));
      const ofRunner = killed.runners < 2 && n % 8 === 5; // a place that has lost three threads ends its host
      (ofRunner ? poolOfRunners(insideOfHost(host)!.layout.gate)! : pool).kill(
        ofRunner ? random(RUNNERS) : random(WORKERS),
      );
      killed[ofRunner ? "runners" : "callers"]++;
    }
  })();
  const ended = await within(calls > 100_000 ? 600_000 : 60_000, Promise.all([done, killing]));
  const findings: Finding[] = ended === "late" ? [{ at: `seed ${seed}`, text: "the calls do not end" }] : [];
  await host.close();
  await context.settled();
  if (context.used !== 0) {
    findings.push({ at: `seed ${seed}`, text: `${context.used} bytes are not returned` });
  }
  const found = judge(new Int32Array(counts), new Int32Array(fates), killed);
  const figures = [
    ["threads of callers ended", "replaced", "threads of runners ended", "lost calls"],
    [killed.callers, pool.replaced, killed.runners, count(fates, FATE.lost)].map(String),
  ];
  return {
    cases: calls,
    findings: [...findings, ...found.map((text) => ({ at: `seed ${seed}`, text }))],
    figures,
  };
}

/** What is wrong with the counts and the fates. */
function judge(
  counts: Int32Array,
  fates: Int32Array,
  killed: { callers: number; runners: number },
): string[] {
  const all = Object.fromEntries(Object.keys(FATE).map((name) => [name, 0]));
  const names = Object.keys(FATE);
  const found: string[] = [];
  for (const [call, fate] of fates.entries()) {
    all[names[fate]!]!++;
    const count = counts[call]!;
    if (fate === FATE.answered && count !== 1) {
      found.push(`call ${call} was answered and made ${count} times`);
    }
    if (count > 1) found.push(`call ${call} was made ${count} times`);
  }
  if (all.none! + all.wrong! > 0) {
    found.push(`${all.none} calls were not begun, ${all.wrong} got a wrong answer`);
  }
  if (all.begun! > killed.callers) {
    found.push(`${all.begun} calls have no end, ${killed.callers} threads were ended`);
  }
  if (all.lost! > CHANNELS * killed.runners) {
    found.push(`${all.lost} lost calls, ${killed.runners} runners were ended`);
  }
  return found.slice(0, 10);
}

function count(fates: SharedArrayBuffer, fate: number): number {
  return new Int32Array(fates).filter((one) => one === fate).length;
}

/** Whole numbers below a limit; the same ones for the same seed. */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
