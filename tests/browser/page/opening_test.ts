/** From nothing to an open scan: samples, files, forms, addresses; and what is said when that fails. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import type { TwImage } from "../../../web/pictures/mod.ts";
import {
  answered,
  assertAccessible,
  browserTest,
  type OpenPage,
  type PanelOptions,
  until,
} from "../setup/mod.ts";
import { withTilewise as withPanel } from "../setup/mod.ts";

/** A raw scan of 8 × 8 patterns of 64 × 64 uint16, in which pixel 0 counts the positions. */
function rawScan(): Uint8Array<ArrayBuffer> {
  const samples = new Uint16Array(64 * 64 * 64);
  for (let n = 0; n < 64; n++) samples.fill(n, n * 4096, (n + 1) * 4096);
  return new Uint8Array(samples.buffer);
}

async function give(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.locator("input[type=file]").first().setInputFiles({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(bytes),
  });
}

/** Drivers without a graphics card remark on their own speed. */
function withTilewise<T>(options: PanelOptions, work: (open: OpenPage) => Promise<T>): Promise<T> {
  return withPanel({ ...options, allowed: { complaints: [/GPU stall due to ReadPixels/] } }, work);
}

browserTest(
  "the welcome says that nothing is uploaded, and everybody can use it",
  () =>
    withTilewise({}, async ({ page }) => {
      await page.getByText("nothing is uploaded").first().waitFor();
      await assertAccessible(page);
    }),
);

browserTest(
  "the welcome on a phone, in the dark",
  () =>
    withTilewise({ size: "phone", scheme: "dark" }, async ({ page }) => {
      await page.getByRole("button", { name: "Choose files" }).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assertEquals(width, 390);
      await assertAccessible(page);
    }),
);

browserTest(
  "a page that is hidden computes, and has its picture when it is seen again",
  () =>
    withTilewise({}, async ({ page }) => {
      await page.evaluate(() => {
        const due: FrameRequestCallback[] = [];
        const ask = globalThis.requestAnimationFrame;
        globalThis.requestAnimationFrame = (act) => due.push(act);
        addEventListener("focus", () => {
          globalThis.requestAnimationFrame = ask;
          for (const act of due) ask(act);
        });
        location.hash = "v=1&sample=crystal-small";
      });
      await page.locator(".page-foot[aria-busy=false] .dot.done").waitFor();
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      await until(page, () => {
        const picture = document.querySelector(".view.scan tw-image") as TwImage | null;
        return picture?.pixels()?.data.some((value) => value > 0 && value < 255);
      });
    }),
);

browserTest(
  "a raw file is asked about; a suggestion opens it, undo returns to the form",
  () =>
    withTilewise({}, async ({ page }) => {
      await give(page, "scan.raw", rawScan());
      await page.getByText("The format is not known").waitFor();
      await assertAccessible(page);
      await page.getByLabel("Shape of a pattern").fill("64x");
      await page.getByText("Sizes with × between them").waitFor();
      await page.getByLabel("Shape of a pattern").fill("64x64");
      await page.getByLabel("Samples").selectOption("uint16");
      await page.getByLabel("Shape of the scan").fill("8x8");
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await answered(page);
      await page.getByRole("button", { name: /scan\.raw.*8 × 8 of 64 × 64.*uint16/ }).waitFor();
      await page.keyboard.press("Control+z");
      await page.getByText("The format is not known").waitFor();
      await page.keyboard.press("Control+Shift+Z");
      await answered(page);
    }),
);

browserTest(
  "frames of a raw file are previewed before it is opened, with the sync offset of the slider",
  () =>
    withTilewise({}, async ({ page }) => {
      await give(page, "scan_8x8_64x64_u16.raw", rawScan());
      await page.getByRole("button", { name: "8 × 8 of 64 × 64 uint16", exact: true }).click();
      const preview = page.getByRole("img", { name: "Preview of the scan" });
      await preview.waitFor();
      const last = () =>
        preview.evaluate((shown) => {
          const copy = new OffscreenCanvas(8, 8).getContext("2d")!; // the page itself never reads its canvas
          copy.drawImage(shown as HTMLCanvasElement, 0, 0);
          return [...copy.getImageData(7, 7, 1, 1).data];
        });
      assertEquals(await last(), [255, 255, 255, 255]);
      await page.getByRole("slider", { name: "Images to skip first" }).press("ArrowRight");
      assertEquals(await page.getByLabel("Images to skip first").first().inputValue(), "1");
      assertEquals((await last())[3], 0, "no image is left for the last position");
      await assertAccessible(page);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await answered(page);
      assert(page.url().includes("open.syncOffset=1"));
    }),
);

browserTest(
  "after a reload the page asks for the same file by its name, and goes on where it was",
  () =>
    withTilewise({
      address:
        "#v=1&file=scan.raw&open.format=raw&open.dtype=uint16&open.sig=64x64&open.nav=8x8&run=point&at=3,5",
    }, async ({ page }) => {
      await page.getByText("Please choose scan.raw again").waitFor();
      await assertAccessible(page);
      await give(page, "scan.raw", rawScan());
      await answered(page);
      await page.getByRole("heading", { name: "Frame at 3, 5" }).waitFor();
      await page.reload();
      await page.getByText("Please choose scan.raw again").waitFor();
      assert(page.url().includes("run=point&at=3,5"));
    }),
);

/** A `.npy` file of 4 × 4 frames of 8 × 8 bytes. */
function npy(value: number): Buffer {
  const head = "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 4, 8, 8), }".padEnd(117) + "\n";
  const bytes = [0x93, ...Buffer.from("NUMPY"), 1, 0, head.length, 0, ...Buffer.from(head)];
  return Buffer.from([...bytes, ...Array.from({ length: 1024 }, (_, i) => (i * value) % 251)]);
}

browserTest(
  "of several files one is opened, the others are offered with pictures; what was open is known by name",
  () =>
    withTilewise({}, async ({ page }) => {
      const mimeType = "application/octet-stream";
      await page.locator("input[type=file]").first().setInputFiles(
        ["one.npy", "two.npy"].map((name, i) => ({ name, mimeType, buffer: npy(i + 3) })),
      );
      await answered(page);
      await page.getByRole("button", { name: "Choose another" }).click();
      const others = page.getByRole("list", { name: "Other sources" });
      await others.locator(".thumbnail canvas").waitFor();
      await assertAccessible(page, "dialog");
      await others.getByRole("button", { name: /two\.npy.*4 × 4 of 8 × 8 · uint8/ }).press("Enter");
      await page.getByRole("button", { name: /two\.npy.*4 × 4 of 8 × 8/ }).waitFor();
      await answered(page);
      await page.getByRole("button", { name: "Tilewise", exact: true }).click();
      const recent = page.getByRole("list", { name: "Sources that were open" });
      await recent.waitFor(); // the list is loaded when it is needed
      assertEquals((await recent.getByRole("button").allTextContents()).map((one) => one.slice(0, 7)), [
        "two.npy",
        "one.npy",
      ]);
      await assertAccessible(page);
      const shot = Deno.env.get("SHOT");
      if (shot) await page.screenshot({ path: `${shot}-recent.png` });
      await page.waitForURL(({ hash }) => !hash.includes("file=")); // it is written after a pause
      await page.reload(); // names outlive the page, files do not
      await recent.getByRole("button", { name: /^one\.npy/ }).click();
      await page.getByText("Please choose").first().waitFor();
      await page.getByRole("button", { name: "Open something else" }).click();
      await page.getByRole("button", { name: "Forget these" }).click();
      await recent.waitFor({ state: "detached" });
    }),
);

browserTest(
  "of a folder with two stores the user chooses one, and what is open is called by it",
  () =>
    withTilewise({}, async ({ page }) => {
      const folder = await Deno.makeTempDir();
      try {
        for (const name of ["first.zarr", "second.zarr"]) await writeStore(`${folder}/${name}`);
        await page.locator("input[type=file]").nth(1).setInputFiles(folder);
        await page.getByText("There are several stores").waitFor();
        await assertAccessible(page);
        const stores = page.getByRole("list", { name: "Stores" }).getByRole("button");
        assertEquals((await stores.allTextContents()).map((one) => one.replace(/^.*\//, "")), [
          "first.zarr",
          "second.zarr",
        ]);
        await stores.last().press("Enter");
        await answered(page);
        await page.getByRole("button", { name: /second\.zarr.*2 × 2 of 3 × 3/ }).waitFor();
        assert(page.url().includes("file=second.zarr"));
        await page.keyboard.press("Control+z");
        await page.getByText("There are several stores").waitFor();
        await page.keyboard.press("Control+Shift+z");
        await page.waitForURL(({ hash }) => hash.includes("file=second.zarr"));
        await page.reload(); // the folder is given again: it goes on with the store, and the other one is beside it
        await page.getByText("Please choose second.zarr again").waitFor();
        await page.locator("input[type=file]").nth(1).setInputFiles(folder);
        await answered(page);
        await page.getByRole("button", { name: /second\.zarr.*2 × 2 of 3 × 3/ }).waitFor();
        await page.getByRole("button", { name: "Choose another" }).click();
        await page.getByRole("list", { name: "Other sources" }).getByRole("button", { name: /first\.zarr/ })
          .click();
        await answered(page);
        assert(page.url().includes("file=first.zarr"));
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    }),
);

/** A Zarr array of 2 × 2 frames of 3 × 3 bytes, in one chunk. */
async function writeStore(folder: string): Promise<void> {
  const shape = [2, 2, 3, 3];
  const document = { zarr_format: 2, shape, chunks: shape, dtype: "|u1", order: "C", filters: null };
  await Deno.mkdir(folder);
  const text = JSON.stringify({ ...document, compressor: null, fill_value: 0 });
  await Deno.writeTextFile(`${folder}/.zarray`, text);
  await Deno.writeFile(`${folder}/0.0.0.0`, Uint8Array.from({ length: 36 }, (_, i) => i));
}

browserTest("file names are text, whatever they say", () =>
  withTilewise({}, async ({ page }) => {
    const name = "<img src=x onerror=document.title='taken'>.raw";
    await give(page, name, rawScan());
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    assertEquals(await page.locator("tw-page img").count(), 1); // that of the brand
    assertEquals(await page.title(), `${name} – Tilewise`);
  }));

browserTest(
  "another server is read only when the user agrees",
  () =>
    withTilewise({ address: "#v=1&url=https://other.test/scan.mib" }, async ({ page, log }) => {
      await page.getByText("Read from other.test?").waitFor();
      assertEquals(log.requests.filter((url) => url.includes("other.test")), []);
      await page.getByRole("button", { name: "Open something else" }).click();
      await page.getByRole("button", { name: "Choose files" }).waitFor();
    }),
);

browserTest(
  "addresses that cannot be right are named, and the page stays usable",
  () =>
    withTilewise({ address: "#v=1&run=<script>&at=-1,2&sample=crystal-small" }, async ({ page }) => {
      await page.getByRole("heading", { name: /“run”/ }).waitFor();
      await answered(page);
    }),
);

browserTest(
  "a damaged file says what to do, and another can be opened after it",
  () =>
    withTilewise({}, async ({ page }) => {
      const npy = new TextEncoder().encode("\x93NUMPY\x01\x00v\x00{'descr': 'nonsense'");
      await give(page, "scan.npy", Uint8Array.from([0x93, ...npy.subarray(2)]));
      await page.getByRole("alert").waitFor();
      await page.getByRole("button", { name: "Open something else" }).click();
      await page.getByRole("button", { name: /^Small 4D-STEM scan/ }).click();
      await answered(page);
    }),
);

browserTest(
  "the sheet about the source shows why, and previews the sync offset",
  () =>
    withTilewise({ address: "#v=1&sample=crystal-small" }, async ({ page }) => {
      await answered(page);
      await page.getByRole("button", { name: /Sample crystal-small/ }).click();
      const sheet = page.getByRole("dialog", { name: "What is open" });
      await sheet.getByText("4096").first().waitFor();
      await sheet.getByRole("img", { name: "Preview of the scan" }).waitFor();
      await assertAccessible(page, "dialog");
      const slider = sheet.getByRole("slider", { name: "Images to skip first" });
      await slider.press("ArrowRight");
      assertEquals(await sheet.getByLabel("Images to skip first").first().inputValue(), "1");
      await sheet.getByRole("button", { name: "Apply" }).click();
      await answered(page);
      assert(page.url().includes("open.syncOffset=1"));
    }),
);

browserTest(
  "the first paint loads the page's own code; who saves data gets nothing of the library",
  () =>
    withTilewise({}, async ({ page }) => {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, "connection", { value: { saveData: true } })
      );
      await page.reload();
      await page.getByRole("button", { name: "Choose files" }).waitFor();
      const bytes = await page.evaluate(() =>
        (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
          .filter(({ name }) => name.endsWith(".js")).reduce(
            (sum, { decodedBodySize }) => sum + decodedBodySize,
            0,
          )
      );
      assert(bytes > 10_000 && bytes < 80_000, `${bytes} bytes of scripts`);
    }),
);
