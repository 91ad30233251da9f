/** Explore: handles, keys and forms change the same state, and results follow. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { TwImage } from "../../../web/pictures/mod.ts";
import { answered, assertAccessible, browserTest, type OpenPage, type PanelOptions } from "../setup/mod.ts";
import { withTilewise as withPanel } from "../setup/mod.ts";

const SAMPLE = "#v=1&sample=crystal-small";

/** Drivers without a graphics card remark on their own speed. */
function withTilewise<T>(options: PanelOptions, work: (open: OpenPage) => Promise<T>): Promise<T> {
  return withPanel({ ...options, allowed: { complaints: [/GPU stall due to ReadPixels/] } }, work);
}

/** The address, after it was written. */
async function address(page: Page, part: string | RegExp): Promise<string> {
  await page.waitForURL((url) => typeof part === "string" ? url.hash.includes(part) : part.test(url.hash));
  return new URL(page.url()).hash;
}

browserTest(
  "a detector is dragged: the state follows, one undo returns",
  () =>
    withTilewise({ address: SAMPLE }, async ({ page }) => {
      const found = await address(page, "run.cx"); // the bright disk of the sum
      await answered(page);
      const handle = page.getByRole("slider", { name: /^Detector/ }).first();
      const box = await handle.boundingBox();
      assert(box);
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let step = 1; step <= 5; step++) await page.mouse.move(x + 8 * step, y);
      await page.mouse.up();
      await address(page, /run\.cx=(3[3-9]|[4-6]\d)/);
      await answered(page);
      await page.keyboard.press("Control+z");
      await page.waitForURL((url) => url.hash === found);
      await page.keyboard.press("Control+Shift+Z");
      await address(page, "run.cx");
    }),
);

browserTest("all of it works by keys", () =>
  withTilewise({ address: SAMPLE }, async ({ page }) => {
    await answered(page);
    await page.keyboard.press("d");
    await address(page, "run=annular");
    await page.keyboard.press("r");
    await address(page, "roi=rectangle");
    await page.keyboard.press("r");
    await address(page, "roi=disk");
    await page.keyboard.press("l");
    await page.getByRole("button", { name: "Line profile", pressed: true }).waitFor();
    await page.keyboard.press("s");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await address(page, "at=31,33");
    await page.keyboard.press("p");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+ArrowDown");
    await address(page, /run\.cy=\d/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Help and keys" }).waitFor();
    await assertAccessible(page, "dialog");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Help and keys" }).waitFor({ state: "detached" });
    await answered(page);
    assertEquals(
      await page.locator(".page-foot .state").textContent().then((text) => /^\d+ patterns/.test(text ?? "")),
      true,
    );
  }));

browserTest(
  "a position shows its pattern, the sum comes back",
  () =>
    withTilewise({ address: `${SAMPLE}&at=3,5` }, async ({ page }) => {
      await page.getByRole("heading", { name: "Frame at 3, 5" }).waitFor();
      await page.getByRole("button", { name: "Sum", exact: true }).click();
      await page.getByRole("heading", { name: "Sum of all frames" }).waitFor();
      await page.getByRole("button", { name: "One position" }).click();
      await page.getByRole("heading", { name: /^Frame at/ }).waitFor();
    }),
);

for (const [size, scheme] of [["wide", "light"], ["phone", "dark"]] as const) {
  browserTest(
    `everybody can use it, ${size} and ${scheme}`,
    () =>
      withTilewise({
        size,
        scheme,
        address: `${SAMPLE}&run=com&run.r=11&roi=disk&roi.cy=30&roi.cx=30&roi.r=20`,
      }, async ({ page }) => {
        await answered(page);
        await assertAccessible(page);
        if (size !== "phone") return;
        for (const handle of await page.locator(".view .handle .hit").all()) {
          const box = await handle.boundingBox();
          assert(box && Math.min(box.width, box.height) >= 44, `a finger needs 44 pixels, not ${box?.width}`);
        }
      }),
  );
}

browserTest(
  "without shared memory it says so where that helps, and computes the same",
  () =>
    withTilewise({ isolated: false, address: SAMPLE }, async ({ page }) => {
      await answered(page);
      await page.getByText("no shared memory").first().waitFor();
    }),
);

browserTest("the switch of light and dark is kept", () =>
  withTilewise({}, async ({ page }) => {
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole("button", { name: "Choose files" }).waitFor();
    const light = await colour();
    await page.keyboard.press("t");
    await page.keyboard.press("t");
    const dark = await colour();
    assert(light !== dark);
    await page.reload();
    await page.getByRole("button", { name: "Choose files" }).waitFor();
    assertEquals(await colour(), dark);
  }));

browserTest(
  "where one looks, a profile, and a pattern in the place of a result are there after a reload",
  () =>
    withTilewise({ address: `${SAMPLE}&run=sum_frames` }, async ({ page }) => {
      await answered(page);
      await page.getByRole("button", { name: "Sum", exact: true }).click();
      await address(page, "instead=sum_frames");
      const pattern = page.getByRole("region", { name: "Diffraction pattern" });
      await pattern.locator(".stage").focus();
      for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
      await pattern.getByRole("button", { name: "Line profile" }).click();
      await page.getByRole("slider", { name: "End of the line" }).press("ArrowDown");
      await address(page, /frame\.view=.*frame\.line=32,8,33,55/);
      const seen = () =>
        pattern.evaluate((card) => {
          const picture = card.querySelector<TwImage>("tw-image")!;
          const chosen = [...card.querySelectorAll("[aria-pressed=true]")].map(({ textContent }) =>
            textContent
          );
          const pixels = picture.pixels()!.data.reduce(
            (sum, level, i) => (31 * sum + level * (i % 7)) | 0,
            0,
          );
          return { look: picture.look, line: picture.line, pixels, chosen };
        });
      const before = await seen();
      await page.reload();
      await answered(page);
      const after = await seen();
      assertEquals(after, before);
      assert(before.look!.zoom > 2 && before.line![1][0] === 33);
    }),
);
