/** Files that are wrong, go away, change, or need too much: what the page says, and that it goes on. */

import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { withFolder, writeNpy } from "../../cli/harness.ts";
import { browserTest, dropFiles, type OpenPage, whole, withTilewise } from "../setup/mod.ts";
import { assertSaid, assertUsable, leave } from "./bad/said.ts";

const text = (content: string) => new TextEncoder().encode(content);

/** Name, contents, title, and what can be done. */
const FILES: readonly (readonly [name: string, bytes: Uint8Array, title: string, step: RegExp])[] = [
  ["a.pdf", text(`%PDF-1.4 ${"x".repeat(500)}`), "This kind of file cannot be read", /raw frames/],
  ["empty.mib", new Uint8Array(), "The format is not known", /is empty[\s\S]*raw frames/],
  ["a.tif", Uint8Array.of(73, 73, 42, 0, 200, 0, 0, 0), "The file is damaged", /Copy it again/],
  ["a.dm4", new Uint8Array(300).fill(255), "The format is not known", /all of them together/],
  ["a.npy", text("\x93NUMPY").with(0, 0x93), "The format is not known", /raw frames/],
];

/** A message over the open scan, with a button that asks again. */
async function assertTold(page: Page, title: string, step: RegExp): Promise<void> {
  await assertSaid(page, title, step);
  await page.getByRole("button", { name: "Try again" }).waitFor();
}

/** Writes a scan of 2 GiB of zeros: no disk is used for them. */
async function writeLarge(path: string): Promise<void> {
  await writeNpy(path, "<u2", [128, 128, 256, 256], new Uint8Array());
  await Deno.truncate(path, (await Deno.stat(path)).size + 2 ** 31);
}

/** Chooses the file at `path`. */
async function choose({ page }: OpenPage, path: string): Promise<void> {
  await page.locator("input[type=file]").first().setInputFiles(path);
}

browserTest("files that cannot be read are named, with what can be done", () =>
  withFolder(async (folder) => {
    await withTilewise({}, async (open) => {
      for (const [name, bytes, title, step] of FILES) {
        await Deno.writeFile(`${folder}/${name}`, bytes);
        await choose(open, `${folder}/${name}`);
        await assertSaid(open.page, title, step);
        await leave(open.page);
      }
      await assertUsable(open.page);
    });
  }));

browserTest(
  "a file that was removed before it is read is asked for again",
  () =>
    withFolder(async (folder) => {
      const path = `${folder}/gone.raw`;
      await Deno.writeFile(path, new Uint8Array(64 * 64 * 64 * 2));
      await withTilewise({}, async (open) => {
        const { page } = open;
        await choose(open, path);
        await page.getByLabel("Shape of a pattern").fill("64x64");
        await page.getByLabel("Samples").selectOption("uint16");
        await page.getByLabel("Shape of the scan").fill("8x8");
        await Deno.remove(path);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await assertSaid(page, "The file is no longer there", /Choose it again/);
        await leave(page);
        await assertUsable(page);
      });
    }),
);

/** What happens to a file while it is read. */
const FATES: readonly (readonly [how: string, happen: (path: string) => Promise<void>, title: string])[] = [
  ["changes", async (path) => await Deno.truncate(path, 2 ** 31), "The file has changed"],
  ["is removed", async (path) => await Deno.remove(path), "The file is no longer there"],
];

for (const [how, happen, title] of FATES) {
  browserTest(
    `a file that ${how} while it is read ends the run with a message`,
    () =>
      withFolder(async (folder) => {
        const path = `${folder}/large.npy`;
        await writeLarge(path);
        await withTilewise({}, async (open) => {
          const { page } = open;
          await choose(open, path);
          await page.getByText(/ of 16384 patterns/).first().waitFor();
          await happen(path);
          await assertTold(page, title, /choose (the file|it) again/i);
          await page.getByRole("button", { name: "Close this message" }).click();
          await page.evaluate(() => location.hash = "#v=1");
          await assertUsable(page);
        });
      }),
  );
}

browserTest(
  "what needs more memory than there is says how much, and what needs less",
  () =>
    withFolder(async (folder) => {
      const path = `${folder}/huge.raw`;
      await Deno.writeFile(path, new Uint8Array());
      await Deno.truncate(path, 40_000 ** 2 * 4);
      const address =
        "#v=1&file=huge.raw&open.format=raw&open.dtype=float32&open.sig=40000x40000&open.nav=1x1";
      await withTilewise({ address }, async (open) => {
        const { page } = open;
        await page.getByText("Please choose huge.raw again").waitFor();
        await choose(open, path);
        await assertTold(page, "There is not enough memory", /GiB[\s\S]*smaller results/);
        await page.evaluate(() => location.hash = "#v=1");
        await assertUsable(page);
      });
    }),
);

browserTest(
  "an image of which a level is missing is seen, and the page says which",
  () =>
    withFolder(async (folder) => {
      const entries = unzipSync(Deno.readFileSync(new URL("../../data/zarr/ome05.zip", import.meta.url)));
      for (const [key, bytes] of Object.entries(entries)) {
        if (key.startsWith("s1/") || key.endsWith("/")) continue;
        const path = `${folder}/image.ome.zarr/${key}`;
        await Deno.mkdir(dirname(path), { recursive: true });
        await Deno.writeFile(path, bytes);
      }
      await withTilewise({ allowed: { complaints: [/GPU stall due to ReadPixels/] } }, async (open) => {
        const { page } = open;
        await dropFiles(open, [`${folder}/image.ome.zarr`]);
        await page.getByText('Of the 3 levels that the image names, "s1" is not there').waitFor();
        await whole(page, 0, 1);
        const levels = await page.evaluate(() =>
          (document.querySelector("tw-tiles") as TwTiles).store!.levels.map(({ height }) => height)
        );
        assertEquals(levels, [32, 8]);
      });
    }),
);
