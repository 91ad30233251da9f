/**
 * Launches: a kernel runs as a grid of work groups on the workers of a context.
 *
 * @module
 */

import { checkOptionNames } from "../../options.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { KernelArray, NameAt } from "../host/arrays.ts";
import type { ChannelHost } from "../host/host.ts";
import { insideOfHost } from "../host/inside.ts";
import { checkArguments, type LaunchArgument } from "./arguments.ts";
import { type GridResult, runGrid } from "./grid_run.ts";
import {
  type GridKernel,
  type KernelBytes,
  kernelCode,
  type KernelExport,
  type KernelSource,
} from "./kernels.ts";
import type { MemberFunction } from "./module_kernel.ts";
import { GRID_OPTIONS, gridOf, type GridOptions } from "./options.ts";

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
  const host = insideOfHost(where);
  if (!host) contextRule("launchKernel()", "context", where);
  const context = host?.context ?? where as Context;
  checkOptionNames("launchKernel()", options, GRID_OPTIONS);
  const inside = insideOf(context);
  const executor = inside.executorOf(inside.workers, true);
  const room = {
    workers: executor.kind === "inline" ? 1 : executor.workers,
    channels: host?.layout.channels ?? Infinity,
  };
  const grid = gridOf(options, room);
  const code = await kernelCode(kernel, host !== undefined);
  const args = (options.args ?? []) as readonly LaunchArgument[]; // checked next
  checkArguments(code, args);
  return await runGrid({
    context,
    host,
    layout: host?.layout,
    executor,
    workers: room.workers,
    grid,
    code,
    args,
  }, options);
}
