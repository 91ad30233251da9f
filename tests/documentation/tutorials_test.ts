/**
 * The tutorials, as a reader follows them: programs are saved under their names, commands run one after another in an empty folder,
 * and what they make looks as the pages show it (UPDATE=1 renews these pictures). The lines in Python run where there is a Python with
 * their packages (PYTHON=…, or python3). A part of `deno task test:long`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { cliChild, runScript, withFolder, wordsInShell } from "../cli/harness.ts";
import { succeeds } from "../installed.ts";
import { assertSamePicture, pagesIn } from "./blocks.ts";
import { PYTHON } from "../sinks/python.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
/** A block of a page, and the name under which it is saved. */
const BLOCK = /(?:[Ss]ave[^`]*`([\w.]+)`:\n\n)?^```(ts|sh|py)\n([\s\S]*?)^```/gm;

/** Follows a page in `folder`; the names of its blocks. */
async function follow(page: string, folder: string, test: Deno.TestContext): Promise<string[]> {
  const ran: string[] = [];
  for (const [, name, language, code] of Deno.readTextFileSync(`${ROOT}${page}`).matchAll(BLOCK)) {
    if (language === "ts") await Deno.writeTextFile(`${folder}/${name}`, code!);
    else if (language === "sh") await runLines(code!.trimEnd().split("\n"), folder);
    else await test.step(python(code!, folder));
    ran.push(name ?? language!);
  }
  return ran;
}

/** Runs commands, and programs that were saved before. */
async function runLines(lines: readonly string[], folder: string): Promise<void> {
  const [program] = lines[0]!.match(/(?<=^deno run -A )\S+$/) ?? [];
  if (program !== undefined) await runScript(`${folder}/${program}`, folder, ["-A"]);
  const commands = program === undefined ? lines : lines.slice(1);
  if (commands.length === 0) return;
  const outcomes = await cliChild(folder, ["-A"], await wordsInShell(commands, folder));
  for (const [i, { code, err }] of outcomes.entries()) assertEquals(code, 0, `${commands[i]}\n${err}`);
}

/** The step that runs lines of Python; ignored where their packages are not there. */
function python(code: string, folder: string): Deno.TestStepDefinition {
  const imports = code.split("\n").filter((line) => /^(import|from) /.test(line)).join("; ");
  const isThere = succeeds(PYTHON, "-c", imports);
  return {
    name: isThere ? imports : `there is no Python that can ${imports}`,
    ignore: !isThere,
    async fn() {
      const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: ["-c", code], cwd: folder })
        .output();
      assert(success && stdout.length > 0, new TextDecoder().decode(stderr));
    },
  };
}

/** Compares the pictures that a page shows with those that were made under their names. */
async function comparePictures(page: string, folder: string): Promise<number> {
  const shown = [
    ...Deno.readTextFileSync(`${ROOT}${page}`).matchAll(/\]\(\.\.\/images\/tutorials\/(\S+)\.png\)/g),
  ];
  for (const [, name] of shown) {
    await assertSamePicture(name!, await Deno.readFile(await madeAs(`${name}.png`, folder)));
  }
  return shown.length;
}

/** The picture of that name in a folder, or in one inside of it. */
async function madeAs(name: string, folder: string): Promise<string> {
  const folders = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory).map(({ name }) =>
    name
  );
  for (const place of ["", ...folders.map((inside) => `${inside}/`)]) {
    const path = `${folder}/${place}${name}`;
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  throw new Error(`${name} was not made`);
}

for (const page of pagesIn("tutorials").filter((page) => !page.endsWith("web.md"))) { // see web_tutorial_test.ts
  Deno.test(`${page}: every step works, and makes what the page shows`, (test) =>
    withFolder(async (folder) => {
      const ran = await follow(page, folder, test);
      assert(
        ran.filter((name) => name === "sh").length >= 3 && ran.some((name) => name.endsWith(".ts")),
        `${ran}`,
      );
      assert(await comparePictures(page, folder) >= 2);
    }));
}
