/**
 * The worker of a host: takes the memory, serves until it is told to stop, and reports its end.
 *
 * @module
 */

import { toWire } from "../../errors.ts";
import { nodeThreads } from "../../executor/threads.ts";
import { type ChannelLayout, Channels } from "../protocol/channel.ts";
import { fileFunctions } from "../files/calls.ts";
import { FileTable } from "../files/file_table.ts";
import { filesOf } from "./files.ts";
import type { HostMessage } from "./host_thread.ts";
import { serve } from "../protocol/runner.ts";

/** The global scope, or the port of a thread of Node, whose global scope gets no messages. */
const scope = ("self" in globalThis ? self : nodeThreads()!.parentPort) as unknown as {
  onmessage: (event: MessageEvent<{ memory: WebAssembly.Memory; layout: ChannelLayout }>) => void;
  postMessage(message: HostMessage): void;
};

scope.onmessage = async ({ data: { memory, layout } }) => {
  let files: FileTable | undefined;
  let end: HostMessage = "ended";
  try {
    files = new FileTable(memory, layout, await filesOf(memory, layout));
    scope.postMessage("serving");
    serve(new Channels(memory, layout), fileFunctions(files));
  } catch (error) {
    end = { error: toWire(error) };
  } finally {
    files?.closeAll(); // before the end is reported, as the owner then ends this thread
  }
  scope.postMessage(end);
};
