/**
 * The serving end of channels: a loop that sleeps on the doorbell and answers what is ready.
 *
 * @module
 */

import { type Channels, FUNCTION, GATE, HOST, STATE } from "./channel.ts";
import type { FileCalls } from "./files.ts";
import { STATUS } from "./status.ts";

/**
 * Serves `channels` with `files` until the host is set to `closing`; then fails calls that are still
 * ready with the status `closed`. Blocks its thread.
 */
export function serve(channels: Channels, files: FileCalls): void {
  const { words, doorbell, layout } = channels;
  for (;;) {
    const seen = Atomics.load(words, doorbell);
    let served = 0;
    for (let channel = 0; channel < layout.channels; channel++) {
      const at = channels.state(channel);
      if (Atomics.compareExchange(words, at, STATE.ready, STATE.running) !== STATE.ready) continue;
      channels.finish(channel, answer(channels, files, channel));
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

function answer(channels: Channels, files: FileCalls, channel: number): number {
  const arg = (index: number) => channels.argument(channel, index);
  switch (channels.fn(channel)) {
    case FUNCTION.open:
      return files.open(channel, arg(0), channels.name(channel), channels.nameLength(channel));
    case FUNCTION.read:
      return files.read(arg(0), arg(1), arg(2), arg(3), arg(4));
    case FUNCTION.write:
      return files.write(arg(0), arg(1), arg(2), arg(3), arg(4));
    case FUNCTION.close:
      return files.close(arg(0));
    case FUNCTION.size:
      return files.size(arg(0));
    default:
      return -STATUS.invalid;
  }
}
