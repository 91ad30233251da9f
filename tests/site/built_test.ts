/**
 * The site as it is built, in a browser: it is there at once, everybody can use it, light and dark, and its search finds. A part of
 * `deno task test:long`, as a build takes a minute and wants packages of npm.
 *
 * @module
 */

import { assert, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import type { Page } from "playwright-core";
import { buildSite } from "../../site/main.ts";
import { assertAccessible, browserTest, withPage } from "../browser/setup/mod.ts";
import { withFolder } from "../cli/harness.ts";
import { picturesIn, tryIsolated, trySandbox } from "./sandbox.ts";
import { ISOLATED, served } from "./served.ts";

/** Lists of the stable names, one per entry. */
const STABLE = fromFileUrl(new URL("../api/stable/", import.meta.url));

/** One page of each kind. */
const PAGES = [
  "",
  "start.html",
  "tutorials/scans.html",
  "coming_from/libertem.html",
  "views.html",
  "reference/tilewise.html",
  "reference/views/boxMean.html",
  "words.html",
];

/** Most milliseconds until the first page can be used, on loopback. */
const MOST = 1000;

/** Milliseconds until the page that was opened can be used. */
async function tookOf(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const [entry] = performance.getEntriesByType("navigation");
    return (entry as PerformanceNavigationTiming).domContentLoadedEventEnd;
  });
}

/** Refuses that a stable name has no page that shows how it is imported, or that its entry does not lead there. */
async function assertNames(folder: string): Promise<void> {
  for (const { name: list } of Deno.readDirSync(STABLE)) {
    const entry = list.replace(/\.txt$/, "");
    const index = await Deno.readTextFile(join(folder, "reference", `${entry}.html`));
    for (const line of (await Deno.readTextFile(`${STABLE}${list}`)).trim().split("\n")) {
      const name = /^\w+ (\w+)/.exec(line)![1]!;
      const file = `${entry}/${/^[A-Z]/.test(name) ? "type-" : ""}${name}.html`;
      const page = await Deno.readTextFile(join(folder, "reference", file));
      assertMatch(
        page.replaceAll(/<[^>]*>/g, ""),
        new RegExp(`import (type )?\\{ ${name} \\} from &quot;@tilewise`),
        file,
      );
      assertStringIncludes(index, file, list);
    }
  }
}

browserTest(
  "the site is there within a second, accessible, its search finds a name, and its sandbox runs",
  () =>
    withFolder(async (folder) => {
      await buildSite(folder);
      await assertNames(folder);
      await served(folder, async (address) => {
        for (const scheme of ["light", "dark"] as const) {
          await withPage({ path: `${address}/`, scheme }, async ({ page }) => {
            for (const path of PAGES) {
              await page.goto(`${address}/${path}`);
              await page.waitForSelector("main, .VPHome");
              await page.waitForSelector('.VPSwitchAppearance[title^="Switch"]', { state: "attached" }); // it is alive
              await assertAccessible(page);
            }
          });
        }
        const took: number[] = []; // the least counts: what else the machine does only adds to it
        for (let visit = 0; visit < 3; visit++) {
          await withPage({ path: `${address}/` }, async ({ page }) => void took.push(await tookOf(page)));
        }
        assert(Math.min(...took) < MOST, `${took} ms`);
        await withPage({ path: `${address}/start.html` }, async ({ page }) => {
          await page.getByRole("button", { name: "Search" }).first().click();
          await page.getByRole("searchbox").fill("annularDetector");
          await page.locator(".result").first().click();
          await page.waitForURL(/reference\/\w+\/annularDetector/);
        });
        await trySandbox(`${address}/sandbox.html`, picturesIn(folder));
      });
      await served(
        folder,
        (address) => tryIsolated(`${address}/sandbox.html?example=bright_field`),
        ISOLATED,
      );
    }),
);
