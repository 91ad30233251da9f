/**
 * What a host has done: calls, bytes and waiting times.
 *
 * @module
 */

import { type Channels, COUNT, RUNNER_COUNT } from "../protocol/channel.ts";

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
