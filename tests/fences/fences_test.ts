/** Memory with fences: leases and pieces of slabs lie apart, sums are those without fences, writes outside are found. */

import "./mod.ts";
import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { Arena } from "../../src/memory/arena.ts";
import { fencesOf } from "./fences.ts";
import { Slab } from "../../src/memory/slab.ts";

const KIB = 1024;

const bytesOf = (arena: Arena) => new Uint8Array(arena.memory.buffer);

Deno.test("sums, budget and refusals are those of an arena without fences", () => {
  const arena = new Arena({ budget: 4 * KIB });
  const leases = Array.from({ length: 64 }, () => arena.lease(64, "line"));
  assertEquals([arena.used, arena.peak], [4 * KIB, 4 * KIB]);
  assertThrows(() => arena.lease(1, "a line too many"), TilewiseError, "a line too many");
  leases.forEach((lease) => lease.release());
  arena.lease(4 * KIB, "all of it").release();
  assertEquals(arena.used, 0);
});

Deno.test("leases lie apart, at another place each time, and what surrounds them differs from arena to arena", () => {
  const around = () => {
    const arena = new Arena({ budget: 64 * KIB });
    const lease = arena.lease(100, "it");
    const { offset } = lease;
    const found = bytesOf(arena).slice(offset + 100, offset + 400);
    lease.release();
    const again = arena.lease(100, "it");
    assertNotEquals(again.offset, offset);
    again.release();
    return found;
  };
  const [a, b] = [around(), around()];
  assert(a!.filter((byte, i) => byte !== b![i]).length > 150);
  assert(new Set(a).size > 50, "many different bytes");
});

Deno.test("pieces of a slab have fences between them, and as many bytes as without", () => {
  const arena = new Arena({ budget: 64 * KIB });
  using lease = arena.lease(512, "slab");
  const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
  const pieces = [slab.take(100, "a"), slab.take(1, "b"), slab.take(300, "c")];
  assertEquals(slab.used, 128 + 64 + 320);
  assert(pieces[1]! - pieces[0]! >= 192 && pieces[2]! - pieces[1]! >= 128);
  assertThrows(() => slab.take(1, "d"), TilewiseError, "0 B of the slab are left");
  slab.reset();
  assertEquals(slab.used, 0);
  slab.take(512, "all of it");
});

/** Writes one byte more or less far from a piece, and says what is found then. */
function afterWriting(distance: (pointer: number, bytes: number) => number): string {
  const arena = new Arena({ budget: 64 * KIB });
  const lease = arena.lease(1024, "slab");
  const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
  slab.take(10, "before");
  const pointer = slab.take(100, "piece");
  slab.take(10, "after");
  const at = distance(pointer, 100);
  bytesOf(arena)[at]! ^= 0x55;
  try {
    slab.fenced!.check();
    lease.release();
    return "nothing";
  } catch (error) {
    return String(error);
  }
}

Deno.test("a write outside of the pieces of a slab is found, one inside is none", () => {
  assertEquals(afterWriting((pointer) => pointer), "nothing");
  assertEquals(afterWriting((pointer, bytes) => pointer + bytes - 1), "nothing");
  for (const away of [1, 2, 3, 4, 7, 40]) {
    const front = afterWriting((pointer) => pointer - away);
    assert(front.includes(`${away} B in front of "piece"`) || front.includes('behind "before"'), front);
    const behind = afterWriting((pointer, bytes) => pointer + bytes - 1 + away);
    assert(behind.includes(`${away} B behind "piece"`), behind);
  }
});

Deno.test("a write outside of a lease is found when it comes home, which it does nevertheless", () => {
  for (const away of [-1, -30, 100, 103, 700]) {
    const arena = new Arena({ budget: 64 * KIB });
    const lease = arena.lease(100, "masks");
    bytesOf(arena)[lease.offset + away]! ^= 1;
    assertThrows(() => lease.release(), TilewiseError, '"masks"');
    assertEquals([arena.used, arena.leases.length], [0, 0]);
  }
});

Deno.test("a write to the start of the memory, which is nobody's, is found when a lease comes home", () => {
  for (const at of [0, 1, 63, 80, 1024, 65535]) {
    const arena = new Arena({ budget: 64 * KIB });
    const lease = arena.lease(100, "masks");
    bytesOf(arena)[at]! ^= 1;
    assertThrows(() => lease.release(), TilewiseError, `Byte ${at} was written to`);
  }
});

Deno.test("buffers that share a lease are outlined: what lies between them is a fence", () => {
  const arena = new Arena({ budget: 64 * KIB });
  using lease = arena.lease(1024, "set");
  const fences = fencesOf(arena.memory)!;
  const [a, b] = [lease.offset, lease.offset + 256];
  const pieces = [{ pointer: b, bytes: 100, label: "b" }, { pointer: a, bytes: 101, label: "a" }];
  const all = () => fences.check(lease.offset, lease.offset + 1024);
  fences.outline(lease.offset, lease.offset + 1024, pieces);
  lease.bytes().fill(9, 0, 101);
  lease.bytes().fill(9, 256, 356);
  all();
  for (const at of [101, 255, 356, 1023]) {
    const before = lease.bytes()[at]!;
    lease.bytes()[at] = before ^ 1;
    assertThrows(all, TilewiseError, "outside of what may be");
    lease.bytes()[at] = before;
  }
});

Deno.test("all space comes back, however often leases come and go", () => {
  const arena = new Arena({ budget: 256 * KIB });
  for (let i = 0; i < 500; i++) {
    using big = arena.lease(200 * KIB, "big");
    using small = arena.lease(1 + i % 50 * KIB, "small");
    small.bytes().fill(1);
    big.bytes().fill(2);
  }
  assertEquals(arena.used, 0);
});
