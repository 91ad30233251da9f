/**
 * The lines in Python of `docs/hand_over.md` run, after the commands that stand before them, where there is a Python with these
 * packages (PYTHON=…, or python3). A part of `deno task test:long`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { cli, withFolder, wordsInShell } from "../cli/harness.ts";
import { writeObservation } from "../observations/expected.ts";
import { succeeds } from "../installed.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const PYTHON = Deno.env.get("PYTHON") ?? "python3";
const PACKAGES = "hyperspy.api, numpy, pandas, zarr, py4DSTEM, astropy.io";
const HAS_PACKAGES = succeeds(PYTHON, "-c", `import ${PACKAGES}`);

const PAGE = Deno.readTextFileSync(`${ROOT}docs/hand_over.md`);
const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text]) => text!);

/** A scan, an image and an observation, and the command under its name. */
async function prepare(folder: string): Promise<void> {
  await cli(["demo", "--scan", "12x16", "--side", "64", "--quiet", "--workers", "0", "-o", folder]);
  for (const { name } of [...Deno.readDirSync(folder)]) { // one file: a series has numbers
    if (/^scan_\d+\.mib$/.test(name)) await Deno.rename(`${folder}/${name}`, `${folder}/scan.mib`);
  }
  await cli(["convert", `${folder}/sum.npy`, `${folder}/image.tif`, "--quiet", "--workers", "0"]);
  await writeObservation(folder);
  const program = `#!/bin/sh\nexec "${Deno.execPath()}" run -A --no-check "${ROOT}src/cli/main.ts" "$@"\n`;
  await Deno.writeTextFile(`${folder}/tilewise`, program, { mode: 0o755 });
}

/** What a program prints in the folder, with the command in its path. */
async function said(folder: string, program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: `${folder}:${Deno.env.get("PATH")}`, NO_COLOR: "1" };
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd: folder, env })
    .output();
  assert(success, `${args.join(" ")}\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

Deno.test({
  name: HAS_PACKAGES
    ? "the lines of the hand-over run in Python"
    : `the hand-over: there is no Python with ${PACKAGES}`,
  ignore: !HAS_PACKAGES,
  fn: () =>
    withFolder(async (folder) => {
      await prepare(folder);
      const lines = blocks("sh").flatMap((block) => block.trimEnd().split("\n"));
      for (const words of await wordsInShell(lines, folder)) {
        await said(folder, `${folder}/tilewise`, words);
      }
      const printed: string[] = [];
      for (const block of blocks("py")) printed.push(await said(folder, PYTHON, ["-c", block]));
      assertEquals(printed.length, 7);
      assert(printed.every((text) => text.trim() !== ""), printed.join("---"));
      const [mean, meanOfAll] = printed.slice(-2).map(Number);
      assert(Math.abs(mean! / meanOfAll! / 1) > 1, "the bright field sums pixels of a frame");
    }),
});
