/**
 * `docs/four_people.md`: the commands run on what the tutorials make, and the programs of others, where there is a Python with
 * their packages (PYTHON=…, or python3), find the same numbers. A part of `deno task test:long`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { open, read } from "@tilewise/tilewise";
import { cliChild, runScript, withFolder, wordsInShell } from "../cli/harness.ts";
import { succeeds } from "../installed.ts";
import { PYTHON } from "../sinks/python.ts";
import { assertSameNumbers, blocksOf } from "./blocks.ts";

const PAGE = "docs/four_people.md";
const COMMANDS = blocksOf(PAGE, "sh").map((block) => block.trim());
const PROGRAMS = blocksOf(PAGE, "py");

/** What the commands begin with: two demos, and the image of the tutorial. */
async function prepare(folder: string): Promise<void> {
  await cliChild(folder, ["-A"], [
    ["demo", "--scan", "48x48", "--side", "64", "--quiet", "-o", "first"],
    ["demo", "radio", "--quiet", "-o", "radio"],
  ]);
  await Deno.writeTextFile(`${folder}/cells.ts`, blocksOf("docs/tutorials/cells.md", "ts")[0]!);
  await runScript(`${folder}/cells.ts`, folder, ["-A"]);
}

async function samples(path: string): Promise<number[]> {
  return Array.from((await read(await open(path))).data as ArrayLike<number>);
}

/** The numbers that each program prints, from what each command has written. */
const OURS: readonly ((folder: string) => Promise<string>)[] = [
  async (folder) => {
    const ring = await samples(`${folder}/out/annular.npy`);
    const magnitude = await samples(`${folder}/out/com-magnitude.npy`);
    return `${Math.max(...magnitude)} ${ring.reduce((a, b) => a + b)}`;
  },
  async (folder) => {
    const [head, ...rows] = (await Deno.readTextFile(`${folder}/table.csv`)).trim().split("\n");
    const at = head!.split(",").indexOf("area");
    return `${rows.length} ${rows.reduce((sum, row) => sum + Number(row.split(",")[at]), 0)}`;
  },
  async (folder) => {
    const image = await samples(`${folder}/dirty.fits`);
    const peak = image.indexOf(Math.max(...image));
    return `${image[peak]!.toFixed(5)} ${Math.floor(peak / 192)} ${peak % 192}`;
  },
];

Deno.test(`${PAGE}: each command finds what the other program finds`, async (test) => {
  assertEquals([COMMANDS.length, PROGRAMS.length], [OURS.length, OURS.length]);
  await withFolder(async (folder) => {
    await prepare(folder);
    const outcomes = await cliChild(folder, ["-A"], await wordsInShell(COMMANDS, folder));
    for (const [i, { code, err }] of outcomes.entries()) {
      assertEquals(code, 0, err);
      const found = await OURS[i]!(folder);
      const imports = PROGRAMS[i]!.split("\n").filter((line) => /^(import|from) /.test(line)).join("; ");
      const isThere = succeeds(PYTHON, "-c", imports);
      await test.step({
        name: isThere ? COMMANDS[i]! : `there is no Python that can ${imports}`,
        ignore: !isThere,
        async fn() {
          const options = { args: ["-c", PROGRAMS[i]!], cwd: folder };
          const { success, stdout, stderr } = await new Deno.Command(PYTHON, options).output();
          assert(success, new TextDecoder().decode(stderr));
          assertSameNumbers(found, new TextDecoder().decode(stdout));
        },
      });
    }
  });
});
