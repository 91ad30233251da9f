/**
 * What a host has done so far, and its services: what fills the table of functions of a runner. A service is an export of a module, so that it can be loaded where
 * the runner is, like a job.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { loadExport } from "../../executor/handler.ts";
import type { Job } from "../../executor/task.ts";
import type { Answer, Awaitable, Functions } from "../protocol/runner.ts";
import { type ChannelLayout, type Channels, COUNT, RUNNER_COUNT } from "../protocol/channel.ts";

/**
 * Where a service is found: plain data for the threads of runners.
 * @category Channels
 */
export type ServiceSource = Pick<Job<unknown>, "name" | "module" | "export" | "shared">;

/** Where a service serves. */
export interface ServicePlace {
  /** The memory of the channels. */
  readonly memory: WebAssembly.Memory;
  /** The channels. */
  readonly layout: ChannelLayout;
  /** The number of the runner, from 0. */
  readonly runner: number;
}

/** Functions on one runner. */
export interface Service {
  /** They by their numbers. */
  readonly functions: Functions;
  /** Called once when the runner stops. */
  close?(): Awaitable<void>;
}

/** What the export of a service is. It is called once per runner. */
type ServiceFactory<S> = (shared: S, place: ServicePlace) => Awaitable<Service>;

/** The functions of all services on one runner. Errors: `udf` for a module that cannot be loaded, `invalid` for a number of two functions. */
export async function loadServices(
  sources: readonly ServiceSource[],
  place: ServicePlace,
): Promise<Required<Service>> {
  const functions = new Map<number, Answer>();
  const loaded: Service[] = [];
  const close = async () => {
    for (const service of loaded.splice(0)) await service.close?.();
  };
  try {
    for (const source of sources) {
      const factory = await loadExport<ServiceFactory<unknown>>(source);
      const service = await factory(source.shared, place);
      loaded.push(service);
      add(functions, service.functions);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { functions, close };
}

function add(all: Map<number, Answer>, more: Functions): void {
  for (const [number, answer] of more) {
    if (all.has(number)) {
      const text = `Cannot serve two functions with number ${number}`;
      throw new TilewiseError("invalid", text, { found: String(number) });
    }
    all.set(number, answer);
  }
}

/**
 * Statistics of one channel.
 * @category Channels
 */
export interface ChannelStatistics {
  /** Calls that were answered. */
  readonly calls: number;
  /** Bytes that they have read and written. */
  readonly bytes: number;
  /** Milliseconds that callers have waited for answers; an estimate, as one of 16 waits is measured. */
  readonly waited: number;
}

/**
 * Statistics of one runner.
 * @category Channels
 */
export interface RunnerStatistics {
  /** Calls that it has answered. */
  readonly calls: number;
  /** How often it has looked at all channels. */
  readonly scans: number;
  /** Answers that threw an error. */
  readonly failures: number;
}

/**
 * Statistics of a host.
 * @category Channels
 */
export interface HostStatistics {
  /** One row per channel. */
  readonly channels: readonly ChannelStatistics[];
  /** One row per runner. */
  readonly runners: readonly RunnerStatistics[];
}

/** What the channels say now. */
export function statisticsOf(channels: Channels): HostStatistics {
  const { runners, layout } = channels;
  return {
    channels: Array.from({ length: layout.channels }, (_, channel) => channelRow(channels, channel)),
    runners: Array.from({ length: runners }, (_, runner) => ({
      calls: channels.runnerCount(runner, RUNNER_COUNT.calls),
      scans: channels.runnerCount(runner, RUNNER_COUNT.scans),
      failures: channels.runnerCount(runner, RUNNER_COUNT.failures),
    })),
  };
}

function channelRow(channels: Channels, channel: number): ChannelStatistics {
  const calls = channels.count(channel, COUNT.calls);
  const sleeps = channels.count(channel, COUNT.sleeps);
  const each = sleeps > 0 ? channels.count(channel, COUNT.slept) / sleeps : 0;
  return { calls, bytes: channels.count(channel, COUNT.bytes), waited: each * calls };
}
