/** Ranges and conditions, against the words of RFC 9110, and a plain twin. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { partOf, rangeOf, type Version } from "../../../src/cli/view/ranges.ts";
import { withFolder } from "../harness.ts";
import { site } from "./site.ts";

/** Header, size, and the bytes; nothing: ignored. The first rows are the examples of section 14.1.2, with 10000 bytes. */
const RANGES: readonly (readonly [
  header: string,
  size: number,
  expected: readonly [number, number] | "unsatisfiable" | undefined,
])[] = [
  ["bytes=0-499", 10000, [0, 500]],
  ["bytes=500-999", 10000, [500, 1000]],
  ["bytes=-500", 10000, [9500, 10000]],
  ["bytes=9500-", 10000, [9500, 10000]],
  ["bytes=0-0,-1", 10000, "unsatisfiable"],
  ["bytes= 0-999, 4500-5499, -1000", 10000, "unsatisfiable"],
  ["bytes=500-600,601-999", 10000, "unsatisfiable"],
  ["bytes=0-", 10, [0, 10]],
  ["BYTES=1-2", 10, [1, 3]],
  ["bytes=0-99", 10, [0, 10]],
  ["bytes=-99", 10, [0, 10]],
  ["bytes=9-9", 10, [9, 10]],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=10-20", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-0", 0, "unsatisfiable"],
  ["bytes=-1", 0, "unsatisfiable"],
  ["bytes=99999999999999999999-", 10, "unsatisfiable"],
  ["bytes=0-99999999999999999999", 10, [0, 10]],
  ["bytes=,1-2", 10, [1, 3]],
  ["bytes=2-1", 10, undefined],
  ["bytes=-", 10, undefined],
  ["bytes=", 10, undefined],
  ["bytes=a-b", 10, undefined],
  ["bytes=1-2x", 10, undefined],
  ["bytes=--1", 10, undefined],
  ["bytes=1", 10, undefined],
  ["bytes 1-2", 10, undefined],
  ["bytes=0x1-2", 10, undefined],
  ["bytes=+1-2", 10, undefined],
  ["bytes=1.5-2", 10, undefined],
  ["items=1-2", 10, undefined],
  ["", 10, undefined],
];

Deno.test("ranges mean what section 14.1.2 says", () => {
  for (const [header, size, expected] of RANGES) {
    const found = rangeOf(header, size);
    const bytes: typeof expected = typeof found === "object" ? [found.start, found.stop] : found;
    assertEquals(bytes, expected, header);
  }
});

Deno.test("any first and last byte give the bytes that a plain loop finds", () => {
  const bound = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined });
  fc.assert(fc.property(bound, bound, fc.integer({ min: 0, max: 25 }), (first, last, size) => {
    const found = rangeOf(`bytes=${first ?? ""}-${last ?? ""}`, size);
    const bytes = Array.from({ length: size }, (_, i) => i);
    const wanted = bytes.filter((i) =>
      first === undefined ? i >= size - (last ?? 0) : i >= first && (last === undefined || i <= last)
    );
    const isWrong = (first === undefined && last === undefined) ||
      (first !== undefined && last !== undefined && first > last);
    if (isWrong) assertEquals(found, undefined);
    else if (wanted.length === 0) assertEquals(found, "unsatisfiable");
    else assertEquals(found, { start: wanted[0]!, stop: wanted.at(-1)! + 1 });
  }));
});

const VERSION: Version = { size: 10, etag: '"a"', modified: Date.UTC(2026, 0, 2, 3, 4, 5, 678) };
const AT = "Fri, 02 Jan 2026 03:04:05 GMT", BEFORE = "Fri, 02 Jan 2026 03:04:04 GMT";

/** Headers, and the status and number of bytes. */
const CONDITIONS:
  readonly (readonly [headers: Record<string, string>, status: number, bytes: number, method?: string])[] = [
    [{ "if-match": '"a"' }, 200, 10],
    [{ "if-match": '"b", "a"' }, 200, 10],
    [{ "if-match": "*" }, 200, 10],
    [{ "if-match": '"b"' }, 412, 0],
    [{ "if-match": 'W/"a"' }, 412, 0],
    [{ "if-match": '"a"', "if-unmodified-since": BEFORE }, 200, 10],
    [{ "if-unmodified-since": AT }, 200, 10],
    [{ "if-unmodified-since": BEFORE }, 412, 0],
    [{ "if-unmodified-since": "yesterday" }, 200, 10],
    [{ "if-none-match": '"a"' }, 304, 0],
    [{ "if-none-match": 'W/"a"' }, 304, 0],
    [{ "if-none-match": "*" }, 304, 0],
    [{ "if-none-match": '"b"', "if-modified-since": AT }, 200, 10],
    [{ "if-modified-since": AT }, 304, 0],
    [{ "if-modified-since": BEFORE }, 200, 10],
    [{ range: "bytes=2-4" }, 206, 3],
    [{ range: "bytes=2-4" }, 200, 10, "HEAD"],
    [{ range: "bytes=20-" }, 416, 0],
    [{ range: "bytes=20-" }, 200, 10, "HEAD"],
    [{ range: "bytes=2-4", "if-range": '"a"' }, 206, 3],
    [{ range: "bytes=2-4", "if-range": '"b"' }, 200, 10],
    [{ range: "bytes=2-4", "if-range": 'W/"a"' }, 200, 10],
    [{ range: "bytes=2-4", "if-range": AT }, 206, 3],
    [{ range: "bytes=2-4", "if-range": BEFORE }, 200, 10],
    [{ range: "bytes=20-", "if-range": '"b"' }, 200, 10],
    [{ range: "bytes=20-", "if-match": '"b"' }, 412, 0],
    [{ range: "bytes=2-4", "if-none-match": '"a"' }, 304, 0],
  ];

Deno.test("conditions are looked at in the order of section 13.2.2", () => {
  for (const [headers, status, bytes, method = "GET"] of CONDITIONS) {
    const part = partOf(method, headers, VERSION);
    assertEquals([part.status, part.stop - part.start], [status, bytes], JSON.stringify(headers));
  }
});

Deno.test("parts of a file put together are the file, and a changed file is another version", async () => {
  await withFolder(async (folder) => {
    const bytes = new Uint8Array(60_000).map((_, i) => Math.imul(i, 0x9e3779b1) >>> 13);
    const large = new Uint8Array(1_200_000).map((_, i) => i * 7);
    await Deno.writeFile(`${folder}/a.bin`, bytes);
    await Deno.writeFile(`${folder}/large.bin`, large);
    await using served = await site([`${folder}/a.bin`, `${folder}/large.bin`]);
    const parts: number[] = [];
    let etag = "";
    for (let at = 0; at < bytes.length; at += 7919) {
      const { status, headers, bytes: part } = await served.ask("/data/0/a.bin", {
        range: `bytes=${at}-${at + 7918}`,
      });
      assertEquals(status, 206);
      assertEquals(
        headers.get("content-range"),
        `bytes ${at}-${Math.min(at + 7919, bytes.length) - 1}/60000`,
      );
      etag = headers.get("etag")!;
      parts.push(...part);
    }
    assertEquals(Uint8Array.from(parts), bytes);
    const whole = await served.ask("/data/1/large.bin");
    assert(whole.bytes.length === large.length && whole.bytes.every((byte, i) => byte === large[i]));
    assertEquals(whole.headers.get("content-type"), "application/octet-stream");

    await Deno.writeFile(`${folder}/a.bin`, bytes.reverse());
    assertEquals((await served.ask("/data/0/a.bin", { "if-match": etag })).status, 412);
    await Deno.remove(`${folder}/a.bin`);
    assertEquals((await served.ask("/data/0/a.bin")).status, 404);
  });
});

Deno.test("a file that is cut while it is sent ends the connection, not the answer", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.bin`;
    await Deno.writeFile(path, new Uint8Array(3_000_000));
    await using served = await site([path]);
    const asked = served.ask("/data/0/a.bin");
    await Deno.truncate(path, 1000);
    const { bytes, headers } = await asked;
    assert(bytes.length < 3_000_000 || headers.get("content-length") === "1000", String(bytes.length));
  });
});
