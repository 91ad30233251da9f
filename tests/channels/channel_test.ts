/** Channels between threads: who waits for whom, and that nobody waits for ever. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { Arena } from "../../src/memory/arena.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { RunContext } from "../../src/runner/context.ts";
import { channelBytes, Channels, HOST, newGate, STATE } from "../../src/channels/protocol/channel.ts";
import { FILE, fileFunctions } from "../../src/channels/files/calls.ts";
import { systemFiles } from "../../src/channels/backends/node.ts";
import { FileTable } from "../../src/channels/files/file_table.ts";
import { startHost } from "../../src/channels/host/host.ts";
import { RpcCalls } from "../../src/channels/files/rpc.ts";
import { MODE_NAMES } from "../../src/channels/files/modes.ts";
import { stateOf } from "../../src/channels/protocol/layout.ts";
import { ChannelRunner, closeChannels, serve } from "../../src/channels/protocol/runner.ts";
import { STATUS, statusError, statusName } from "../../src/channels/protocol/status.ts";
import { insideOfHost } from "../../src/channels/host/inside.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const OPTIONS = { channels: 3, bufferLength: 4, elementSize: 8 };

const NO_NAME = Uint8Array.of(0);

Deno.test("a host leases what the size query says and gives it back", async () => {
  await using context = new RunContext({ memory: 1 << 16 });
  const host = await startHost(context, OPTIONS);
  assertEquals(context.arena.used, channelBytes(OPTIONS));
  await host.close();
  await host.close();
  await context.settled();
  assertEquals(context.arena.used, 0);
});

Deno.test("counts that cannot be are refused before anything is leased", async () => {
  await using context = new RunContext({ memory: 1 << 16 });
  for (const bad of [{ channels: 0 }, { channels: 1025 }, { bufferLength: 0 }, { elementSize: 0.5 }]) {
    await assertRejects(
      () => startHost(context, { ...OPTIONS, ...bad }),
      Error,
      "it must be a whole number from",
    );
  }
  await context.settled();
  assertEquals(context.arena.used, 0);
  await assertRejects(() => startHost(context.arena as never, OPTIONS), Error, "must be a context");
});

Deno.test("blocks do not overlap and lie within their bytes", () => {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
  const channels = new Channels(memory, { ...OPTIONS, offset: 1024, gate: newGate() });
  const end = 1024 + channelBytes(OPTIONS);
  const spans = [0, 1, 2].map((c) => [channels.state(c) * 4 + 1024, channels.name(c), channels.buffer(c)]);
  const flat = [...spans.flat(), end];
  for (let i = 1; i < flat.length; i++) assert(flat[i]! - flat[i - 1]! >= 32);
  assertEquals(channels.buffer(2) + 64, end);
});

Deno.test("a busy channel fails or waits, as the policy says", () => {
  const arena = new Arena({ budget: 1 << 16 });
  const channels = new Channels(arena.memory, { ...OPTIONS, offset: 1024, gate: newGate() });
  channels.reset();
  channels.words[channels.state(1)] = STATE.running;
  const calls = new RpcCalls(arena.memory, channels.layout, "fail");
  assertEquals(calls.open(1, 0, NO_NAME), -STATUS.busy);
  assertEquals(calls.size(1 << 20 | 1 << 10), -STATUS.busy);
  assertEquals(channels.words[channels.state(1)], STATE.running, "the owner's call is left alone");
});

Deno.test("a call that waits for its channel goes on when the owner lets go", async () => {
  await using context = new RunContext({ memory: 1 << 16 });
  const { arena } = context;
  await using host = await startHost(context, OPTIONS);
  const channels = new Channels(arena.memory, insideOfHost(host)!.layout);
  const at = channels.state(1);
  channels.words[at] = STATE.claimed;
  const owner = `onmessage = ({ data: [words, at] }) => {
    Atomics.wait(words, at, ${STATE.claimed}, 100);
    Atomics.store(words, at, ${STATE.unused});
    Atomics.notify(words, at);
    postMessage(performance.now());
    close();
  };`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(owner)}`, { type: "module" });
  const letGo = new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage([channels.words, at]);
  assertEquals(new RpcCalls(arena.memory, insideOfHost(host)!.layout).open(1, 0, NO_NAME), -STATUS.invalid);
  assertEquals(stateOf(channels.words[at]!), STATE.unused);
  await letGo;
});

Deno.test("callers of a closed host get an answer, whenever it closed", async () => {
  const arena = new Arena({ budget: 1 << 16 });
  const channels = new Channels(arena.memory, { ...OPTIONS, offset: 1024, gate: newGate() });
  const table = new FileTable(arena.memory, channels.layout, systemFiles());
  const calls = new RpcCalls(arena.memory, channels.layout);
  channels.reset();
  channels.words[channels.state(2)] = STATE.ready; // a call that was made just before the end
  channels.setFunction(2, 5);
  channels.setArguments(2, 1, 0, 0, 0, 0);
  channels.gate.host = HOST.closing;
  await serve(new ChannelRunner(channels, fileFunctions(table)));
  closeChannels(channels);
  assertEquals(channels.host, HOST.closed);
  assertEquals([stateOf(channels.words[channels.state(2)]!), channels.result(2)], [
    STATE.done,
    -STATUS["bad-handle"],
  ]);
  assertEquals(calls.open(0, 0, NO_NAME), -STATUS.closed);
});

Deno.test("calls that a lost runner left behind are failed, other channels are left alone", () => {
  const arena = new Arena({ budget: 1 << 16 });
  const channels = new Channels(arena.memory, { ...OPTIONS, offset: 1024, gate: newGate() });
  channels.reset();
  channels.words[channels.state(0)] = STATE.running;
  channels.words[channels.state(1)] = STATE.ready;
  channels.words[channels.state(2)] = STATE.claimed;
  closeChannels(channels);
  const states = [0, 1, 2].map((channel) => stateOf(channels.words[channels.state(channel)]!));
  assertEquals(states, [STATE.done, STATE.done, STATE.claimed]);
  assertEquals([channels.result(0), channels.result(1)], [-STATUS.closed, -STATUS.closed]);
});

Deno.test("who calls a host that has gone writes nothing into what others have there now", async () => {
  await using context = new RunContext({ memory: 1 << 16 });
  const { arena } = context;
  const host = await startHost(context, OPTIONS);
  const channels = new Channels(arena.memory, insideOfHost(host)!.layout);
  const calls = new RpcCalls(arena.memory, insideOfHost(host)!.layout, "fail");
  await host.close();
  await context.settled();
  using lease = arena.lease(channelBytes(OPTIONS), "the next owner"); // zeros: channels, if one did not know better
  const bytes = lease.bytes().fill(0);
  channels.words[channels.state(1)] = STATE.claimed;
  const before = bytes.slice();
  assertEquals(calls.open(1, 0, NO_NAME), -STATUS.closed);
  assertEquals(calls.size(1 << 20 | 2 << 10), -STATUS.closed);
  assertEquals(bytes.slice(), before);
});

Deno.test("memory that a caller or the runner may still write to is not given to others", async () => {
  const opens = new Int32Array(new SharedArrayBuffer(4));
  const module = import.meta.resolve("./backends/user_files.ts");
  const backEnd = { module, export: "stuckFiles", shared: opens };
  for (const stuck of ["caller", "runner"]) {
    await using context = new RunContext({ memory: 1 << 16 });
    const { arena } = context;
    using name = arena.lease(4, "name");
    name.bytes().fill(65);
    const host = await startHost(context, { ...OPTIONS, grace: 100, backEnd });
    const channels = new Channels(arena.memory, insideOfHost(host)!.layout);
    if (stuck === "caller") assert(channels.gate.enter(channels.gate.place(7))); // as a thread does that is ended inside of a call
    else {
      channels.setName(0, name.offset, name.byteLength);
      channels.setFunction(0, FILE.open);
      channels.setArguments(0, MODE_NAMES.indexOf("write_only"), 0, 0, 0, 0);
      Atomics.store(channels.words, channels.state(0), STATE.ready);
      channels.ring(0);
      while (stateOf(Atomics.load(channels.words, channels.state(0))) !== STATE.running) await sleep(1);
    }
    await host.close();
    await context.settled();
    assertEquals(arena.leases.some(({ label }) => label === "channels"), true);
    assert(context.arena !== arena);
  }
  Atomics.store(opens, 0, 1);
  Atomics.notify(opens, 0);
});

Deno.test("a context that is disposed of closes its hosts", async () => {
  const context = new RunContext({ memory: 1 << 16 });
  const host = await startHost(context, OPTIONS);
  const calls = new RpcCalls(context.arena.memory, insideOfHost(host)!.layout);
  await context[Symbol.asyncDispose]();
  await host.close();
  await context.settled();
  assertEquals([calls.open(0, 0, NO_NAME), context.arena.used], [-STATUS.closed, 0]);
});

Deno.test("every status has a name and a typed error", () => {
  for (const [name, status] of Object.entries(STATUS)) {
    assertEquals(statusName(-status), name);
    assert(isTilewiseError(statusError(status, "read")));
  }
  assertThrows(
    () => {
      throw statusError(-5, "write result.bin");
    },
    Error,
    "Cannot write result.bin: the mode",
  );
});

Deno.test("processes, which share no memory, are refused before anything is started", async () => {
  await using executor = processExecutor({ workers: 1 });
  await using context = new RunContext({ memory: "1MiB", executor });
  await using host = await startHost(context, { channels: 1, bufferLength: 1, elementSize: 8 });
  const job = { module: import.meta.url, export: "nothing", shared: {} };
  const error = await assertRejects(
    async () => void await insideOfHost(host)!.launch(job, [1]),
    TilewiseError,
    "call a host",
  );
  assertEquals([error.code, executor.pids.length], ["unsupported", 0]);
});
