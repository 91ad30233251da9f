/** Strain in three steps, drawn on the pattern and the scan: it is that which the scan was made with, bit for bit as on the command line. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { Page } from "playwright-core";
import { open, read } from "@tilewise/tilewise";
import type { TwImage } from "../../../web/pictures/mod.ts";
import { crystalFrames, extension, SCAN, SIDE, writeCrystal } from "../../cli/analyses/crystal.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { assertAccessible, browserTest, host, withTilewise } from "../setup/mod.ts";

const FORM = `&open.format=raw&open.dtype=uint16&open.nav=${SCAN.join("x")}&open.sig=${SIDE}x${SIDE}`;
const MAPS = ["e_xx", "e_yy", "e_xy", "theta"];

const done = (page: Page) => page.getByRole("button", { name: "Keep to compare", disabled: false }).waitFor();

/** What the address says of the analysis. */
function valuesIn(url: string): Record<string, string> {
  const all = [...new URLSearchParams(new URL(url).hash.slice(1))].filter(([key]) => key.startsWith("run."));
  return Object.fromEntries(all.map(([key, value]) => [key.slice("run.".length), value]));
}

/** What is seen of the scan: title, numbers, range of colours, regions of each image. */
function seen(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll<TwImage>(".view.scan tw-image")].map((
      { image, limits, display, regions },
    ) => ({
      title: image!.title,
      unit: image!.unit,
      data: "array" in image! ? Array.from(image.array.data as Float64Array) : [],
      limits,
      colormap: display.colormap,
      regions: regions.map(({ id }) => id),
    }))
  );
}

/** The extension along x that the command line computes with these values. */
async function commanded(values: Readonly<Record<string, string>>): Promise<ArrayLike<number>> {
  let found: ArrayLike<number> = [];
  await withFolder(async (folder) => {
    const word = `strain_map:${Object.entries(values).map(([key, value]) => `${key}=${value}`).join(",")}`;
    const { code, err } = await cli([
      "run",
      word,
      await writeCrystal(folder),
      "-o",
      `${join(folder, "out")}/`,
    ]);
    assertEquals(code, 0, err);
    const files = await Array.fromAsync(Deno.readDir(join(folder, "out")), ({ name }) => name);
    const name = files.find((name) => /e_xx.*\.npy$/.test(name))!;
    found = (await read(await open(join(folder, "out", name)))).data as Float64Array;
  });
  return found;
}

browserTest("strain is mapped in three steps that are drawn, and is that of the command line", async () => {
  const url = host("crystal.raw", new Uint8Array(crystalFrames().buffer));
  const allowed = { complaints: [/GPU stall due to ReadPixels/] };
  await withTilewise({ address: `#v=1&url=${url}${FORM}`, allowed }, async ({ page }) => {
    await done(page);
    await page.getByRole("button", { name: /^Analysis:/ }).click();
    await page.locator("#analysis-choices .choice", { hasText: "Strain" }).first().click();
    await page.waitForURL((url) => url.hash.includes("run=strain_map") && url.hash.includes("run.radius"));
    await done(page);
    // 1: the disk was found, and its radius; a key on its edge changes the field
    assertAlmostEquals(Number(valuesIn(page.url())["radius"]), 6, 0.6);
    const shot = Deno.env.get("SHOT");
    if (shot) await page.screenshot({ path: `${shot}-1.png` });
    // 2: the lattice was found, and is not written down before it is moved
    assertEquals(Object.keys(valuesIn(page.url())), ["radius"]);
    const tip = page.getByRole("slider", { name: "Vector a" });
    await tip.press("ArrowDown");
    await page.waitForURL((url) => url.hash.includes("run.zero"));
    await done(page);
    // 3: the reference is the column in the middle, which is not strained
    await page.getByRole("button", { name: "Draw a region" }).click();
    await page.waitForURL((url) => url.hash.includes("run.region"));
    await page.getByRole("textbox", { name: /^Where the reference/ }).fill("0:4,2:3");
    await page.waitForURL((url) => valuesIn(url.href)["region"] === "0:4,2:3");
    await done(page);
    const maps = await seen(page);
    assertEquals(maps.map(({ title }) => title.split(",")[0]), ["εxx", "εyy", "εxy", "θ"]);
    const [first] = maps;
    for (const { unit, limits, colormap, regions } of maps) {
      assertEquals([unit, limits, colormap, regions], ["%", first!.limits, "RdBu_r", ["reference"]]);
    }
    assertEquals(first!.limits![0], -first!.limits![1]);
    first!.data.forEach((value, n) => assertAlmostEquals(value, 100 * extension(n), 0.2, `at ${n}`));
    const expected = await commanded(valuesIn(page.url()));
    assertEquals(first!.data, Array.from(expected, (value) => 100 * value));
    // disks that are expected, and those that were found at a position
    await page.getByRole("button", { name: "One position" }).click();
    await page.getByRole("heading", { name: /^Frame at/ }).waitFor();
    const dots = await page.evaluate(() =>
      document.querySelector<TwImage>(".view.frame tw-image")!.dots.map(({ at }) => at.length)
    );
    assertEquals(dots, [9, 9]);
    await page.getByText(/^Diagnostics/).click();
    await page.locator("input[name=shown-result][value=error]").check();
    assertEquals((await seen(page)).length, 1);
    await page.locator("input[name=shown-result][value='']").check();
    assertEquals((await seen(page)).length, MAPS.length);
    await assertAccessible(page);
    if (shot) await page.screenshot({ path: `${shot}-2.png` });
  });
});
