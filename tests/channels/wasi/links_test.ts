/** Links and times: what programs see and set, on both routes of files, and no way out of the roots. */

import { assert, assertEquals } from "@std/assert";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { memoryFiles } from "../../../src/channels/backends/stores.ts";
import { filesAtOnce, prepareFiles } from "../../../src/channels/backends/open_files.ts";
import type { SynchronousBackEnd } from "../../../src/channels/backends/back_end.ts";
import { FOLLOW, TIME_FLAG } from "../../../src/channels/wasi/common/codes.ts";
import { DirectFiles } from "../../../src/channels/wasi/files/direct_files.ts";
import { ChannelFiles } from "../../../src/channels/wasi/files/channel_files.ts";
import type { ByteFiles } from "../../../src/channels/wasi/common/descriptors.ts";
import { directCalls, FileTable } from "../../../src/channels/files/file_table.ts";
import { tableOver } from "../files/back_ends.ts";
import { program, programIn, twice } from "./program_calls.ts";

type Program = ReturnType<typeof program>;

/** A time in the past, in nanoseconds. */
const NOW = 1_000_000_000_000_000_000n;

/** The record of a path. */
function statOf({ calls, put, view, word }: Program, path: string, lookup = 0) {
  assertEquals(word(() => calls["path_filestat_get"]!(0, lookup, ...put(path, 0), 2048)), "success", path);
  const [accessed, modified] = [view.getBigUint64(2088, true), view.getBigUint64(2096, true)];
  const [number, type, links] = [
    view.getBigUint64(2056, true),
    view.getUint8(2064),
    view.getBigUint64(2072, true),
  ];
  return { number, type, links, accessed, modified };
}

const setTimes = (
  { calls, put, word }: Program,
  path: string,
  flags: number,
  [accessed, modified]: readonly [bigint, bigint],
  lookup = 0,
) => word(() => calls["path_filestat_set_times"]!(0, lookup, ...put(path, 0), accessed, modified, flags));

/** Both ways to the files of a program: its own thread, and a table as runners have it. */
const WAYS: Readonly<Record<string, (files: SynchronousBackEnd) => ByteFiles>> = {
  direct: (files) => new DirectFiles(files),
  rpc: (files) => {
    const { memory, layout } = tableOver(files, 1);
    const place = { offset: 4096, bytes: 4096 };
    return new ChannelFiles(directCalls(new FileTable(memory, layout, files)), 0, memory, place);
  },
};

for (const [way, filesOf] of Object.entries(WAYS)) {
  Deno.test(`${way}: links are what they are, and lead where they lead`, () =>
    twice((folder) => {
      const it = program(filesOf(systemFiles([folder])));
      const { calls, put, word, view } = it;
      assertEquals([statOf(it, "lf").type, statOf(it, "lf", FOLLOW).type], [7, 4]);
      assertEquals([statOf(it, "ld").type, statOf(it, "ld", FOLLOW).type, statOf(it, "ld/").type], [7, 3, 3]);
      assertEquals(
        word(() => calls["path_link"]!(0, 0, ...put("f", 0), 0, ...put("d/second", 500))),
        "success",
      );
      const [first, second] = [statOf(it, "f"), statOf(it, "d/second")];
      assertEquals([second, first.links, first.number], [
        first,
        2n,
        BigInt(Deno.statSync(`${folder}/f`).ino!),
      ]);
      assertEquals(word(() => calls["path_symlink"]!(...put("d/second", 0), 0, ...put("é", 500))), "success");
      assertEquals(Deno.readLinkSync(`${folder}/é`), "d/second");
      assertEquals(statOf(it, "é", FOLLOW).number, first.number);
      for (const size of [100, 8, 3, 0]) {
        new Uint8Array(view.buffer).fill(1, 2048, 2248);
        assertEquals(word(() => calls["path_readlink"]!(0, ...put("é", 0), 2048, size, 3000)), "success");
        const got = view.getUint32(3000, true);
        const text = new TextDecoder().decode(new Uint8Array(view.buffer, 2048, got));
        assertEquals([got, text], [Math.min(8, size), "d/second".slice(0, size)]);
        assertEquals(view.getUint8(2048 + got), 1, "nothing is written behind it");
      }
      assertEquals(word(() => calls["path_link"]!(0, FOLLOW, ...put("lf", 0), 0, ...put("g", 500))), "inval");
      assertEquals(word(() => calls["path_link"]!(0, 0, ...put("lf", 0), 0, ...put("g", 500))), "success");
      assertEquals(Deno.readLinkSync(`${folder}/g`), "f", "a second name of the link itself");
    }));

  Deno.test(`${way}: a path with O_NOFOLLOW opens no link, O_EXCL makes no file over one`, () =>
    twice((folder) => {
      const { calls, put, word } = program(filesOf(systemFiles([folder])));
      const open = (path: string, lookup: number, how: number) =>
        word(() => calls["path_open"]!(0, lookup, ...put(path, 0), how, 0n, 0n, 0, 3000));
      const [create, directory, exclusive] = [1, 2, 4];
      assertEquals([open("lf", 0, 0), open("lf", FOLLOW, 0)], ["loop", "success"]);
      assertEquals([open("ld", 0, directory), open("ld", FOLLOW, directory)], ["notdir", "success"]);
      assertEquals([open("lf", FOLLOW, directory), open("ln", 0, 0), open("ln", FOLLOW, 0)], [
        "notdir",
        "loop",
        "noent",
      ]);
      assertEquals([open("ln", FOLLOW, create | exclusive), open("lo", 0, create)], ["exist", "loop"]);
      assertEquals([open("ld/x", 0, directory), open("ld/../f", 0, 0), open("lf/../f", 0, 0)], [
        "success",
        "success",
        "notdir",
      ]);
    }));

  Deno.test(`${way}: times that a program sets are those it reads, and those of the file to the millisecond`, () =>
    twice((folder) => {
      const it = program(filesOf(systemFiles([folder])));
      const times = [NOW - 123_456_789n, NOW - 987_654_321n] as const;
      for (const [path, lookup] of [["f", 0], ["d", 0], ["ld", FOLLOW], ["lf", 0], ["ln", 0]] as const) {
        assertEquals(
          setTimes(it, path, TIME_FLAG.accessed | TIME_FLAG.modified, times, lookup),
          "success",
          path,
        );
        const { accessed, modified } = statOf(it, path, lookup);
        assertEquals([accessed, modified], [...times], path);
        const other = statOf(program(filesOf(systemFiles([folder]))), path, lookup);
        assert(
          other.modified <= modified && modified - other.modified <= 1_000_000n,
          `${path} ${other.modified}`,
        );
      }
      const before = statOf(it, "f");
      assertEquals(setTimes(it, "f", TIME_FLAG.modified, [1n, before.modified - 100n]), "success");
      assertEquals(statOf(it, "f"), { ...before, modified: before.modified - 100n });
      assertEquals(setTimes(it, "f", 0, [1n, 1n]), "success");
      assertEquals(statOf(it, "f"), { ...before, modified: before.modified - 100n });
      Deno.writeTextFileSync(`${folder}/f`, "newer");
      assert(statOf(it, "f").modified > before.modified, "a file that is written again has a new time");
      assertEquals(setTimes(it, "f", TIME_FLAG.modifiedNow, [0n, 0n]), "success");
      assert(statOf(it, "f").modified >= NOW);
      assertEquals(setTimes(it, "f", TIME_FLAG.modified | TIME_FLAG.modifiedNow, times), "inval");
      assertEquals(setTimes(it, "f", TIME_FLAG.accessed | TIME_FLAG.accessedNow, times), "inval");
      assertEquals(setTimes(it, "f", 16, times), "inval");
      assertEquals([setTimes(it, "none", 4, times), setTimes(it, "f/x", 4, times)], ["noent", "notdir"]);
      const { calls, word } = it;
      assertEquals(word(() => calls["fd_filestat_set_times"]!(1, ...times, 5)), "success");
      assertEquals([statOf(it, "f").accessed, statOf(it, "f").modified], [...times]);
      assertEquals(word(() => calls["fd_filestat_set_times"]!(2, ...times, 5)), "notcapable");
    }));
}

Deno.test("no link leads out of the roots: none is made, none that is there is followed or read", () =>
  twice((folder, outside) => {
    Deno.writeTextFileSync(`${outside}/secret`, "secret");
    Deno.symlinkSync(`${outside}/secret`, `${folder}/out`);
    Deno.symlinkSync(outside, `${folder}/away`);
    Deno.symlinkSync("../".repeat(20) + outside.slice(1), `${folder}/d/up`);
    const it = programIn(folder);
    const { calls, put, word } = it;
    for (const text of ["/", outside, "..", "../x", "a/../../x", "x/..", "//x"]) {
      assertEquals(
        word(() => calls["path_symlink"]!(...put(text, 0), 0, ...put("d/l", 500))),
        "notcapable",
        text,
      );
      try {
        systemFiles([folder]).symlink!(text, "d/l");
        assert(false, text);
      } catch (error) {
        assert(`${error}`.includes("may lead out"), `${error}`);
      }
    }
    assertEquals(word(() => calls["path_symlink"]!(...put("", 0), 0, ...put("l", 500))), "noent");
    for (const path of ["out", "away/secret", "d/up/secret"]) {
      const opened = word(() => calls["path_open"]!(0, FOLLOW, ...put(path, 0), 0, 2n, 0n, 0, 3000));
      const times = setTimes(it, path, 5, [NOW, NOW], FOLLOW);
      const linked = word(() => calls["path_link"]!(0, 0, ...put(path, 0), 0, ...put(`mine`, 500)));
      assertEquals([opened, times], ["acces", "acces"], path);
      assertEquals(
        linked,
        path === "out" ? "success" : "acces",
        "of the link itself, which leads no further",
      );
      if (linked === "success") Deno.removeSync(`${folder}/mine`);
      assertEquals(
        word(() => calls["path_symlink"]!(...put("x", 0), 0, ...put(`${path}x/y`, 500))) !== "success",
        true,
      );
    }
    for (const path of ["out", "away"]) {
      assertEquals(word(() => calls["path_readlink"]!(0, ...put(path, 0), 2048, 100, 3000)), "acces");
    }
    assertEquals(word(() => calls["path_rename"]!(0, ...put("f", 0), 0, ...put("away/f", 500))), "acces");
    assertEquals([...Deno.readDirSync(outside)].map(({ name }) => name).sort(), [
      ...["d", "e", "f", "ld", "lf", "ln", "lo", "secret"],
    ]);
    assertEquals(Deno.readTextFileSync(`${outside}/secret`), "secret");
  }));

Deno.test("files without links have none, and say so", () => {
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
  const place = prepareFiles(memory, 0, memoryFiles({ contents: { f: new Uint8Array(3) } }));
  for (const filesOf of Object.values(WAYS)) {
    const it = program(filesOf(filesAtOnce(memory, place)!));
    const { calls, put, word } = it;
    const { type, links, modified } = statOf(it, "f");
    assertEquals([type, links, modified > 0n], [4, 1n, true]);
    assertEquals(setTimes(it, "f", 5, [NOW, NOW]), "notsup");
    assertEquals(word(() => calls["path_symlink"]!(...put("f", 0), 0, ...put("l", 500))), "notsup");
    assertEquals(word(() => calls["path_link"]!(0, 0, ...put("f", 0), 0, ...put("l", 500))), "notsup");
    assertEquals(word(() => calls["path_readlink"]!(0, ...put("f", 0), 2048, 9, 3000)), "inval");
  }
});
