/**
 * Pictures of the page beside Avivator, on the same OME-TIFF, and beside the page of LiberTEM, on the same scan: those of
 * `docs/browser.md`.
 *
 * ```sh
 * # Avivator: sites/avivator of github.com/hms-dbmi/viv, with @hms-dbmi/viv 0.21.0 of npm, built by `vite build --base ./`
 * # LiberTEM: pip install libertem
 * deno run -A --no-check bench/page/beside_pictures.ts AVIVATOR/dist
 * ```
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import type { Page } from "playwright-core";
import { DemoScan } from "../../src/samples/mod.ts";
import { withLibertem } from "../../tests/browser/beside/server.ts";
import { closeBrowser } from "../../tests/browser/setup/chromium.ts";
import { type PageOptions, withPage, withTilewise } from "../../tests/browser/setup/page.ts";
import { closeServers, host, servers } from "../../tests/browser/setup/server.ts";
import { writeNpy } from "../../tests/cli/harness.ts";
import { hostFolder, type Light, threeChannels } from "./inputs.ts";

const PICTURES = fromFileUrl(new URL("../../docs/images/", import.meta.url));

/** Sides of the image, of the scan, and of its patterns. */
const SIDE = 1024, SCAN = [64, 64] as const, PATTERN = 64;

/** Nuclei, bodies of cells, and spots around the nuclei, without noise: pictures of noise are large. */
const light: Light = (c, y, x) => {
  const [row, column] = [Math.floor(y / 204), Math.floor(x / 204)];
  const dy = y - 204 * row - 102 + 20 * Math.sin(9 * row + 5 * column);
  const dx = x - 204 * column - 102 + 20 * Math.sin(4 * row + 7 * column);
  const far = Math.hypot(dy, 0.8 * dx), inside = (edge: number) => 1 / (1 + Math.exp((far - edge) / 1.5));
  if (c === 0) return 3000 * inside(34);
  if (c === 1) return 1400 * (inside(72) - 0.8 * inside(40));
  return Math.sin(6 * Math.atan2(dy, dx) + row) > 0.6 ? 2600 * (inside(62) - inside(50)) : 0;
};

/** What every page may do: pages of others complain, and ask for fonts, which they do not get. */
const allowed = { complaints: [/./], requests: ["http://localhost:", "ws://localhost:", "https://"] };

/** Stores what a page shows in a window of 1280 × 800, as a picture of 768 × 480: two lie side by side. */
async function picture(page: Page, name: string): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const size = { width: 1280, height: 800, deviceScaleFactor: 0.6, mobile: false };
  await debug.send("Emulation.setDeviceMetricsOverride", size);
  await page.waitForTimeout(1000); // what fades in is there
  const { data } = await debug.send("Page.captureScreenshot", { format: "png" });
  await Deno.writeFile(join(PICTURES, `beside-${name}.png`), Uint8Array.fromBase64(data));
}

/** Opens a page of others in a window of the size of the pictures. */
function visit(options: PageOptions, look: (page: Page) => Promise<void>): Promise<void> {
  return withPage({ ...options, allowed }, ({ page }) => look(page));
}

async function images(avivator: string): Promise<void> {
  const url = host("beside-cells.ome.tif", await threeChannels(SIDE, light));
  const whole = (await servers()).isolated + url;
  const site = await hostFolder("avivator", avivator);
  await visit({ path: `${site}?image_url=${whole}` }, async (page) => {
    await page.getByRole("button", { name: /add channel/i }).waitFor();
    await page.waitForFunction(() => document.querySelector("[role=progressbar]") === null);
    await picture(page, "avivator");
  });
  await withTilewise({ address: `#v=1&url=${url}&panel=pyramid`, allowed }, async ({ page }) => {
    await page.locator("tw-tiles .stage[aria-busy=false]").waitFor();
    await picture(page, "image");
  });
}

async function scans(): Promise<void> {
  const folder = await Deno.makeTempDir();
  const data = new Uint16Array(SCAN[0] * SCAN[1] * PATTERN ** 2);
  let at = 0;
  for (const frame of new DemoScan({ scan: SCAN, side: PATTERN, seed: 1 }).frames()) {
    data.set(frame, at);
    at += frame.length;
  }
  const path = join(folder, "crystal.npy");
  await writeNpy(path, "<u2", [...SCAN, PATTERN, PATTERN], new Uint8Array(data.buffer));
  await withLibertem((address) => visit({ path: address }, centreOfMass), folder);
  const url = host("beside-crystal.npy", await Deno.readFile(path));
  await Deno.remove(folder, { recursive: true });
  const address = `#v=1&url=${url}&run=com&run.cy=32&run.cx=32&run.r=16`;
  await withTilewise({ address, allowed }, async ({ page }) => {
    await page.locator(".page-foot .dot.done").waitFor();
    await picture(page, "scan");
  });
}

/** What a user of LiberTEM presses for the centres of mass in a disk. */
async function centreOfMass(page: Page): Promise<void> {
  await page.getByRole("button", { name: /connect/i }).last().click();
  await page.getByRole("button", { name: "Browse" }).click();
  await page.getByText("crystal.npy").click();
  await page.getByRole("button", { name: "Load Dataset" }).click();
  await page.getByText("Add analysis").click();
  await page.getByRole("option", { name: /center of mass/i }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Analysis done").nth(1).waitFor(); // the first one compiles for a minute
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, "libertem");
}

const [avivator] = Deno.args;
if (!avivator) throw new Error("Name the folder of the built Avivator: see the first lines of this file");
try {
  if (Deno.args.length < 2) await images(avivator);
  await scans();
} finally {
  await closeBrowser();
  await closeServers();
}
Deno.exit();
