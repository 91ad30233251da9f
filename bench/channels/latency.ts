/**
 * What a call on a channel costs: beside a bare ping-pong of two threads, and step by step.
 *
 * ```sh
 * deno run -A bench/channels/latency.ts [--calls N] [--rounds N]
 * ```
 *
 * It takes some seconds, wants both cores for itself, and prints the least and the middle of all rounds, which go through all
 * rows in turn.
 *
 * @module
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { systemFiles } from "../../src/channels/backends/node.ts";
import { FileTable } from "../../src/channels/files/file_table.ts";
import { RpcCalls } from "../../src/channels/files/rpc.ts";
import { Caller } from "../../src/channels/protocol/caller.ts";
import { type Answer, ChannelRunner } from "../../src/channels/protocol/runner.ts";
import { type ChannelLayout, Channels, newGate } from "../../src/channels/protocol/channel.ts";
import { HOST } from "../../src/channels/protocol/gate.ts";
import type { ServerStart } from "./latency_worker.ts";

/** A row: what is done, and how to do it `calls` times; microseconds of one call are printed. */
interface Row {
  readonly name: string;
  run(calls: number): void;
}

const OPTIONS = { channels: 4, bufferLength: 64, elementSize: 8 };
const EMPTY = 64;

if (import.meta.main) {
  const calls = option("--calls", 10_000), rounds = option("--rounds", 7);
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/data.bin`, new Uint8Array(1 << 20));
    const { rows, close } = await rowsFor(`${folder}/data.bin`);
    print(await measure(rows, calls, rounds));
    await close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function option(name: string, otherwise: number): number {
  const at = Deno.args.indexOf(name);
  return at < 0 ? otherwise : Number(Deno.args[at + 1]);
}

/** Microseconds per call: one list per row. */
async function measure(rows: readonly Row[], calls: number, rounds: number): Promise<[string, number[]][]> {
  const times = rows.map(({ name }): [string, number[]] => [name, []]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { run }] of rows.entries()) {
      const start = performance.now();
      run(calls);
      times[i]![1].push((performance.now() - start) * 1000 / calls);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return times;
}

function print(times: readonly [string, number[]][]): void {
  console.log(`${"".padEnd(58)}  least  middle  µs per call`);
  for (const [name, all] of times) {
    const sorted = all.toSorted((a, b) => a - b);
    const [least, middle] = [sorted[0]!, sorted[sorted.length >> 1]!];
    console.log(`${name.padEnd(58)} ${least.toFixed(3).padStart(6)}  ${middle.toFixed(3).padStart(6)}`);
  }
}

async function rowsFor(path: string): Promise<{ rows: Row[]; close: () => Promise<void> }> {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 4, shared: true });
  const layout: ChannelLayout = { ...OPTIONS, offset: 1024, gate: newGate() };
  const channels = new Channels(memory, layout);
  channels.reset();
  const words = new Int32Array(new SharedArrayBuffer(256));
  const bare = await server({ kind: "bare", words });
  const runner = await server({ kind: "runner", memory, layout });
  const calls = new RpcCalls(memory, layout);
  const name = new TextEncoder().encode(path);
  const handle = calls.open(0, 0, name);
  const table = new FileTable(memory, layout, systemFiles());
  const own = Number(table.open(0, 0, name));
  if (!(handle > 0 && own > 0)) throw new Error(`cannot open ${path}: ${handle}, ${own}`);
  const caller = new Caller(memory, layout);
  const destination = channels.buffer(0);
  const rows: Row[] = [
    { name: "bare ping-pong of two threads", run: (n) => pingPong(words, n) },
    { name: "empty call", run: repeat(() => caller.call(0, EMPTY)) },
    {
      name: "read of 8 bytes, rpc",
      run: repeat((i) => calls.read(handle, destination, 1, 0, i % 1000)),
    },
    {
      name: "read of 8 bytes, direct",
      run: repeat((i) => table.read(own, destination, 1, 0, i % 1000)),
    },
    ...steps(path),
  ];
  return {
    rows,
    close: async () => {
      Atomics.store(words, 0, -1);
      Atomics.notify(words, 0);
      channels.gate.host = HOST.closing;
      channels.wakeAll();
      table.closeAll();
      await Promise.all([bare.ended, runner.ended]);
    },
  };
}

/** The steps of a call, each alone on this thread. */
function steps(path: string): Row[] {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 4, shared: true });
  const channels = new Channels(memory, { ...OPTIONS, offset: 1024, gate: newGate() });
  channels.reset();
  const empty: Answer = () => 0;
  const runner = new ChannelRunner(channels, new Map([[EMPTY, empty]]));
  const caller = new Caller(memory, channels.layout);
  const file = openSync(path, "r"), bytes = new Uint8Array(memory.buffer);
  addEventListener("unload", () => closeSync(file));
  const words = new Int32Array(new SharedArrayBuffer(64));
  return [
    { name: "  step: a scan that finds nothing", run: repeat(() => void runner.scan()) },
    {
      name: "  step: submit, serve, get, release on one thread",
      run: repeat(() => {
        const ticket = caller.submit(0, EMPTY);
        runner.scan();
        caller.get(ticket);
        caller.release(0);
      }),
    },
    { name: "  step: Atomics.notify, nobody sleeps", run: repeat(() => void Atomics.notify(words, 0)) },
    { name: "  step: Atomics.wait, the value differs", run: repeat(() => void Atomics.wait(words, 0, 1)) },
    { name: "  step: compare-exchange", run: repeat(() => void Atomics.compareExchange(words, 0, 0, 0)) },
    { name: "  step: performance.now", run: repeat(() => void performance.now()) },
    {
      name: "  step: node:fs readSync of 8 bytes",
      run: repeat((i) => readSync(file, bytes, 8, 8, 8 * (i % 1000))),
    },
    { name: "  step: node:fs fstatSync", run: repeat(() => void fstatSync(file)) },
  ];
}

function repeat(body: (index: number) => unknown): (calls: number) => void {
  return (calls) => {
    for (let i = 0; i < calls; i++) body(i);
  };
}

/** Two threads in turn, with nothing else. */
function pingPong(words: Int32Array, calls: number): void {
  for (let i = 0; i < calls; i++) {
    Atomics.store(words, 16, 0);
    Atomics.store(words, 0, 1);
    Atomics.notify(words, 0);
    while (Atomics.load(words, 16) === 0) Atomics.wait(words, 16, 0);
  }
}

/** Starts the other thread of a row; resolves when it serves. */
async function server(start: ServerStart): Promise<{ readonly ended: Promise<unknown> }> {
  const worker = new Worker(new URL("./latency_worker.ts", import.meta.url), { type: "module" });
  const heard = () => new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage(start);
  await heard();
  const ended = heard().then(() => worker.terminate());
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { ended };
}
