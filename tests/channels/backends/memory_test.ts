/** Files in shared memory: several threads, no room, and threads that die while they hold the lock. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { prepareFiles, storeBytes } from "../../../src/channels/backends/open_files.ts";
import { memoryFiles } from "../../../src/channels/backends/stores.ts";
import { MemoryFiles } from "../../../src/channels/backends/memory.ts";
import { BLOCK, blocksIn, MemoryLock, MemoryTables } from "../../../src/channels/backends/memory_tables.ts";
import { bytesOf, errnoOf, text } from "./subject.ts";
import { numbers } from "./random.ts";

/** A region between fences: bytes around it must stay 255. */
function region(bytes: number, names: number) {
  const pages = Math.ceil((bytes + 128) / 65536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const all = new Uint8Array(memory.buffer).fill(255);
  const place = { offset: 64, bytes, names };
  const tables = new MemoryTables(memory, place);
  tables.format();
  const fenced = () =>
    all.subarray(0, 64).every((b) => b === 255) && all.subarray(64 + bytes).every((b) => b === 255);
  return { memory, place, tables, fenced, files: new MemoryFiles(memory, place) };
}

Deno.test("files fill their region to the last block, and leave nothing outside", async () => {
  for (const bytes of [8192, 40_000, 65_536]) {
    const { files, place, tables, fenced } = region(bytes, 3);
    const room = blocksIn(place) * BLOCK;
    const file = files.open("all", "w+");
    const words = new Uint8Array(room + 5000).fill(7);
    assertEquals(files.write(file, words, 0, words.length, 0), room, "a short count");
    assertEquals([tables.free, await errnoOf(() => files.write(file, words, 0, 1, room))], [0, "ENOSPC"]);
    assertEquals(files.write(file, words, 0, 100, 50), 100, "what is there can be written again");
    assertEquals(await errnoOf(() => files.truncate(file, room + 1)), "ENOSPC");
    const other = files.open("other", "w");
    assertEquals(await errnoOf(() => files.write(other, words, 0, 1, 0)), "ENOSPC");
    files.truncate(file, room - BLOCK);
    assertEquals([tables.free, files.write(other, words, 0, words.length, 0)], [1, BLOCK]);
    files.remove("all");
    assertEquals([tables.free, await errnoOf(() => files.size(file))], [blocksIn(place) - 1, "ENOENT"]);
    assert(fenced());
  }
});

Deno.test("a gap without room changes nothing, and names have an end", async () => {
  const { files, tables } = region(65_536, 2);
  const file = files.open("a", "w+");
  const free = tables.free;
  for (const position of [10 ** 6, 2 ** 40, 2 ** 53 - 10]) {
    assertEquals(await errnoOf(() => files.write(file, bytesOf("x"), 0, 1, position)), "ENOSPC");
  }
  assertEquals([files.size(file), tables.free], [0, free]);
  files.open("b", "w");
  assertEquals(await errnoOf(() => files.open("c", "w")), "ENOSPC");
  assertEquals(await errnoOf(() => files.mkdir("c")), "ENOSPC");
  assertEquals(files.list("."), ["a", "b"]);
});

Deno.test("memory of removed files is not seen by new ones", () => {
  const { files } = region(65_536, 4);
  const words = new Uint8Array(30_000).fill(9);
  const old = files.open("old", "w");
  files.write(old, words, 0, words.length, 0);
  files.remove("old");
  const file = files.open("new", "w+");
  files.write(file, bytesOf("x"), 0, 1, 29_000);
  files.truncate(file, 30_000);
  const found = new Uint8Array(30_000);
  assertEquals(files.read(file, found, 0, 30_000, 0), 30_000);
  assertEquals([found.reduce((a, b) => a + b), found[29_000]], ["x".charCodeAt(0), "x".charCodeAt(0)]);
});

Deno.test("contents are there when the host starts, with their folders", async () => {
  const store = memoryFiles({
    bytes: 65_536,
    names: 16,
    contents: { "a/b/c": bytesOf("deep"), "top": bytesOf("flat"), "a/d": bytesOf("") },
  });
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
  const place = prepareFiles(memory, 64, store);
  assertEquals(JSON.stringify(place).includes("contents"), false, "they travel to no worker");
  assertEquals(storeBytes(store), 65_536);
  const files = new MemoryFiles(memory, { offset: 64, bytes: 65_536, names: 16 });
  assertEquals([files.list("."), files.list("a"), files.list("a/b")], [["a", "top"], ["b", "d"], ["c"]]);
  const bytes = new Uint8Array(4);
  files.read(files.open("a/b/c", "r"), bytes, 0, 4, 0);
  assertEquals(text(bytes), "deep");
  const large = memoryFiles({ bytes: 90_000, names: 9, contents: { large: new Uint8Array(80_000) } });
  assertThrows(() => prepareFiles(memory, 64, large), Error, "no room for large");
  assertThrows(() => memoryFiles({ bytes: 4096 }), Error, "too few");
  assertEquals(await errnoOf(() => files.open("../x", "r")), "EACCES");
});

Deno.test("threads that append to one file lose no record", async () => {
  const { memory, place, files, fenced } = region(2 ** 20, 8);
  const workers = Array.from({ length: 3 }, (_, index) => {
    const worker = new Worker(import.meta.resolve("./memory_worker.ts"), { type: "module" });
    worker.postMessage({ memory, place, index, records: 1500 });
    return { worker, done: new Promise((resolve) => worker.onmessage = resolve) };
  });
  await Promise.all(workers.map(({ done }) => done));
  workers.forEach(({ worker }) => worker.terminate());
  const file = files.open("log", "r");
  const bytes = new Uint8Array(files.size(file));
  files.read(file, bytes, 0, bytes.length, 0);
  const records = [...new Uint32Array(bytes.buffer)];
  const expected = [0, 1, 2].flatMap((index) => Array.from({ length: 1500 }, (_, i) => index << 16 | i));
  assertEquals([...records].sort((a, b) => a - b), expected);
  for (const index of [0, 1, 2]) {
    const own = records.filter((record) => record >> 16 === index);
    assertEquals(own, [...own].sort((a, b) => a - b), "in its order");
  }
  assert(fenced());
});

Deno.test("a lock whose holder has died is taken over, once, after its tables were mended", () => {
  const words = new Int32Array(new SharedArrayBuffer(64));
  let repairs = 0;
  const lock = new MemoryLock(words, { holder: 0, ticket: 1 }, () => repairs++, 2);
  assertEquals([lock.hold(() => 5), words[0]], [5, 0]);
  words[0] = 12345; // the ticket of a thread that is gone
  assertEquals([lock.hold(() => words[0] !== 12345), words[0], repairs], [true, 0, 1]);
  assertEquals([lock.hold(() => 6), repairs], [6, 1]);
  assertThrows(
    () =>
      lock.hold(() => {
        throw new Error("in the middle");
      }),
    Error,
    "in the middle",
  );
  assertEquals(words[0], 0);
});

Deno.test("a thread that dies at any step of a change leaves sound tables", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { memory, place, tables, files } = region(131_072, 6);
    const random = numbers(seed);
    const kept = files.open("kept", "w+");
    const words = new Uint8Array(40_000).fill(5);
    files.write(kept, words, 0, 20_000, 0);
    const victim = files.open("victim", "w+");
    files.write(victim, words, 0, 1 + random(30_000), 0);
    dieAfter(memory, random(14), () => {
      const own = new MemoryFiles(memory, place);
      const file = own.open("victim", "r+");
      own.write(file, words, 0, 1 + random(40_000), random(50_000));
      own.truncate(file, random(30_000));
      own.remove("victim");
      own.open("other", "w");
    });
    tables.repair();
    const bytes = new Uint8Array(20_000);
    assertEquals([files.read(kept, bytes, 0, 20_000, 0), bytes.every((byte) => byte === 5)], [20_000, true]);
    const fresh = new MemoryFiles(memory, place);
    for (const name of fresh.list(".")) {
      const file = fresh.open(name, "r");
      const size = fresh.size(file);
      assertEquals(fresh.read(file, new Uint8Array(size), 0, size, 0), size, `seed ${seed}: ${name}`);
      fresh.remove(name);
    }
    assertEquals(tables.free, tables.blocks, `seed ${seed}: all blocks come home`);
  }
});

/** Runs `work` in which the write with number `step` to a table never happens, nor anything after it. */
function dieAfter(memory: WebAssembly.Memory, step: number, work: () => void): void {
  const names = ["grow", "cut", "drop", "add", "setSize"] as const;
  const originals = names.map((name) => MemoryTables.prototype[name]);
  let steps = 0;
  names.forEach((name, i) => {
    MemoryTables.prototype[name] = function (this: MemoryTables, ...words: never[]) {
      if (steps++ >= step) throw new Error("dead");
      return (originals[i] as (...words: never[]) => never).apply(this, words);
    };
  });
  try {
    work();
  } catch (error) {
    assertEquals((error as Error).message, "dead");
  } finally {
    names.forEach((name, i) => MemoryTables.prototype[name] = originals[i] as never);
  }
  assertEquals(new Int32Array(memory.buffer, 64, 1)[0], 0);
}
