import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { FileSource } from "../../src/io/file/file.ts";
import { type FileCalls, type FileFacts, SYSTEM_CALLS } from "../../src/io/file/facts.ts";
import { openSource, openSpec } from "../../src/io/open.ts";
import { readBytes } from "../../src/io/source/source.ts";
import { byteSourceConformance } from "./conformance.ts";
import { succeeds } from "../installed.ts";
import { pattern } from "./pattern.ts";
import { readOnWorker } from "./read_on_worker.ts";

interface Folder extends AsyncDisposable {
  readonly path: string;
  write(name: string, bytes: Uint8Array): string;
}

async function folder(): Promise<Folder> {
  const path = await Deno.makeTempDir();
  return {
    path,
    write(name, bytes) {
      Deno.writeFileSync(join(path, name), bytes);
      return join(path, name);
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

byteSourceConformance("file", async (bytes) => {
  const temp = await folder();
  const path = temp.write("höhe %41 #1?.raw", bytes);
  return { open: () => openSource(path), [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
});

byteSourceConformance("file by URL", async (bytes) => {
  const temp = await folder();
  const path = temp.write("höhe %41 #1?.raw", bytes);
  return {
    open: () => openSource(toFileUrl(path).href),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
});

Deno.test("what is not a file is refused by name, and a pipe does not block", async () => {
  await using temp = await folder();
  const file = temp.write("a.raw", pattern(10));
  const pipe = join(temp.path, "pipe");
  const made = succeeds("mkfifo", pipe);
  Deno.symlinkSync("loop", join(temp.path, "loop"));
  const cases: [string, string][] = [
    [join(temp.path, "missing"), "not-found"],
    [join(file, "inside"), "not-found"],
    [join(temp.path, "loop"), "not-found"],
    ["", "invalid"],
    [temp.path, "not-a-file"],
    ["/dev/null", "not-a-file"],
    [join(temp.path, "zero\0byte"), "invalid"],
    [join(temp.path, "n".repeat(5000)), "invalid"],
    ["file:///bad%zz", "invalid"],
  ];
  if (made) cases.push([pipe, "not-a-file"]); // a system without mkfifo has no pipes to open
  for (const [path, code] of cases) {
    const error = await assertRejects(() => openSource(path), TilewiseError);
    assertEquals([path, String(error.code)], [path, code]);
  }
});

Deno.test("a file that the user may not read is a permission error", async () => {
  const denied: FileCalls = { ...SYSTEM_CALLS, open: () => fail("EACCES") };
  const source = FileSource.open(import.meta.filename!, denied);
  assertEquals(assertThrows(() => source.readInto(new Uint8Array(1), 0), TilewiseError).code, "permission");
  const error = await assertRejects(() => withoutPermission(), TilewiseError, "--allow-read");
  assertEquals(error.code, "permission");
});

/** What Deno says when it was started without `--allow-read`. */
function withoutPermission(): Promise<never> {
  const stat = () => {
    throw new Deno.errors.NotCapable('Requires read access to "a", run again with the --allow-read flag');
  };
  return Promise.try(() => {
    FileSource.open("a", { ...SYSTEM_CALLS, stat });
    throw new Error("opened");
  });
}

Deno.test("opening is lazy: one look, and the file is opened by the first read", async () => {
  const made: string[] = [];
  const counted = Object.fromEntries(
    Object.entries(SYSTEM_CALLS).map(([name, call]) => [name, (...args: unknown[]) => {
      made.push(name);
      return (call as (...args: unknown[]) => unknown)(...args);
    }]),
  ) as unknown as FileCalls;
  await using source = FileSource.open(import.meta.filename!, counted);
  assertEquals(made, ["stat"]);
  source.readInto(new Uint8Array(4), 0);
  source.readInto(new Uint8Array(4), 8);
  assertEquals(made, ["stat", "open", "fstat", "read", "read"]);
});

Deno.test("a file that shrinks, grows or is written is found changed", async () => {
  await using temp = await folder();
  const changes: [string, (path: string) => void, boolean][] = [
    ["shrinks", (path) => Deno.truncateSync(path, 50), true],
    ["grows", (path) => Deno.writeFileSync(path, pattern(9), { append: true }), false],
    ["is touched", (path) => Deno.utimeSync(path, 1, 1), false],
  ];
  for (const [what, change, seenByRead] of changes) {
    const path = temp.write(`${what}.raw`, pattern(100));
    await using lazy = await openSource(path);
    await using source = await openSource(path);
    await readBytes(source, 0, 100);
    change(path);
    const code = async (work: () => Promise<unknown>) =>
      await work().then(() => "fine", (error) => isTilewiseError(error) ? error.code : String(error));
    assertEquals([what, await code(() => source.verify())], [what, "changed"]);
    assertEquals([what, await code(() => lazy.verify())], [what, "changed"]);
    assertEquals([what, await code(() => readBytes(source, 0, 100))], [
      what,
      seenByRead ? "changed" : "fine",
    ]);
    assertEquals([what, await code(() => readBytes(lazy, 0, 10))], [what, "changed"]);
    assertEquals([what, await code(() => openSpec(source.describe()))], [what, "changed"]);
    assertEquals([what, await code(() => readOnWorker(source.describe(), 0, 10))], [what, "changed"]);
  }
});

Deno.test("a file replaced by another one of its name has changed, though it can be read to its end", async () => {
  await using temp = await folder();
  const path = temp.write("a.raw", pattern(100));
  await using source = await openSource(path);
  await readBytes(source, 0, 1);
  const old = Deno.statSync(path);
  const other = temp.write("b.raw", new Uint8Array(100));
  Deno.utimeSync(other, old.mtime!, old.mtime!);
  Deno.renameSync(other, path);
  assertEquals(await readBytes(source, 0, 100), pattern(100));
  for (const look of [() => source.verify(), () => openSpec(source.describe())]) {
    const error = await assertRejects(look, TilewiseError);
    assertEquals([error.code, error.details.file, error.details.was, error.details.is], [
      "changed",
      path,
      { size: 100, modified: new Date(old.mtime!).toISOString() },
      { size: 100, modified: new Date(old.mtime!).toISOString() },
    ]);
  }
});

Deno.test("the same size and time, but touched since, or another number: it has changed", () => {
  const facts = { size: 100, modified: 5, touched: 7, id: "1:2", kind: "file" as const };
  const cases: [string, Partial<FileFacts>, string][] = [
    ["its time was set back", { touched: 8 }, "were touched was 1970-01-01T00:00:00.007Z, is"],
    ["a part of a millisecond", { modified: 5.25 }, "is 1970-01-01T00:00:00.005250000Z"],
    ["another file", { id: "1:3" }, "number 1:2, is number 1:3"],
    ["no file", { kind: "directory" }, "was a file, is not a file"],
  ];
  for (const [what, change, text] of cases) {
    const now: { facts: FileFacts } = { facts };
    const source = FileSource.open("a.raw", {
      ...planned(() => undefined),
      stat: () => now.facts,
      fstat: () => facts,
    });
    source.recheck();
    now.facts = { ...facts, ...change };
    const error = assertThrows(() => source.recheck(), TilewiseError, text);
    assertEquals([what, error.code], [what, "changed"]);
  }
});

Deno.test("an open file has the facts of its name, however they are asked for", async () => {
  await using temp = await folder();
  const path = temp.write("a.raw", pattern(100));
  const fd = SYSTEM_CALLS.open(path);
  for (let n = 0; n < 200; n++) { // some of these times in nanoseconds are no float64
    Deno.utimeSync(path, 0, new Date(1795338304214 + 7919 * n));
    assertEquals(SYSTEM_CALLS.stat(path), SYSTEM_CALLS.fstat(fd));
  }
  SYSTEM_CALLS.close(fd);
});

Deno.test("facts that a system does not know are not compared", () => {
  const known = { size: 100, modified: 5, kind: "file" as const };
  const some = { ...known, touched: 7, id: "1:2" };
  for (const [first, second] of [[known, some], [some, known]] as const) {
    const now: { facts: FileFacts } = { facts: first };
    const calls = { ...planned(() => undefined), stat: () => now.facts, fstat: () => now.facts };
    const source = FileSource.open("a.raw", calls);
    now.facts = second;
    source.recheck();
    source.readInto(new Uint8Array(100), 0);
    source.recheck();
  }
});

Deno.test("a file that was written a moment ago is opened a tick later, so that one more change has another time", () => {
  for (const [age, most] of [[0, 3], [1e6, 0], [-1e6, 0]] as const) {
    const calls = { ...planned(() => undefined), pauses: [] as number[] };
    const stat = () => ({ size: 100, modified: Date.now() - age, kind: "file" as const });
    FileSource.open("a.raw", { ...calls, stat, pause: (ms) => void calls.pauses.push(ms) });
    assertEquals(calls.pauses.length, most, `changed ${age} ms ago`);
    assert(calls.pauses.every((ms) => ms > 0 && ms <= 24));
  }
});

Deno.test("what fails in reading a file that has changed is changed, with the place", () => {
  const facts = { size: 100, modified: 5, kind: "file" as const };
  for (const spoilt of [{ read: () => 0 }, { read: () => fail("ESTALE") }, { open: () => fail("ENOENT") }]) {
    const now: { facts: FileFacts } = { facts };
    const calls = { ...planned(() => undefined), stat: () => now.facts, fstat: () => facts, ...spoilt };
    const source = FileSource.open("a.raw", calls);
    now.facts = { ...facts, modified: 6 };
    const error = assertThrows(() => source.readInto(new Uint8Array(5), 90), TilewiseError);
    assertEquals([error.code, error.details.offset], ["changed", "open" in spoilt ? undefined : 90]);
  }
});

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: by plan`), { code });
}

/** Calls on 100 known bytes that come in small pieces, where read `n` throws `plan(n)`. */
function planned(
  plan: (n: number) => string | undefined,
  piece = 7,
): FileCalls & { pauses: number[]; closed: number } {
  let reads = 0;
  const bytes = pattern(100);
  const facts = { size: 100, modified: 0, kind: "file" as const };
  return {
    pauses: [],
    closed: 0,
    stat: () => facts,
    fstat: () => facts,
    open: () => 3,
    read(_fd, into, start, length, position) {
      const code = plan(reads++);
      if (code) return fail(code);
      const some = bytes.subarray(position, position + Math.min(length, piece));
      into.set(some, start);
      return some.length;
    },
    close() {
      this.closed++;
    },
    pause(milliseconds) {
      this.pauses.push(milliseconds);
    },
  };
}

Deno.test("short reads go on where they stopped", () => {
  const into = new Uint8Array(90);
  FileSource.open("a", planned(() => undefined)).readInto(into, 10);
  assertEquals(into, pattern(100).slice(10));
});

Deno.test("a fault at any one read passes, whatever it is", () => {
  for (const code of ["EINTR", "EAGAIN", "EIO"]) {
    for (let n = 0; n < 15; n++) {
      const into = new Uint8Array(100);
      FileSource.open("a", planned((read) => read === n ? code : undefined)).readInto(into, 0);
      assertEquals(into, pattern(100));
    }
  }
});

Deno.test("a fault that stays is an error with the offset, after three more attempts", async () => {
  for (let n = 0; n < 15; n++) {
    const calls = planned((read) => read >= n ? "EIO" : undefined);
    const source = FileSource.open("a.raw", calls);
    const error = assertThrows(() => source.readInto(new Uint8Array(100), 0), TilewiseError, "a.raw");
    assertEquals([error.code, error.details.offset, error.details.found], ["io", 7 * n, "EIO"]);
    assert(error.cause instanceof Error);
    assertEquals(calls.pauses, [1, 10, 100]);
    await source[Symbol.asyncDispose]();
    assertEquals(calls.closed, 1);
  }
});

Deno.test("faults that do not pass are not tried again", () => {
  const calls = planned(() => "EBADF");
  assertThrows(() => FileSource.open("a", calls).readInto(new Uint8Array(5), 0), TilewiseError);
  assertEquals(calls.pauses, []);
});

Deno.test("a file that ends early though its size says otherwise is truncated", () => {
  const calls = { ...planned(() => undefined), read: () => 0 };
  const error = assertThrows(
    () => FileSource.open("a", calls).readInto(new Uint8Array(5), 90),
    TilewiseError,
  );
  assertEquals([error.code, error.details], ["truncated", { file: "a", offset: 90, expected: 5, found: 0 }]);
});

Deno.test("too many open files is said in words", () => {
  const calls = { ...planned(() => undefined), open: () => fail("EMFILE") };
  assertThrows(() => FileSource.open("a", calls).readInto(new Uint8Array(5), 0), TilewiseError, "ulimit");
});

Deno.test("a check that fails leaves no open file", () => {
  const calls = {
    ...planned(() => undefined),
    fstat: () => ({ size: 9, modified: 0, kind: "file" as const }),
  };
  const error = assertThrows(() => FileSource.open("a", calls).readInto(new Uint8Array(5), 0), TilewiseError);
  assertEquals([error.code, calls.closed], ["changed", 1]);
});
