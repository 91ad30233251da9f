/** The calling end: tickets, claims and releases, and what a misuse gets. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { Caller } from "../../../src/channels/protocol/caller.ts";
import { Channels, newGate } from "../../../src/channels/protocol/channel.ts";
import { type Answer, ChannelRunner, type Functions } from "../../../src/channels/protocol/runner.ts";
import { registerLocalRunner } from "../../../src/channels/protocol/sleep.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";

const OPTIONS = { channels: 2, bufferLength: 4, elementSize: 8 };

const FUNCTIONS: Functions = new Map<number, Answer>([
  [64, (call) => call.arg(0) + 10 * call.arg(7)],
  [65, (call) => call.value(-call.arg(0))],
  [66, () => {
    throw new RangeError("not today");
  }],
]);

/** Channels, a runner that answers when it is told to, and a caller for each of two threads. */
function stage() {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const channels = new Channels(memory, { ...OPTIONS, offset: 1024, gate: newGate() });
  channels.reset();
  const caller = (thread: number) => new Caller(memory, channels.layout, "fail", thread);
  return { channels, runner: new ChannelRunner(channels, FUNCTIONS), one: caller(1), two: caller(2) };
}

Deno.test("a ticket is polled, waited for and read again until the channel is released", () => {
  const { runner, one } = stage();
  const ticket = one.submit(0, 64, [1, 0, 0, 0, 0, 0, 0, 2]);
  assert(ticket > 0);
  assertEquals([one.poll(ticket), one.wait(ticket, 1)], [0, 0]);
  assertEquals(runner.scan(), 1);
  assertEquals([one.poll(ticket), one.wait(ticket), one.get(ticket), one.get(ticket)], [1, 1, 21, 21]);
  assertEquals([one.release(0), one.release(0)], [0, -STATUS.state]);
  assertEquals([one.poll(ticket), one.get(ticket)], [-STATUS.state, -STATUS.state]);
});

Deno.test("the ticket of an earlier call does not read the answer of a later one", () => {
  const { runner, one } = stage();
  const first = one.submit(1, 64, [5]);
  runner.scan();
  one.release(1);
  const second = one.submit(1, 64, [6]);
  runner.scan();
  assertEquals([one.get(first), one.get(second)], [-STATUS.state, 6]);
});

Deno.test("a channel that is held is busy for others, and goes on with its owner", () => {
  const { runner, one, two } = stage();
  assertEquals([one.acquire(0), two.acquire(0), one.acquire(0)], [0, -STATUS.busy, -STATUS.busy]);
  assertEquals(two.submit(0, 64, [], { acquire: false }), -STATUS.state);
  const ticket = one.submit(0, 64, [3], { acquire: false });
  assertEquals(one.submit(0, 64, [3], { acquire: false }), -STATUS.state, "the first call is under way");
  runner.scan();
  assertEquals([two.get(ticket), two.release(0), one.get(ticket)], [-STATUS.state, -STATUS.state, 3]);
  const again = one.submit(0, 64, [4], { acquire: false });
  runner.scan();
  assertEquals([one.get(again), one.release(0), two.acquire(0)], [4, 0, 0]);
});

Deno.test("a channel that was claimed and never used is released", () => {
  const { one, two } = stage();
  assertEquals([one.acquire(0), one.release(0), two.acquire(0), two.release(0)], [0, 0, 0, 0]);
});

Deno.test("reads without a call, tickets of nobody and channels out of range end at once", () => {
  const { one } = stage();
  for (const ticket of [0, -1, NaN, 1, 1025, 2 ** 31, 3000]) {
    const status = one.get(ticket);
    assert([-STATUS.state, -STATUS["bad-channel"]].includes(status), `${ticket}: ${status}`);
    assertEquals([one.poll(ticket), one.wait(ticket)], [status, status]);
  }
  for (const channel of [-1, 2, 1024, NaN, 0.5, Infinity]) {
    assertEquals(one.call(channel, 64), -STATUS["bad-channel"]);
    assertEquals(one.submit(channel, 64), -STATUS["bad-channel"]);
    assertEquals([one.acquire(channel), one.release(channel)], Array(2).fill(-STATUS["bad-channel"]));
  }
  assertEquals(one.submit(0, 64, Array(9).fill(0)), -STATUS.invalid);
  assertEquals(one.acquire(0), 0, "the refused call has not kept the channel");
});

Deno.test("values below zero are told from statuses, and a failure comes with its message", () => {
  const { runner, one } = stage();
  const ticket = one.submit(0, 65, [STATUS.io]);
  const failed = one.submit(1, 66);
  runner.scan();
  assertEquals([one.get(ticket), one.status], [-STATUS.io, 0]);
  assertEquals([one.get(failed), one.status], [-STATUS.failed, STATUS.failed]);
  assertEquals(new TextDecoder().decode(one.message), "not today");
  one.release(1);
  const unknown = one.submit(1, 99);
  runner.scan();
  assertEquals(one.get(unknown), -STATUS["no-function"]);
});

/** A caller whose calls are answered at once, so that one that goes on by mistake does not hang; and the channels of its calls. */
function answered(channels: Channels) {
  const served: number[] = [];
  const serve = (channel: number) => {
    served.push(channel);
    channels.finish(channel, 0);
  };
  const end = registerLocalRunner(channels.layout.gate, { serve });
  return { caller: new Caller(channels.memory, channels.layout, "fail", 3), served, [Symbol.dispose]: end };
}

Deno.test("a call that waits is refused on a channel that is held, and is not made", () => {
  const { channels, one } = stage();
  using own = answered(channels);
  assertEquals(one.acquire(0), 0);
  assertEquals([own.caller.call(0, 64), own.caller.status], [-STATUS.busy, STATUS.busy]);
  assertEquals([own.caller.invoke(0, 64, []), own.caller.status], [-STATUS.busy, STATUS.busy]);
  assertEquals(own.served, []);
  assertEquals([own.caller.call(1, 64), own.served], [0, [1]]);
});

Deno.test("names outside of the memory, or too long, are refused before the channel is claimed", () => {
  const { one, channels } = stage();
  using own = answered(channels);
  const end = channels.memory.buffer.byteLength;
  const rows = [[end, 1], [end - 3, 4], [-1, 2], [0, -1], [NaN, 1], [0, NaN], [2 ** 40, 0]] as const;
  for (const [pointer, length] of rows) {
    assertEquals(own.caller.call(0, 64, 0, 0, 0, 0, 0, { pointer, length }), -STATUS.invalid);
    assertEquals(one.submit(0, 64, [], { name: { pointer, length } }), -STATUS.invalid);
  }
  assertEquals(one.submit(0, 64, [], { name: { pointer: 0, length: 1025 } }), -STATUS["name-too-long"]);
  assertEquals(one.acquire(0), 0);
});

Deno.test("a thread that must not block waits for a promise of the answer", async () => {
  const { one, runner } = stage();
  const ticket = one.submit(0, 64, [4]);
  const answer = one.later(ticket);
  setTimeout(() => runner.scan(), 5);
  assertEquals([await answer, await one.later(ticket), await one.later(1)], [4, 4, -STATUS.state]);
});

Deno.test("what a thread that has ended holds is taken back, in every state", () => {
  const { channels, runner, one, two } = stage();
  const ends: (() => void)[] = [
    () => void one.acquire(0),
    () => void one.submit(0, 64, [1]),
    () => {
      one.submit(0, 64, [1]);
      runner.scan();
    },
  ];
  for (const hold of ends) {
    hold();
    assertEquals(two.acquire(0), -STATUS.busy);
    channels.reclaim(channels.gate.find(1));
    channels.gate.place(1);
    assertEquals(
      [two.acquire(0), two.release(0), runner.scan()],
      [0, 0, 0],
      "a call that waited is not made",
    );
  }
  assertEquals(channels.orphans, 0);
});
