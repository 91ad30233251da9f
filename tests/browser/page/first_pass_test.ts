/** A scan of a slow server: what is seen while it is read, and that it is read once. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { TwImage } from "../../../web/pictures/mod.ts";
import { assertAccessible, browserTest, host, sentOf, until, withTilewise } from "../setup/mod.ts";

const NAV = [24, 24] as const, SIDE = 64;
const FORM = `&open.format=raw&open.dtype=uint16&open.nav=${NAV.join("x")}&open.sig=${SIDE}x${SIDE}`;

/** A scan with a disk whose brightness changes from frame to frame. */
function scan(): Uint8Array {
  const data = new Uint16Array(NAV[0] * NAV[1] * SIDE * SIDE);
  for (let i = 0; i < data.length; i++) {
    const [f, y, x] = [Math.floor(i / SIDE / SIDE), Math.floor(i / SIDE) % SIDE, i % SIDE];
    data[i] = (Math.hypot(y - 40, x - 24) < 9 ? 200 + f : 0) + (Math.imul(i, 2654435761) >>> 28);
  }
  return new Uint8Array(data.buffer);
}

/** Presses the button of an analysis in the list of them; whether the image of the scan is dimmed at once. */
async function choose(page: Page, title: string): Promise<boolean> {
  await page.getByRole("button", { name: /^Analysis:/ }).click();
  return await page.evaluate((title) => {
    const rows = [...document.querySelectorAll<HTMLElement>("#analysis-choices .choice")];
    rows.find((row) => row.querySelector(".title")?.textContent === title)!.click();
    return document.querySelector(".view.scan")!.classList.contains("old");
  }, title);
}

const valueOf = (url: URL, name: string) => new URLSearchParams(url.hash.slice(1)).get(`run.${name}`);

browserTest("a scan is read once; its bright disk is where analyses begin", async () => {
  const bytes = scan();
  const url = host("slow.raw", bytes, 700);
  const allowed = { complaints: [/GPU stall due to ReadPixels/] };
  await withTilewise({ address: `#v=1&url=${url}${FORM}`, allowed }, async ({ page }) => {
    const done = () => page.getByRole("button", { name: "Keep to compare", disabled: false }).waitFor();
    await page.locator(".page-foot .state", { hasText: /Starting|of \d+ patterns/ }).waitFor(); // readers of screens hear it, too
    await page.getByRole("heading", { name: `Frame at ${NAV[0] / 2}, ${NAV[1] / 2}` }).waitFor();
    await page.getByRole("heading", { name: "Sum of all frames" }).waitFor();
    await page.waitForURL((url) => valueOf(url, "r") !== null);
    const found = ["cy", "cx", "r"].map((name) => Number(valueOf(new URL(page.url()), name)));
    [40, 24, 9].forEach((value, i) => assertAlmostEquals(found[i]!, value, 0.6));
    await done();
    assert(await choose(page, "Centre of mass"), "the old image is dimmed at once");
    await done();
    assertEquals(await page.locator(".view.scan.old").count(), 0);
    await page.locator("input[name=shown-result][value=divergence]").check();
    await until(
      page,
      () => document.querySelector<TwImage>(".view.scan tw-image")!.display.colormap === "RdBu_r",
    );
    await page.getByRole("button", { name: "Guess rotation and flip" }).click();
    await page.waitForURL((url) => valueOf(url, "scanRotation") !== null && valueOf(url, "guess") === null);
    await done();
    await assertAccessible(page);
    await page.getByRole("button", { name: "One position" }).click();
    await page.getByRole("heading", { name: /^Frame at/ }).waitFor();
    await page.getByRole("button", { name: /^Analysis:/ }).click(); // each analysis with a picture, and nothing read for it
    const pictures = page.locator("#analysis-choices .thumbnail canvas");
    await pictures.nth(14).waitFor();
    await assertAccessible(page, "tw-analysis");
    const sent = sentOf("slow.raw");
    assert(sent >= bytes.length && sent <= 1.02 * bytes.length, `${sent} of ${bytes.length} bytes were sent`);
    const shot = Deno.env.get("SHOT");
    if (shot) await page.screenshot({ path: `${shot}-first.png` });
  });
});
