/** What comes late does not take the place of what is newer: drops, filters, tiles, answers, files of the same name. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import type { TwImage, TwTiles } from "../../../web/pictures/mod.ts";
import { encodeNpy } from "../../npy_files.ts";
import {
  answered,
  browserTest,
  host,
  type OpenPage,
  until,
  whole,
  withPage,
  withTilewise,
} from "../setup/mod.ts";

const allowed = { complaints: [/GPU stall due to ReadPixels/, /willReadFrequently/] };

/** A scan of 4 × 4 frames of 8 × 8, each pixel 1. */
const SCAN = encodeNpy(new Uint8Array(4 * 4 * 8 * 8).fill(1), [4, 4, 8, 8], "uint8");

const file = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(bytes),
});

function give(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  return page.locator("input[type=file]").first().setInputFiles(file(name, bytes));
}

/** What the page of a test keeps until it is asked for. */
interface Held {
  held: () => void;
}

/** Drops files; those of `late` are in a folder that the browser lists when `held()` is called. */
function drop(page: Page, name: string, bytes: Uint8Array, late: boolean): Promise<void> {
  return page.evaluate(([name, bytes, late]) => {
    const file = new File([Uint8Array.from(bytes as number[])], name as string);
    const entry = {
      isFile: true,
      isDirectory: false,
      name,
      file: (found: (file: File) => void) => found(file),
    };
    let entries = [entry];
    const readEntries = (found: (entries: unknown[]) => void) => {
      const some = entries;
      entries = [];
      if (some.length > 0) (globalThis as unknown as Held).held = () => found(some);
      else found([]);
    };
    const folder = {
      isFile: false,
      isDirectory: true,
      name: "folder",
      createReader: () => ({ readEntries }),
    };
    const items = [{ kind: "file", webkitGetAsEntry: () => late ? folder : entry, getAsFile: () => file }];
    const event = new Event("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items } });
    document.body.dispatchEvent(event);
  }, [name, [...bytes], late] as const);
}

browserTest("until asks the page that comes after the one that it has asked first", () => {
  const titled = (title: string) =>
    new TextEncoder().encode(`<!doctype html><link rel="icon" href="data:,"><title>${title}</title>`);
  const next = host("next.html", titled("next"));
  return withPage({ path: host("first.html", titled("first")) }, async ({ page }) => {
    const title = await until(page, (next) => {
      if (document.title === "next") return document.title;
      (globalThis as { left?: boolean }).left ??= (location.href = next) !== "";
      return undefined;
    }, next);
    assertEquals(title, "next");
  });
});

browserTest(
  "a folder that is listed late does not take the place of what was dropped after it",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const name = (what: string) =>
        page.getByRole("button", { name: new RegExp(`^${what}.*4 × 4 of 8 × 8`) });
      await drop(page, "first.npy", SCAN, true);
      await drop(page, "second.npy", SCAN, false);
      await name("second\\.npy").waitFor();
      await page.evaluate(() => (globalThis as unknown as Held).held());
      await drop(page, "third.npy", SCAN, true); // whatever the first would do, it has done before that
      await page.evaluate(() => (globalThis as unknown as Held).held());
      await name("third\\.npy").waitFor();
      await page.keyboard.press("Control+z");
      await name("second\\.npy").waitFor();
    }),
);

browserTest(
  "the sheet about a source leaves with it: what is chosen there would be applied to another one",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const name = (what: string) =>
        page.getByRole("button", { name: new RegExp(`^${what}.*4 × 4 of 8 × 8`) });
      await give(page, "first.npy", SCAN);
      await name("first\\.npy").click();
      const sheet = page.getByRole("dialog", { name: "What is open" });
      await sheet.waitFor();
      await drop(page, "second.npy", SCAN, false);
      await name("second\\.npy").waitFor();
      assertEquals(await sheet.count(), 0);
    }),
);

const PYRAMID = "#v=1&sample=pyramid&panel=pyramid";

function withTiles(address: string, work: (open: OpenPage) => Promise<void>): Promise<void> {
  return withTilewise({ address: `${PYRAMID}${address}`, allowed }, async (open) => {
    await whole(open.page);
    await work(open);
  });
}

browserTest(
  "of tiles that follow each other before any is there, the picture before stays, and its values",
  () =>
    withTiles("", async ({ page }) => {
      const found = await page.evaluate(async () => {
        const tiles = document.querySelector("tw-tiles") as TwTiles;
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const { reader, selections, listener } = tiles.store!;
        const Store = tiles.store!.constructor as new (...all: unknown[]) => NonNullable<TwTiles["store"]>;
        const nothing = Object.defineProperties(Object.create(reader), {
          getTile: { value: () => new Promise(() => {}) },
          levels: { value: reader.levels },
          tileSize: { value: reader.tileSize },
        });
        const before = [[...tiles.samples[0]!], tiles.pixels()!.data.join()];
        const busy: [number, string | null][] = [];
        for (let i = 0; i < 2; i++) {
          tiles.use(new Store(nothing, selections, listener), tiles.channels);
          const stage = tiles.shadowRoot!.querySelector(".stage")!;
          busy.push([tiles.progress.missing, stage.getAttribute("aria-busy")]);
        }
        for (let i = 0; i < 3; i++) await frame();
        const after = [[...tiles.samples[0]!], tiles.pixels()!.data.join()];
        return { isSame: JSON.stringify(before) === JSON.stringify(after), busy };
      });
      assert(found.isSame);
      assertEquals(found.busy.map(([missing, busy]) => [missing > 0, busy]), Array(2).fill([true, "true"]));
    }),
);

browserTest(
  "filters that cannot be used leave the image before them as it was, with all of its tiles",
  () =>
    withTiles("", async ({ page }) => {
      await page.evaluate(() => location.hash += "&filter=downsample:2x2");
      await page.locator(".wrong", { hasText: "Cannot filter tiles" }).waitFor();
      await page.locator("tw-tiles .stage").focus();
      for (let i = 0; i < 6; i++) await page.keyboard.press("+");
      await whole(page, 0);
      const isThere = await page.evaluate(() => {
        const tiles = document.querySelector("tw-tiles") as TwTiles;
        const { rows: [top], columns: [left] } = tiles.seenPart;
        const { tile } = tiles.store!.levels[0]!;
        return tiles.store!.get({ level: 0, y: Math.floor(top / tile), x: Math.floor(left / tile) }) !==
          undefined;
      });
      assert(isThere);
    }),
);

/** A scan in memory with this analysis. */
function onScan(run: string, work: (page: Page) => Promise<void>): Promise<void> {
  return withTilewise({ allowed, address: `#v=1&file=scan.npy&${run}` }, async ({ page }) => {
    await give(page, "scan.npy", SCAN);
    await answered(page);
    await work(page);
  });
}

/** The first value of the image of the scan. */
const valueOf = (page: Page) =>
  page.evaluate(() => {
    const { image } = document.querySelector(".view.scan tw-image") as TwImage;
    return image && "array" in image ? Number(image.array.data[0]) : undefined;
  });

browserTest(
  "another file of the same name is another mask",
  () =>
    withTilewise({ allowed, address: "#v=1&file=scan.npy&run=apply_masks" }, async ({ page }) => {
      await give(page, "scan.npy", SCAN);
      const mask = async (value: number) => {
        const bytes = encodeNpy(new Float64Array(64).fill(value), [8, 8], "float64");
        await page.locator(".parameters input[type=file]").first().setInputFiles(file("mask.npy", bytes));
        await answered(page);
        return await valueOf(page);
      };
      assertEquals([await mask(1), await mask(2)], [64, 128]);
    }),
);

browserTest(
  "an expression that is still checked does not come back after another analysis was chosen",
  () =>
    onScan("run=expression", async (page) => {
      await page.evaluate(() => {
        document.querySelector<HTMLElement>(".expression .chip")!.click();
        document.querySelector<HTMLElement>(".segmented [data-value=annular_detector]")!.click();
      });
      await page.waitForURL(({ hash }) => hash.includes("run=annular"));
      await answered(page);
      await page.locator("[data-value=disk_detector]").click(); // an expression would have come before that
      await page.waitForURL(({ hash }) => hash.includes("run=disk"));
      await page.keyboard.press("Control+z");
      await page.waitForURL(({ hash }) => hash.includes("run=annular"));
    }),
);

browserTest(
  "a card that asks for what is computed already gets it, and nothing that is asked later",
  () =>
    onScan("run=disk&run.cy=3&run.cx=3&run.r=1", async (page) => {
      const compare = page.getByRole("button", { name: "Compare", exact: true });
      await page.getByRole("button", { name: "Keep to compare" }).click();
      await page.getByLabel("Radius, included").fill("2");
      await answered(page);
      await compare.click();
      await page.getByRole("button", { name: "All, with their parameters" }).click();
      const card = page.locator("tw-compare .cards article");
      await card.getByText("Parameters").click();
      await card.getByLabel("Radius, included").fill("2");
      await card.getByRole("heading", { name: /r=2/ }).waitFor();
      await page.getByRole("button", { name: "Explore", exact: true }).click();
      await page.getByLabel("Radius, included").first().fill("3");
      await answered(page);
      await compare.click();
      await card.getByRole("heading", { name: /r=2/ }).waitFor();
    }),
);

browserTest(
  "the preview of a raw file has the shape that is typed while it is read",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      await give(page, "scan.raw", new Uint8Array(64 * 16));
      await page.getByLabel("Shape of a pattern").waitFor();
      await page.evaluate(() => {
        const type = (label: string, text: string) => {
          const field = [...document.querySelectorAll("label")].find((one) =>
            one.textContent!.startsWith(label)
          )!;
          const input = field.control as HTMLInputElement;
          input.value = text;
          for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }));
        };
        type("Shape of a pattern", "4x4");
        type("Samples", "uint8");
        type("Shape of the scan", "4x16");
      });
      const preview = page.getByRole("img", { name: "Preview of the scan" });
      await preview.waitFor();
      const size = await preview.evaluate((shown) => {
        const { width, height } = shown as HTMLCanvasElement;
        return [height, width];
      });
      assertEquals(size, [4, 16]);
    }),
);
