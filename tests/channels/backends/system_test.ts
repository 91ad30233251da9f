/** Files that are not like others: devices, pipes, full disks, files that may not be written, and calls that fail. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { type NodeFs, nodeFs, replaceNodeFs } from "../../../src/channels/backends/platform.ts";
import { bytesOf, errnoOf, text } from "./subject.ts";
import { succeeds } from "../../installed.ts";

/** All files that the runtime permits. */
const nodeFiles = systemFiles();

const LINUX = { ignore: Deno.build.os !== "linux" };

async function withFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  name: "devices have no end, and give what they have",
  ...LINUX,
  fn: async () => {
    const bytes = new Uint8Array(10_000).fill(7);
    const zero = nodeFiles.open("/dev/zero", "r");
    assertEquals([nodeFiles.size(zero), nodeFiles.read(zero, bytes, 1, 9_998, 2 ** 40)], [
      Infinity,
      9_998,
    ]);
    assertEquals([bytes[0], bytes[9_999], bytes.subarray(1, 9_999).every((byte) => byte === 0)], [
      7,
      7,
      true,
    ]);
    const random = nodeFiles.open("/dev/urandom", "r");
    assertEquals(nodeFiles.read(random, bytes, 0, 32, 0), 32);
    assert(new Set(bytes.subarray(0, 32)).size > 4);
    const none = nodeFiles.open("/dev/null", "r+");
    assertEquals([nodeFiles.write(none, bytes, 0, 10_000, 0), nodeFiles.read(none, bytes, 0, 9, 0)], [
      10_000,
      0,
    ]);
    assertEquals(await errnoOf(() => nodeFiles.truncate(none, 0)), "EINVAL");
    nodeFiles.flush(none);
    assertEquals([nodeFiles.stat("/dev/null").kind, nodeFiles.stat("/dev/null").bytes], [
      "file",
      Infinity,
    ]);
    for (const file of [zero, random, none]) nodeFiles.close(file);
    assertEquals(await errnoOf(() => systemFiles(["/tmp"]).open("/dev/null", "r")), "EACCES");
  },
});

Deno.test({
  name: "a pipe never blocks: it gives and takes what it can now",
  ...LINUX,
  fn: () =>
    withFolder(async (folder) => {
      const pipe = join(folder, "pipe");
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      assertEquals(await errnoOf(() => nodeFiles.open(pipe, "w")), "ENXIO", "nobody reads");
      const reader = nodeFiles.open(pipe, "r"), writer = nodeFiles.open(pipe, "w");
      const bytes = new Uint8Array(200_000).map((_, i) => i % 251);
      const into = new Uint8Array(200_000);
      assertEquals(nodeFiles.read(reader, into, 0, 8, 0), 0, "nothing there yet");
      const put = nodeFiles.write(writer, bytes, 0, 200_000, 0);
      assert(put > 0 && put < 200_000, `${put} bytes`);
      assertEquals(nodeFiles.write(writer, bytes, 0, 10, 0), 0, "full");
      let got = 0;
      for (let more = 1; more > 0; got += more) {
        more = nodeFiles.read(reader, into, got, 200_000 - got, 99);
      }
      assertEquals(got, put, "what was put in comes out");
      assertEquals(into.subarray(0, got).every((byte, i) => byte === bytes[i]), true);
      nodeFiles.close(reader);
      assertEquals(await errnoOf(() => nodeFiles.write(writer, bytes, 0, 8, 0)), "EPIPE");
      nodeFiles.close(writer);
    }),
});

Deno.test({
  name: "a full device is an error, not a short file without a word",
  ...LINUX,
  fn: async () => {
    const full = nodeFiles.open("/dev/full", "r+");
    assertEquals(await errnoOf(() => nodeFiles.write(full, bytesOf("words"), 0, 5, 0)), "ENOSPC");
    nodeFiles.close(full);
  },
});

/** `writeSync` of Deno on a disk that takes `room` bytes of a file: it writes some, throws, and does not say how many. */
function fullAfter(room: number): NodeFs["writeSync"] {
  const { writeSync, fstatSync } = nodeFs();
  return ((file: number, bytes: Uint8Array, at: number, length: number, position: number | null) => {
    const start = position ?? fstatSync(file).size;
    const fits = Math.max(0, Math.min(length, room - start));
    if (fits > 0) writeSync(file, bytes, at, fits, position);
    if (fits < length) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    return length;
  }) as NodeFs["writeSync"];
}

for (const position of [0, 3000, null]) {
  Deno.test(`a disk that fills up during a write at ${position ?? "the end"}: the count is that of the bytes written`, () =>
    withFolder(async (folder) => {
      const path = join(folder, "file");
      const bytes = new Uint8Array(50_000).map((_, i) => i % 250 + 1);
      Deno.writeFileSync(path, new Uint8Array(5_000));
      const start = position ?? 5_000;
      const file = nodeFiles.open(path, position === null ? "a" : "r+");
      {
        using _full = replaceNodeFs({ writeSync: fullAfter(40_960) });
        assertEquals(nodeFiles.write(file, bytes, 0, 50_000, position), 40_960 - start);
        assertEquals(
          await errnoOf(() => nodeFiles.write(file, bytes, 0, 50_000, position === null ? null : 40_960)),
          "ENOSPC",
        );
      }
      nodeFiles.close(file);
      const found = Deno.readFileSync(path);
      assertEquals(found.length, 40_960);
      assertEquals(found.subarray(start).every((byte, i) => byte === bytes[i]), true);
    }));
}

Deno.test({
  name: "a small file system that is full: the count is that of the bytes written",
  ignore: !await hasSmallDisk(),
  fn: () =>
    withFolder(async (folder) => {
      succeeds("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder);
      try {
        const bytes = new Uint8Array(1_000_000).map((_, i) => i % 250 + 1);
        const file = nodeFiles.open(join(folder, "file"), "w+");
        const put = nodeFiles.write(file, bytes, 0, bytes.length, 100);
        assertEquals(put, nodeFiles.size(file) - 100);
        assert(put > 100_000 && put < 524_288, `${put} bytes`);
        assertEquals(
          await errnoOf(() => nodeFiles.write(file, bytes, 0, bytes.length, put + 100)),
          "ENOSPC",
        );
        nodeFiles.close(file);
        const found = Deno.readFileSync(join(folder, "file")).subarray(100);
        assertEquals(found.every((byte, i) => byte === bytes[i]), true);
      } finally {
        succeeds("umount", folder);
      }
    }),
});

/** Whether this machine lets us mount a small disk: as root outside of a container. */
function hasSmallDisk(): boolean {
  const folder = Deno.makeTempDirSync();
  try {
    return succeeds("mount", "-t", "tmpfs", "tmpfs", folder) && succeeds("umount", folder);
  } finally {
    Deno.removeSync(folder);
  }
}

Deno.test("long names, folders and files that may not be written are refused with their reason", () =>
  withFolder(async (folder) => {
    assertEquals(await errnoOf(() => nodeFiles.open(join(folder, "x".repeat(300)), "w")), "ENAMETOOLONG");
    assertEquals(await errnoOf(() => nodeFiles.open(folder, "r")), "EISDIR");
    await Deno.writeTextFile(join(folder, "kept"), "kept");
    const file = nodeFiles.open(join(folder, "kept"), "r");
    assertEquals(await errnoOf(() => nodeFiles.write(file, bytesOf("x"), 0, 1, 0)), "EBADF");
    assertEquals(text(Deno.readFileSync(join(folder, "kept"))), "kept");
    nodeFiles.close(file);
  }));

const CALLS = [
  "openSync",
  "fstatSync",
  "readSync",
  "writeSync",
  "ftruncateSync",
  "realpathSync",
  "closeSync",
] as const;

/** Calls of `node:fs` of which the one with number `n` fails; `open` has the files that are open. */
function failing(n: number, open: Set<number>): Partial<NodeFs> {
  const fs = nodeFs();
  let calls = 0;
  const failAt = (name: typeof CALLS[number]) => (...words: unknown[]) => {
    if (name === "closeSync") open.delete(words[0] as number);
    const fails = calls++ === n;
    const result = fails && name !== "closeSync"
      ? undefined
      : (fs[name] as (...words: unknown[]) => unknown)(...words);
    if (fails) throw Object.assign(new Error(`no ${name}`), { code: "EIO" });
    if (name === "openSync") open.add(result as number);
    return result;
  };
  return Object.fromEntries(CALLS.map((name) => [name, failAt(name)])) as Partial<NodeFs>;
}

Deno.test("when the n-th call of the system fails, that call says so, and no file stays open", () =>
  withFolder(async (folder) => {
    let failures = 0;
    for (let n = 0; n < 24; n++) {
      const files = systemFiles([folder]);
      const open = new Set<number>();
      using _calls = replaceNodeFs(failing(n, open));
      for (const flags of ["w+", "r"] as const) {
        const found: string[] = [];
        const file = await opened(found, () => files.open("file", flags));
        if (file !== undefined) {
          found.push(await errnoOf(() => files.read(file, new Uint8Array(9), 0, 9, 0)));
          if (flags === "w+") found.push(await errnoOf(() => files.write(file, bytesOf("words"), 0, 5, 0)));
          found.push(await errnoOf(() => files.close(file)));
        }
        failures += found.filter((errno) => errno === "EIO").length;
        assertEquals(
          found.every((errno) => errno === "" || errno === "EIO" || errno === "ENOENT"),
          true,
          `${n}: ${found}`,
        );
        assertEquals(open.size, 0, `call ${n}`);
      }
    }
    assert(failures > 12, `${failures} failures were seen`);
  }));

async function opened(found: string[], open: () => number): Promise<number | undefined> {
  let file: number | undefined;
  found.push(await errnoOf(() => void (file = open())));
  return file;
}
