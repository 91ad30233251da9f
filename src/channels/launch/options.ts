/**
 * The options of a launch of a kernel, and what they mean for the workers of a context.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { limit, list, oneOf, whole } from "../../options/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import { byteCount, bytesOrNone } from "../../space/rules.ts";
import type { OversizedPolicy } from "../files/rpc.ts";
import type { Route } from "../host/route.ts";
import type { BusyPolicy } from "../protocol/caller.ts";
import type { LaunchArgument } from "./arguments.ts";

/**
 * Progress of a launch of a kernel.
 * @category Channels
 */
export interface GridProgress {
  /** Groups that have ended. */
  readonly groups: number;
  /** Groups of the launch. */
  readonly total: number;
  /** Seconds since the start. */
  readonly seconds: number;
}

/**
 * Options of {@link launchKernel}.
 * @category Channels
 */
export interface GridOptions<A extends readonly unknown[] = readonly LaunchArgument[]>
  extends RunSettings<GridProgress> {
  /** How many groups run the kernel. Default 1. */
  readonly groups?: number;
  /** How many members each group has; all run at the same time, each on a worker of its own. Default 1. */
  readonly groupSize?: number;
  /** The arguments of the kernel; all members get the same ones. Default: none. */
  readonly args?: A;
  /** Bytes of memory that the members of a group share, zeros when it starts. Default 0. */
  readonly localMemory?: number | string;
  /** Milliseconds after which the launch fails with `timeout`. Above 0 or infinite. Default: no limit. */
  readonly timeout?: number;
  /** Who answers file calls: the host (`rpc`, the default), or the worker of the kernel itself (`direct`). */
  readonly route?: Route;
  /** What a call does when another thread holds its channel: it waits (the default), or fails with the status `busy`. */
  readonly busy?: BusyPolicy;
  /**
   * What a transfer of more elements than the buffer of its channel holds does, if the host answers: it fails with the status
   * `too-big` (the default), or is cut into pieces.
   */
  readonly oversized?: OversizedPolicy;
}

/** Most members of all groups: the calling thread keeps what each of them returns. */
const MOST = 2 ** 22;

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const GRID_OPTIONS: OptionNames<GridOptions<readonly unknown[]>> = {
  ...RUN_SETTINGS, groups: whole(1, MOST), groupSize: whole(1, MOST), args: list, localMemory: bytesOrNone,
  timeout: limit, route: oneOf("rpc", "direct"), busy: oneOf("wait", "fail"),
  oversized: oneOf("fail", "chunk"),
};

/** A launch with all that was left out. */
export interface Grid {
  /** How many groups. */
  readonly groups: number;
  /** Members per group. */
  readonly groupSize: number;
  /** Bytes of local memory. */
  readonly localBytes: number;
  /** Milliseconds until it must have ended. */
  readonly timeout: number;
  /** Who answers file calls. */
  readonly route: Route;
  /** What calls do on a channel that is held. */
  readonly busy: BusyPolicy;
  /** What transfers do that are larger than a buffer. */
  readonly oversized: OversizedPolicy;
  /** How many groups can run at the same time. */
  readonly together: number;
  /** Whether every worker can run a member at any time, so that groups need not wait for places. */
  readonly free: boolean;
}

/** How many members can run at the same time. */
interface Room {
  /** Workers; 1 where the calling thread is the only one. */
  readonly workers: number;
  /** Channels of the host; `Infinity` without a host. */
  readonly channels: number;
}

/** The grid of a launch. Errors: `invalid` if its groups are too large to run. */
export function gridOf(options: GridOptions<readonly unknown[]>, { workers, channels }: Room): Grid {
  const { groups = 1, groupSize = 1, localMemory = 0, timeout = Infinity, route = "rpc" } = options;
  const { busy = "wait", oversized = "fail" } = options;
  if (groupSize > workers) {
    const has = workers === 1 ? "1" : `${workers}`;
    throw tooLarge(
      groupSize,
      `the context runs ${has} at a time; create it with workers: ${groupSize}`,
      workers,
    );
  }
  if (groupSize > channels) {
    throw tooLarge(
      groupSize,
      `the host has ${channels} channels; start it with channels: ${groupSize}`,
      channels,
    );
  }
  if (groups * groupSize > MOST) {
    const found = `${groups} × ${groupSize}`;
    throw new TilewiseError("invalid", `Cannot launch ${found} members; there can be ${MOST}`, {
      option: "groups",
      found,
    });
  }
  const localBytes = byteCount("launchKernel()", "localMemory", localMemory, 0);
  const together = Math.floor(Math.min(workers, channels) / groupSize);
  const free = groupSize === 1 && channels >= workers;
  return { groups, groupSize, localBytes, timeout, route, busy, oversized, together, free };
}

function tooLarge(groupSize: number, why: string, most: number): TilewiseError {
  const text = `Cannot launch groups of ${groupSize} members, which run at the same time: ${why}`;
  return new TilewiseError("invalid", text, { option: "groupSize", expected: most, found: groupSize });
}
