import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { formatBytes, parseBytes } from "../../src/space/size.ts";

Deno.test("byte counts are read in steps of 1024 and 1000", () => {
  const cases: [string, number][] = [
    ["0", 0],
    ["4096", 4096],
    ["12 B", 12],
    ["1k", 1024],
    ["1KiB", 1024],
    ["1kB", 1000],
    ["1.5 GiB", 1.5 * 2 ** 30],
    ["2G", 2 ** 31],
    ["3TB", 3e12],
    ["1PiB", 2 ** 50],
    [" 7 mib ", 7 * 2 ** 20],
  ];
  for (const [text, bytes] of cases) assertEquals([text, parseBytes(text)], [text, bytes]);
  for (const text of ["", "MiB", "-1", "1 XB", "1e3", "1,5k", "1.k", "0x10", "1 KiBs"]) {
    assertThrows(() => parseBytes(text), TilewiseError, "write sizes like");
  }
});

Deno.test("byte counts are written so that they are read again, to a digit, in the largest unit", () => {
  const bytes = fc.tuple(fc.nat(50), fc.double({ min: 1, max: 2, noNaN: true })).map(([k, x]) =>
    Math.floor(x * 2 ** k)
  );
  fc.assert(
    fc.property(bytes, (bytes) => {
      const text = formatBytes(bytes);
      assert(Math.abs(parseBytes(text) - bytes) <= 0.05 * bytes, text);
      assert(parseFloat(text) < 1024, text);
    }),
    { seed: 7, numRuns: 2000 },
  );
  assertEquals([1023, 1024, 2 ** 20 - 1, 2 ** 20, 1536].map(formatBytes), [
    "1023 B",
    "1 KiB",
    "1.0 MiB",
    "1 MiB",
    "1.5 KiB",
  ]);
});
