/**
 * Programs in Python of the pages run, where there is a Python with their packages (PYTHON=…, or python3): the lines of
 * `docs/hand_over.md`, after the commands that stand before them, and the other programs of `docs/coming_from/`, which must print
 * what the pages say. A part of `deno task test:long`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { cli, withFolder, wordsInShell } from "../cli/harness.ts";
import { writeObservation } from "../observations/expected.ts";
import { succeeds } from "../installed.ts";
import { assertSameNumbers, blocksOf, pagesIn } from "./blocks.ts";
import { PYTHON } from "../sinks/python.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const PACKAGES = "hyperspy.api, numpy, pandas, zarr, py4DSTEM, astropy.io";
const HAS_PACKAGES = succeeds(PYTHON, "-c", `import ${PACKAGES}`);

const PAGE = "docs/hand_over.md";

/** A scan, an image and an observation, and the command under its name. */
async function prepare(folder: string): Promise<void> {
  const demo = `${folder}/demo`;
  await cli(["demo", "--scan", "12x16", "--side", "64", "--quiet", "--workers", "0", "-o", demo]);
  await cli(["convert", `${demo}/scan.hdr`, `${folder}/scan.mib`, "--quiet", "--workers", "0"]);
  await cli(["convert", `${demo}/sum.npy`, `${folder}/image.tif`, "--quiet", "--workers", "0"]);
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
      const lines = blocksOf(PAGE, "sh").flatMap((block) => block.trimEnd().split("\n"));
      for (const words of await wordsInShell(lines, folder)) {
        await said(folder, `${folder}/tilewise`, words);
      }
      const printed: string[] = [];
      for (const block of blocksOf(PAGE, "py")) printed.push(await said(folder, PYTHON, ["-c", block]));
      assertEquals(printed.length, 7);
      assert(printed.every((text) => text.trim() !== ""), printed.join("---"));
      const [mean, meanOfAll] = printed.slice(-2).map((text) => Number(text.trim().split(/\s+/).at(-1)));
      assert(mean! > meanOfAll!, "the bright field sums pixels of a frame");
    }),
});

for (const page of pagesIn("coming_from")) {
  const [program] = blocksOf(page, "py");
  const packages = [...program!.matchAll(/^(?:import|from) (.*?)(?: import.*)?$/gm)].flatMap(([, names]) =>
    names!.split(", ").map((name) => name.replace(/ as .*/, ""))
  );
  const isThere = succeeds(PYTHON, "-c", `import ${packages.join(", ")}`);
  Deno.test({
    name: `${page}: ${
      isThere ? "the other program prints what the page says" : `there is no Python with ${packages}`
    }`,
    ignore: !isThere,
    fn: () =>
      withFolder(async (folder) =>
        assertSameNumbers(await said(folder, PYTHON, ["-c", program!]), blocksOf(page, "text")[0]!)
      ),
  });
}
