/** Who counts as hung, in simulated time: workers that exist only here, and a clock that jumps. */

import { assertEquals, assertRejects } from "@std/assert";
import type { Activity } from "../../src/activity.ts";
import type { Clock } from "../../src/clock.ts";
import { TilewiseError } from "../../src/errors.ts";
import type { Death } from "../../src/executor/failure.ts";
import { Control } from "../../src/executor/control.ts";
import { Pool } from "../../src/executor/pool/pool.ts";
import type { Remote, RemoteEvents } from "../../src/executor/pool/slot.ts";
import type { Opening, ToWorker } from "../../src/executor/protocol.ts";
import type { Job, TaskResult } from "../../src/executor/task.ts";
import { SimulatedClock } from "../cluster/simulation/clock.ts";

/** What a worker does with a task. */
interface Work {
  /** Milliseconds that it takes with a processor of its own. */
  readonly takes: number;
  /** Milliseconds between two signs of life. Default: none is given. */
  readonly beats?: number;
  /** Threads that share the processor. Default: 1, this one alone. */
  readonly crowd?: number;
  /** What its board says. */
  readonly doing?: Activity;
}

const USERS: Activity = { text: "the function", details: {} };
const OURS: Activity = { text: "the kernel", details: {}, ours: true };
const TILEWISE: Job<object> = { name: "tilewise:test", module: "file:///job.ts", export: "job", shared: {} };
const FOREIGN: Job<object> = { module: "file:///job.ts", export: "job", shared: {} };

/** A worker that computes nothing, and takes its time for it. */
class Pretender implements Remote {
  ready = false;
  readonly gone = Promise.resolve(true);
  beat = 0;
  activity: Activity | undefined;
  waited = 0;
  #control = new Control();
  readonly #ended = new AbortController();

  constructor(private readonly clock: Clock, private readonly events: RemoteEvents) {
    queueMicrotask(() => {
      this.ready = true;
      events.ready();
    });
  }

  serves(): boolean {
    return true;
  }

  post(message: Opening | ToWorker): void {
    const { run } = message;
    if (message.kind === "open") {
      this.#control = new Control(message.control);
      queueMicrotask(() => this.events.message({ kind: "opened", run }));
    }
    if (message.kind === "task") void this.#work(message.task as Work, run, message.index);
    if (message.kind === "close") queueMicrotask(() => this.events.message({ kind: "closed", run }));
  }

  async #work(
    { takes, beats = Infinity, crowd = 1, doing }: Work,
    run: number,
    index: number,
  ): Promise<void> {
    this.activity = doing;
    const { signal } = this.#ended;
    const begun = this.clock.now();
    for (let worked = 0; worked < takes && !signal.aborted; worked += 100) {
      await this.clock.sleep(100 * crowd, signal);
      this.waited += 100 * (crowd - 1);
      if (Math.floor(worked / beats) !== Math.floor((worked + 100) / beats)) this.#control.advance(0);
    }
    if (signal.aborted) return;
    this.activity = undefined;
    const value = this.clock.now() - begun;
    this.events.message({ kind: "done", run, index, value, units: 0 });
  }

  stop(how: Death["how"]): void {
    this.#ended.abort();
    this.events.died({ how, busy: true, ...(this.activity ? { activity: this.activity } : {}) });
  }

  giveUp(): void {}
}

/** The results of these tasks, one after another, and the seconds that all of it took. */
async function outcome(
  job: Job<object>,
  ...tasks: readonly Work[]
): Promise<{ results: TaskResult<number>[]; seconds: number; losses: number }> {
  const clock = new SimulatedClock();
  const start = (_: unknown, events: RemoteEvents) => new Pretender(clock, events);
  const pool = new Pool(1, { idle: 0 }, { kind: "workers", memory: "shared", start, clock });
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const run = pool.run<object, Work, number>(job, tasks, { memory });
  const results = await clock.run(Array.fromAsync(run)).catch((error) => {
    throw new TilewiseError(error.code, error.message, { seconds: Math.round(clock.now() / 1000) });
  });
  await pool[Symbol.asyncDispose]();
  return { results, seconds: Math.round(clock.now() / 1000), losses: run.lostWorkers };
}

/** The seconds after which a task is given up. */
async function givenUp(job: Job<object>, work: Work): Promise<unknown> {
  const error = await assertRejects(
    () => outcome(job, work),
    TilewiseError,
    "lost its worker 2 times (hung)",
  );
  assertEquals(error.code, "timeout");
  return error.details["seconds"];
}

const FOR_EVER = 1e6;

Deno.test("a task without progress is given up after its `stallTimeout` and three times as long", async () => {
  for (const [job, doing] of [[FOREIGN, undefined], [FOREIGN, OURS], [TILEWISE, USERS]] as const) {
    const seconds = await givenUp(job, { takes: FOR_EVER, ...(doing ? { doing } : {}) });
    assertEquals(Math.abs(Number(seconds) - 120) <= 4, true, String(seconds));
  }
});

Deno.test("code of Tilewise has ten times as long, unless modules of users take part", async () => {
  for (const doing of [undefined, OURS]) {
    const work = { takes: 250_000, ...(doing ? { doing } : {}) };
    const { results: [result] } = await outcome(TILEWISE, work);
    assertEquals(result!.attempts, 1);
    assertEquals(Number(await givenUp(TILEWISE, { ...work, takes: FOR_EVER * 10 })) > 1190, true);
    const seconds = await givenUp({ ...TILEWISE, modules: ["file:///mine.ts"] }, work);
    assertEquals(Number(seconds) < 130, true);
  }
});

Deno.test("progress is a sign of life, however slow it is", async () => {
  const { results, losses } = await outcome(FOREIGN, { takes: FOR_EVER, beats: 25_000, doing: USERS });
  assertEquals([results.length, losses], [1, 0]);
});

Deno.test("a thread that gets no processor is not to blame", async () => {
  for (const crowd of [2, 10, 40]) {
    const { results, losses, seconds } = await outcome(FOREIGN, { takes: 25_000, crowd, doing: USERS });
    assertEquals([results[0]!.attempts, losses, seconds], [1, 0, 25 * crowd]);
  }
  const seconds = await givenUp(FOREIGN, { takes: FOR_EVER, crowd: 10, doing: USERS });
  assertEquals(Math.abs(Number(seconds) - 1200) <= 40, true, `later, by the load: ${seconds}`);
});

Deno.test("what was lost once because it was slow gets more time", async () => {
  const { results: [result], losses } = await outcome(FOREIGN, { takes: 80_000, doing: USERS });
  assertEquals([result!.attempts, losses], [2, 1]);
});
