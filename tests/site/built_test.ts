/**
 * The site as it is built, in a browser: it is there at once, everybody can use it, light and dark, and its search finds. A part of
 * `deno task test:long`, as a build takes a minute and wants packages of npm.
 *
 * @module
 */

import { assert } from "@std/assert";
import { extname, join } from "@std/path";
import { buildSite } from "../../site/main.ts";
import { assertAccessible, browserTest, withPage } from "../browser/setup/mod.ts";
import { withFolder } from "../cli/harness.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves a folder while `work` runs. */
async function served(folder: string, work: (address: string) => Promise<void>): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const bytes = await Deno.readFile(join(folder, file)).catch(() => undefined);
    const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    return bytes === undefined ? new Response("", { status: 404 }) : new Response(bytes, { headers });
  });
  try {
    await work(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** One page of each kind. */
const PAGES = ["", "start.html", "views.html", "reference/tilewise.html", "words.html"];

browserTest(
  "the site is there within a second, accessible, and its search finds a name",
  () =>
    withFolder(async (folder) => {
      await buildSite(folder);
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
        await withPage({ path: `${address}/start.html` }, async ({ page }) => {
          const took = await page.evaluate(() => {
            const [entry] = performance.getEntriesByType("navigation");
            return (entry as PerformanceNavigationTiming).domContentLoadedEventEnd;
          });
          assert(took < 1000, `${took} ms`);
          await page.getByRole("button", { name: "Search" }).first().click();
          await page.getByRole("searchbox").fill("annularDetector");
          await page.locator(".result").first().click();
          await page.waitForURL(/reference/);
        });
      });
    }),
);
