/**
 * The rules of back ends: every one must follow all of them. Nothing here needs a runtime: the suite runs in Deno, in Node and in a
 * worker of a page.
 *
 * @module
 */

import type { BackEnd, OpenFlags } from "../../../src/channels/backends/back_end.ts";
import { pipeline } from "./random.ts";
import { bytesOf, equal, errnoOf, type Subject, text } from "./subject.ts";

/** One rule. */
export interface Rule {
  /** What holds. */
  readonly name: string;
  /** Whether it needs a back end that writes. */
  readonly writes: boolean;
  /** Throws unless it holds. */
  check(subject: Subject): Promise<void>;
}

const FLAGS: readonly OpenFlags[] = ["r", "w", "a", "r+", "w+", "a+"];

const rule = (name: string, check: Rule["check"]): Rule => ({ name, writes: true, check });
const reading = (name: string, check: Rule["check"]): Rule => ({ name, writes: false, check });

async function read(files: BackEnd, file: number, length: number, position: number): Promise<string> {
  const bytes = new Uint8Array(length + 2).fill(33);
  const got = await files.read(file, bytes, 1, length, position);
  equal(
    [bytes[0], ...bytes.subarray(got + 1)],
    [33, ...Array(length + 1 - got).fill(33)],
    "around what was read",
  );
  return text(bytes.subarray(1, got + 1));
}

async function write(files: BackEnd, file: number, words: string, position: number | null): Promise<number> {
  const bytes = bytesOf(`<${words}>`);
  return await files.write(file, bytes, 1, bytes.length - 2, position);
}

async function withFile<T>(
  files: BackEnd,
  name: string,
  flags: OpenFlags,
  work: (file: number) => Promise<T>,
): Promise<T> {
  const file = await files.open(name, flags);
  try {
    return await work(file);
  } finally {
    await files.close(file);
  }
}

/** All rules. */
export const RULES: readonly Rule[] = [
  reading("reads are positional, short at the end, and touch nothing else", async ({ files, put }) => {
    await put("walk.bin", bytesOf("0123456789"));
    await withFile(files, "walk.bin", "r", async (file) => {
      equal(await files.size(file), 10, "size");
      equal(await read(files, file, 3, 2), "234", "inside");
      equal(await read(files, file, 9, 7), "789", "over the end");
      equal(
        [await read(files, file, 4, 10), await read(files, file, 4, 2 ** 52)],
        ["", ""],
        "behind the end",
      );
      equal(await read(files, file, 0, 3), "", "nothing");
      equal(await read(files, file, 10, 0), "0123456789", "all");
    });
  }),
  reading("an empty file has no bytes", async ({ files, put }) => {
    await put("empty", new Uint8Array(0));
    await withFile(files, "empty", "r", async (file) => {
      equal([await files.size(file), await read(files, file, 4, 0)], [0, ""], "empty");
    });
  }),
  reading("bytes land in shared memory, as many as a megabyte at once", async ({ files, put }) => {
    const all = Uint8Array.from({ length: 1_300_001 }, (_, i) => i * 31 ^ i >> 8);
    await put("large", all);
    const { buffer } = new WebAssembly.Memory({ initial: 21, maximum: 21, shared: true });
    const memory = new Uint8Array(buffer);
    await withFile(files, "large", "r", async (file) => {
      equal(await files.read(file, memory, 64, 1_300_001, 0), 1_300_001, "all of it");
      equal(memory.subarray(64, 1_300_065).every((byte, i) => byte === all[i]), true, "its bytes");
      memory.fill(0);
      equal(await files.read(file, memory, 8, 70_000, 65_000), 70_000, "a part");
      equal(
        memory.subarray(8, 70_008).every((byte, i) => byte === all[i + 65_000]),
        true,
        "bytes of the part",
      );
      equal([memory[7], memory[70_008]], [0, 0], "beside it");
    });
  }),
  reading("names are UTF-8, with folders", async ({ files, put }) => {
    for (const name of ["Größe 🗺", "with space", "100%", "a+b&c=d", "#hash?", "q'uote\"", "deep/er/name"]) {
      await put(name, bytesOf(name));
      equal(await withFile(files, name, "r", (file) => read(files, file, 99, 0)), name, name);
      equal(
        await files.stat(name),
        { ...await files.stat(name), bytes: bytesOf(name).length, kind: "file" },
        name,
      );
    }
  }),
  reading("a missing file is not found, and open files stay as they are", async ({ files, put }) => {
    await put("here", bytesOf("here"));
    const here = await files.open("here", "r");
    equal(await errnoOf(() => files.open("missing", "r")), "ENOENT", "open");
    equal(await errnoOf(() => files.stat("missing")), "ENOENT", "stat");
    equal(await read(files, here, 9, 0), "here", "the other one");
    await files.close(here);
  }),
  reading("several opens of one file are files of their own", async ({ files, put }) => {
    await put("one", bytesOf("abcdef"));
    const [a, b] = [await files.open("one", "r"), await files.open("one", "r")];
    equal(a === b, false, "numbers");
    await files.close(a);
    equal(await read(files, b, 3, 1), "bcd", "after the other was closed");
    await files.close(b);
  }),
  reading("a closed file is closed for every call", async ({ files, put, writes }) => {
    await put("shut", bytesOf("shut"));
    const file = await files.open("shut", "r");
    await files.close(file);
    equal(await errnoOf(() => files.size(file)), "EBADF", "size");
    equal(await errnoOf(() => files.read(file, new Uint8Array(4), 0, 4, 0)), "EBADF", "read");
    equal(await errnoOf(() => files.close(file)), "EBADF", "close");
    if (!writes) return;
    equal(await errnoOf(() => files.write(file, new Uint8Array(4), 0, 4, 0)), "EBADF", "write");
    equal(await errnoOf(() => files.truncate(file, 0)), "EBADF", "truncate");
    equal(await errnoOf(() => files.flush(file)), "EBADF", "flush");
  }),
  reading("names with .. are refused where names have a root", async ({ files, put, rooted }) => {
    await put("deep/file", bytesOf("1"));
    if (!rooted) return;
    for (const name of ["..", "../file", "deep/../../file", "deep/../deep/file", "/../file", "deep/.."]) {
      equal(await errnoOf(() => files.open(name, "r")), "EACCES", `open ${name}`);
      equal(await errnoOf(() => files.stat(name)), "EACCES", `stat ${name}`);
    }
  }),
  rule("every mode does what its row says", async ({ files, put, get }) => {
    for (const flags of FLAGS) {
      const name = `mode ${flags}`;
      equal(
        await errnoOf(() => withFile(files, name, flags, () => Promise.resolve())),
        flags.startsWith("r") ? "ENOENT" : "",
        `${flags}, missing`,
      );
      await put(name, bytesOf("abc"));
      await withFile(files, name, flags, async (file) => {
        equal(await files.size(file), flags.startsWith("w") ? 0 : 3, `${flags}, size`);
        if (flags !== "r") await write(files, file, "XY", flags.startsWith("a") ? null : 0);
      });
      const expected = { r: "abc", w: "XY", a: "abcXY", "r+": "XYc", "w+": "XY", "a+": "abcXY" }[flags];
      equal(text(await get(name)), expected, `${flags}, after a write`);
    }
  }),
  rule("a write behind the end leaves zeros, and appends go to the end", async ({ files, get }) => {
    await withFile(files, "gap", "w+", async (file) => {
      equal(await write(files, file, "ab", 0), 2, "first");
      equal(await write(files, file, "xyz", 5000), 3, "behind the end");
      equal(await write(files, file, "", 9000), 0, "nothing at all");
      equal(await files.size(file), 5003, "size");
      equal(await read(files, file, 5003, 0), `ab${"\0".repeat(4998)}xyz`, "zeros between");
    });
    await withFile(files, "gap", "a", async (file) => {
      equal([await write(files, file, "1", null), await write(files, file, "23", null)], [1, 2], "appended");
    });
    equal(text((await get("gap")).subarray(5000)), "xyz123", "the end");
  }),
  rule("a truncated file keeps its start, and zeros come where it grows", async ({ files, put, get }) => {
    await put("cut", bytesOf("0123456789"));
    await withFile(files, "cut", "r+", async (file) => {
      await files.truncate(file, 4);
      equal([await files.size(file), await read(files, file, 9, 0)], [4, "0123"], "shorter");
      await files.truncate(file, 9000);
      equal(await read(files, file, 9, 2), "23\0\0\0\0\0\0\0", "longer");
      equal(await read(files, file, 9, 8996), "\0\0\0\0", "its end");
      await files.truncate(file, 6);
      await files.flush(file);
    });
    equal(text(await get("cut")), "0123\0\0", "what stays");
  }),
  rule("who has a file open sees what others write", async ({ files, put }) => {
    await put("both", bytesOf("aaaa"));
    const [a, b] = [await files.open("both", "r+"), await files.open("both", "r+")];
    await write(files, a, "bb", 1);
    equal(await read(files, b, 9, 0), "abba", "written by the other");
    await files.truncate(b, 2);
    equal([await files.size(a), await read(files, a, 9, 0)], [2, "ab"], "cut by the other");
    await files.close(a);
    await write(files, b, "cc", 1);
    equal(await read(files, b, 9, 0), "acc", "after the other was closed");
    await files.close(b);
  }),
  rule("directories are made, listed and removed", async ({ files, put }) => {
    await files.mkdir("made");
    await files.mkdir("made/inside");
    await put("made/b", bytesOf("b"));
    await put("made/a", bytesOf("aa"));
    equal(await files.list("made"), ["a", "b", "inside"], "list");
    equal(await files.list("made/inside"), [], "an empty one");
    equal([...await files.list(".")].includes("made"), true, "the start of names");
    equal((await files.stat("made")).kind, "directory", "kind");
    equal(
      await files.stat("made/a"),
      { ...await files.stat("made/a"), bytes: 2, kind: "file" },
      "a file in it",
    );
    await files.remove("made/inside");
    await files.remove("made/a");
    await files.remove("made/b");
    equal(await files.list("made"), [], "emptied");
    await files.remove("made");
    equal(await errnoOf(() => files.list("made")), "ENOENT", "gone");
  }),
  rule("what cannot be done to directories and files is refused with its reason", async ({ files, put }) => {
    await files.mkdir("folder");
    await put("folder/file", bytesOf("f"));
    for (const flags of FLAGS) equal(await errnoOf(() => files.open("folder", flags)), "EISDIR", flags);
    equal(await errnoOf(() => files.mkdir("folder")), "EEXIST", "mkdir twice");
    equal(await errnoOf(() => files.mkdir("folder/file")), "EEXIST", "mkdir over a file");
    equal(await errnoOf(() => files.mkdir("none/inside")), "ENOENT", "mkdir in none");
    equal(await errnoOf(() => files.remove("folder")), "ENOTEMPTY", "remove with a file in it");
    equal(await errnoOf(() => files.remove("none")), "ENOENT", "remove none");
    equal(await errnoOf(() => files.list("folder/file")), "ENOTDIR", "list a file");
    equal(await errnoOf(() => files.list("none")), "ENOENT", "list none");
    equal(await errnoOf(() => files.open("none/file", "w")), "ENOENT", "open in none");
    equal(await errnoOf(() => files.open("folder/file/x", "r")), "ENOTDIR", "open in a file");
    equal(await errnoOf(() => files.stat("folder/file/x")), "ENOTDIR", "stat in a file");
  }),
  rule("a removed file is not found, and its name can be used again", async ({ files, put, get }) => {
    await put("again", bytesOf("old words"));
    await files.remove("again");
    equal(await errnoOf(() => files.open("again", "r")), "ENOENT", "gone");
    await withFile(files, "again", "w+", async (file) => {
      equal([await files.size(file), await write(files, file, "new", 2)], [0, 3], "new");
    });
    equal(text(await get("again")), "\0\0new", "no old bytes");
  }),
  rule("a megabyte is written from shared memory", async ({ files, get }) => {
    const { buffer } = new WebAssembly.Memory({ initial: 21, maximum: 21, shared: true });
    const memory = new Uint8Array(buffer).map((_, i) => i * 13 ^ i >> 7);
    new Uint8Array(buffer).set(memory);
    const put = await withFile(files, "much", "w", async (file) => {
      return await files.write(file, new Uint8Array(buffer), 64, 1_300_001, 5);
    });
    const found = await get("much");
    equal([put, found.length], [1_300_001, 1_300_006], "bytes");
    equal(found.subarray(5).every((byte, i) => byte === memory[i + 64]), true, "the same ones");
  }),
  rule("any sequence of calls does what a plain model does", async (subject) => {
    for (let seed = 1; seed <= 12; seed++) await pipeline(subject, seed, 120);
  }),
];

/** As many random calls as it takes for rare orders of them; not for every change. */
export const MANY_CALLS: Rule = {
  name: "50 000 random calls do what lists of numbers do",
  writes: true,
  check: (subject) => pipeline(subject, 77, 50_000),
};
