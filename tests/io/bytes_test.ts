import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { BytesSource } from "../../src/io/source/bytes.ts";
import { openSource } from "../../src/io/open.ts";
import { byteSourceConformance, type Holder } from "./conformance.ts";

const nothing = () => Promise.resolve();

byteSourceConformance("bytes", (bytes) => {
  const holder: Holder = { open: () => openSource(bytes), [Symbol.asyncDispose]: nothing };
  return Promise.resolve(holder);
});

byteSourceConformance("bytes in the middle of shared memory", (bytes) => {
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.byteLength + 100)).fill(1);
  memory.set(bytes, 13);
  const view = memory.subarray(13, 13 + bytes.byteLength);
  return Promise.resolve({ open: () => openSource(view), [Symbol.asyncDispose]: nothing });
});

Deno.test("bytes move to shared memory once, when they are described", () => {
  const source = new BytesSource(new Uint8Array([1, 2, 3]), "three");
  const spec = source.describe();
  assert(spec.bytes.buffer instanceof SharedArrayBuffer);
  assertStrictEquals(source.describe().bytes, spec.bytes);
  assertEquals([...spec.bytes], [1, 2, 3]);
});
