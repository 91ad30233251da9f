import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { BytesSource } from "../../../src/io/source/bytes.ts";
import { isComplete, KeptSource, keptSpec } from "../../../src/io/kept.ts";
import { type ByteSource, readBytes } from "../../../src/io/source/source.ts";
import { byteSourceConformance } from "../conformance.ts";
import { FaultySource } from "../faulty_source.ts";
import { pattern } from "../pattern.ts";

const specOf = (bytes: Uint8Array) => keptSpec(new BytesSource(bytes, "scan").describe(), bytes.length);

byteSourceConformance("kept", (bytes) =>
  Promise.resolve({
    open: () => Promise.resolve(new KeptSource(specOf(bytes), () => Promise.resolve(new BytesSource(bytes)))),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }));

/** A source that notes what is read of it. */
function counting(bytes: Uint8Array) {
  const inner = new BytesSource(bytes);
  const reads: [start: number, stop: number][] = [];
  const source: ByteSource = {
    name: "counted",
    size: bytes.length,
    readInto: (into, at) => {
      reads.push([at, at + into.byteLength]);
      inner.readInto(into, at);
    },
    verify: () => Promise.resolve(),
    describe: () => inner.describe(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { source, reads };
}

Deno.test("no byte is read twice, but those of narrow gaps; what is there is given at once", async () => {
  const bytes = pattern(300_001);
  const ranges = fc.array(fc.tuple(fc.nat(bytes.length), fc.nat(60_000)), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(ranges, async (all) => {
      const { source, reads } = counting(bytes);
      const spec = specOf(bytes);
      await using kept = new KeptSource(spec, () => Promise.resolve(source));
      const times = new Uint8Array(bytes.length);
      for (const [at, wish] of all) {
        const length = Math.min(wish, bytes.length - at);
        const before = reads.length;
        assertEquals(await readBytes(kept, at, length), bytes.slice(at, at + length));
        for (const [start, stop] of reads.slice(before)) {
          assertEquals(start >= at - 511 && stop <= at + length + 511, true, "only blocks of the range");
          for (let i = start; i < stop; i++) times[i]!++;
        }
        const again = reads.length;
        assertEquals(kept.readInto(new Uint8Array(length), at), undefined);
        assertEquals(reads.length, again);
      }
      await readBytes(kept, 0, bytes.length);
      assertEquals(isComplete(spec), true);
      const twice = times.reduce((sum, n) => sum + Math.max(0, n - 1), 0);
      assertEquals(twice <= 16_384 * 2 * all.length, true, "gaps are narrow");
    }),
    { seed: 4, numRuns: 60 },
  );
});

Deno.test("what failed is not taken for read, and is read again", async () => {
  const bytes = pattern(200_000);
  const spec = specOf(bytes);
  const faulty = () =>
    Promise.resolve(
      new FaultySource(new BytesSource(bytes), (n) => n % 2 === 0 ? { kind: "shorten" } : undefined),
    );
  await using kept = new KeptSource(spec, faulty);
  for (let round = 0; round < 40; round++) {
    const at = (round * 7919) % 150_000;
    const read = await readBytes(kept, at, 40_000).catch(() => undefined);
    if (read) assertEquals(read, bytes.slice(at, at + 40_000));
  }
  const rest = await readBytes(kept, 0, bytes.length).catch(() => readBytes(kept, 0, bytes.length));
  assertEquals(rest, bytes);
});
