/**
 * The module that a worker process runs: a thread computes, this one listens.
 *
 * This thread never waits for the other: it hears at once when the process that has started this one is gone, as its standard
 * input ends, and so ends this process in the middle of whatever it does.
 *
 * @module
 */

import { VERSION } from "../../version.ts";
import { FrameReader, FrameWriter } from "./frames.ts";
import { PROTOCOL, type ToProcess } from "./protocol.ts";
import { Relay } from "./relay.ts";

// A terminal sends Ctrl-C to all of its processes: the one that has started this one decides what ends.
Deno.addSignalListener("SIGINT", () => {});

const frames = new FrameReader(Deno.stdin.readable);
const out = new FrameWriter(Deno.stdout.writable);
out.send({ kind: "hello", protocol: PROTOCOL, version: VERSION });
const relay = new Relay(Number(Deno.args[0]), out);
try {
  for (let frame; (frame = await frames.next());) await relay.receive(frame.message as ToProcess, frames);
} finally {
  Deno.exit();
}
