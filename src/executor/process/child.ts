/**
 * The module that a worker process runs: a thread computes, this one listens.
 *
 * This thread never waits for the other one. When the process that has started this one ends, the standard input of this process
 * ends; this thread notices it and ends the process immediately, in the middle of any work.
 *
 * @module
 */

import { VERSION } from "../../version.ts";
import type { ToCopy } from "../copies.ts";
import { FrameReader, FrameWriter } from "./frames.ts";
import { PROTOCOL } from "./protocol.ts";
import { Relay } from "./relay.ts";

// A terminal sends Ctrl-C to all of its processes: the parent process decides what ends.
Deno.addSignalListener("SIGINT", () => {});

const frames = new FrameReader(Deno.stdin.readable);
const out = new FrameWriter(Deno.stdout.writable);
out.send({ kind: "hello", protocol: PROTOCOL, version: VERSION });
const relay = new Relay(Number(Deno.args[0]), out);
try {
  for (let frame; (frame = await frames.next());) await relay.receive(frame.message as ToCopy, frames);
} finally {
  Deno.exit();
}
