/**
 * Launches: a kernel runs as a grid of work groups on the workers of a context.
 *
 * @module
 */

import { fits, overBudget, showAccount } from "../../memory/account.ts";
import { checkOptionNames } from "../../options.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { type AnyPlan, notCut } from "../../runner/plan.ts";
import { checkRunOptions, context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings, runSettings } from "../../runner/runner.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { KernelArray, NameAt } from "../host/arrays.ts";
import type { ChannelHost } from "../host/host.ts";
import { insideOfHost } from "../host/inside.ts";
import { checkArguments, type LaunchArgument } from "./arguments.ts";
import { type GridResult, memoryOf, runGrid } from "./grid_run.ts";
import {
  type GridKernel,
  type KernelBytes,
  kernelCode,
  type KernelExport,
  type KernelSource,
} from "./kernels.ts";
import type { MemberFunction } from "./module_kernel.ts";
import { GRID_OPTIONS, gridOf, type GridOptions, type GridProgress } from "./options.ts";

/**
 * What can be given for the arguments of a function.
 * @category Channels
 */
export type GivenArguments<F> = F extends
  (member: { readonly args: infer A extends readonly unknown[] } & infer _Rest) => unknown
  ? { readonly [I in keyof A]: GivenArgument<A[I]> }
  : readonly LaunchArgument[];

/**
 * What can be given for an argument of a function.
 * @category Channels
 */
export type GivenArgument<T> = T extends TypedArray ? T | KernelArray : T extends string ? T | NameAt : T;

/**
 * What a function returns, when its promise has resolved.
 * @category Channels
 */
export type ReturnedBy<F> = F extends (member: never) => infer R ? Awaited<R> : unknown;

/**
 * Runs a kernel as a grid: `groups` groups of `groupSize` members each, on the workers of a context. With a host, the kernel can
 * open, read and write files while it runs, and call functions of the host. Kernels that do no I/O need a context only.
 *
 * All members of a group run at the same time and can wait for each other at barriers; as many groups as there are workers for
 * run at the same time. Each member that runs has a channel of its own: with fewer channels than workers, fewer members run at
 * the same time. Results are in the order of groups and members, whatever runs first.
 *
 * A member that neither calls its host, nor asks whether it is cancelled, nor waits at a barrier for `stallTimeout` counts as hung.
 * So does one that waits so long for one call.
 *
 * @param where a host, whose files and functions the kernel can use, or a context
 * @param kernel its source, its bytes, or a function of a module
 * @param options groups, members, arguments, limits
 * @returns what each member returned, in the order of groups and members
 * @throws {TilewiseError} `invalid` for arguments that the kernel cannot take, and for groups that are larger than the workers or channels
 *   permit; `udf` with file, line and column if a source does not compile; the error of a member that fails, with `kernel`,
 *   `group`, `member` and, if it is known, the line; `worker` or `timeout` if a member loses its worker; `timeout` after the option
 *   of this name; `aborted`; `over-budget`; `lease` if the memory of the host was written off. If a member fails, those that wait
 *   for it are woken, and the launch fails; what it wrote to files stays.
 *
 * @example Two groups of one member, over an array that is copied in and back
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { launchKernel } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * const source = `
 *   import { groupId } from "tilewise/channels";
 *   export function double(data: usize, length: i32): i32 {
 *     const at = data + (groupId() << 3);
 *     store<f64>(at, 2 * load<f64>(at));
 *     return length;
 *   }`;
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * const data = Float64Array.of(1, 2);
 * const { groups } = await launchKernel(context, { source }, { groups: 2, args: [data] });
 * assertEquals([[...data], groups[1]!.values], [[2, 4], [2]]);
 * ```
 * @category Channels
 */
export function launchKernel(
  where: ChannelHost | Context,
  kernel: KernelSource | KernelBytes,
  options?: GridOptions,
): Promise<GridResult>;
/** Runs a function of a module as a grid; the type of the function decides the types of arguments and results. */
export function launchKernel<F = MemberFunction>(
  where: ChannelHost | Context,
  kernel: KernelExport,
  options?: GridOptions<GivenArguments<F>>,
): Promise<GridResult<ReturnedBy<F>>>;
export async function launchKernel(
  where: ChannelHost | Context,
  kernel: GridKernel,
  options: GridOptions<readonly unknown[]> = {},
): Promise<GridResult<unknown>> {
  return await (await planned("launchKernel()", where, kernel, options)).run();
}

/**
 * A launch that is planned: the kernel is compiled and its arguments are checked, but nothing has run.
 * @category Channels
 */
export interface LaunchPlan<R = number> extends AnyPlan {
  /** How many groups run the kernel. */
  readonly groups: number;
  /** How many members each group has. */
  readonly groupSize: number;
  /** How many groups can run at the same time. */
  readonly together: number;
  /** Launches the kernel. */
  run(options?: RunSettings<GridProgress>): Promise<GridResult<R>>;
}

/**
 * Plans {@link launchKernel}: the kernel is compiled, its arguments are checked, and the memory that it needs is known.
 *
 * @param where a host, whose files and functions the kernel can use, or a context
 * @param kernel its source, its bytes, or a function of a module
 * @param options groups, members, arguments, limits
 * @returns the plan, whose `run` launches the kernel
 * @throws {TilewiseError} those of {@link launchKernel}
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { planLaunch } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * const source = "export function twice(n: i32): i32 { return 2 * n; }";
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * const plan = await planLaunch(context, { source }, { groups: 2, args: [4] });
 * assertEquals((await plan.run()).groups[1]!.values, [8]);
 * ```
 * @category Channels
 */
export function planLaunch(
  where: ChannelHost | Context,
  kernel: KernelSource | KernelBytes,
  options?: GridOptions,
): Promise<LaunchPlan>;
/** Plans a function of a module as a grid. */
export function planLaunch<F = MemberFunction>(
  where: ChannelHost | Context,
  kernel: KernelExport,
  options?: GridOptions<GivenArguments<F>>,
): Promise<LaunchPlan<ReturnedBy<F>>>;
export async function planLaunch(
  where: ChannelHost | Context,
  kernel: GridKernel,
  options: GridOptions<readonly unknown[]> = {},
): Promise<LaunchPlan<unknown>> {
  return await planned("planLaunch()", where, kernel, options);
}

async function planned(
  call: string,
  where: ChannelHost | Context,
  kernel: GridKernel,
  options: GridOptions<readonly unknown[]>,
): Promise<LaunchPlan<unknown>> {
  const host = insideOfHost(where);
  if (!host) contextRule(call, "context", where);
  const context = host?.context ?? where as Context;
  checkOptionNames(call, options, GRID_OPTIONS);
  const inside = insideOf(context);
  const executor = inside.executorOf(inside.workers, true);
  const workers = executor.kind === "inline" ? 1 : executor.workers;
  const grid = gridOf(options, { workers, channels: host?.layout.channels ?? Infinity });
  const code = await kernelCode(kernel, host !== undefined);
  const args = (options.args ?? []) as readonly LaunchArgument[]; // checked next
  checkArguments(code, args);
  const launched = { context, host, layout: host?.layout, executor, workers, grid, code, args };
  const { groups, groupSize, together } = grid, memory = memoryOf(launched);
  if (!fits(memory, inside)) {
    throw overBudget(`Cannot launch kernel "${code.name}"`, memory, inside, "less local memory or ");
  }
  const facts = { memory, context, groups, groupSize, together };
  return {
    ...facts,
    parts: notCut,
    explain: () =>
      [
        `kernel "${code.name}": ${groups} groups of ${groupSize} members, at most ${together} groups at a time`,
        `memory: ${showAccount(memory, inside)}`,
      ].join("\n"),
    async run(settings = {}) {
      checkRunOptions("run()", facts, settings, RUN_SETTINGS);
      return await runGrid(launched, { ...runSettings(options), ...settings });
    },
  };
}
