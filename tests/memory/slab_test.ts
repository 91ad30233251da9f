import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { ALIGNMENT } from "../../src/memory/arena.ts";
import { blockBytes, Slab } from "../../src/memory/slab.ts";
import { DTYPES } from "../../src/space/dtype.ts";

const memory = () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });

Deno.test("blocks lie one behind the other, aligned, and take what was foretold", () => {
  for (const skew of [0, 64, 100]) {
    const slab = new Slab(memory(), 1024 + skew, 8192);
    let foretold = 0;
    let end = 1024 + skew;
    for (const [i, dtype] of DTYPES.entries()) {
      const { pointer, data } = slab.block(dtype, i * 3, "a");
      assertEquals([pointer % ALIGNMENT, data.byteOffset, pointer >= end], [0, pointer, true]);
      end = pointer + data.byteLength;
      foretold += blockBytes(dtype, i * 3);
      assertEquals(slab.used, foretold);
    }
    assert(end <= 1024 + skew + 8192);
  }
});

Deno.test("a slab is used to its last line, and not beyond", () => {
  const slab = new Slab(memory(), 1024, 256);
  slab.take(192, "a");
  slab.take(64, "b");
  const error = assertThrows(() => slab.take(1, "a tile too many"), TilewiseError, "a tile too many");
  assertEquals([error.code, error.details.expected, error.details.found], ["over-budget", 1, 0]);
  assertEquals(slab.used, 256);
});

Deno.test("a slab that was reset gives the same addresses again", () => {
  const slab = new Slab(memory(), 1000, 1024);
  const first = [slab.take(10, "a"), slab.take(100, "b")];
  slab.reset();
  assertEquals(slab.used, 0);
  assertEquals([slab.take(10, "a"), slab.take(100, "b")], first);
});

Deno.test("what is not a count cannot be taken", () => {
  const slab = new Slab(memory(), 1024, 1024);
  for (const bytes of [-1, NaN, 0.5, Infinity]) {
    assertEquals(assertThrows(() => slab.take(bytes, "a"), TilewiseError).code, "invalid");
  }
  assertEquals(slab.used, 0);
});
