/** Analyses in the page: chosen, typed, computed, compared, exported; the bits are those of a plain run under Deno. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { TwImage } from "../../../web/pictures/mod.ts";
import { arrayFiles } from "../../../web/export/data.ts";
import { ask, bytes, plainResults } from "../../web/engine/sessions.ts";
import {
  answered,
  assertAccessible,
  browserTest,
  host,
  type OpenPage,
  until,
  withTilewise,
} from "../setup/mod.ts";

/** Drivers without a graphics card remark on their own speed. */
const ALLOWED = { complaints: [/GPU stall due to ReadPixels/] };

const FORM = "&open.format=raw&open.dtype=uint16&open.byteOrder=big&open.nav=12x10&open.sig=16x18";

async function onScan(run: string, work: (open: OpenPage) => Promise<void>): Promise<void> {
  const url = await host("analysis.raw", bytes());
  await withTilewise({ address: `#v=1&url=${url}${FORM}&${run}`, allowed: ALLOWED }, async (open) => {
    await answered(open.page);
    await work(open);
  });
}

async function downloaded(page: Page, name: string): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: new RegExp(`^${name}:`) }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await Deno.readFile(await download.path()) };
}

browserTest(
  "exported numbers are those of a plain run, bit for bit",
  () =>
    onScan("run=com&run.r=7", async ({ page }) => {
      const expected = await plainResults(ask("com", { r: "7" }));
      for (const result of ["field", "divergence", "raw_com"]) {
        await page.locator(`input[name=shown-result][value=${result}]`).check();
        const { name, bytes } = await downloaded(page, "NPY");
        const [file] = await arrayFiles(expected[result]!, name);
        assertEquals(name, `centre_of_mass-${result}.npy`);
        assertEquals(bytes, new Uint8Array(await file!.blob.arrayBuffer()), result);
      }
      assertEquals((await downloaded(page, "TIFF")).name, "centre_of_mass-raw_com.tif");
      for (
        const [button, name] of [["PNG figure", "centre_of_mass-raw_com-1.png"], [
          "PNG",
          "centre_of_mass-raw_com-1.png",
        ]] as const
      ) {
        const png = await downloaded(page, button);
        assertEquals([png.name, String.fromCharCode(...png.bytes.subarray(1, 4))], [name, "PNG"]);
      }
      const script = await downloaded(page, "Script");
      const text = new TextDecoder().decode(script.bytes);
      assertEquals(script.name, "centre_of_mass.ts");
      assert(text.includes("centreOfMass({ r: 7 })") && text.includes("nav: [12, 10]"), text);
    }),
);

browserTest(
  "an analysis is found, chosen and typed by keys; mistakes are said beside the field",
  () =>
    onScan("run=disk&run.r=4", async ({ page }) => {
      await page.getByRole("button", { name: /^Analysis: Disk detector/ }).press("Enter");
      await page.getByRole("searchbox", { name: "Find an analysis" }).pressSequentially("fluct");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.hash.includes("run=fluctuation"));
      await answered(page);
      const inner = page.getByLabel("Inner radius, excluded");
      await inner.fill("two");
      assertEquals(await inner.getAttribute("aria-invalid"), "true");
      const about = await inner.getAttribute("aria-describedby");
      assertEquals(await page.locator(`#${about}`).textContent(), "Write a number.");
      await assertAccessible(page, "tw-analysis");
      await inner.fill("2");
      assertEquals(await inner.getAttribute("aria-invalid"), null);
      await inner.press("ArrowUp");
      await page.waitForURL((url) => url.hash.includes("run.ri=3"));
      await answered(page);
    }),
);

browserTest(
  "an expression is checked while it is typed",
  () =>
    onScan("run=expr&run.value=sum(x)", async ({ page }) => {
      const field = page.getByRole("textbox", { name: "Expression" });
      await field.fill("sum(y)");
      await page.locator("#expression-wrong:not([hidden])").waitFor();
      assertEquals(await field.getAttribute("aria-invalid"), "true");
      assert(!page.url().includes("sum(y)"), "what is wrong is not asked");
      await assertAccessible(page, "tw-analysis");
      await field.fill("bright=count(x > t); image=frames.mean(x); t=100");
      await page.locator("#expression-wrong").waitFor({ state: "hidden" });
      await page.getByRole("radio", { name: /^bright/ }).waitFor();
      await answered(page);
      const { bytes } = await downloaded(page, "NPY");
      const expected = await plainResults(
        ask("expr", { bright: "count(x > t)", image: "frames.mean(x)", t: "100" }),
      );
      const [file] = await arrayFiles(expected.bright!, "a.npy");
      assertEquals(bytes, new Uint8Array(await file!.blob.arrayBuffer()));
    }),
);

browserTest(
  "two results are compared, with their difference in figures",
  () =>
    onScan("run=disk&run.r=4", async ({ page }) => {
      await page.getByRole("button", { name: "Keep to compare" }).click();
      await page.getByLabel("Radius, included").fill("5");
      await page.waitForURL((url) => url.hash.includes("run.r=5"));
      await answered(page);
      await page.getByRole("button", { name: "Keep to compare" }).click();
      await page.getByRole("button", { name: "Compare", exact: true }).click(); // begins with two that differ
      const facts = page.locator("tw-compare .facts");
      await facts.getByText("120, of which 120 differ").waitFor();
      const [a, b] = await Promise.all(
        ["4", "5"].map(async (r) => (await plainResults(ask("disk", { r }))).intensity!),
      );
      const most = Math.max(
        ...Array.from(a!.data as Float64Array, (value, i) => Math.abs(value - Number(b!.data[i]))),
      );
      await facts.getByText(String(most), { exact: true }).waitFor();
      await assertAccessible(page, "tw-compare");
      const views = page.getByRole("button", { name: "All, with their parameters" });
      await views.click();
      const [first, second] = [0, 1].map((i) => page.locator("tw-compare .cards article").nth(i));
      await first!.getByText("Parameters").click();
      await first!.getByLabel("Radius, included").fill("6");
      await first!.getByRole("heading", { name: /r=6/ }).waitFor();
      await second!.getByRole("heading", { name: /r=5/ }).waitFor();
      await assertAccessible(page, "tw-compare");
      const shot = Deno.env.get("SHOT");
      if (shot) await page.screenshot({ path: `${shot}-cards.png` });
      await until(page, async () => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("tilewise-kept");
        const file = await (await folder.getFileHandle("kept-1")).getFile();
        return (await file.text()).includes('"r":"6"');
      });
      await page.reload(); // they are kept, with all their bits
      await views.click();
      await first!.getByRole("heading", { name: /r=6/ }).waitFor();
      const kept = await first!.locator("tw-image").evaluate((picture) => {
        const { image } = picture as TwImage;
        return "array" in image! ? Array.from(image.array.data as Float64Array) : [];
      });
      const { intensity } = await plainResults(ask("disk", { r: "6" }));
      assertEquals(kept, Array.from(intensity!.data as Float64Array));
      await page.addInitScript(() => {
        Object.defineProperty(StorageManager.prototype, "getDirectory", {
          value: () => Promise.reject(new DOMException("not in private windows", "SecurityError")),
        });
      });
      await page.reload(); // where nothing is kept it says so, and works until it is closed
      await page.getByText("Kept until this page is closed").waitFor();
      await page.getByRole("button", { name: "Explore", exact: true }).click();
      await answered(page);
      await page.getByRole("button", { name: "Keep to compare" }).click();
      await page.getByText("until this page is closed").first().waitFor();
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await views.click();
      await page.locator("tw-compare .cards article").waitFor();
    }),
);
