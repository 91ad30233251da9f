/**
 * What the panels look like, light, dark and on a phone, compared with the pictures in `docs/images/`; and whether everybody can
 * use them. `UPDATE=1 deno test -A --no-check tests/browser/page/pictures_test.ts` stores new pictures.
 */

import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { answered, assertAccessible, assertLooksLike, browserTest, withTilewise } from "../setup/mod.ts";

/** Waits until the run of the page has ended, and its letters are there. */
async function done(page: Page): Promise<void> {
  await answered(page);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** A panel: its address, and what the user does before the picture. */
interface Shown {
  readonly address: string;
  prepare(page: Page): Promise<void>;
}

const SAMPLE = "#v=1&sample=crystal-small";

/** The panels by the names of their pictures. */
const PANELS: Readonly<Record<string, Shown>> = {
  open: {
    address: "",
    prepare: (page) => page.getByRole("button", { name: "Choose files" }).waitFor(),
  },
  explore: { address: `${SAMPLE}&run=annular&run.ri=9&run.ro=15`, prepare: done },
  vectors: { address: `${SAMPLE}&run=com&run.r=11`, prepare: done },
  pyramid: { address: "#v=1&sample=pyramid&panel=pyramid", prepare: tilesDone },
  compare: { address: `${SAMPLE}&run=annular&run.ri=9&run.ro=15`, prepare: compareTwo },
  form: { address: "", prepare: giveRaw },
};

/** Waits until all tiles that are seen are there; a pyramid is not summed. */
async function tilesDone(page: Page): Promise<void> {
  await page.locator("tw-tiles .stage[aria-busy=false]").waitFor();
}

/** Gives a raw file, of which nothing is known: its patterns are disks that get brighter. */
async function giveRaw(page: Page): Promise<void> {
  const isInside = (p: number) => Math.hypot(Math.floor(p % 4096 / 64) - 31.5, p % 64 - 31.5) < 20;
  const samples = Uint16Array.from(
    { length: 8 * 8 * 4096 },
    (_, p) => isInside(p) ? 40 + Math.floor(p / 4096) : p % 7,
  );
  const file = {
    name: "scan.raw",
    mimeType: "application/octet-stream",
    buffer: Buffer.from(samples.buffer),
  };
  await page.locator("input[type=file]").first().setInputFiles(file);
  await page.getByLabel("Shape of a pattern").fill("64x64");
  await page.getByLabel("Samples").selectOption("uint16");
  await page.getByLabel("Shape of the scan").fill("8x8");
  await page.getByRole("img", { name: "Preview of the scan" }).waitFor();
  await page.getByRole("button", { name: "Open", exact: true }).focus(); // below the preview
}

/** Keeps a result, and compares it with that of a narrower ring. */
async function compareTwo(page: Page): Promise<void> {
  await done(page);
  await keep(page);
  await page.getByLabel("Outer radius, included").fill("13");
  await page.waitForURL((url) => url.hash.includes("run.ro=13"));
  await done(page);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.evaluate(() => document.querySelectorAll("*").forEach((element) => element.scrollTo(0, 0)));
}

/** Keeps the result, and closes the note about it. */
async function keep(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Keep to compare" }).click();
  await page.getByRole("button", { name: "Close" }).first().click();
}

/** The picture of a page as it is, and its accessibility. */
async function look(page: Page, name: string): Promise<void> {
  await assertLooksLike(page, name);
  await assertAccessible(page);
}

for (const [name, { address, prepare }] of Object.entries(PANELS)) {
  browserTest(
    `${name}, light and dark: looks as stored, and everybody can use it`,
    () =>
      withTilewise({ address }, async ({ page }) => {
        await prepare(page);
        await look(page, `${name}-light`);
        await page.emulateMedia({ colorScheme: "dark" });
        await look(page, `${name}-dark`);
      }),
  );
  browserTest(
    `${name}, on a phone: looks as stored, and everybody can use it`,
    () =>
      withTilewise({ address, size: "phone" }, async ({ page }) => {
        await prepare(page);
        await look(page, `${name}-phone`);
      }),
  );
}
