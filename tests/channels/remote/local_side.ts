/** A host on the thread of the test, for functions that answer at once. */

import { type ChannelLayout, Channels, newGate } from "../../../src/channels/protocol/channel.ts";
import { channelBytes } from "../../../src/channels/protocol/channel.ts";
import { ChannelRunner } from "../../../src/channels/protocol/runner.ts";
import { registerLocalRunner } from "../../../src/channels/protocol/sleep.ts";
import { remoteAnswers } from "../../../src/channels/remote/service.ts";
import type { RemoteFunctions } from "../../../src/channels/remote/function.ts";

/** Memory with channels in front, and a kernel's own bytes behind them. */
export interface LocalSide extends Disposable {
  readonly memory: WebAssembly.Memory;
  readonly layout: ChannelLayout;
  /** Address of 32 KiB for the test. */
  readonly free: number;
}

export function localSide(functions: RemoteFunctions | undefined, bufferLength = 64): LocalSide {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
  const layout = { channels: 2, bufferLength, elementSize: 1, offset: 1024, gate: newGate() };
  const channels = new Channels(memory, layout);
  channels.reset();
  const runner = new ChannelRunner(channels, functions ? remoteAnswers(functions) : new Map());
  const forget = registerLocalRunner(layout.gate, { serve: (channel) => void runner.serve(channel) });
  if (1024 + channelBytes(layout) > 65536) throw new Error("the channels need more than a page");
  return { memory, layout, free: 65536, [Symbol.dispose]: forget };
}
