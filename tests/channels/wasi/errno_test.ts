/** What calls on paths answer in corners, beside what the kernel answers to the same calls. */

import { assertEquals } from "@std/assert";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import type { ByteFiles } from "../../../src/channels/wasi/common/descriptors.ts";
import { assertSame, ofKernel, PATHS, program, programIn, twice } from "./program_calls.ts";

/** What Linux answers to `unlink`; Deno looks at the path first, and removes folders as well. */
function unlinked(path: string): string {
  const is = (kind: "isDirectory" | "isSymbolicLink") => {
    try {
      return lstatSync(path.replace(/\/+$/, ""))[kind]();
    } catch {
      return false;
    }
  };
  if (is("isDirectory")) return "isdir";
  return is("isSymbolicLink") && path.endsWith("/") ? "notdir" : ofKernel(() => unlinkSync(path));
}

Deno.test("directories, files and links are made, removed and looked at as the kernel does it", async () => {
  for (const path of PATHS) {
    await twice((ours, theirs) => {
      const { calls, put, word } = programIn(ours);
      const at = `${theirs}/${path}`, given = put(path, 0);
      const found = {
        stat: word(() => calls["path_filestat_get"]!(0, 1, ...given, 2048)),
        lstat: word(() => calls["path_filestat_get"]!(0, 0, ...given, 2048)),
        readlink: word(() => calls["path_readlink"]!(0, ...given, 2048, 100, 3000)),
        symlink: word(() => calls["path_symlink"]!(...put("d", 1000), 0, ...given)),
        unlink: word(() => calls["path_unlink_file"]!(0, ...given)),
        rmdir: word(() => calls["path_remove_directory"]!(0, ...given)),
        mkdir: word(() => calls["path_create_directory"]!(0, ...given)),
      };
      const expected = {
        stat: ofKernel(() => statSync(at)),
        lstat: ofKernel(() => lstatSync(at)),
        readlink: ofKernel(() => readlinkSync(at)),
        symlink: ofKernel(() => symlinkSync("d", at)),
        unlink: unlinked(at),
        rmdir: ofKernel(() => rmdirSync(at)),
        mkdir: ofKernel(() => mkdirSync(at)),
      };
      assertEquals(found, expected, path);
      assertSame(ours, theirs, path);
    });
  }
});

for (
  const [what, name, ofHost] of [["names are changed", "path_rename", renameSync], [
    "second names are given",
    "path_link",
    linkSync,
  ]] as const
) {
  Deno.test(`${what} as the kernel does it`, async () => {
    for (const [i, from] of PATHS.entries()) {
      await twice((ours, theirs) => {
        const { calls, put, word } = programIn(ours);
        const flags = name === "path_link" ? [0] : [];
        for (const to of PATHS.filter((_, j) => (i + j) % 3 === 0)) { // each end with each kind of name
          const found = word(() => calls[name]!(0, ...flags, ...put(from, 0), 0, ...put(to, 500)));
          const expected = ofKernel(() => ofHost(`${theirs}/${from}`, `${theirs}/${to}`));
          assertEquals(found, expected, `${from} → ${to}`);
          if (found !== "success") continue;
          assertSame(ours, theirs, `${from} → ${to}`);
          return;
        }
      });
    }
  });
}

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
