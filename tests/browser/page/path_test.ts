/** The path of a user: a scan is dropped, a ring is dragged, its image is saved, and has the bits that Deno computes. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { Page } from "playwright-core";
import { annularDetector, open, plan, read, run } from "@tilewise/tilewise";
import { type MibFrame, writeMib } from "../../formats/mib/mib_files.ts";
import { answered, browserTest, dropFiles, withTilewise } from "../setup/mod.ts";

const NAV = [16, 12] as const, SIG = [64, 64] as const;

/** A scan with a bright disk, and counts that differ from position to position. */
async function writeScan(folder: string): Promise<string[]> {
  const frames = Array.from(
    { length: NAV[0] * NAV[1] },
    (_, f): MibFrame =>
      Uint16Array.from({ length: SIG[0] * SIG[1] }, (_, p) => {
        const [y, x] = [Math.floor(p / SIG[1]) - 32, p % SIG[1] - 32];
        return (y * y + x * x < 90 ? 500 : 0) + (Math.imul(f * 4096 + p, 2654435761) >>> 28) + f % 7;
      }),
  );
  const { files, hdr } = await writeMib(join(folder, "scan.mib"), frames, { sig: SIG, nav: NAV });
  return [hdr, ...files];
}

/** Drags the handle of the outer radius to the right. */
async function dragRing(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Ring", exact: true }).click();
  await page.waitForURL((url) => url.hash.includes("run=annular"));
  await answered(page);
  const handle = page.getByRole("slider", { name: /^Detector/ }).last();
  const box = await handle.boundingBox();
  assert(box);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 6; step++) await page.mouse.move(x - 6 * step, y);
  await page.mouse.up();
  await page.waitForURL((url) => /run\.r[io]=/.test(url.hash));
  await settled(page);
  await answered(page);
}

/** Waits until the address has the numbers of the form: it is written with a delay. */
async function settled(page: Page): Promise<void> {
  const labels = ["Inner radius, excluded", "Outer radius, included"];
  const [ri, ro] = await Promise.all(labels.map((label) => page.getByLabel(label).inputValue()));
  await page.waitForURL(({ hash }) => {
    const words = new URLSearchParams(hash.slice(1));
    return (words.get("run.ri") ?? "") === ri && (words.get("run.ro") ?? "") === ro;
  });
}

/** The parameters of the analysis in the address. */
function parametersOf(page: Page): Record<string, number> {
  const all = [...new URLSearchParams(new URL(page.url()).hash.slice(1))];
  const own = all.filter(([key]) => key.startsWith("run.")).map((
    [key, value],
  ) => [key.slice(4), Number(value)]);
  return Object.fromEntries(own);
}

/** Saves what a button exports, to a folder; its path. */
async function save(page: Page, folder: string, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("button", { hasText: new RegExp(`^${button}$`) }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

browserTest("drop a scan, drag a ring, save its image: the bits are those of Deno", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-path-" });
  try {
    const files = await writeScan(folder);
    await withTilewise({}, async (opened) => {
      const { page, log } = opened;
      await page.getByRole("button", { name: "Choose files" }).waitFor();
      const before = log.requests.length;
      await dropFiles(opened, files);
      await answered(page);
      await page.getByRole("button", { name: /scan.*16 × 12 of 64 × 64.*uint16/ }).waitFor();
      await dragRing(page);
      const saved = await read(await open(await save(page, folder, "NPY")));
      const sent = log.requests.slice(before).filter((url) =>
        !/\.(js|css|svg)$/.test(url) && !url.startsWith("blob:")
      );
      assertEquals(sent, [], "nothing leaves the page");
      const scan = await open(files[0]!);
      const { ring } = await run(await plan(scan, { ring: annularDetector(parametersOf(page)) }));
      assertEquals(saved.shape, [...NAV]);
      assertEquals(saved.data, ring.intensity.data);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
