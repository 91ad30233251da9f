/**
 * One launch from its memory to its results.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { TilewiseError } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import { account, type MemoryAccount } from "../../memory/account.ts";
import { leasedBytes } from "../../memory/arena.ts";
import { GROUP_BYTES } from "../files/group.ts";
import type { Executor, Job, TaskResult } from "../../executor/task.ts";
import type { Context } from "../../runner/context.ts";
import type { Leases } from "../../runner/leases.ts";
import { Runner, type RunSettings, runSettings } from "../../runner/runner.ts";
import { holdArray, isKernelArray } from "../host/arrays.ts";
import { type HostInside, mustBeMemoryOf } from "../host/inside.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { argumentHoldings, copyBack, type LaunchArgument, placeArguments } from "./arguments.ts";
import {
  type KernelCode,
  lateError,
  launchError,
  type LaunchShared,
  leasePlaces,
  type MemberEnd,
  type MemberTask,
} from "./shared.ts";
import { GroupQueue, seatsOf } from "./queue.ts";
import type { Grid, GridProgress } from "./options.ts";

/**
 * What one group of a launch has returned.
 * @category Channels
 */
export interface GroupResult<R = number> {
  /** The number of the group. */
  readonly group: number;
  /** What each member has returned, in their order. */
  readonly values: readonly R[];
}

/**
 * What a launch has returned.
 * @category Channels
 */
export interface GridResult<R = number> {
  /** The first negative number that a member has returned, in the order of groups and members; 0 if there is none. */
  readonly status: number;
  /** The groups, in their order. */
  readonly groups: readonly GroupResult<R>[];
}

/** What is launched, and where. */
interface Launched {
  /** The context. */
  readonly context: Context;
  /** The host, if there is one. */
  readonly host: HostInside | undefined;
  /** Its channels. */
  readonly layout: ChannelLayout | undefined;
  /** Its workers. */
  readonly executor: Executor;
  /** How many members they can run at the same time. */
  readonly workers: number;
  /** The groups. */
  readonly grid: Grid;
  /** The kernel. */
  readonly code: KernelCode;
  /** Its arguments. */
  readonly args: readonly LaunchArgument[];
}

const JOB = {
  name: "tilewise:launch",
  module: import.meta.resolve("./job.ts"),
  export: "launchJob",
  needsShared: "the members of a launch share memory",
  once: true,
};

registerJobs({ [JOB.name]: () => import("./job.ts") });

/** Places for groups: as many as can run at the same time. */
function placesOf({ grid, workers }: Launched): number {
  return grid.free ? workers : Math.min(grid.together, grid.groups);
}

/** Bytes of the static data of a kernel on each worker. */
function staticsOf({ code }: Launched): number {
  return code.kind === "wasm" ? code.kernel.statics : 0;
}

/** The memory of a launch, as it is leased. */
export function memoryOf(launched: Launched): MemoryAccount {
  const { args, grid: { localBytes }, workers } = launched, count = placesOf(launched);
  const lease = (what: string, bytes: number, count: number) => {
    return { what, each: bytes > 0 ? leasedBytes(bytes) : 0, count };
  };
  return account([
    ...argumentHoldings(args),
    lease("a work group", GROUP_BYTES, count),
    lease("local memory of a work group", localBytes, count),
    lease("static data", staticsOf(launched), workers),
  ]);
}

/** Runs a grid. */
export async function runGrid(
  launched: Launched,
  options: RunSettings<GridProgress>,
): Promise<GridResult<unknown>> {
  const run = new GridRun(launched, options);
  for await (const result of run.parts()) return result;
  throw new TilewiseError("corrupt", "A launch has ended without a result");
}

class GridRun {
  readonly #runner: Runner<GridProgress>;
  readonly #values: unknown[][];
  readonly #start = performance.now();
  readonly #until: number;
  #done = 0;
  #stopped = 0;

  constructor(private readonly launched: Launched, options: RunSettings<GridProgress>) {
    const { grid: { groups, timeout }, context, host } = launched;
    this.#values = Array.from({ length: groups }, () => []);
    this.#until = performance.timeOrigin + this.#start + timeout;
    const signals = [options.signal, host?.signal].filter((one) => one !== undefined);
    const settings = { ...runSettings(options), signal: AbortSignal.any(signals) };
    this.#runner = new Runner<GridProgress>(context, settings, () => this.#progress());
  }

  #progress(): GridProgress {
    const seconds = (performance.now() - this.#start) / 1000;
    return { groups: this.#done, total: this.launched.grid.groups, seconds };
  }

  parts(): AsyncIterableIterator<GridResult<unknown>, undefined> {
    return this.#runner.parts(() => this.#body());
  }

  async *#body(): AsyncGenerator<GridResult<unknown>, void> {
    const runner = this.#runner;
    const { grid: { timeout, groupSize }, code } = this.launched;
    const release = this.#hold();
    const late = () => runner.fail(lateError(code.name, timeout));
    const timer = timeout < Infinity ? setTimeout(late, timeout) : undefined;
    try {
      runner.mustGoOn();
      const result = await this.#compute();
      runner.finish();
      yield result;
    } catch (error) {
      throw launchError(error, code.name, groupSize);
    } finally {
      clearTimeout(timer);
      const { host } = this.launched;
      if (host) runner.holdsAfter(() => host.drained()); // its runners may write for threads that have ended
      runner.drained.then(release);
    }
  }

  /** Keeps what the host has lent until no worker writes to it any more. */
  #hold(): (safe: boolean) => void {
    const { host, args } = this.launched;
    const { promise, resolve } = withResolvers<boolean>();
    host?.hold(promise);
    for (const array of args) if (isKernelArray(array)) holdArray(array, promise);
    return resolve;
  }

  async #compute(): Promise<GridResult<unknown>> {
    const { executor, grid, args, workers } = this.launched;
    const [shared, leases] = await this.#runner.enter((leases) => [this.#place(leases), leases] as const);
    const { memory } = leases.arena;
    const job: Job<LaunchShared> = { ...JOB, ...this.#modules(), shared, together: grid.groupSize > 1 };
    const queue = new GroupQueue(grid, shared.places, memory, seatsOf(executor, workers));
    try {
      const results = this.#runner.results<LaunchShared, MemberTask, MemberEnd>(executor, job, queue.tasks());
      for await (const result of results) this.#take(result, queue);
    } finally {
      queue.stop();
    }
    this.#mustBeWhole();
    copyBack(args, shared.args, memory);
    return this.#result();
  }

  /** Takes all the memory of the launch. */
  #place(leases: Leases): LaunchShared {
    const { code, args, grid, host, layout, workers } = this.launched;
    if (host) mustBeMemoryOf(host, leases, "launch");
    const statics = staticsOf(this.launched);
    const { groups, groupSize, localBytes, route, busy, oversized } = grid;
    return {
      code,
      args: placeArguments(args, leases),
      groups,
      groupSize,
      localBytes,
      places: leasePlaces(leases, placesOf(this.launched), localBytes),
      statics: statics > 0 ? leases.many(workers, statics, "static data").map(({ offset }) => offset) : [],
      until: this.#until,
      ...(layout ? { channels: { layout, route, busy, oversized } } : {}),
    };
  }

  #modules(): Pick<Job<unknown>, "modules"> {
    const { code } = this.launched;
    return code.kind === "module" ? { modules: [code.module] } : {};
  }

  #take({ index, value: { stopped, value } }: TaskResult<MemberEnd>, queue: GroupQueue): void {
    const { grid: { groupSize, timeout }, code } = this.launched;
    if (performance.timeOrigin + performance.now() > this.#until) throw lateError(code.name, timeout);
    const group = Math.floor(index / groupSize);
    this.#values[group]![index % groupSize] = value;
    if (stopped) this.#stopped++;
    if (queue.ended(group)) this.#done++;
  }

  /** Members stop early only if another one fails, which ends the launch before. */
  #mustBeWhole(): void {
    if (this.#stopped === 0) return;
    const text = `${this.#stopped} members of kernel "${this.launched.code.name}" have stopped early`;
    throw new TilewiseError("worker", text, { kernel: this.launched.code.name });
  }

  #result(): GridResult<unknown> {
    const isFailure = (value: unknown) => typeof value === "number" && value < 0;
    const groups = this.#values.map((values, group) => ({ group, values }));
    const failed = groups.find(({ values }) => values.some(isFailure))?.values.find(isFailure);
    return { status: typeof failed === "number" ? failed : 0, groups };
  }
}
