/** Remote calls on one thread: values of every type, errors of every kind, channels that are held and let go. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { type RemoteCalls, remoteCalls, type RemoteOptions } from "../../../src/channels/remote/calls.ts";
import { remote, remoteNumbers } from "../../../src/channels/remote/function.ts";
import { localSide } from "./local_side.ts";

const functions = {
  same: remote(["f64"], "f64", (x) => x),
  same64: remote(["i64"], "i64", (x) => x),
  sum: remote(["f64", "i64", "i64", "f64"], "f64", (a, b, c, d) => a + Number(b) + Number(c) + d),
  reversed: remote(["bytes"], "bytes", (bytes) => bytes.toReversed()),
  join: remote(["text", "bytes", "text"], "text", (a, b, c) => `${a}${[...b].join()}${c}`),
  nothing: remote([], "void", () => {}),
  many: remote(["f64"], "bytes", (n) => new Uint8Array(n).fill(7)),
  fails: remote(["text"], "f64", (why): number => {
    throw new RangeError(why);
  }),
  throwsValue: remote([], "f64", (): number => {
    throw Object.create(null);
  }),
  wrong: remote([], "f64", () => "text" as unknown as number),
  large: remote([], "i64", () => 2n ** 63n),
};

type Calls = RemoteCalls<typeof functions>;

function test(
  name: string,
  body: (calls: Calls) => void,
  options: RemoteOptions & { room?: number } = {},
): void {
  Deno.test(name, () => {
    const { room = 64, ...others } = options;
    using side = localSide(functions, room);
    const calls = remoteCalls<typeof functions>(side.memory, side.layout, others);
    body(calls);
    assertEquals(calls.call(0, "same", 3), 3, "the channel is free afterwards");
  });
}

function codeOf(work: () => unknown): string {
  return assertThrows(work, TilewiseError).code;
}

test("numbers arrive as they are, below zero, not a number and without end", (calls) => {
  for (const x of [0, -0, -1, -4, 1.5, NaN, Infinity, -Infinity, 2 ** 53, 5e-324, Number.MIN_SAFE_INTEGER]) {
    assert(Object.is(calls.call(0, "same", x), x), String(x));
  }
});

test("whole numbers of 64 bits are exact", (calls) => {
  for (
    const x of [
      0n,
      -1n,
      1n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      0x7ff8_0000_0000_0001n,
      -0x0007_ffff_ffff_fffdn,
      2n ** 53n + 1n,
    ]
  ) {
    assertEquals(calls.call(0, "same64", x), x);
  }
  assertEquals(calls.call(1, "sum", 0.5, 2n, -3n, 10), 9.5);
});

test("bytes and texts travel both ways", (calls) => {
  assertEquals([...calls.call(0, "reversed", Uint8Array.of(1, 2, 3))], [3, 2, 1]);
  assertEquals([...calls.call(0, "reversed", new Uint8Array(0))], []);
  assertEquals(calls.call(0, "join", "Größe 🗺", Uint8Array.of(1, 0, 255), "\0"), "Größe 🗺1,0,255\0");
  assertEquals(calls.call(0, "nothing"), undefined);
});

test("bytes that fill the buffer fit, one more does not", (calls) => {
  const full = Uint8Array.from({ length: 64 }, (_, i) => i);
  assertEquals(calls.call(0, "reversed", full), full.toReversed());
  assertEquals(codeOf(() => calls.call(0, "reversed", new Uint8Array(65))), "invalid");
  assertEquals(calls.call(0, "many", 64).length, 64);
});

test("a result too large for the buffer is refused, and the channel goes on", (calls) => {
  const error = assertThrows(() => calls.call(0, "many", 65), TilewiseError);
  assertEquals([error.code, error.details.status], ["invalid", "too-big"]);
});

test("arguments and results larger than the buffer travel in pieces", (calls) => {
  for (const length of [0, 1, 6, 7, 8, 13, 14, 15, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 37);
    assertEquals(calls.call(0, "reversed", bytes), bytes.toReversed(), `${length} bytes`);
  }
  assertEquals(calls.call(1, "join", "x".repeat(100), new Uint8Array(9), "y".repeat(50)).length, 167);
  assertEquals(calls.call(0, "same64", -5n), -5n);
  assertEquals(codeOf(() => calls.call(0, "many", 2 ** 26 + 1)), "invalid");
  assertEquals(codeOf(() => calls.call(0, "fails", "y".repeat(99))), "udf");
}, { stream: true, room: 7 });

test("an error of a host function arrives with its message", (calls) => {
  const error = assertThrows(() => calls.call(0, "fails", "the shelf is empty"), TilewiseError);
  assertEquals([error.code, error.details.reason], ["udf", "the shelf is empty"]);
  assert(error.message.includes('"fails"') && error.message.endsWith("the shelf is empty"));
});

test("a long message is cut at a character", (calls) => {
  for (const skew of ["", "a", "ab", "abc"]) {
    const why = skew + "🗺".repeat(300);
    const reason = assertThrows(() => calls.call(0, "fails", why), TilewiseError).details["reason"] as string;
    const bytes = new TextEncoder().encode(reason).length;
    assert(why.startsWith(reason) && bytes <= 1024 && bytes > 1020, `${bytes} bytes`);
  }
}, { room: 2048 });

test("what is thrown and is not an error arrives as well", (calls) => {
  const error = assertThrows(() => calls.call(0, "throwsValue"), TilewiseError);
  assertEquals([error.code, error.details.reason], ["udf", "something that is not an error"]);
});

test("a result of another type is a failure, and no value is invented", (calls) => {
  const error = assertThrows(() => calls.call(0, "wrong"), TilewiseError);
  assert(error.message.includes('"wrong" returned "text", not f64'), error.message);
  assertEquals(codeOf(() => calls.call(0, "large")), "udf");
});

test("a wrong number of arguments and wrong types are refused before the call", (calls) => {
  const untyped = calls as unknown as { call(channel: number, name: string, ...args: unknown[]): unknown };
  assertEquals(codeOf(() => untyped.call(0, "same")), "invalid");
  assertEquals(codeOf(() => untyped.call(0, "same", 1, 2)), "invalid");
  assertEquals(codeOf(() => untyped.call(0, "same", 1n)), "invalid");
  assertEquals(codeOf(() => untyped.call(0, "same64", 1)), "invalid");
  assertEquals(codeOf(() => untyped.call(0, "same64", 2n ** 63n)), "invalid");
  assertEquals(codeOf(() => untyped.call(0, "reversed", [1, 2])), "invalid");
});

test("an unknown function is refused", (calls) => {
  const untyped = calls as unknown as { call(channel: number, name: string): unknown };
  const error = assertThrows(() => untyped.call(0, "missing"), TilewiseError);
  assertEquals([error.code, error.details.status], ["not-found", "no-function"]);
  assertEquals(codeOf(() => untyped.call(0, "constructor")), "not-found");
});

test("a channel out of range is refused", (calls) => {
  for (const channel of [-1, 2, 0.5, NaN]) {
    assertEquals(
      assertThrows(() => calls.call(channel, "same", 1), TilewiseError).details.status,
      "bad-channel",
    );
  }
});

test("get can be repeated until the release", (calls) => {
  const ticket = calls.submit(0, "same64", 7n);
  assertEquals([ticket.wait(), ticket.try(), ticket.get(), ticket.get()], [true, true, 7n, 7n]);
  ticket.release();
  for (const late of [() => ticket.get(), () => ticket.try(), () => ticket.wait(1), () => ticket.release()]) {
    assertEquals(assertThrows(late, TilewiseError).details.status, "state");
  }
});

test("a ticket of an earlier call finds nothing", (calls) => {
  const first = calls.submit(0, "same", 1);
  first.release();
  using second = calls.submit(0, "same", 2);
  assertEquals(assertThrows(() => first.get(), TilewiseError).details.status, "state");
  assertEquals(second.get(), 2);
});

test("a failed call that was submitted fails at get, and again", (calls) => {
  using ticket = calls.submit(0, "fails", "no");
  assertEquals([codeOf(() => ticket.get()), codeOf(() => ticket.get())], ["udf", "udf"]);
});

test("acquire then release without a call is allowed", (calls) => {
  calls.acquire(0);
  calls.release(0);
});

test("a double release and a release without acquire are refused", (calls) => {
  assertEquals(assertThrows(() => calls.release(0), TilewiseError).details.status, "state");
  calls.acquire(0);
  calls.release(0);
  assertEquals(assertThrows(() => calls.release(0), TilewiseError).details.status, "state");
});

test("a channel that is held serves several calls", (calls) => {
  calls.acquire(0);
  assertEquals([calls.call(0, "same", 1), calls.call(0, "same", 2)], [1, 2]);
  const ticket = calls.submit(0, "same", 3);
  assertEquals(ticket.get(), 3);
  calls.release(0);
});

test("timestamps grow", (calls) => {
  const first = calls.timestamp();
  assert(first > 0 && calls.timestamp() >= first);
});

Deno.test("a host without functions says so", () => {
  using side = localSide(undefined);
  const calls = remoteCalls<typeof functions>(side.memory, side.layout);
  const error = assertThrows(() => calls.call(0, "same", 1), TilewiseError);
  assertEquals([error.code, error.details.status], ["not-found", "no-function"]);
});

Deno.test("functions whose types cannot be are refused when they are made", () => {
  assertEquals(codeOf(() => remote(["f32"] as unknown as ["f64"], "f64", () => 1)), "invalid");
  assertEquals(codeOf(() => remote([], "number" as unknown as "f64", () => 1)), "invalid");
  assertEquals(codeOf(() => remote(["i64", "i64", "i64", "i64"], "void", () => {})), "invalid");
  assertEquals(codeOf(() => remote([], "f64", undefined as unknown as () => number)), "invalid");
});

Deno.test("numbers follow the order of the declaration", () => {
  const numbers = remoteNumbers(functions);
  assertEquals([numbers.same, numbers.same64, numbers.large], [64, 65, 74]);
});

/** What the compiler knows; nothing is run. */
export function types(calls: Calls): void {
  const number: number = calls.call(0, "same", 1);
  const bytes: Uint8Array = calls.submit(0, "reversed", Uint8Array.of(number)).get();
  // @ts-expect-error: it takes a bigint
  calls.call(0, "same64", bytes.length);
  // @ts-expect-error: there is no such function
  calls.call(0, "other");
}
