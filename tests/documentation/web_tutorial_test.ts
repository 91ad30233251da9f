/**
 * The tutorial of a web app, as a reader follows it: its files are saved, Vite builds them with the package, and in Chromium its
 * detector shows what the page shows (UPDATE=1 renews the pictures). A part of `deno task test:long`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { pack } from "../../assembly/pack/main.ts";
import { npmInstall, toolPath } from "../../assembly/tools.ts";
import { browserTest, until, withPage } from "../browser/setup/mod.ts";
import { cliChild, withFolder, wordsInShell } from "../cli/harness.ts";
import { served } from "../site/served.ts";
import { assertSamePicture } from "./blocks.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const TEXT = Deno.readTextFileSync(`${ROOT}docs/tutorials/web.md`);

/** Does what the page says, in `folder`; built by Vite, in `dist` there. */
async function follow(folder: string): Promise<void> {
  const saved = [...TEXT.matchAll(/`([\w.]+)`[^`]*:\n\n```(?:html|js)\n([\s\S]*?)^```/gm)];
  assertEquals(saved.map(([, name]) => name), ["index.html", "main.js"]);
  for (const [, name, code] of saved) await Deno.writeTextFile(`${folder}/${name}`, code!);
  const lines = TEXT.split("\n").filter((line) => line.startsWith("npx tilewise ")).map((line) =>
    line.replace("npx ", "")
  );
  assertEquals(lines.length, 2);
  const outcomes = await cliChild(folder, ["-A"], await wordsInShell(lines, folder));
  for (const { code, err } of outcomes) assertEquals(code, 0, err);
  await Deno.writeFile(`${folder}/tilewise.tgz`, await pack(new Map()));
  await npmInstall(folder, ["./tilewise.tgz"]);
  const { success, stderr } = await new Deno.Command(await toolPath("node"), {
    args: [await toolPath("vite"), "build", "--logLevel", "error"],
    cwd: folder,
  }).output();
  const said = new TextDecoder().decode(stderr);
  assert(success && said === "", said);
}

/** Compares a picture with the one that the page shows. */
async function compare(name: string, made: Uint8Array): Promise<void> {
  assert(TEXT.includes(`images/tutorials/${name}.png`));
  await assertSamePicture(name, made);
}

browserTest(
  "docs/tutorials/web.md: Vite builds what it says, and its detector moves",
  () =>
    withFolder(async (folder) => {
      await follow(folder);
      await served(`${folder}/dist`, (address) =>
        withPage({ path: `${address}/index.html` }, async ({ page }) => {
          const is = async (title: string) =>
            await until(page, (wanted) => document.title === wanted, title);
          await is("from 13 to 31");
          await compare("detector-ring", await page.locator("canvas").screenshot());
          const [from, to] = await page.locator("input").all();
          await to!.fill("11");
          await from!.fill("0");
          await is("from 0 to 11");
          await compare("detector-disk", await page.locator("canvas").screenshot());
        }));
    }),
);
