/**
 * The worker of a host: takes the memory, serves until told to stop, and says so.
 *
 * @module
 */

/// <reference lib="deno.worker" />

import { toWire } from "../errors.ts";
import { type ChannelLayout, Channels } from "./channel.ts";
import { FileTable } from "./files.ts";
import { type HostMessage, nodeFiles } from "./host.ts";
import { serve } from "./runner.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<{ memory: WebAssembly.Memory; layout: ChannelLayout }>) => void;
  postMessage(message: HostMessage): void;
};

scope.onmessage = ({ data: { memory, layout } }) => {
  const files = new FileTable(memory, layout.elementSize, nodeFiles);
  try {
    scope.postMessage("serving");
    serve(new Channels(memory, layout), files);
    scope.postMessage("ended");
  } catch (error) {
    scope.postMessage({ error: toWire(error) });
  } finally {
    files.closeAll();
  }
};
