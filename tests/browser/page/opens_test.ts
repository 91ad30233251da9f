/**
 * Whoever opens one source after the other holds what is held after a few: memory and workers of a source are given back. Without
 * shared memory, of which browsers count some several times.
 */

import { assert, assertEquals } from "@std/assert";
import { storedPieces } from "../../../src/pictures/mod.ts";
import { ndarray } from "@tilewise/tilewise/arrays";
import { withFolder, writeNpy } from "../../cli/harness.ts";
import { type Held, heldBy } from "../setup/memory.ts";
import { dropFiles, fullTest, type OpenPage, withTilewise } from "../setup/mod.ts";

/** Opens before the first look, as code is compiled and caches are filled, and those after it. */
const FIRST = 10, MORE = 40;

/** Sides of patterns and images. */
const SIDE = 128;

/** Most bytes by which the page may grow over all of {@link MORE}: buffers by less than one scan, objects by what undo remembers. */
const MOST: Held = { objects: 2 ** 21, buffers: 2 ** 20 };

/** A scan of 8 × 8 patterns (2 MiB) and an image of three channels, as files. */
async function sources(folder: string): Promise<[string, string]> {
  const scan = Uint16Array.from({ length: 64 * SIDE * SIDE }, (_, i) => i % 251);
  await writeNpy(`${folder}/scan.npy`, "<u2", [8, 8, SIDE, SIDE], new Uint8Array(scan.buffer));
  const samples = Uint16Array.from({ length: 3 * SIDE * SIDE }, (_, i) => i % 1009);
  const axes = [{ name: "c", kind: "channel" }, { name: "y", kind: "space" }, {
    name: "x",
    kind: "space",
  }] as const;
  const image = { ...ndarray(samples, [3, SIDE, SIDE], "uint16"), axes };
  await Deno.writeFile(
    `${folder}/image.ome.tif`,
    await new Blob(await storedPieces(image, "image.ome.tif")).bytes(),
  );
  return [`${folder}/scan.npy`, `${folder}/image.ome.tif`];
}

/** Opens `count` sources in turn, each until its first picture is whole. */
async function openAll(open: OpenPage, paths: readonly string[], count: number): Promise<void> {
  const { page } = open;
  for (let i = 0; i < count; i++) {
    const path = paths[i % paths.length]!;
    await dropFiles(open, [path]);
    await page.locator(".name", { hasText: path.split("/").at(-1)! }).waitFor();
    await page.locator(path.endsWith("npy") ? ".page-foot .dot.done" : "tw-tiles .stage[aria-busy=false]")
      .waitFor();
  }
}

fullTest(
  `memory and workers are flat over ${FIRST + MORE} opened sources`,
  () =>
    withFolder(async (folder) => {
      const paths = await sources(folder);
      await withTilewise({ isolated: false }, async (open) => {
        await open.page.getByRole("button", { name: "Choose files" }).waitFor();
        await openAll(open, paths, FIRST);
        const [before, workers] = [await heldBy(open), open.page.workers().length];
        await openAll(open, paths, MORE);
        const after = await heldBy(open);
        console.log(`${workers} workers, then ${open.page.workers().length}`);
        assertEquals(open.page.workers().length, workers);
        for (const [kind, most] of Object.entries(MOST) as [keyof Held, number][]) {
          const growth = (after[kind] ?? 0) - (before[kind] ?? 0);
          console.log(`${kind}: ${before[kind]} bytes, then ${after[kind]}`);
          assert(growth < most, `${kind} grew by ${growth} bytes`);
        }
      });
    }),
);
