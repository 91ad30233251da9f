import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { ALIGNMENT, Arena, type Lease, MAX_ARENA_BYTES, RESERVED, roundUp } from "../../src/memory/arena.ts";

const KIB = 1024;

Deno.test("leases are aligned, apart from each other, inside the memory and never at address 0", () => {
  const arena = new Arena({ budget: 64 * KIB });
  const leases = [1, 63, 64, 65, 1000, 0].map((bytes) => arena.lease(bytes, "a"));
  let end = RESERVED;
  for (const lease of leases) {
    assertEquals(lease.offset % ALIGNMENT, 0);
    assert(lease.offset >= end);
    end = lease.offset + lease.byteLength;
    assertEquals(lease.bytes().byteLength, lease.byteLength);
    assert(lease.bytes().buffer === arena.memory.buffer);
  }
  assert(end <= arena.memory.buffer.byteLength);
});

Deno.test("memory is shared between threads unless it must not be", () => {
  assert(new Arena({ budget: KIB }).memory.buffer instanceof SharedArrayBuffer);
  assert(new Arena({ budget: KIB, shared: false }).memory.buffer instanceof ArrayBuffer);
});

Deno.test("the budget can be used to the last line, and not beyond", () => {
  for (const budget of [64, 100, 128, 64 * KIB, 64 * KIB - 1]) {
    const arena = new Arena({ budget });
    const lines = Math.floor(budget / ALIGNMENT);
    const leases = Array.from({ length: lines }, () => arena.lease(ALIGNMENT, "line"));
    assertEquals(arena.used, lines * ALIGNMENT);
    leases.at(-1)!.bytes().fill(1);
    const error = assertThrows(() => arena.lease(1, "a tile too many"), TilewiseError, "a tile too many");
    assertEquals([error.code, error.details.expected, error.details.found], ["over-budget", 1, 0]);
    leases.forEach((lease) => lease.release());
    arena.lease(lines * ALIGNMENT, "all of it").release();
  }
});

Deno.test("a refusal has the sum in it and takes nothing", () => {
  const arena = new Arena({ budget: 4 * KIB });
  using _lease = arena.lease(3 * KIB, "masks");
  assertThrows(
    () => arena.lease(2 * KIB, "a tile"),
    TilewiseError,
    "3 KiB of the budget of 4 KiB are in use",
  );
  assertEquals([arena.used, arena.leases.length], [3 * KIB, 1]);
});

Deno.test("a lease that came home can neither be used nor returned again, whoever has its bytes now", () => {
  const arena = new Arena({ budget: KIB });
  const old = arena.lease(100, "old tile");
  old.release();
  const next = arena.lease(100, "new tile");
  assertEquals(next.offset, old.offset);
  assert(next.generation > old.generation);
  for (const misuse of [() => old.bytes(), () => old.release()]) {
    assertEquals(assertThrows(misuse, TilewiseError, "old tile").code, "lease");
  }
  old[Symbol.dispose](); // `using` after an early return of the bytes is fine
  assertEquals(arena.leases, [next]);
  next.bytes().fill(3);
});

Deno.test("what is not a count cannot be leased, nor be a budget", () => {
  const arena = new Arena({ budget: KIB });
  for (const bytes of [-1, 0.5, NaN, Infinity]) {
    assertEquals(assertThrows(() => arena.lease(bytes, "a"), TilewiseError).code, "invalid");
  }
  for (const budget of [0, -1, 0.5, NaN, MAX_ARENA_BYTES]) {
    assertEquals(assertThrows(() => new Arena({ budget }), TilewiseError).code, "invalid");
  }
});

Deno.test("pieces that come home join, in whatever order", () => {
  const orders = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [0, 2, 1, 3], [2, 0, 3, 1]];
  for (const order of orders) {
    const arena = new Arena({ budget: 4 * KIB });
    const leases = order.map(() => arena.lease(KIB, "quarter"));
    for (const [i, at] of order.entries()) {
      if (i < 3) assertThrows(() => arena.lease(4 * KIB, "whole"), TilewiseError);
      leases[at]!.release();
    }
    arena.lease(4 * KIB, "whole").release();
  }
});

Deno.test("any life of leases: no two overlap, the sums are right, all space comes back", () => {
  const step = fc.oneof(fc.record({ lease: fc.nat(3000) }), fc.record({ release: fc.nat(50) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const arena = new Arena({ budget: 16 * KIB });
      const held: { lease: Lease; mark: number }[] = [];
      let peak = 0;
      for (const [mark, one] of steps.entries()) {
        if ("release" in one) held.splice(one.release % (held.length || 1), 1)[0]?.lease.release();
        else if (Math.max(64, roundUp(one.lease, 64)) <= 16 * KIB - arena.used) {
          const lease = tryLease(arena, one.lease);
          lease?.bytes().fill(mark);
          if (lease) held.push({ lease, mark });
        }
        const used = held.reduce((sum, { lease }) => sum + Math.max(64, roundUp(lease.byteLength, 64)), 0);
        peak = Math.max(peak, used);
        assertEquals([arena.used, arena.peak, arena.leases.length], [used, peak, held.length]);
      }
      for (const { lease, mark } of held) assert(lease.bytes().every((byte) => byte === mark), "overlap");
      held.forEach(({ lease }) => lease.release());
      arena.lease(16 * KIB, "all of it").release();
    }),
    { seed: 8, numRuns: 200 },
  );
});

/** A lease, or nothing where the free bytes are in pieces. */
function tryLease(arena: Arena, bytes: number): Lease | undefined {
  try {
    return arena.lease(bytes, "a");
  } catch (error) {
    assert(error instanceof TilewiseError && error.code === "over-budget");
    return undefined;
  }
}
