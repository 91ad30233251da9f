/**
 * A dummy of each family is added to a copy of Tilewise, at the places that CONTRIBUTING.md names and nowhere else, and the tests of
 * its family are run.
 *
 * @module
 */

import { assert } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { type Member, MEMBERS } from "./members.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const ADDED = fromFileUrl(new URL("./added/", import.meta.url));

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name.startsWith(".") || name === "node_modules" || name === "record") continue;
    if (isDirectory) await copyTree(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

/** Adds a member to the copy. */
async function add({ files, lines }: Member, copy: string): Promise<void> {
  for (const file of files) {
    await Deno.mkdir(dirname(join(copy, file)), { recursive: true });
    await Deno.copyFile(join(ADDED, `${file}.txt`), join(copy, file));
  }
  for (const { file, before, line } of lines) {
    const text = await Deno.readTextFile(join(copy, file));
    const at = before === "" ? text.length : text.indexOf(before);
    assert(at >= 0, `${file} has no ${before}`);
    await Deno.writeTextFile(join(copy, file), text.slice(0, at) + line + text.slice(at));
  }
}

async function deno(copy: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: copy }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success, `deno ${args.join(" ")}\n${text.slice(-4000)}`);
  return text;
}

/** The files with tests of families, with the names of those that meet a dummy; none: all. */
const TESTS = Object.assign({}, ...MEMBERS.map(({ tests }) => tests)) as Member["tests"];

const namesIn = (file: string) => TESTS[file] ?? [];

async function runTests(
  copy: string,
  files: readonly string[],
  ...flags: readonly string[]
): Promise<string> {
  return await deno(copy, "test", "-A", "--no-check", "--parallel", "--reporter=tap", ...flags, ...files);
}

Deno.test("with a dummy of each family, checks and the tests of the families pass", async () => {
  const copy = await Deno.makeTempDir({ prefix: "tilewise-places-" });
  try {
    await copyTree(ROOT, copy);
    for (const member of MEMBERS) await add(member, copy);
    await deno(copy, "task", "build", "--quick");
    const files = Object.keys(TESTS).sort();
    await deno(copy, "check", "--quiet", "mod.ts", ...files);
    const whole = await runTests(copy, [
      "tests/architecture_test.ts",
      ...files.filter((file) => namesIn(file).length === 0),
    ]);
    const named = files.filter((file) => namesIn(file).length > 0);
    const filter = `/${named.flatMap(namesIn).map(RegExp.escape).join("|")}/`;
    const found = whole + await runTests(copy, named, "--filter", filter);
    const passed = found.split("\n").filter((line) => /^\s*ok \d/.test(line));
    for (
      const name of [...named.flatMap(namesIn), "a dummy file is read", "dummy: 1000 tasks give 1000 results"]
    ) {
      assert(passed.some((line) => line.includes(name)), name);
    }
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
});
