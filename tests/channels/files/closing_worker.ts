/** Closes a file from a thread of its own, under the policy `fail`. */

import { RpcCalls } from "../../../src/channels/files/rpc.ts";
import type { ChannelLayout } from "../../../src/channels/protocol/channel.ts";

const scope = self as unknown as {
  onmessage: (
    event: MessageEvent<{ memory: WebAssembly.Memory; layout: ChannelLayout; file: number }>,
  ) => void;
  postMessage(message: unknown): void;
};

scope.onmessage = ({ data: { memory, layout, file } }) => {
  const calls = new RpcCalls(memory, layout, "fail");
  scope.postMessage("closing");
  scope.postMessage(calls.close(file));
};
