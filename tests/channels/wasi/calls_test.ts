/** The calls of WASI one by one, with arguments that no C library passes; what they must answer is in the WASI document. */

import { assertEquals } from "@std/assert";
import { ROUTES, textOf, withSide } from "./wasi_side.ts";

/** The numbers of errors by the names in the document. */
const ERRORS: Readonly<Record<string, number>> = {
  success: 0,
  acces: 2,
  badf: 8,
  fault: 21,
  exist: 20,
  ilseq: 25,
  inval: 28,
  mfile: 33,
  nametoolong: 37,
  noent: 44,
  isdir: 31,
  notdir: 54,
  notsock: 57,
  notsup: 58,
  overflow: 61,
  spipe: 70,
  notcapable: 76,
};

/** What `raw.c` prints: the call, and its error or the number that it asks for. */
const EXPECTED = [
  // addresses and lengths: `fault` outside of the memory, `inval` for lists longer than POSIX allows
  "open: success",
  "read to outside: fault",
  "read too wide: fault",
  "read with a list outside: fault",
  "read with a count outside: fault",
  "read with too many pieces: inval",
  "read of one good and one bad piece: fault",
  "the cursor has not moved: 0",
  "read of an empty piece outside: fault",
  "read of no pieces: success",
  "write from outside: fault",
  "args to outside: fault",
  "clock to outside: fault",
  "random to outside: fault",
  "stat to outside: fault",
  "fdstat to outside: fault",
  "readdir to outside: fault",
  "prestat to outside: fault",
  "seek to outside: fault",
  "the cursor has not moved: 0",
  "open to outside: fault",
  // paths: nothing above the root, by no way; links are what the host makes of them
  ": noent",
  " stat: noent",
  "/etc/passwd: notcapable",
  " stat: notcapable",
  "..: notcapable",
  " stat: notcapable",
  "../x: notcapable",
  " stat: notcapable",
  "d/../../x: notcapable",
  " stat: notcapable",
  "d/..: success",
  " stat: success",
  "f/: notdir",
  " stat: notdir",
  "f/x: notdir",
  " stat: notdir",
  ".: success",
  " stat: success",
  "d: success",
  " stat: success",
  "link/x: acces",
  " stat: acces",
  "link: acces",
  " stat: acces",
  "invalid UTF-8: ilseq",
  "a long path: nametoolong",
  "create and directory: inval",
  "wrong open flags: inval",
  "make in the root's parent: notcapable",
  "rename out: notcapable",
  "remove the root: inval",
  "link: success",
  "symlink: exist",
  "readlink of a file: inval",
  "readlink of nothing: noent",
  "times: success",
  // directories: entries may be cut off, and are asked for again by their cookies
  "open a directory: success",
  "entries: 5",
  "a cookie that is none: inval",
  "read a directory: isdir",
  "readdir of a file: 1",
  // streams, and waiting for them
  "seek in stdin: spipe",
  "write to stdin: notcapable",
  "read from stdout: notcapable",
  "stdout is no terminal: 0",
  "read 3 of 4 bytes: 1",
  "read the last: 1",
  "read the end: 0",
  "poll: success",
  " events: 1",
  " userdata: 7",
  " hangup: 1",
  "poll a closed descriptor: 1",
  "poll nothing: inval",
  "poll a clock that is none: 1",
  // rights: those asked for and no others
  "open to read: success",
  "write: notcapable",
  "tell without the right: notcapable",
  "seek with it: success",
  "seek before the start: inval",
  "seek by a wrong whence: inval",
  "seek beyond all files: overflow",
  "set size: inval",
  "fdstat: success",
  " rights: 6",
  " type: 4",
  "more rights: notcapable",
  "fewer rights: success",
  "read without the right: notcapable",
  "wrong flags: notcapable",
  "open below a file: notdir",
  "close: success",
  "close again: badf",
  "close a number that never was: badf",
  "all bits of rights: success",
  "close: success",
  "fewer rights for the root: notcapable",
  // clocks, random numbers, numbers of descriptors
  "a clock that is none: inval",
  "the time of the processor: notsup",
  "resolution: 0",
  "this century: 0",
  "yield: success",
  "socket: notsock",
  "random: success",
  " is random: 1",
  "open two: 0",
  "renumber: success",
  " the first is gone: badf",
  " the second is there: success",
  "renumber to a closed one: badf",
  "advise: notcapable",
  "prestat of a file: badf",
  "a short name of the root: nametoolong",
  "too many descriptors: mfile",
];

for (const route of ROUTES) {
  Deno.test(`${route}: wrong addresses, paths, rights and numbers are answered as the document says`, () =>
    withSide(async ({ run, folder }) => {
      Deno.writeTextFileSync(`${folder}/f`, "0123456789");
      Deno.mkdirSync(`${folder}/d`);
      for (const name of ["a", "bb", "ccc"]) Deno.writeTextFileSync(`${folder}/d/${name}`, "");
      Deno.symlinkSync("/etc", `${folder}/link`);
      const { code, stdout } = await run("raw", [], { stdin: "abcd", route });
      const numbered = EXPECTED.map((row) =>
        row.replace(/: (\w+)$/, (_, word) => ` ${ERRORS[word] ?? word}`)
      );
      assertEquals(textOf(stdout).trimEnd().split("\n"), numbered);
      assertEquals(code, 0);
      assertEquals([...Deno.readDirSync(`${folder}/..`)].filter(({ name }) => name === "evil"), []);
    }));
}
