/** What calls on paths answer in corners, beside what the kernel answers to the same calls. */

import { assertEquals } from "@std/assert";
import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { descriptorCalls } from "../../../src/channels/wasi/calls/descriptor_calls.ts";
import { pathCalls } from "../../../src/channels/wasi/calls/path_calls.ts";
import { processCalls } from "../../../src/channels/wasi/calls/process_calls.ts";
import { transferCalls } from "../../../src/channels/wasi/calls/transfers.ts";
import type { ByteFiles } from "../../../src/channels/wasi/common/byte_files.ts";
import { ALL_RIGHTS, DIRECTORY_RIGHTS, RIGHT } from "../../../src/channels/wasi/common/codes.ts";
import { Descriptors } from "../../../src/channels/wasi/common/descriptors.ts";
import { ERRNO, Refusal } from "../../../src/channels/wasi/common/errno.ts";
import { GuestMemory } from "../../../src/channels/wasi/common/guest_memory.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";

const WORDS: Readonly<Record<string, keyof typeof ERRNO>> = {
  ENOENT: "noent",
  EEXIST: "exist",
  ENOTDIR: "notdir",
  EISDIR: "isdir",
  EBUSY: "busy",
  EINVAL: "inval",
  ENOTEMPTY: "notempty",
};

/** Names in `folder` by calls of the kernel; what it refuses is a status. */
function filesIn(folder: string): ByteFiles {
  const attempt = <T>(call: () => T): T | number => {
    try {
      return call();
    } catch (error) {
      const { code } = error as { code?: string };
      return -STATUS[code === "ENOENT" || code === "ENOTDIR" ? "not-found" : "exists"];
    }
  };
  const done = (call: () => void) => attempt(() => (call(), 0)) as number;
  const path = (name: string) => `${folder}/${name}`;
  const files: Partial<ByteFiles> = {
    stat: (name) =>
      attempt(() => {
        const { isFile, size } = Deno.statSync(path(name));
        return isFile ? { kind: "file" as const, bytes: size } : { kind: "directory" as const };
      }) as ReturnType<ByteFiles["stat"]>,
    list: (name) => attempt(() => [...Deno.readDirSync(path(name))].map(({ name }) => name)),
    mkdir: (name) => done(() => Deno.mkdirSync(path(name))),
    remove: (name) => done(() => Deno.removeSync(path(name))),
    rename: (from, to) => done(() => Deno.renameSync(path(from), path(to))),
  };
  return files as ByteFiles;
}

/** The calls of a program over `files`, and a function that gives it a path. */
function program(files: ByteFiles) {
  const guest = new WebAssembly.Memory({ initial: 1 });
  const memory = new GuestMemory(guest);
  const root = {
    node: { kind: "directory", name: "." },
    base: DIRECTORY_RIGHTS,
    inheriting: ALL_RIGHTS,
    flags: 0,
  } as const;
  const file = {
    node: { kind: "file", name: "f", file: 1, appends: false, cursor: 0 },
    inheriting: 0,
    flags: 0,
  } as const;
  const descriptors = new Descriptors([
    { ...root },
    { ...file, base: RIGHT.fdRead | RIGHT.fdSeek | RIGHT.fdFilestatSetSize },
    { ...file, base: RIGHT.fdWrite },
  ]);
  const state = { memory, files, descriptors, args: [], env: [] } as never;
  const calls = {
    ...pathCalls(state),
    ...descriptorCalls(state),
    ...transferCalls(state),
    ...processCalls(state),
  } as unknown as Readonly<Record<string, (...args: (number | bigint)[]) => number>>;
  const put = (path: string, at: number): [number, number] => {
    const bytes = new TextEncoder().encode(path);
    new Uint8Array(guest.buffer).set(bytes, at);
    return [at, bytes.length];
  };
  const word = (call: () => number): string => {
    const errno = answer(call);
    return Object.entries(ERRNO).find(([, number]) => number === errno)![0];
  };
  return { calls, put, word };
}

function answer(call: () => number): number {
  try {
    return call();
  } catch (error) {
    if (error instanceof Refusal) return error.errno;
    throw error;
  }
}

function ofKernel(call: () => void): string {
  try {
    call();
    return "success";
  } catch (error) {
    const { code = "" } = error as { code?: string };
    return WORDS[code] ?? code;
  }
}

/** Two folders with the same contents: `d` with `d/x`, `e` without any, and the file `f`. */
async function twice(body: (ours: string, theirs: string) => void): Promise<void> {
  const folders = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  try {
    for (const folder of folders) {
      Deno.mkdirSync(`${folder}/d/x`, { recursive: true });
      Deno.mkdirSync(`${folder}/e`);
      Deno.writeTextFileSync(`${folder}/f`, "f");
    }
    body(folders[0]!, folders[1]!);
  } finally {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
}

const BASES = ["d", "d/x", "e", "f", "new", "new/x", "d/new"];
const PATHS = BASES.flatMap((base) => ["", "/", "/.", "/./", "/.."].map((end) => base + end));

Deno.test("directories are made and removed as the kernel does it", async () => {
  for (const path of PATHS) {
    await twice((ours, theirs) => {
      const { calls, put, word } = program(filesIn(ours));
      const at = `${theirs}/${path}`;
      const found = {
        rmdir: word(() => calls["path_remove_directory"]!(0, ...put(path, 0))),
        mkdir: word(() => calls["path_create_directory"]!(0, ...put(path, 0))),
      };
      const expected = {
        rmdir: ofKernel(() => rmdirSync(at)),
        mkdir: ofKernel(() => mkdirSync(at)),
      };
      assertEquals(found, expected, path);
    });
  }
});

Deno.test("names are changed as the kernel does it", async () => {
  for (const from of PATHS) {
    await twice((ours, theirs) => {
      for (const to of PATHS) {
        const { calls, put, word } = program(filesIn(ours));
        const found = word(() => calls["path_rename"]!(0, ...put(from, 0), 0, ...put(to, 500)));
        const expected = ofKernel(() => renameSync(`${theirs}/${from}`, `${theirs}/${to}`));
        assertEquals(found, expected, `${from} → ${to}`);
        if (found === "success") return;
      }
    });
  }
});

Deno.test("directories are not read, files that are not open for writing not cut, and nothing is a socket", () => {
  const { calls, word } = program({} as ByteFiles);
  assertEquals(word(() => calls["fd_read"]!(0, 0, 0, 64)), "isdir");
  assertEquals(word(() => calls["fd_pread"]!(0, 0, 0, 0n, 64)), "isdir");
  assertEquals(word(() => calls["fd_filestat_set_size"]!(1, 0n)), "inval");
  assertEquals(word(() => calls["fd_filestat_set_size"]!(2, 0n)), "notcapable");
  assertEquals(word(() => calls["fd_filestat_set_size"]!(0, 0n)), "inval");
  for (const name of ["sock_accept", "sock_recv", "sock_send", "sock_shutdown"] as const) {
    const call = calls[name]!;
    assertEquals([word(() => call(1)), word(() => call(9))], ["notsock", "badf"]);
  }
});
