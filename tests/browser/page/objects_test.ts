/** The path of a biologist: filters as cards, objects found, chosen and saved; the numbers are those of the command line. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { Page } from "playwright-core";
import { ndarray } from "@tilewise/tilewise/arrays";
import { storedPieces } from "../../../src/pictures/mod.ts";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { cli, wordsInShell } from "../../cli/harness.ts";
import { assertAccessible, browserTest, until, withTilewise } from "../setup/mod.ts";

const [HEIGHT, WIDTH] = [96, 128];
const allowed = { complaints: [/GPU stall due to ReadPixels/, /willReadFrequently/] };

/** Places of nuclei of a channel at a depth: they do not touch. */
const nuclei = (z: number, c: number) =>
  [[20, 24], [22, 70], [60, 40], [70, 100], [40, 110]].slice(c).map(([y, x], i) =>
    [
      y! + 3 * z,
      x! + c,
      4 + i % 3,
    ] as const
  );

/** Two depths and two channels of nuclei in noise, with sizes of pixels. */
async function writeCells(path: string): Promise<void> {
  const data = new Uint16Array(4 * HEIGHT * WIDTH);
  for (let i = 0; i < data.length; i++) {
    const [plane, y, x] = [Math.floor(i / HEIGHT / WIDTH), Math.floor(i / WIDTH) % HEIGHT, i % WIDTH];
    const noise = (Math.imul(i + 1, 2654435761) >>> 24) / 2;
    const light = nuclei(plane >> 1, plane & 1).map(([cy, cx, s]) =>
      700 * Math.exp(-((y - cy) ** 2 + (x - cx) ** 2) / (2 * s * s))
    );
    data[i] = Math.round(100 + noise + light.reduce((a, b) => a + b));
  }
  const axes = [
    { name: "z", kind: "space", scale: 1.5, unit: "µm" },
    { name: "c", kind: "channel", names: ["DAPI", "GFP"] },
    { name: "y", kind: "space", scale: 0.25, unit: "µm" },
    { name: "x", kind: "space", scale: 0.25, unit: "µm" },
  ] as const;
  const array = { ...ndarray(data, [2, 2, HEIGHT, WIDTH], "uint16"), axes };
  await Deno.writeFile(path, new Blob(await storedPieces(array, path)).stream());
}

/** Waits until so many objects are told. */
async function count(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(".objects .count").filter({ hasText: text }).waitFor();
}

/** The table that the page saves, and the one that its command makes. */
async function bothTables(page: Page, folder: string, path: string): Promise<readonly [string, string]> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV: The table as a file" }).click(),
  ]);
  assertEquals(saved.suggestedFilename(), "cells-objects.csv");
  await page.getByRole("button", { name: /^Command: .* table/ }).click();
  const notice = page.getByText(/Copied: tilewise map/).first();
  const line = (await notice.textContent())!.replace(/^[\s\S]*?Copied: /, "");
  const [words = []] = await wordsInShell([line.trim()], folder);
  const out = join(folder, `${crypto.randomUUID()}.csv`);
  const { code, err } = await cli(
    words.map((word) => word === "cells.ome.tif" ? path : word.endsWith(".csv") ? out : word),
  );
  assertEquals(code, 0, err);
  return [await Deno.readTextFile(await saved.path()), await Deno.readTextFile(out)];
}

/** The object that is chosen, as the picture and the table show it. */
async function chosen(page: Page, label: number): Promise<void> {
  await until(page, (label) => {
    const { labels } = document.querySelector("tw-tiles") as TwTiles;
    const rows = [...document.querySelectorAll<HTMLElement>(".objects tr.chosen")];
    return labels?.chosen === label && rows.length === 1 && rows[0]!.dataset["label"] === `${label}`;
  }, label);
  await page.waitForURL((url) => url.hash.includes(`objects.chosen=${label}`));
}

/** Clicks the image in the middle of a nucleus; all of the image is seen. */
async function clickImage(page: Page, [y, x]: readonly [number, number, ...unknown[]]): Promise<void> {
  const box = (await page.locator("tw-tiles .stage").first().boundingBox())!;
  const zoom = Math.min(box.width / WIDTH, box.height / HEIGHT);
  const at = (middle: number, size: number, place: number) => middle + (place + 0.5 - size / 2) * zoom;
  await page.mouse.click(
    at(box.x + box.width / 2, WIDTH, x),
    at(box.y + box.height / 2, HEIGHT, y),
  );
}

/** Filters are moved by sliders and put in another order; the image without them lies over its left half. */
async function cards(page: Page): Promise<void> {
  const blur = page.getByRole("slider", { name: /^Blur/ });
  assertEquals(await blur.getAttribute("aria-valuetext"), "2 px");
  await blur.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("Blur 2.5 px").waitFor();
  await page.waitForURL((url) => url.hash.includes("filter=gaussian:sigma%3D0x0x2.5x2.5"));
  await page.getByRole("combobox", { name: "Add a filter" }).selectOption("median");
  await page.getByRole("button", { name: /^Move Median/ }).focus();
  await page.keyboard.press("ArrowUp");
  await page.waitForURL((url) => /filter=median.*filter=gaussian/.test(url.hash));
  await page.getByRole("button", { name: "Remove Median" }).click();
  await page.waitForURL((url) => !url.hash.includes("filter=median"));
  await page.getByRole("button", { name: "Before and after" }).click();
  await until(page, () => {
    const [after, before] = [...document.querySelectorAll("tw-tiles")] as TwTiles[];
    const spread = (tiles: TwTiles) => Math.max(...tiles.samples[0]!) - Math.min(...tiles.samples[0]!);
    return before!.store?.missing === 0 && after!.store?.missing === 0 && spread(before!) > spread(after!);
  });
  await page.getByRole("slider", { name: "Where one image ends" }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForURL((url) => url.hash.includes("second=before&second.wipe=0.6"));
}

/** The picture that is exported has the outlines of the objects that lie over it. */
async function inPicture(page: Page): Promise<void> {
  await until(page, () => {
    const tiles = document.querySelector("tw-tiles") as TwTiles;
    const { width, height } = tiles.shadowRoot!.querySelector<HTMLCanvasElement>("canvas.labels")!;
    const shown = tiles.labels && tiles.shadowRoot!.querySelector<HTMLCanvasElement>("canvas.labels")!
      .getContext("2d")!.getImageData(0, 0, width, height).data;
    if (!shown) return false;
    const count = (data: Uint8ClampedArray, at: number) => {
      let n = 0;
      for (let i = 0; i < data.length; i += 4) {
        if ([0, 1, 2].every((c) => data[i + c] === shown[at + c])) n++;
      }
      return n;
    };
    const first = shown.findIndex((value, i) => i % 4 === 3 && value === 255) - 3; // a pixel of an outline
    const without = tiles.pixels()!.data, outline = count(shown, first);
    return first >= 0 && outline > 20 && count(without, first) === 0 &&
      count(tiles.picture()!.pixels.data, first) === outline;
  });
}

/** The film strip has the picture of each depth, which is shown when it is pressed; the stack is played by a key. */
async function film(page: Page): Promise<void> {
  await page.getByText("Film strip").click();
  await until(page, ([height, width]) => {
    const canvases = [...document.querySelectorAll<HTMLCanvasElement>(".frame canvas")];
    const brightest = canvases.map((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      const green = Array.from({ length: data.length / 4 }, (_, i) => data[4 * i + 1]!);
      const most = Math.max(...green);
      const rows = green.flatMap((value, i) => value === most ? [Math.floor(i / canvas.width)] : []);
      return most > 200 ? (rows[0]! - canvas.height / 2) * width! / canvas.width + height! / 2 : NaN;
    });
    return canvases.length === 2 && Math.abs(brightest[1]! - brightest[0]! - 3) < 2.1; // nuclei lie 3 rows lower
  }, [HEIGHT, WIDTH]);
  await page.getByRole("button", { name: "1.5 µm" }).click();
  await page.waitForURL((url) => url.hash.includes("stack.z=1"));
  await page.keyboard.press(".");
  await page.waitForURL((url) => !url.hash.includes("stack.z"));
  await page.keyboard.press("k");
  await page.getByRole("button", { name: /Play Depth/, pressed: true }).waitFor();
  await page.waitForURL((url) => url.hash.includes("stack.z=1"));
  await page.waitForURL((url) => !url.hash.includes("stack.z"));
  await page.keyboard.press("k");
  await page.getByRole("button", { name: /Play Depth/, pressed: false }).waitFor();
  await page.getByRole("slider", { name: /Depth/ }).fill("0");
}

browserTest(
  "objects are found, chosen in the image and in the table, and saved as the command line has them",
  async () => {
    const folder = await Deno.makeTempDir();
    const path = join(folder, "cells.ome.tif");
    await writeCells(path);
    await withTilewise({ allowed }, async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const give = () => page.locator("input[type=file]").first().setInputFiles(path);
      await give();
      await film(page);
      await page.getByRole("button", { name: "Find objects" }).click();
      await count(page, /^5 objects$/);
      await page.getByText("Blur 2 px").waitFor();
      await page.locator(".film[open]").waitFor(); // it stays, as the image is the same
      await inPicture(page);
      const [ours, theirs] = await bothTables(page, folder, path);
      assertEquals(ours, theirs);
      assert(
        /^label,area,.*,mean,min,max,area \(µm²\),centroid_y \(µm\),centroid_x \(µm\)\n/.test(ours),
        ours,
      );

      await page.getByRole("slider", { name: /Depth/ }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("combobox", { name: "Look in" }).selectOption("GFP");
      await count(page, /^4 objects$/);
      await cards(page);
      await count(page, /^4 objects$/);
      await page.getByLabel("Automatic threshold").uncheck();
      await page.waitForURL((url) => /objects=\d+/.test(url.hash));
      await page.getByRole("slider", { name: /Threshold/ }).focus();
      await page.keyboard.press("PageUp");
      await count(page, /^\d+ objects?$/);
      const [changed, again] = await bothTables(page, folder, path);
      assertEquals(changed, again);
      assert(changed !== ours);

      await page.getByRole("button", { name: "Object 1", exact: true }).focus();
      await page.keyboard.press("ArrowDown");
      await chosen(page, 2);
      const last = nuclei(1, 1).toSorted(([a], [b]) => a - b).at(-1)!;
      await clickImage(page, last);
      await chosen(page, 4);
      await assertAccessible(page);
      const { hash } = new URL(page.url());
      await page.reload();
      await page.getByText(/cells\.ome\.tif/).first().waitFor();
      await give();
      await count(page, /^4 objects$/);
      await chosen(page, 4);
      assertEquals(new URL(page.url()).hash, hash);
      await page.getByRole("button", { name: /^Remove: / }).click();
      await page.waitForURL((url) => !/objects|overlay/.test(url.hash));
    });
    await Deno.remove(folder, { recursive: true });
  },
);
