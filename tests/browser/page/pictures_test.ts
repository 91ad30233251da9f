/**
 * What the panels look like, light, dark and on a phone, compared with the pictures in `docs/images/`; and whether everybody can
 * use them. `UPDATE=1 deno test -A --no-check tests/browser/page/pictures_test.ts` stores new pictures.
 */

import type { Page } from "playwright-core";
import { assertAccessible, assertLooksLike, browserTest, withTilewise } from "../setup/mod.ts";

/** Waits until the run of the page has ended, and the picture is painted. */
async function done(page: Page): Promise<void> {
  await page.locator(".page-foot .dot.done").waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)));
  await page.waitForTimeout(500);
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
  compare: { address: SAMPLE, prepare: compareTwo },
};

/** Waits until all tiles that are seen are there; a pyramid is not summed. */
async function tilesDone(page: Page): Promise<void> {
  await page.locator("tw-tiles .stage[aria-busy=false]").waitFor();
  await page.waitForTimeout(500);
}

/** Keeps two results, and puts them side by side. */
async function compareTwo(page: Page): Promise<void> {
  const keep = page.getByRole("button", { name: "Keep to compare" });
  await done(page);
  await keep.click();
  await page.keyboard.press("d");
  await page.waitForURL((url) => url.hash.includes("run=annular"));
  await done(page);
  await keep.click();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.waitForTimeout(500);
}

const LOOKS = { light: ["wide", "light"], dark: ["wide", "dark"], phone: ["phone", "light"] } as const;

for (const [name, { address, prepare }] of Object.entries(PANELS)) {
  for (const [look, [size, scheme]] of Object.entries(LOOKS)) {
    browserTest(
      `${name}, ${look}: looks as stored, and everybody can use it`,
      () =>
        withTilewise({ size, scheme, address }, async ({ page }) => {
          await prepare(page);
          await assertLooksLike(page, `${name}-${look}`);
          await assertAccessible(page);
        }),
    );
  }
}
