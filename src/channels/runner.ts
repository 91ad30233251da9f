/**
 * The serving end of channels: a loop that sleeps on the doorbell and answers what is ready.
 *
 * @module
 */

import { type Channels, FUNCTION, HOST, STATE } from "./channel.ts";
import type { FileCalls } from "./files.ts";
import { STATUS } from "./status.ts";

/**
 * Serves `channels` with `files` until somebody sets the host word to `closing`; then fails what is still
 * ready with the status `closed`. Blocks its thread.
 */
export function serve(channels: Channels, files: FileCalls): void {
  const { words, doorbell, host } = channels;
  for (;;) {
    const seen = Atomics.load(words, doorbell);
    const served = scan(channels, (channel) => answer(channels, files, channel));
    if (Atomics.load(words, host) !== HOST.open) break;
    if (!served) Atomics.wait(words, doorbell, seen);
  }
  closeChannels(channels);
}

/** Declares the host closed and fails every call that is ready: no caller sleeps on. */
export function closeChannels(channels: Channels): void {
  Atomics.store(channels.words, channels.host, HOST.closed);
  scan(channels, () => -STATUS.closed);
}

/** Answers every ready channel; how many there were. */
function scan(channels: Channels, reply: (channel: number) => number): number {
  let served = 0;
  for (let channel = 0; channel < channels.layout.channels; channel++) {
    const at = channels.state(channel);
    if (Atomics.compareExchange(channels.words, at, STATE.ready, STATE.running) !== STATE.ready) continue;
    channels.finish(channel, reply(channel));
    served++;
  }
  return served;
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
