/**
 * The parts of a host that other rooms need and users do not see.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Job, JobFactory } from "../../executor/task.ts";
import type { Context } from "../../runner/context.ts";
import type { AnyJob, Launch, LaunchOptions, SharedOf, TaskOf, TaskResultOf } from "../../runner/launch.ts";
import type { Leases } from "../../runner/leases.ts";
import type { ChannelLayout } from "../protocol/channel.ts";

/** What a launch needs of a host. */
export interface HostInside {
  /** The context in which it was started. */
  readonly context: Context;
  /** Where the channels are: what workers get. */
  readonly layout: ChannelLayout;
  /** Its memory. */
  readonly leases: Leases;
  /** Fires when it is aborted. */
  readonly signal: AbortSignal;
  /** Resolves when no runner is at work for a thread that has ended; `false`: a runner could not be stopped. */
  drained(): Promise<boolean>;
  /** Keeps that memory until `over` resolves; with `false` it is written off. */
  hold(over: Promise<boolean>): void;
  /**
   * Runs the tasks of a job whose kernels call this host, as {@link launch} does. Errors: also `lease`, when the context has new
   * memory because a thread could not be stopped, so that the channels are not in it.
   */
  launch<F extends AnyJob = JobFactory<unknown, unknown, unknown>>(
    job: Job<SharedOf<F>>,
    tasks: Iterable<TaskOf<F>> | AsyncIterable<TaskOf<F>>,
    options?: LaunchOptions,
  ): Launch<TaskResultOf<F>>;
}

const insides = new WeakMap<object, HostInside>();

/** Notes the parts of a host; the host itself is the result. */
export function withInside<H extends object>(host: H, inside: HostInside): H {
  insides.set(host, inside);
  return host;
}

/** The parts of a host; nothing if the value is not a host. */
export function insideOfHost(host: unknown): HostInside | undefined {
  return typeof host === "object" && host !== null ? insides.get(host) : undefined;
}

/** Refuses memory in which the addresses that kernels were given are those of something else. */
export function mustBeMemoryOf(host: HostInside, { arena }: Leases, what: string): void {
  if (host.leases.arena === arena) return;
  const text =
    `Cannot ${what}: the memory was written off, as a thread could not be stopped; start the host again`;
  throw new TilewiseError("lease", text);
}
