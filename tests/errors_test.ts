/** Errors travel between threads, whatever they are. */

import { assertEquals, assertInstanceOf } from "@std/assert";
import { fromWire, isTilewiseError, TilewiseError, toWire } from "../src/errors.ts";
import { reasonOf } from "../src/reason.ts";

const travelled = (error: unknown) => fromWire(structuredClone(toWire(error)));

Deno.test("an error of ours keeps class, code, details and causes", () => {
  const cause = new RangeError("inner", { cause: new Error("innermost") });
  const found = travelled(new TilewiseError("truncated", "outer", { file: "a", offset: 3 }, { cause }));
  assertInstanceOf(found, TilewiseError);
  assertEquals([found.code, found.details], ["truncated", { file: "a", offset: 3 }]);
  assertEquals(((found.cause as Error).cause as Error).message, "innermost");
  assertEquals((found.cause as Error).name, "RangeError");
});

Deno.test("causes in a circle, and without end, are cut off", () => {
  const outer = new Error("outer");
  outer.cause = new Error("inner", { cause: outer });
  assertEquals(((travelled(outer).cause as Error).cause as Error | undefined)?.message, undefined);
  const own = new Error("own");
  own.cause = own;
  assertEquals(travelled(own).cause, undefined);
  const endless = Object.defineProperty(new Error("endless"), "cause", { get: () => endlessly() });
  const endlessly = (): Error =>
    Object.defineProperty(new Error("more"), "cause", { get: () => endlessly() });
  let depth = 0;
  for (let error: unknown = travelled(endless); error instanceof Error; error = error.cause) depth++;
  assertEquals(depth, 16);
});

Deno.test("details that cannot travel become text, the others stay", () => {
  const details = { file: "a", given: () => 1, nested: { given: Symbol("x") }, list: [1, 2] };
  const error = travelled(new TilewiseError("invalid", "no", details)) as TilewiseError;
  const found = error.details as Record<string, unknown>;
  assertEquals([found["file"], found["list"]], ["a", [1, 2]]);
  assertEquals([typeof found["given"], found["nested"]], ["string", "[object Object]"]);
});

Deno.test("what is thrown may be anything", () => {
  const hostile = { toString: () => hostile };
  const rude = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("no message");
    },
  });
  const things = [
    undefined,
    null,
    7,
    "text",
    Symbol("s"),
    Object.create(null),
    hostile,
    rude,
    () => 1,
    new Proxy({}, {}),
  ];
  for (const thrown of things) assertEquals(typeof travelled(thrown).message, "string");
  assertEquals([reasonOf("text"), reasonOf(undefined), reasonOf(new Error("m"))], ["text", "undefined", "m"]);
});

Deno.test("the code of an error says which fields its details have", () => {
  const error: unknown = new TilewiseError("truncated", "It ends early", { file: "a", completeFrames: 3 });
  const frames: number | undefined = isTilewiseError(error, "truncated")
    ? error.details.completeFrames
    : undefined;
  const reasons: Readonly<Record<string, string>> | undefined = isTilewiseError(error, "unknown-format")
    ? error.details.reasons
    : undefined;
  assertEquals([frames, reasons], [3, undefined]);
  // @ts-expect-error: it is a number
  assertInstanceOf(new TilewiseError("truncated", "It ends early", { completeFrames: "3" }), Error);
});
