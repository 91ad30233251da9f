import { assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { scanLine } from "../../../src/formats/mib/reader.ts";
import { open } from "../../../src/formats/open.ts";
import { mibBytes } from "../helpers.ts";

/** Times of a scan with jitter. */
function times(lines: number, length: number, flyback: number, jitter: readonly number[]): number[] {
  return Array.from({ length: lines * length }, (_, i) => {
    return i * 1e6 + Math.floor(i / length) * flyback + jitter[i % jitter.length]!;
  });
}

Deno.test("lines are found with any length, number and small jitter, without flyback none", () => {
  const jitter = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 4, max: 60 }),
      jitter,
      (lines, length, noise) => {
        assertEquals(scanLine(times(lines, length, 20_000, noise))?.length, length);
        assertEquals(scanLine(times(lines, length, 0, noise)), undefined);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

Deno.test("pauses that are not periodic, or too few of them, are not lines", () => {
  assertEquals(scanLine([]), undefined);
  assertEquals(scanLine([0]), undefined);
  assertEquals(scanLine([0, 1e6, 3e6, 4e6]), undefined); // two lines of two: could be chance
  const odd = times(1, 12, 0, [0]).map((time, i) => time + (i >= 5 ? 1e5 : 0) + (i >= 9 ? 1e5 : 0));
  assertEquals(scanLine(odd), undefined);
  const once = times(1, 12, 0, [0]).map((time, i) => time + (i >= 3 ? 1e5 : 0)); // 6 and 9 lack theirs
  assertEquals(scanLine(once), undefined);
});

Deno.test("a MIB file without .hdr shows its scan in its time stamps", async () => {
  const sig = [1, 2] as const;
  const scan = await open(await mibBytes(35, { sig, line: 7, flybackNs: 20_000, start: 1e12 }));
  assertEquals(scan.navShape, [5, 7]);
  assertStringIncludes(scan.detection.why.join(), "20.0 µs");
  assertEquals((await open(await mibBytes(33, { sig, line: 7, flybackNs: 20_000 }))).navShape, [33]);
  assertEquals((await open(await mibBytes(35, { sig }))).navShape, [35]);
  const blob = new Blob([await mibBytes(35, { sig, line: 7, flybackNs: 20_000 })]);
  assertEquals((await open(blob)).navShape, [5, 7]);
});
