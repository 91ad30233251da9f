import { assertEquals } from "@std/assert";
import {
  conditions,
  contentLength,
  difference,
  foreignEncoding,
  parseContentRange,
} from "../../src/io/http/headers.ts";

Deno.test("a content range is read exactly or not at all", () => {
  assertEquals(parseContentRange("bytes 5-9/10"), { start: 5, stop: 10, total: 10 });
  assertEquals(parseContentRange("BYTES 5-5/*"), { start: 5, stop: 6 });
  const bad = [
    null,
    "",
    "bytes",
    "bytes */10",
    "bytes 5-10/10",
    "bytes 9-5/10",
    "bytes -5/10",
    "bytes 5-/10",
    "bytes 5-9",
    "bytes 5-9/10, 11-12/20",
    "bytes 0x5-9/10",
    "bytes 5-9/99999999999999999999",
    "bytes 99999999999999999990-99999999999999999999/*",
    "bits 5-9/10",
  ];
  for (const header of bad) assertEquals(parseContentRange(header), undefined);
});

Deno.test("a length is a count, an encoding is one that changes the bytes", () => {
  const length = (text: string) => contentLength(new Headers({ "content-length": text }));
  assertEquals(["12", "0", "-1", "1e3", "", "99999999999999999999", "12, 12"].map(length), [
    12,
    0,
    ...Array(5).fill(undefined),
  ]);
  const encoding = (text: string) => foreignEncoding(new Headers({ "content-encoding": text }));
  assertEquals(["", "identity", "GZIP", "br"].map(encoding), [undefined, undefined, "gzip", "br"]);
});

Deno.test("versions differ where both sides know, and the tag counts more than the date", () => {
  const pinned = { size: 5, etag: '"a"', lastModified: "then" };
  assertEquals(difference(pinned, { size: 5, etag: 'W/"a"', lastModified: "later" }), undefined);
  assertEquals(difference(pinned, { lastModified: "then" }), undefined);
  assertEquals(difference(pinned, { lastModified: "later" })?.[0], "time of change");
  assertEquals(difference(pinned, { etag: '"b"' }), ["entity tag", '"a"', '"b"']);
  assertEquals(difference(pinned, { size: 6, etag: '"a"' }), ["size", 5, 6]);
  assertEquals(difference({ size: 5 }, { size: 5, etag: '"b"' }), undefined);
});

Deno.test("conditions name a version that the server can compare", () => {
  assertEquals(conditions({ size: 1, etag: '"a"', lastModified: "then" }), { "if-match": '"a"' });
  assertEquals(conditions({ size: 1, etag: 'W/"a"', lastModified: "then" }), {});
  assertEquals(conditions({ size: 1, lastModified: "then" }), { "if-unmodified-since": "then" });
  assertEquals(conditions({ size: 1 }), {});
});
