/** Kernels in WebAssembly that call functions of the host: numbers, bytes, tickets, messages, and addresses that are none. */

import { assert, assertEquals } from "@std/assert";
import { remote, remoteNumbers } from "../../../src/channels/remote/function.ts";
import { type RemoteImports, remoteImports } from "../../../src/channels/remote/imports.ts";
import { REMOTE_LIBRARY } from "../../../src/channels/launch/library.ts";
import { imageImports } from "../../../src/channels/remote/images.ts";
import { channelLibrary, FILE_LIBRARY } from "../../../src/channels/files/library_text.ts";
import { fileImports } from "../../../src/channels/files/imports.ts";
import { RpcCalls } from "../../../src/channels/files/rpc.ts";
import { STATUS, statusName } from "../../../src/channels/protocol/status.ts";
import { Caller } from "../../../src/channels/protocol/caller.ts";
import { compileKernel } from "../../../src/user_kernels/compile.ts";
import { instantiate } from "../../../src/user_kernels/instance.ts";
import { type LocalSide, localSide } from "./local_side.ts";

const functions = {
  sum: remote(["f64", "i64", "f64"], "f64", (a, b, c) => a + Number(b) + c),
  twice: remote(["i64"], "i64", (x) => BigInt.asIntN(64, x * 2n)),
  shout: remote(["text"], "text", (text) => text.toUpperCase()),
  fails: remote([], "void", (): void => {
    throw new Error("Größe unbekannt");
  }),
};
const { sum, twice, shout, fails } = remoteNumbers(functions);

/** Words of arguments are at `room`, the result at `room + 64`, bytes behind. */
const SOURCE = `
import {
  acquireChannel, argBytes, argF64, argI64, callFunction, failureMessage, findFunction, getResult, imageFacts, loadImage, now,
  releaseChannel, resultBytes, submitCall, tryCall, waitForCall,
} from "tilewise/channels";

export function find(name: usize, length: i32): i32 { return findFunction(0, name, length); }
export function sum(fn: i32, room: usize): i32 {
  argF64(room, 0, 0.5);
  argI64(room, 1, -3);
  argF64(room, 2, 10);
  return callFunction(1, fn, room, 3, room + 64);
}
export function twice(fn: i32, room: usize, high: i32, low: i32): i32 {
  argI64(room, 0, <i64>high << 32 | <i64><u32>low);
  const ticket = submitCall(0, fn, room, 1, 0);
  if (ticket < 0) return ticket;
  while (tryCall(ticket) == 0) {}
  if (waitForCall(ticket, Infinity) != 1 || getResult(ticket, 0) != 0) return -99;
  const status = getResult(ticket, room + 64);
  releaseChannel(0);
  return status;
}
export function shout(fn: i32, room: usize, text: usize, length: i32, flags: i32): i32 {
  argBytes(room, 0, text, length);
  const status = callFunction(0, fn, room, 1, room + 64, flags);
  return status < 0 ? status : resultBytes(0, room + 128, 4096);
}
export function fail(fn: i32, room: usize, capacity: i32): i32 {
  const status = callFunction(0, fn, 0, 0);
  store<i32>(room, status);
  return failureMessage(0, room + 128, capacity);
}
export function states(): i32 {
  if (getResult(1, 0) != tryCall(1025) || releaseChannel(0) != releaseChannel(1)) return -1;
  if (acquireChannel(0) != 0 || releaseChannel(0) != 0) return -2;
  return releaseChannel(0);
}
export function clock(): f64 { return now(); }
export function image(): i32 { return imageFacts(0, 0, 4, 0) + loadImage(0, 0, 4, 0, 1, 1, 4); }
`;

const compiled = compileKernel({
  name: "remote",
  file: "remote.ts",
  text: SOURCE,
  library: channelLibrary([FILE_LIBRARY, REMOTE_LIBRARY]),
});

interface Kernel {
  readonly [name: string]: (...args: number[]) => number;
}

async function kernelOf({ memory, layout, free }: LocalSide): Promise<Kernel> {
  const files = fileImports(memory, layout, new RpcCalls(memory, layout));
  const imports = { ...files, ...remoteImports(memory, layout), ...imageImports(memory, layout) };
  const kernel = await compiled;
  const options = { name: "remote", statics: free + 32768, calls: { channels: imports } };
  const names = [...SOURCE.matchAll(/export function (\w+)/g)].map(([, name]) => name!);
  return Object.fromEntries(
    names.map((name) => [name, instantiate(kernel, name, memory, options)]),
  ) as Kernel;
}

function test(name: string, body: (kernel: Kernel, side: LocalSide, view: DataView) => void): void {
  Deno.test(`a kernel ${name}`, async () => {
    using side = localSide(functions);
    body(await kernelOf(side), side, new DataView(side.memory.buffer));
  });
}

/** Writes a text to the memory of a kernel: its address, and its length. */
function put({ memory, free }: LocalSide, text: string): readonly [number, number] {
  const bytes = new TextEncoder().encode(text), at = free + 8192;
  new Uint8Array(memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

function read({ memory }: LocalSide, at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(new Uint8Array(memory.buffer, at, length)));
}

test("finds functions by their names", (kernel, side) => {
  assertEquals(kernel["find"]!(...put(side, "twice")), twice);
  assertEquals(kernel["find"]!(...put(side, "missing")), -STATUS["no-function"]);
  assertEquals(kernel["find"]!(side.free, 2 ** 30), -STATUS.invalid);
  assertEquals(kernel["find"]!(side.free, -1), -STATUS.invalid);
});

test("passes numbers and gets a number", (kernel, { free }, view) => {
  assertEquals(kernel["sum"]!(sum, free), 0);
  assertEquals(view.getFloat64(free + 64, true), 7.5);
});

test("passes and gets 64 bits through a ticket", (kernel, { free }, view) => {
  for (const x of [1n, -1n, 0x3fff_ffff_ffff_ffffn, -(2n ** 62n), 0x7ff8_0000_0000_0001n]) {
    assertEquals(
      kernel["twice"]!(twice, free, Number(BigInt.asIntN(32, x >> 32n)), Number(BigInt.asIntN(32, x))),
      0,
    );
    assertEquals(view.getBigInt64(free + 64, true), BigInt.asIntN(64, 2n * x));
  }
});

test("passes and gets bytes, in one piece or in several", (kernel, side, view) => {
  const length = kernel["shout"]!(shout, side.free, ...put(side, "größer"), 0);
  assertEquals([read(side, side.free + 128, length), view.getBigInt64(side.free + 64, true)], [
    "GRÖSSER",
    8n,
  ]);
  const long = "na ".repeat(100);
  assertEquals(kernel["shout"]!(shout, side.free, ...put(side, long), 0), -STATUS["too-big"]);
  assertEquals(kernel["shout"]!(shout, side.free, ...put(side, long), 2), 300);
  assertEquals(read(side, side.free + 128, 300), long.toUpperCase());
});

test("reads the message of a failure", (kernel, side, view) => {
  const length = kernel["fail"]!(fails, side.free, 100);
  assertEquals(statusName(view.getInt32(side.free, true)), "failed");
  assertEquals(read(side, side.free + 128, length), "Größe unbekannt");
});

test("gets no more of a message than fits", (kernel, side) => {
  new Uint8Array(side.memory.buffer, side.free + 128, 8).fill(0x2e);
  assertEquals(kernel["fail"]!(fails, side.free, 2), 17);
  assertEquals(read(side, side.free + 130, 6), "......");
  assertEquals(kernel["fail"]!(fails, side.free, -1), -STATUS.invalid);
});

test("is told about tickets and channels that are none", (kernel) => {
  assertEquals(statusName(kernel["states"]!()), "state");
  assert(kernel["clock"]!() > 0);
});

test("that calls with another number of arguments, or another function, is refused", (kernel, side) => {
  assertEquals(kernel["sum"]!(twice, side.free), -STATUS["no-function"]);
  assertEquals(kernel["sum"]!(99, side.free), -STATUS["no-function"]);
  assertEquals(kernel["sum"]!(1, side.free), -STATUS["no-function"]);
});

test("cannot load images from a host that has none", (kernel) => {
  assertEquals(kernel["image"]!(), -2 * STATUS["no-function"]);
});

function withImports(body: (rpc: RemoteImports, side: LocalSide) => void): void {
  using side = localSide(functions);
  body(remoteImports(side.memory, side.layout), side);
}

Deno.test("addresses outside of the memory are refused, and lengths that lie", () => {
  withImports((rpc, { memory, free }) => {
    const end = memory.buffer.byteLength, view = new DataView(memory.buffer);
    const calls = [
      [sum, end - 16, 3, free],
      [sum, end, 3, free],
      [sum, free + 4, 3, free],
      [sum, free, 3, end],
      [sum, free, 3, free + 4],
      [sum, -8, 3, free],
    ] as const;
    for (const [fn, args, count, result] of calls) {
      assertEquals(rpc["rpc_call"]!(0, fn, args, count, 0, result), -STATUS.invalid);
    }
    for (
      const [pointer, length] of [[end - 1, 2], [0, end + 1], [2 ** 32 - 1, 1], [0, 2 ** 32 - 1]] as const
    ) {
      view.setUint32(free, pointer, true);
      view.setUint32(free + 4, length, true);
      assertEquals(rpc["rpc_call"]!(0, shout, free, 1, 0, free + 64), -STATUS.invalid);
    }
    assertEquals(rpc["rpc_call"]!(7, sum, free, 3, 0, free), -STATUS["bad-channel"]);
    assertEquals(rpc["rpc_bytes"]!(0, free, 10), -STATUS.state);
  });
});

Deno.test("bytes of a call that are not text are refused", () => {
  withImports((rpc, { memory, free }) => {
    new Uint8Array(memory.buffer).set([0xff, 0xfe], free + 256);
    new DataView(memory.buffer).setUint32(free, free + 256, true);
    new DataView(memory.buffer).setUint32(free + 4, 2, true);
    assertEquals(rpc["rpc_call"]!(0, shout, free, 1, 0, 0), -STATUS.invalid);
  });
});

Deno.test("a caller that lies about the function, the lengths or the pieces is refused by the host", () => {
  using side = localSide(functions);
  const caller = new Caller(side.memory, side.layout);
  assertEquals(caller.invoke(0, sum, [1, 0, 1, 1, 0, 0, 0, 12345]), -STATUS["no-function"], "another check");
  assertEquals(caller.invoke(0, 61, [0, 0, 0, 0, 0, 0, 99, 0]), -STATUS["no-function"]);
  for (
    const [total, at, length] of [[10, 5, 5], [10, 0, 11], [10, 0, -1], [2 ** 40, 0, 1], [NaN, 0, 1], [
      100,
      0,
      65,
    ]]
  ) {
    assert(caller.invoke(0, 62, [total!, at!, length!]) < 0);
  }
  assertEquals(caller.invoke(0, 60, [0]), -STATUS.invalid, "nothing waits to be fetched");
});
