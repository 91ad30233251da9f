/** Readers that go away: what a command writes to files is complete all the same, and nothing is silent about nothing. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { Streams } from "../../../src/cli/shell/streams.ts";
import { contents } from "../../io/failing_writes.ts";
import { cli, TILEWISE, withFolder, writeNpy } from "../harness.ts";

async function withScan(body: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const samples = Uint16Array.from({ length: 4 * 6 * 25 }, (_, i) => (i * i) % 97);
    await writeNpy(`${folder}/scan.npy`, "<u2", [4, 6, 5, 5], new Uint8Array(samples.buffer));
    await body(folder);
  });
}

/** Runs `tilewise WORDS` in a shell, with something behind it; exit code of tilewise, and what came out. */
async function shell(words: string, behind: string, folder: string): Promise<{ code: number; text: string }> {
  const tilewise = `${Deno.execPath()} ${TILEWISE.join(" ")} ${words}`;
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `{ ${tilewise}; echo "code $?" >&3; } 3>code ${behind}`],
    cwd: folder,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const code = Number((await Deno.readTextFile(`${folder}/code`)).slice(5));
  await Deno.remove(`${folder}/code`);
  return { code, text: new TextDecoder().decode(stdout) };
}

Deno.test("a reader that stops, or streams that are closed, do not cost the files", async () => {
  await withScan(async (folder) => {
    const run = "run sum sumsig com scan.npy --workers 0 --json -o";
    const whole = await shell(`${run} whole/`, "", folder);
    assertEquals(whole.code, 0);
    const expected = contents(`${folder}/whole`);
    assert(Object.keys(expected).includes("sum+sumsig+com.run.json"));
    for (const [i, behind] of ["| true", "| head -1", ">&-", "2>&-", "1>&- 2>&-", "2>&1 | true"].entries()) {
      const { code } = await shell(`${run} out${i}/`, behind, folder);
      assert(code === 0 || code === 141, `${behind}: ${code}`);
      const { "sum+sumsig+com.run.json": manifest, ...files } = contents(`${folder}/out${i}`);
      const { "sum+sumsig+com.run.json": _, ...others } = expected;
      assert(manifest);
      assertEquals(files, others, behind);
    }
    for (const words of ["convert scan.npy x.npy", "pick scan.npy --at 1,1 -o x.npy", "new udf x"]) {
      const { code } = await shell(words, "2>&1 | true", folder);
      const file = `${folder}/${words.startsWith("new") ? "x.ts" : "x.npy"}`;
      assert(code === 0 || code === 141, `${words}: ${code}`);
      assert((await Deno.stat(file)).size > 0);
      await Deno.remove(file);
    }
  });
});

Deno.test("a command that only prints ends when nobody reads, and says when it cannot print", async () => {
  await withScan(async (folder) => {
    const { code } = await shell("stats --json" + " scan.npy".repeat(50), "| true", folder);
    assertEquals(code, 141);
    const first = await shell("info scan.npy scan.npy", "| head -1", folder);
    assertEquals(first.text, "scan.npy\n");
    const full = await shell("info scan.npy", "2>&1 >/dev/full", folder);
    assertEquals([full.code, full.text], [1, "tilewise: [io] Cannot write to stdout: the disk is full\n"]);
  });
});

Deno.test("streams: broken ones, slow ones, and what is written after", () => {
  const fails = (code: string, times = Infinity) => {
    let calls = 0;
    const written: number[] = [];
    const streams = new Streams({
      write(fd, bytes, at) {
        if (calls++ < times) throw Object.assign(new Error(code), { code });
        written.push(fd);
        return Math.min(2, bytes.length - at);
      },
      exit: (code) => {
        throw new Error(`exit ${code}`);
      },
    });
    return { streams, written, calls: () => calls };
  };
  assertThrows(() => fails("EPIPE").streams.out("x"), Error, "exit 141");
  const error = assertThrows(() => fails("ENOSPC").streams.out("x"), TilewiseError);
  assertEquals(error.code, "io");
  const { streams, calls } = fails("EPIPE");
  streams.goOn();
  for (let i = 0; i < 3; i++) streams.out("x");
  for (let i = 0; i < 3; i++) streams.err("x");
  assertEquals(calls(), 2); // no further call of a stream that is gone
  const slow = fails("EAGAIN", 3);
  slow.streams.out("12345");
  assertEquals(slow.written, [1, 1, 1]);
});

Deno.test("flags and arguments with an empty value are told, whichever flag it is", async () => {
  await withScan(async (folder) => {
    const scan = `${folder}/scan.npy`;
    const commands: [string[], RegExp][] = [
      [["run", "sum", scan, "-o", ""], /^tilewise: -o was given an empty value; write -o OUT\n$/],
      [["run", "sum", scan, "--output="], /--output was given an empty value/],
      [["pick", scan, "--at", "1,1", "-o", ""], /-o was given an empty value/],
      [["pick", scan, "--at="], /--at was given an empty value/],
      [["run", "sum", scan, "--dark", ""], /--dark was given an empty value/],
      [["run", "sum", scan, "--memory="], /--memory was given an empty value/],
      [["info", ""], /an argument is empty; write: tilewise info SOURCE…/],
      [["convert", scan, ""], /an argument is empty/],
      [["demo", "-o", ""], /-o was given an empty value; write -o FOLDER/],
    ];
    const before = contents(folder);
    for (const [words, text] of commands) {
      const { code, err } = await cli(words);
      assertEquals(code, 2, words.join(" "));
      assertMatch(err, text);
    }
    assertEquals(contents(folder), before);
  });
});
