/** Channels between threads: who waits for whom, and that nobody waits for ever. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { Arena } from "../../src/memory/arena.ts";
import { channelBytes, Channels, HOST, STATE } from "../../src/channels/channel.ts";
import { FileTable, type RawFiles } from "../../src/channels/files.ts";
import { startHost } from "../../src/channels/host.ts";
import { RpcCalls } from "../../src/channels/rpc.ts";
import { closeChannels, serve } from "../../src/channels/runner.ts";
import { STATUS, statusError, statusName } from "../../src/channels/status.ts";

const OPTIONS = { channels: 3, bufferLength: 4, elementSize: 8 };

Deno.test("a host leases what the size query says and gives it back", async () => {
  const arena = new Arena({ budget: 1 << 16 });
  const host = await startHost(arena, OPTIONS);
  assertEquals(arena.used, channelBytes(OPTIONS));
  await host.close();
  await host.close();
  assertEquals(arena.used, 0);
});

Deno.test("counts that cannot be and private memory are refused before anything is leased", async () => {
  const arena = new Arena({ budget: 1 << 16 });
  for (const bad of [{ channels: 0 }, { channels: 1025 }, { bufferLength: 0 }, { elementSize: 0.5 }]) {
    await assertRejects(() => startHost(arena, { ...OPTIONS, ...bad }), Error, "Cannot make");
  }
  assertEquals(arena.used, 0);
  const own = new Arena({ budget: 1 << 16, shared: false });
  await assertRejects(() => startHost(own, OPTIONS), Error, "shared arena");
});

Deno.test("blocks do not overlap and lie within their bytes", () => {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
  const channels = new Channels(memory, { ...OPTIONS, offset: 1024 });
  const end = 1024 + channelBytes(OPTIONS);
  const spans = [0, 1, 2].map((c) => [channels.state(c) * 4 + 1024, channels.name(c), channels.buffer(c)]);
  const flat = [...spans.flat(), end];
  for (let i = 1; i < flat.length; i++) assert(flat[i]! - flat[i - 1]! >= 32);
  assertEquals(channels.buffer(2) + 64, end);
});

Deno.test("a busy channel fails or waits, as the policy says", () => {
  const arena = new Arena({ budget: 1 << 16 });
  const channels = new Channels(arena.memory, { ...OPTIONS, offset: 1024 });
  channels.reset();
  channels.words[channels.state(1)] = STATE.running;
  const calls = new RpcCalls(arena.memory, channels.layout, "fail");
  assertEquals(calls.open(1, 0, 1024, 1), -STATUS.busy);
  assertEquals(calls.size(1 << 20 | 1 << 10), -STATUS.busy);
  assertEquals(channels.words[channels.state(1)], STATE.running, "the owner's call is left alone");
});

Deno.test("a call that waits for its channel goes on when the owner lets go", async () => {
  const arena = new Arena({ budget: 1 << 16 });
  await using host = await startHost(arena, OPTIONS);
  const channels = new Channels(arena.memory, host.layout);
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
  assertEquals(new RpcCalls(arena.memory, host.layout).open(1, 0, 1024, 1), -STATUS.invalid);
  assertEquals(channels.words[at], STATE.unused);
  await letGo;
});

Deno.test("callers of a closed host get an answer, whenever it closed", () => {
  const arena = new Arena({ budget: 1 << 16 });
  const channels = new Channels(arena.memory, { ...OPTIONS, offset: 1024 });
  const table = new FileTable(arena.memory, 8, fails(() => false));
  const calls = new RpcCalls(arena.memory, channels.layout);
  channels.reset();
  channels.words[channels.state(2)] = STATE.ready; // a call that was made just before the end
  channels.setCall(2, 5, 1, 0, 0, 0, 0);
  channels.words[channels.host] = HOST.closing;
  serve(channels, table);
  assertEquals(channels.words[channels.host], HOST.closed);
  assertEquals([channels.words[channels.state(2)], channels.result(2)], [STATE.done, -STATUS["bad-handle"]]);
  assertEquals(calls.open(0, 0, 1024, 1), -STATUS.closed);
});

Deno.test("calls that a lost runner left behind are failed, other channels are left alone", () => {
  const arena = new Arena({ budget: 1 << 16 });
  const channels = new Channels(arena.memory, { ...OPTIONS, offset: 1024 });
  channels.reset();
  channels.words[channels.state(0)] = STATE.running;
  channels.words[channels.state(1)] = STATE.ready;
  channels.words[channels.state(2)] = STATE.claimed;
  closeChannels(channels);
  const states = [0, 1, 2].map((channel) => channels.words[channels.state(channel)]);
  assertEquals(states, [STATE.done, STATE.done, STATE.claimed]);
  assertEquals([channels.result(0), channels.result(1)], [-STATUS.closed, -STATUS.closed]);
});

/** Files without a disk; the operations for which `when` says so fail. */
function fails(
  when: (operation: number) => boolean,
): RawFiles & { open: RawFiles["open"]; opened: Set<number> } {
  let operation = 0, next = 3;
  const opened = new Set<number>();
  const act = <T>(value: T): T => {
    if (when(operation++)) throw Object.assign(new Error("no"), { code: "EIO" });
    return value;
  };
  return {
    opened,
    open: () => (act(0), opened.add(next), next++),
    close: (file) => (opened.delete(file), act(undefined)),
    size: () => act(64),
    read: (_file, _bytes, _at, length) => act(length),
    write: (_file, _bytes, _at, length) => act(length),
  };
}

Deno.test("when the n-th operation fails, its call says so and every file is closed all the same", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  new Uint8Array(memory.buffer).fill(65, 0, 4);
  for (let n = 0; n < 9; n++) {
    const raw = fails((operation) => operation === n);
    const table = new FileTable(memory, 8, raw);
    const file = table.open(0, 4, 0, 4);
    const found = [
      file < 0 ? file : 0,
      table.read(file, 64, 2, 0, 0),
      table.write(file, 64, 1, 1, 0),
      table.size(file),
      table.close(file),
    ];
    const expected = n < 7 ? -STATUS.io : 0;
    assertEquals(found.some((status) => status === -STATUS.io), expected !== 0, `operation ${n}: ${found}`);
    table.closeAll();
    assertEquals([raw.opened.size, table.openFiles], [0, 0]);
  }
});

Deno.test("a table is full at 1024 files", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  new Uint8Array(memory.buffer).fill(65, 0, 4);
  const table = new FileTable(memory, 8, fails(() => false));
  const handles = Array.from({ length: 1024 }, () => table.open(1023, 0, 0, 4));
  assert(handles.every((handle) => handle > 0) && new Set(handles).size === 1024);
  assertEquals(table.open(0, 0, 0, 4), -STATUS["too-many"]);
  table.close(handles[500]!);
  const again = table.open(1023, 0, 0, 4);
  assert(again > 0 && again !== handles[500]);
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
