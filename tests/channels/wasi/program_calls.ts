/** The calls of a program without a program: what they answer, beside what the kernel answers to the same calls. */

import { assertEquals } from "@std/assert";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { descriptorCalls, transferCalls } from "../../../src/channels/wasi/calls/descriptor_calls.ts";
import { pathCalls } from "../../../src/channels/wasi/calls/path_calls.ts";
import { processCalls } from "../../../src/channels/wasi/calls/process_calls.ts";
import { type ByteFiles, Descriptors, SetTimes } from "../../../src/channels/wasi/common/descriptors.ts";
import {
  ALL_RIGHTS,
  DIRECTORY_RIGHTS,
  ERRNO,
  Refusal,
  RIGHT,
} from "../../../src/channels/wasi/common/codes.ts";
import { GuestMemory } from "../../../src/channels/wasi/common/guest_memory.ts";
import { DirectFiles } from "../../../src/channels/wasi/files/direct_files.ts";

const WORDS: Readonly<Record<string, keyof typeof ERRNO>> = {
  ENOENT: "noent",
  EEXIST: "exist",
  ENOTDIR: "notdir",
  EISDIR: "isdir",
  EBUSY: "busy",
  EINVAL: "inval",
  ENOTEMPTY: "notempty",
  EPERM: "perm",
  ELOOP: "loop",
};

/** A program with its own calls, the directory `0`, the file `1` to read, the file `2` to write. */
export function program(files: ByteFiles) {
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
    { ...file, base: RIGHT.fdRead | RIGHT.fdSeek | RIGHT.fdFilestatSetSize | RIGHT.fdFilestatSetTimes },
    { ...file, base: RIGHT.fdWrite },
  ]);
  const state = { memory, files, times: new SetTimes(), descriptors, args: [], env: [], look() {} };
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
  /** The name of the number that a call answers. */
  const word = (call: () => number): string => {
    const errno = answer(call);
    return Object.entries(ERRNO).find(([, number]) => number === errno)![0];
  };
  return { calls, put, word, view: new DataView(guest.buffer) };
}

/** The calls of a program over the files in a folder. */
export const programIn = (folder: string): ReturnType<typeof program> =>
  program(new DirectFiles(systemFiles([folder])));

function answer(call: () => number): number {
  try {
    return call();
  } catch (error) {
    if (error instanceof Refusal) return error.errno;
    throw error;
  }
}

/** The name of the number that the kernel answers. */
export function ofKernel(call: () => unknown): string {
  try {
    call();
    return "success";
  } catch (error) {
    const { code = "" } = error as { code?: string };
    return WORDS[code] ?? code;
  }
}

/**
 * Two folders with the same contents: `d` with `d/x`, `e` without any, the file `f`; the links `ld` to `d`, `lf` to `f`, `ln` to
 * nothing, `lo` to itself.
 */
export async function twice(body: (ours: string, theirs: string) => void): Promise<void> {
  const folders = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  try {
    for (const folder of folders) {
      Deno.mkdirSync(`${folder}/d/x`, { recursive: true });
      Deno.mkdirSync(`${folder}/e`);
      Deno.writeTextFileSync(`${folder}/f`, "f");
      for (const [name, to] of LINKS) Deno.symlinkSync(to, `${folder}/${name}`);
    }
    body(folders[0]!, folders[1]!);
  } finally {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
}

const LINKS = [["ld", "d"], ["lf", "f"], ["ln", "nothing"], ["lo", "lo"]] as const;

/** Whether two folders hold the same names, with the same texts of links. */
export function assertSame(ours: string, theirs: string, message: string): void {
  const tree = (folder: string, path = ""): string[] =>
    [...Deno.readDirSync(`${folder}${path}`)].sort((a, b) => a.name < b.name ? -1 : 1).flatMap(
      ({ name, isDirectory, isSymlink }) => {
        const own = `${path}/${name}`;
        if (isSymlink) return [`${own} → ${Deno.readLinkSync(folder + own)}`];
        return isDirectory ? [`${own}/`, ...tree(folder, own)] : [own];
      },
    );
  assertEquals(tree(ours), tree(theirs), message);
}

/** Paths with all ends, to what is there and what is not. */
export const PATHS: readonly string[] = [
  ...["d", "d/x", "e", "f", "new", "new/x", "d/new"],
  ...["ld", "ld/x", "ld/new", "lf", "lf/x", "ln", "ln/x"],
].flatMap((base) => ["", "/", "/.", "/./", "/.."].map((end) => base + end));
