/** SHA-256 of parts: piece by piece, and as pages have it. */

import { assertEquals } from "@std/assert";
import { sha256Of } from "../../src/io/hash.ts";

const bytes = Uint8Array.from({ length: 2 ** 21 + 5 }, (_, i) => (i * 2654435761) >>> 24);

async function expected(all: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all)).toHex();
}

Deno.test("a hash is that of all parts, however they are cut and wherever they lie", async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const cut = [bytes.subarray(0, 7), new Uint8Array(0), shared.subarray(7)];
  assertEquals(await sha256Of(cut), await expected(bytes));
  assertEquals(await sha256Of([]), await expected(new Uint8Array(0)));
});

Deno.test("where there is no Node the hash is the same", async () => {
  const process = Object.getOwnPropertyDescriptor(globalThis, "process")!;
  Object.defineProperty(globalThis, "process", { value: undefined, configurable: true });
  try {
    assertEquals(await sha256Of([bytes.subarray(0, 7), bytes.subarray(7)]), await expected(bytes));
  } finally {
    Object.defineProperty(globalThis, "process", process);
  }
});
