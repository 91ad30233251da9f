/** The pages people read first: their commands run as they stand there, in a shell, and their table is complete. */

import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { ANALYSES } from "../src/analyses/words.ts";
import { cli, cliChild, withFolder, wordsInShell, writeNpy } from "./cli/harness.ts";
import { writeObservation } from "./observations/expected.ts";

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);

/** Pages of questions and answers. */
const HOW_TO = ["scans", "images", "observations"].map((name) => `docs/how_to/${name}.md`);

const read = (page: string) => Deno.readTextFileSync(`${ROOT}${page}`);
const text = read("README.md");

/** Lines of the `sh` blocks of a page. */
function shellLines(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.split("\n"));
}

/** Commands of the page, those that set up or test the project left out. */
function commands(page: string): string[] {
  return shellLines(page).filter((line) =>
    /^(tilewise|deno test) /.test(line) && !/^tilewise demo/.test(line)
  );
}

/** The flags with which the README installs the command. */
function installFlags(): string {
  const line = shellLines(text).find((line) => line.startsWith("deno install "))!;
  const [, flags, source] = /^deno install -g -n tilewise ((?:--\S+ )+)(\S+)$/.exec(line)!;
  assertEquals(source, `jsr:${config.name}/cli`);
  assert("./cli" in config.exports);
  return flags!;
}

/** Runs lines with the words and the permissions of the installed command; those between two of `deno test` share a process. */
async function runLines(lines: readonly string[], folder: string): Promise<void> {
  const last = lines.findIndex((line) => line.startsWith("deno test"));
  const commands = lines.slice(0, last < 0 ? lines.length : last);
  const words = commands.length > 0 ? await wordsInShell(commands, folder) : [];
  const flags = installFlags().trimEnd().split(" ");
  const outcomes = await cliChild(folder, flags, words);
  for (const [i, { code, err }] of outcomes.entries()) assert(code === 0, `${commands[i]}\n${err}`);
  if (last < 0) return;
  const command = lines[last]!.replace(/^deno test/, "deno test --no-check"); // cli/new_test.ts checks types
  const { success, stderr } = await new Deno.Command("sh", { args: ["-c", command], cwd: folder }).output();
  assert(success, `${command}\n${new TextDecoder().decode(stderr)}`);
  await runLines(lines.slice(last + 1), folder);
}

/** What the commands read: a MIB series, a raw file of the size that they say, a gain map. */
async function writeInputs(folder: string): Promise<void> {
  await cli(["demo", "--scan", "12x16", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/demo`]);
  for (const { name } of Deno.readDirSync(`${folder}/demo`)) {
    if (/^scan/.test(name)) await Deno.rename(`${folder}/demo/${name}`, `${folder}/${name}`);
  }
  await Deno.rename(`${folder}/scan_000.mib`, `${folder}/scan.mib`);
  await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array());
  await Deno.truncate(`${folder}/scan.raw`, 64 * 64 * 128 * 128 * 2);
  await writeNpy(`${folder}/image.npy`, "|u1", [300, 400], new Uint8Array(300 * 400).map((_, i) => i % 251));
  await writeNpy(
    `${folder}/stack.npy`,
    "|u1",
    [3, 100, 80],
    new Uint8Array(3 * 100 * 80).map((_, i) => i % 251),
  );
  for (
    const [from, to] of [["image", "image.ome.tif"], ["image", "image.zarr"], ["image", "image.tif"], [
      "stack",
      "stack.tif",
    ]]
  ) {
    await cli(["convert", `${folder}/${from}.npy`, `${folder}/${to}`, "--quiet", "--workers", "0"]);
  }
  await writeObservation(folder);
  await writeNpy(`${folder}/gain.npy`, "|u1", [64, 64], new Uint8Array(64 * 64).fill(2));
}

Deno.test("every command of the first pages runs with the words of a shell, one after another", async () => {
  await withFolder(async (folder) => {
    await writeInputs(folder);
    const pages = ["README.md", "docs/command_line.md", "docs/analyses.md", "docs/hand_over.md", ...HOW_TO];
    const lines = pages.flatMap((page) => commands(read(page)));
    assert(lines.length >= 18);
    await runLines(lines, folder);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    for (
      const name of [
        "frame.npy",
        "frame.png",
        "com-field.png",
        "com.run.json",
        "bright.npz",
        "root.npy",
        "peaks.ts",
        "edges.ome.zarr",
        "model.zarr",
        "day.fits",
        "uv.png",
      ]
    ) {
      assert(names.includes(name), name);
    }
  });
});

Deno.test("every command of the page on kernels runs with the words of a shell, one after another", async () => {
  await withFolder(async (folder) => {
    await writeInputs(folder);
    const lines = commands(await Deno.readTextFile(`${ROOT}docs/kernels.md`));
    assertEquals(lines.length, 3);
    await runLines(lines, folder);
  });
});

Deno.test("the README says how to get the command before it uses it", () => {
  const lines = shellLines(text);
  const used = lines.findIndex((line) => line.startsWith("tilewise "));
  const got = lines.findIndex((line) => line.startsWith("deno install "));
  assert(got >= 0 && got < used);
});

Deno.test("no example of the documentation is left out of the tests", () => {
  const left: string[] = [];
  for (const page of ["README.md", "mod.ts", "docs", "src", "examples"]) {
    left.push(...ignoredIn(`${ROOT}${page}`));
  }
  assertEquals(left, []);
});

function ignoredIn(path: string): string[] {
  if (Deno.statSync(path).isDirectory) {
    return [...Deno.readDirSync(path)].flatMap(({ name }) => ignoredIn(`${path}/${name}`));
  }
  const isPage = /\.(ts|md)$/.test(path) && !/kernels_/.test(path);
  return isPage && /```(ts|js|typescript) ignore/.test(Deno.readTextFileSync(path)) ? [path] : [];
}

Deno.test("the table of analyses has every word, and no others", () => {
  const rows = [...read("docs/analyses.md").split("\n## ")[0]!.matchAll(/^\| (`[^|]*`) +\| /gm)].map((
    [, words],
  ) => words!);
  const words = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word!));
  assertEquals(words.toSorted(), ANALYSES.map(({ name }) => name).toSorted());
});
