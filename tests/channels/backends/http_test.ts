/** Files of servers: what is asked for, what is kept, what changes, what fails. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { HttpFiles } from "../../../src/channels/backends/http.ts";
import { httpFiles } from "../../../src/channels/backends/stores.ts";
import type { HttpOptions } from "../../../src/io/http/link.ts";
import { type ServedFiles, servedFiles } from "./served_files.ts";
import { bytesOf, errnoOf } from "./subject.ts";

const BLOCK = 1024;
const ALL = Uint8Array.from({ length: 20_000 }, (_, i) => i * 7 ^ i >> 8);

async function withFiles(
  work: (files: HttpFiles, server: ServedFiles, room: Uint8Array) => Promise<void>,
  { blocks = 4, request = {}, ranges = true }: { blocks?: number; request?: HttpOptions; ranges?: boolean } =
    {},
): Promise<void> {
  await using server = servedFiles({ ranges });
  await server.put("data", ALL);
  const shared = new Uint8Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
  shared.fill(170);
  const room = shared.subarray(64, 64 + blocks * BLOCK);
  await work(new HttpFiles({ url: server.url, blockBytes: BLOCK, request }, room), server, room);
  assertEquals(
    shared.subarray(64 + blocks * BLOCK).every((byte) => byte === 170),
    true,
    "outside of the cache",
  );
}

async function readAt(files: HttpFiles, file: number, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const got = await files.read(file, bytes, 0, length, position);
  assertEquals(bytes.subarray(0, got), ALL.slice(position, position + length), `at ${position}`);
  return bytes;
}

const QUICK = { retry: { attempts: 3, firstPause: 1 } };

Deno.test("small reads share a block, and the block that was used longest ago makes room", () =>
  withFiles(async (files, server) => {
    const file = await files.open("data", "r");
    const ranges = () => server.asked.splice(0).map((line) => line.split("bytes=")[1]);
    ranges();
    for (const at of [0, 16, 1008]) await readAt(files, file, at, 16);
    assertEquals(ranges(), ["0-1023"]);
    for (const at of [1024, 2048, 3072, 0, 4096]) await readAt(files, file, at, 8);
    assertEquals(ranges(), ["1024-2047", "2048-3071", "3072-4095", "4096-5119"], "block 0 was used again");
    await readAt(files, file, 1030, 8);
    await readAt(files, file, 10, 8);
    assertEquals(ranges(), ["1024-2047"]);
    await readAt(files, file, 1000, 100);
    assertEquals(ranges(), [], "over the border of two blocks that are there");
    await readAt(files, file, 19_990, 10);
    assertEquals(ranges(), ["19456-19999"], "the last one is shorter");
    await readAt(files, file, 5_000, 9_000);
    assertEquals(ranges(), ["5000-13999"], "large reads ask for exactly their bytes");
    await files.close(file);
  }));

Deno.test("reads at the same time ask once for a block, and need no more room than there is", () =>
  withFiles(async (files, server) => {
    const file = await files.open("data", "r");
    server.asked.length = 0;
    await Promise.all(Array.from({ length: 12 }, (_, i) => readAt(files, file, i * 80, 60)));
    assertEquals(server.asked.length, 1);
    await Promise.all(Array.from({ length: 19 }, (_, i) => readAt(files, file, i * 1024 + 5, 900)));
    await files.close(file);
  }, { blocks: 2 }));

Deno.test("random reads give the bytes of the file", () =>
  withFiles(async (files) => {
    const file = await files.open("data", "r");
    for (let i = 0; i < 60; i++) await readAt(files, file, i * 7919 % 20_100, i * 131 % 2500);
    await files.close(file);
  }));

Deno.test("a file that changes while it is open is an error, also of later reads", () =>
  withFiles(async (files, server) => {
    const file = await files.open("data", "r");
    await readAt(files, file, 0, 16);
    await server.put("data", ALL.map((byte) => byte ^ 1));
    const into = new Uint8Array(5000);
    for (const at of [5_000, 8_000]) {
      assertEquals(await errnoOf(() => files.read(file, into, 0, 16, at)), "changed");
      assertEquals(await errnoOf(() => files.read(file, into, 0, 5000, at)), "changed");
    }
    await files.close(file);
    const again = await files.open("data", "r");
    assertEquals(await files.read(again, into, 0, 16, 0), 16);
    assertEquals(into[0], ALL[0]! ^ 1, "opened again it is the new one, from no old block");
  }));

Deno.test("failures that pass are tried again, others are reported, and the next read works", () =>
  withFiles(async (files, server) => {
    const file = await files.open("data", "r");
    server.fail(503, 2);
    await readAt(files, file, 100, 50);
    server.fail(503, 9);
    await assertRejects(async () => await readAt(files, file, 3000, 50), Error, "gave up after 3 attempts");
    server.fail(503, 0);
    await readAt(files, file, 3000, 50);
    server.fail(403, 1);
    assertEquals(await errnoOf(() => files.open("data", "r")), "permission");
    assertEquals(await errnoOf(() => files.open("none", "r")), "ENOENT");
    assertEquals(await errnoOf(() => files.read(99, new Uint8Array(1), 0, 1, 0)), "EBADF");
  }, { request: QUICK }));

Deno.test("nothing is written, made, listed or removed on a server", () =>
  withFiles(async (files, server) => {
    await server.put("other", bytesOf("x"));
    for (const flags of ["w", "a", "r+", "w+", "a+"] as const) {
      assertEquals(await errnoOf(() => files.open("other", flags)), "EROFS", flags);
    }
    for (
      const act of [
        () => files.write(),
        () => files.truncate(),
        () => files.remove("other"),
        () => files.mkdir("d"),
      ]
    ) {
      assertEquals(await errnoOf(act), "EROFS");
    }
    assertEquals(await errnoOf(() => files.list(".")), "ENOTSUP");
    assertEquals(await files.stat("other"), { bytes: 1, kind: "file" });
  }));

Deno.test("a server without ranges: small files are read whole, large ones refused", () =>
  withFiles(async (files, server) => {
    await server.put("small", bytesOf("a few words"));
    const file = await files.open("small", "r");
    const into = new Uint8Array(20);
    assertEquals([await files.read(file, into, 0, 20, 2), into[0]], [9, "f".charCodeAt(0)]);
    await assertRejects(() => files.open("data", "r"), Error, "does not support range requests");
  }, { ranges: false }));

Deno.test("names stay below the URL", () =>
  withFiles(async (files, server) => {
    for (const name of ["../secret", "a/../../secret", "a/.."]) {
      assertEquals(await errnoOf(() => files.open(name, "r")), "EACCES", name);
    }
    server.asked.length = 0;
    for (
      const name of ["http://elsewhere.example/x", "//elsewhere.example/x", "%2e%2e/secret", "\\..\\x", "?x"]
    ) {
      assertEquals(await errnoOf(() => files.open(name, "r")), "ENOENT", name);
    }
    assertEquals(server.asked.map((line) => line.split(" ")[0]), [
      "http:/elsewhere.example/x",
      "elsewhere.example/x",
      "%2e%2e/secret",
      "\\..\\x",
      "?x",
    ]);
  }));

Deno.test("descriptions that cannot work are refused", () => {
  assertThrows(() => httpFiles("ftp://x"), Error, "not an http or https URL");
  assertThrows(() => httpFiles("http://x/?token=1"), Error, "so it can have no");
  assertThrows(
    () => httpFiles("http://x/", { cacheBytes: "1KiB", blockBytes: "4KiB" }),
    Error,
    "no room for a block",
  );
  assertThrows(() => httpFiles("http://x/", { blockBytes: 1 }), Error, "blockBytes");
  const { request } = httpFiles("http://x/", { timeout: 5, retry: { attempts: 1 }, headers: { a: "b" } });
  assert(JSON.stringify(request) === '{"timeout":5,"retry":{"attempts":1},"headers":{"a":"b"}}');
});
