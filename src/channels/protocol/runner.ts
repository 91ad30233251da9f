/**
 * The serving end of channels: a loop that sleeps on the doorbell and answers what is ready.
 *
 * @module
 */

import { Call, type Functions } from "./call.ts";
import { type Channels, GATE, HOST, STATE } from "./channel.ts";
import { STATUS } from "./status.ts";

/**
 * Serves `channels` with `functions` until the host is set to `closing`; then fails calls that are still
 * ready with the status `closed`. Blocks its thread.
 */
export function serve(channels: Channels, functions: Functions): void {
  const { words, doorbell, layout } = channels;
  const calls = Array.from({ length: layout.channels }, (_, channel) => new Call(channels, channel));
  for (;;) {
    const seen = Atomics.load(words, doorbell);
    let served = 0;
    for (let channel = 0; channel < layout.channels; channel++) {
      const at = channels.state(channel);
      if (Atomics.compareExchange(words, at, STATE.ready, STATE.running) !== STATE.ready) continue;
      channels.finish(channel, answer(functions, calls[channel]!));
      served++;
    }
    if (channels.host !== HOST.open) break;
    if (served === 0) Atomics.wait(words, doorbell, seen);
  }
  closeChannels(channels);
}

/**
 * Declares the host closed and fails every pending call, so that no caller waits forever. For the
 * runner when it stops, or for the thread that finds it gone.
 */
export function closeChannels(channels: Channels): void {
  const { words, gate, layout } = channels;
  Atomics.store(gate, GATE.host, HOST.closed);
  for (let channel = 0; channel < layout.channels; channel++) {
    const at = channels.state(channel);
    const state = Atomics.load(words, at);
    if (state === STATE.ready || state === STATE.running) channels.finish(channel, -STATUS.closed);
    else Atomics.notify(words, at); // who waits for the channel looks again
  }
}

function answer(functions: Functions, call: Call): number {
  return functions.get(call.fn)?.(call) ?? -STATUS.invalid;
}
