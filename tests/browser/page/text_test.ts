/** What files, folders, addresses and errors say is text, whatever it says. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { withFolder, writeNpy } from "../../cli/harness.ts";
import { answered, browserTest, type OpenPage, withTilewise } from "../setup/mod.ts";

/** What would run, were it taken for HTML. */
const CODE = `"><img src=x onerror="globalThis.taken=1"><svg onload='globalThis.taken=2'><b>x`;

/** The same where a name of a file is wanted. */
const NAME = CODE.replaceAll("/", "∕");

/** Nothing of it has become an element, or has run. */
async function assertText(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => [
    (globalThis as { taken?: number }).taken ?? 0,
    document.querySelectorAll("img[src=x], [onerror], [onload], svg[onload], b, iframe").length,
    document.querySelectorAll("script:not([src])").length,
  ]);
  assertEquals(found, [0, 0, 0], what);
  const text = await page.evaluate(() => document.body.innerText + document.title);
  assert(/onerror(=|%3D)/.test(text), `${what}: ${text.slice(0, 500)}`);
}

/** A Zarr array whose axes, units and attributes would be code. */
async function writeZarr(folder: string): Promise<void> {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [4, 4, 16, 16],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4, 16, 16] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: [{ name: "bytes" }],
    dimension_names: [CODE, `${CODE}1`, `${CODE}2`, `${CODE}3`],
    attributes: { name: CODE, unit: CODE, [CODE]: CODE },
  };
  await Deno.mkdir(`${folder}/c/0/0/0`, { recursive: true });
  await Deno.writeTextFile(`${folder}/zarr.json`, JSON.stringify(metadata));
  await Deno.writeFile(`${folder}/c/0/0/0/0`, new Uint8Array(4096).map((_, i) => i));
}

/** Opens the sheet about the source. */
async function openSheet({ page }: OpenPage): Promise<void> {
  await answered(page);
  await page.getByRole("button", { name: /of 16 × 16/ }).click();
  await page.getByRole("dialog", { name: "What is open" }).waitFor();
}

browserTest("names of folders, axes and attributes stay text", () =>
  withFolder(async (folder) => {
    const path = `${folder}/${NAME}.zarr`;
    await writeZarr(path);
    await withTilewise({}, async (open) => {
      await open.page.locator("input[type=file]").nth(1).setInputFiles(path);
      await openSheet(open);
      await assertText(open.page, "a folder");
    });
  }));

browserTest("errors that quote a file stay text", () =>
  withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, CODE.replaceAll("'", ""), [4, 4], new Uint8Array(64));
    await Deno.writeTextFile(
      `${folder}/${NAME}.hdr`,
      `HDR,\nFrames in Acquisition (Number):\t${CODE}\nEnd\t`,
    );
    await withTilewise({}, async ({ page }) => {
      for (const name of ["a.npy", `${NAME}.hdr`]) {
        await page.locator("input[type=file]").first().setInputFiles(`${folder}/${name}`);
        await page.getByText("Details").click(); // of a failure, or of what should be chosen instead
        await assertText(page, name);
        await page.getByRole("button", { name: "Open something else" }).click();
      }
    });
  }));

/** Fragments of addresses, each with a heading that the page shows then. */
const ADDRESSES: readonly (readonly [address: string, heading: RegExp])[] = [
  [`url=https://other.test/${encodeURIComponent(CODE)}`, /Another server/],
  [`file=${encodeURIComponent(CODE)}`, /choose .*onerror/],
];

browserTest("addresses stay text", async () => {
  for (const [address, heading] of ADDRESSES) {
    await withTilewise({ address: `#v=1&${address}` }, async ({ page }) => {
      await page.getByRole("heading", { name: heading }).first().waitFor();
      await assertText(page, address);
    });
  }
});
