import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { openSource, type SourceInput } from "../../src/io/open.ts";
import { readBytes } from "../../src/io/source/source.ts";
import { FaultySource, only } from "./faulty_source.ts";
import { pattern } from "./pattern.ts";

Deno.test("bytes come as views, buffers and shared buffers", async () => {
  const shared = new SharedArrayBuffer(3);
  new Uint8Array(shared).set([1, 2, 3]);
  for (const input of [new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 3]).buffer, shared]) {
    await using source = await openSource(input, { name: "three" });
    assertEquals([source.name, source.size], ["three", 3]);
    assertEquals(await readBytes(source, 0, 3), new Uint8Array([1, 2, 3]));
  }
});

Deno.test("what cannot be opened is refused with what could be", async () => {
  for (const input of [5, undefined, null, {}, [], new Float32Array(3)]) {
    const error = await assertRejects(
      () => openSource(input as unknown as SourceInput),
      TilewiseError,
      "give a path",
    );
    assertEquals(error.code, "invalid");
  }
  for (
    const input of [
      "http://",
      "https://[",
      new URL("ftp://a/b"),
      new URL("data:,a"),
      "http://a:b@localhost/x",
    ]
  ) {
    assertEquals((await assertRejects(() => openSource(input), TilewiseError)).code, "invalid");
  }
});

Deno.test("a path that only looks like a URL is a path", async () => {
  for (const input of ["httpd.log", "file.raw", "c:/missing.raw", "ftp://a/b"]) {
    assertEquals((await assertRejects(() => openSource(input), TilewiseError)).code, "not-found");
  }
});

Deno.test("opening can be cancelled", async () => {
  for (const input of [import.meta.filename!, "http://localhost/x", new Uint8Array(1)]) {
    const error = await assertRejects(
      () => openSource(input, { signal: AbortSignal.abort() }),
      TilewiseError,
    );
    assertEquals(error.code, "aborted");
  }
});

Deno.test("the faulty source of these tests fails where it should", async () => {
  for (let n = 0; n < 4; n++) {
    for (const kind of ["fail", "shorten"] as const) {
      await using source = new FaultySource(await openSource(pattern(100)), only(n, { kind }));
      for (let read = 0; read < 4; read++) {
        const reading = readBytes(source, 10, 20);
        if (read === n) await assertRejects(() => reading, TilewiseError, "by plan");
        else assertEquals(await reading, pattern(100).slice(10, 30));
      }
      assertEquals(source.reads, 4);
    }
  }
});
