/** Pyramids: only what is seen is read, filters are applied as one types, and all of it works by keys. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import {
  assertAccessible,
  browserTest,
  type OpenPage,
  type PanelOptions,
  until,
  whole,
} from "../setup/mod.ts";
import { withTilewise as withPanel } from "../setup/mod.ts";

const SAMPLE = "#v=1&sample=pyramid&panel=pyramid";

function withTilewise(options: PanelOptions, work: (open: OpenPage) => Promise<void>): Promise<void> {
  return withPanel({ ...options, allowed: { complaints: [/GPU stall due to ReadPixels/] } }, work);
}

/** Some of the values that are seen. */
function samples(page: Page): Promise<number[]> {
  return page.evaluate(() => [...(document.querySelector("tw-tiles") as TwTiles).samples[0]!]);
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

browserTest(
  "zoom chooses the level, by wheel and by keys, and the address keeps the place",
  () =>
    withTilewise({ address: SAMPLE }, async ({ page }) => {
      await whole(page);
      const stage = page.locator("tw-tiles .stage");
      await stage.focus();
      for (let i = 0; i < 4; i++) await page.keyboard.press("+");
      await whole(page, 0);
      await page.waitForURL((url) => url.hash.includes("view="));
      const box = (await stage.boundingBox())!;
      await page.mouse.move(box.x + 100, box.y + 100);
      await page.mouse.wheel(0, 4000);
      await whole(page, 2);
      await page.waitForURL((url) => !url.hash.includes("view="));
      await assertAccessible(page);
    }),
);

browserTest(
  "what is far away is not read",
  () =>
    withTilewise({ address: `${SAMPLE}&view=300,300,2` }, async ({ page }) => {
      await whole(page, 0);
      const counts = await page.evaluate(async () => {
        const store = (document.querySelector("tw-tiles") as TwTiles).store!;
        const { level } = (document.querySelector("tw-tiles") as TwTiles).progress;
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); // what else would be wanted is wanted now
        const { tile, height, width } = store.levels[level]!;
        let [there, all] = [0, 0];
        for (let y = 0; y * tile < height; y++) {
          for (let x = 0; x * tile < width; x++, all++) if (store.get({ level, y, x })) there++;
        }
        return { there, all };
      });
      assert(counts.there >= 4 && counts.there <= 16 && counts.all === 64, JSON.stringify(counts));
    }),
);

browserTest(
  "tiles of another source that are all there at once are seen",
  () =>
    withTilewise({ address: `${SAMPLE}&view=900,900,1` }, async ({ page }) => {
      await whole(page, 0);
      const [before, after] = await page.evaluate(async () => {
        const tiles = document.querySelector("tw-tiles") as TwTiles;
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        for (let i = 0; i < 3; i++) await frame(); // what has just arrived is drawn
        const before = [...tiles.samples[0]!];
        const store = tiles.store!;
        const get = store.get.bind(store);
        const doubled = new (store.constructor as new (...all: unknown[]) => typeof store)(
          store.reader,
          store.selections,
          store.listener,
          store.cache,
        );
        doubled.get = (key) =>
          get(key)?.map((tile) => ({ ...tile, samples: tile.samples.map((value) => 2 * value) }));
        tiles.use(doubled, tiles.channels);
        for (let i = 0; i < 3; i++) await frame();
        return [before, [...tiles.samples[0]!]];
      });
      assertEquals(after, before!.map((value) => 2 * value));
    }),
);

browserTest(
  "a filter is added, changed and taken away; wrong values are told beside it",
  () =>
    withTilewise({ address: `${SAMPLE}&view=900,900,1` }, async ({ page }) => {
      await whole(page, 0);
      const plain = deviation(await samples(page));
      await page.getByRole("combobox", { name: "Add a filter" }).selectOption("gaussian");
      await page.waitForURL((url) => url.hash.includes("filter=gaussian"));
      const sigma = page.getByRole("textbox", { name: "sigma" });
      await sigma.fill("12");
      await sigma.press("Enter");
      await page.waitForURL((url) => url.hash.includes("12"));
      await until(page, (plain) => {
        const { samples: [samples], progress } = document.querySelector("tw-tiles") as TwTiles;
        const mean = samples!.reduce((sum, value) => sum + value, 0) / samples!.length;
        const spread = samples!.reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples!.length;
        return progress.missing === 0 && Math.sqrt(spread) < plain * 0.8;
      }, plain);
      await sigma.fill("wide");
      await sigma.press("Enter");
      await page.getByRole("alert").filter({ hasText: "sigma" }).waitFor();
      await page.waitForURL((url) => url.hash.includes("wide"));
      await page.reload(); // the image is there, without the filter that is wrong
      await page.getByRole("alert").filter({ hasText: "sigma" }).waitFor();
      await whole(page, 0);
      await page.getByRole("button", { name: "Remove Blur" }).click();
      await page.waitForURL((url) => !url.hash.includes("filter="));
      await whole(page, 0);
      await until(page, (plain) => {
        const { samples: [samples] } = document.querySelector("tw-tiles") as TwTiles;
        const mean = samples!.reduce((sum, value) => sum + value, 0) / samples!.length;
        const spread = samples!.reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples!.length;
        return Math.abs(Math.sqrt(spread) - plain) < 1e-6 * plain;
      }, plain);
      assertEquals(await page.getByRole("alert").filter({ hasText: "sigma" }).count(), 0);
    }),
);
