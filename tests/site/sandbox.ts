/**
 * The sandbox of the built site: programs run and stop, errors are shown, and pictures are those of the gallery.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import type { Page } from "playwright-core";
import { diskDetector, open, plan, run, save } from "@tilewise/tilewise";
import { DemoScan } from "../../src/samples/mod.ts";
import { sandboxExamples } from "../../site/sandbox/examples.ts";
import { assertAccessible, until, withPage } from "../browser/setup/mod.ts";
import { type ReadPng, readPng } from "../pictures/read_png.ts";
import { withFolder } from "../cli/harness.ts";

/** The text area, filled. */
async function write(page: Page, code: string): Promise<void> {
  await page.getByLabel("Program").fill(code);
}

/** Runs what is in the text area; what is said in the end. */
async function ran(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Run" }).click();
  await until(page, () => /^(Done|Failed)/.test(document.querySelector("[role=status]")!.textContent!));
  return await page.getByRole("status").innerText();
}

/** The example that shows how far a run is: its picture is another one every time. */
const TIMED = "while_it_runs";

/** What is compared of pictures. */
type Picture = Pick<ReadPng, "width" | "height" | "samples">;

/** The pixels of the only picture that a program has saved. */
async function pictureOf(page: Page): Promise<Picture> {
  const src = await page.locator(".sandbox img").getAttribute("src");
  const bytes = await page.evaluate(async (src) => [...await (await fetch(src!)).bytes()], src);
  const { width, height, samples } = readPng(Uint8Array.from(bytes));
  return { width, height, samples };
}

/** The pixels that the disk detector of another radius has in this process. */
async function expectedDisk(radius: number): Promise<Picture> {
  const scan = new DemoScan({ scan: [48, 48], side: 64, seed: 1 });
  const data = new Uint16Array(48 * 48 * 64 * 64);
  let at = 0;
  for (const frame of scan.frames()) {
    data.set(frame, at);
    at += frame.length;
  }
  const { bf } = await run(
    await plan(await open({ data, shape: [48, 48, 64, 64] }), { bf: diskDetector({ r: radius }) }),
  );
  let bytes = new Uint8Array();
  await withFolder(async (folder) => {
    await save(bf.intensity, `${folder}/bf.png`);
    bytes = await Deno.readFile(`${folder}/bf.png`);
  });
  const { width, height, samples } = readPng(bytes);
  return { width, height, samples };
}

/** One number is edited: the picture is that of the edited program. */
async function assertEdited(page: Page): Promise<void> {
  await page.locator("#sandbox-code").waitFor();
  assertMatch(await page.getByRole("status").innerText(), /not isolated/);
  assertMatch(await ran(page), /^Done in \d+ ms\. This page is not isolated/);
  const before = await pictureOf(page);
  assertEquals(before, await expectedDisk(8));
  const code = await page.getByLabel("Program").inputValue();
  assert(code.includes("r: 8"));
  await write(page, code.replace("r: 8", "r: 4"));
  await ran(page);
  const after = await pictureOf(page);
  assert(after.samples.some((sample, i) => sample !== before.samples[i]));
  assertEquals(after, await expectedDisk(4));
}

/** What programs print, and what is said of those that fail. */
async function assertTold(page: Page): Promise<void> {
  await write(page, `console.log("a", [1, 2n], new Float32Array(2), { b: undefined });`);
  await ran(page);
  assertEquals(
    await page.locator(".sandbox pre").allInnerTexts(),
    [`a [1, 2n] Float32Array(2) [0, 0] { b: undefined }`],
  );
  await write(page, `console.log("a ".repeat(1000));`);
  await ran(page);
  assert(
    await page.evaluate(() => document.body.scrollWidth <= innerWidth),
    "long lines scroll by themselves",
  );
  const failures: [code: string, text: RegExp][] = [
    ["const x: number = ;", /^Line 1: Unexpected token$/],
    [`const x = 1;\nthrow new Error("no");`, /^Line 2: no$/],
    [`import { opne } from "@tilewise/tilewise";`, /opne/],
    [
      `import { open } from "@tilewise/tilewise";\nawait open({ data: new Uint8Array(3), shape: [2] });`,
      /^(Line 2: )?\[invalid\] /,
    ],
  ];
  for (const [code, text] of failures) {
    await write(page, code);
    assertMatch(await ran(page), /^Failed/);
    assertMatch(await page.locator(".sandbox .error").innerText(), text);
  }
}

/** A program that never ends is stopped by the keyboard, and the next one runs. */
async function assertStopped(page: Page): Promise<void> {
  await write(page, "for (;;) {}");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Tab"); // Run
  await page.keyboard.press("Tab"); // Stop
  await page.keyboard.press("Enter");
  assertEquals(await page.getByRole("status").innerText(), "Stopped.");
  assert(await page.getByRole("button", { name: "Run" }).evaluate((run) => run === document.activeElement));
  await write(page, "console.log(1)");
  assertMatch(await ran(page), /^Done/);
}

function isSame(a: Picture, b: Picture): boolean {
  return a.width === b.width && a.height === b.height &&
    a.samples.every((sample, i) => sample === b.samples[i]);
}

/** Every example of the list makes the picture that it makes elsewhere. */
async function assertExamples(
  page: Page,
  galleryPicture: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  const other: string[] = [];
  for (const { name } of sandboxExamples()) {
    await page.getByLabel("Example").selectOption(name);
    assertMatch(await ran(page), /^Done/, `${name}: ${await page.locator(".sandbox section").innerText()}`);
    const [made, kept] = [await pictureOf(page), readPng(await galleryPicture(name))];
    if (name !== TIMED && !isSame(made, kept)) other.push(name);
  }
  assertEquals(other, []);
}

/** Tries the sandbox at `path` of a server without headers; `galleryPicture`: what an example makes elsewhere. */
export async function trySandbox(
  path: string,
  galleryPicture: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await withPage({ path, scheme }, async ({ page }) => {
      await assertEdited(page);
      await assertAccessible(page);
      if (scheme === "dark") return;
      await assertTold(page);
      await assertAccessible(page);
      await assertStopped(page);
      await assertExamples(page, galleryPicture);
    });
  }
}

/** Tries it on a server that isolates pages. */
export async function tryIsolated(path: string): Promise<void> {
  await withPage({ path }, async ({ page }) => {
    assertMatch(await ran(page), /^Done in \d+ ms. This page is isolated from other origins: workers share/);
    assertEquals(await pictureOf(page), await expectedDisk(8));
  });
}

/** The pictures of the gallery in a built site. */
export function picturesIn(folder: string): (name: string) => Promise<Uint8Array> {
  return async (name) => {
    const page = await Deno.readTextFile(join(folder, "gallery", `${name}.html`));
    const [, src] = /<img class="picture" src="([^"]+)"/.exec(page)!;
    if (!src!.startsWith("data:")) return await Deno.readFile(join(folder, src!));
    return await (await fetch(src!)).bytes(); // the generator puts small pictures into pages
  };
}
