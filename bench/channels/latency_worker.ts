/**
 * The other thread of `latency.ts`: one end of a bare ping-pong, or a runner with files and an empty function.
 *
 * @module
 */

import { systemFiles } from "../../src/channels/backends/node.ts";
import { fileFunctions } from "../../src/channels/files/calls.ts";
import { FileTable } from "../../src/channels/files/file_table.ts";
import { type ChannelLayout, Channels } from "../../src/channels/protocol/channel.ts";
import { ChannelRunner, serve } from "../../src/channels/protocol/runner.ts";

/** What the thread is to do. */
export type ServerStart =
  | { readonly kind: "bare"; readonly words: Int32Array }
  | { readonly kind: "runner"; readonly memory: WebAssembly.Memory; readonly layout: ChannelLayout };

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ServerStart>) => void;
  postMessage(message: string): void;
};

scope.onmessage = async ({ data: start }) => {
  scope.postMessage("serving");
  if (start.kind === "bare") pong(start.words);
  else await answer(start.memory, start.layout);
  scope.postMessage("ended");
};

function pong(words: Int32Array): void {
  for (;;) {
    while (Atomics.load(words, 0) === 0) Atomics.wait(words, 0, 0);
    if (Atomics.load(words, 0) < 0) return;
    Atomics.store(words, 0, 0);
    Atomics.store(words, 16, 1);
    Atomics.notify(words, 16);
  }
}

async function answer(memory: WebAssembly.Memory, layout: ChannelLayout): Promise<void> {
  const table = new FileTable(memory, layout, systemFiles());
  const functions = new Map([...fileFunctions(table), [64, () => 0]]);
  await serve(new ChannelRunner(new Channels(memory, layout), functions));
  table.closeAll();
}
