/** Rows copied between two memories, beside copying them byte by byte. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { copierBetween } from "../../src/kernels/copiers.ts";
import type { CopyRows } from "../../src/memory/copy_box.ts";

const PAGE = 65536;

/** Copies byte by byte. */
function plainCopier(from: Uint8Array, to: Uint8Array): CopyRows {
  return (into, at, bytes, rows, toStride, fromStride) => {
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < bytes; i++) to[into + row * toStride + i] = from[at + row * fromStride + i]!;
    }
  };
}

for (const shared of [true, false]) {
  Deno.test(`rows are copied to a ${shared ? "shared" : "private"} memory as byte by byte`, () => {
    const from = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const to = new WebAssembly.Memory({ initial: 1, maximum: 1, shared });
    const source = new Uint8Array(from.buffer).map((_, i) => i * 31 + (i >> 8));
    new Uint8Array(from.buffer).set(source);
    const copy = copierBetween(from, to)!;
    const size = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 100, max: 300 }));
    const small = fc.nat(40);
    fc.assert(
      fc.property(size, fc.nat(20), small, small, small, small, (bytes, rows, into, at, gap, step) => {
        const expected = new Uint8Array(PAGE);
        new Uint8Array(to.buffer).fill(0);
        plainCopier(source, expected)(into, at, bytes, rows, bytes + gap, bytes + step);
        copy(into, at, bytes, rows, bytes + gap, bytes + step);
        assertEquals(new Uint8Array(to.buffer).every((byte, i) => byte === expected[i]), true);
        copy(into, at + rows * bytes, bytes, rows, bytes, -bytes); // rows in reverse order
        plainCopier(source, expected)(into, at + rows * bytes, bytes, rows, bytes, -bytes);
        assertEquals(new Uint8Array(to.buffer, 0, 9000).every((byte, i) => byte === expected[i]), true);
      }),
    );
  });
}
