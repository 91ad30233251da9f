/**
 * The page beside Viv, which Avivator is made of, in one Chromium and one run, on the same OME-TIFF of three channels: time to the
 * first picture, and bytes that were read for it.
 *
 * ```sh
 * npm install --prefix /tmp/viv @vivjs/layers@0.21.0 @vivjs/loaders@0.21.0 @deck.gl/core@9.2.9 @deck.gl/geo-layers@9.2.9 \
 *   @deck.gl/layers@9.2.9 vite@6
 * deno run -A --no-check bench/page/beside_viv.ts /tmp/viv/node_modules [PICTURES]
 * ```
 *
 * Packages are installed outside of the checkout. With a folder PICTURES, what both show is stored there.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { open } from "../../mod.ts";
import { ndarray } from "../../src/entries/arrays.ts";
import { copySamples, omeTiffFile } from "../../src/entries/unstable/views.ts";
import { mapViews } from "../../src/entries/views.ts";
import { closeBrowser } from "../../tests/browser/setup/chromium.ts";
import { withPage, withTilewise } from "../../tests/browser/setup/page.ts";
import { closeServers, host, sentOf } from "../../tests/browser/setup/server.ts";

/** Sides of the image, and how often each viewer opens it. */
const SIDE = 4096, ROUNDS = 3;

/** What was measured. */
interface Row {
  readonly first: number;
  readonly bytes: number;
}

/** Three channels with noise, so that nothing compresses away. */
async function image(): Promise<Uint8Array> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "cells.ome.tif");
  const data = new Uint16Array(3 * SIDE * SIDE);
  for (let i = 0; i < data.length; i++) {
    const [c, y, x] = [Math.floor(i / SIDE / SIDE), Math.floor(i / SIDE) % SIDE, i % SIDE];
    const [dy, dx] = [y % 96 - 48, (x + 32 * c) % 96 - 48];
    data[i] = 200 + (Math.imul(i, 2654435761) >>> 24) + 3200 * Math.exp(-(dy * dy + dx * dx) / 500);
  }
  const axes = [{ name: "c", kind: "channel", names: ["DAPI", "GFP", "Cy5"] }, { name: "y", kind: "space" }, {
    name: "x",
    kind: "space",
  }] as const;
  const array = await open({ ...ndarray(data, [3, SIDE, SIDE], "uint16"), axes });
  await mapViews(array, copySamples(), { sink: omeTiffFile(path, { tile: 256, levels: 5 }) });
  const bytes = await Deno.readFile(path);
  await Deno.remove(folder, { recursive: true });
  return bytes;
}

/** Builds the page of Viv with Vite; its path on the server. */
async function hostViv(modules: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  const html = await Deno.readTextFile(fromFileUrl(new URL("viv.html", import.meta.url)));
  await Deno.writeTextFile(
    join(folder, "index.html"),
    html.replace("<title>", '<link rel="icon" href="data:,"><title>'),
  );
  await Deno.symlink(modules, join(folder, "node_modules"));
  await Deno.writeTextFile(
    join(folder, "vite.config.mjs"),
    'export default { base: "./", build: { target: "es2022" }, worker: { format: "es" } };\n',
  );
  const { success, stderr } = await new Deno.Command("node", {
    args: [join(modules, "vite/bin/vite.js"), "build", "--logLevel", "error"],
    cwd: folder,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  for (const { name } of Deno.readDirSync(join(folder, "dist/assets"))) {
    host(`bench-viv/assets/${name}`, await Deno.readFile(join(folder, "dist/assets", name)));
  }
  const path = host("bench-viv/index.html", await Deno.readFile(join(folder, "dist/index.html")));
  await Deno.remove(folder, { recursive: true });
  return path;
}

async function viv(path: string, url: string, picture: string | undefined): Promise<Row> {
  const allowed = { complaints: [/./] };
  return await withPage({ path: `${path}?url=${url}`, allowed }, async ({ page }) => {
    await page.waitForFunction(() => "ready" in globalThis);
    const first = await page.evaluate(() => (globalThis as unknown as { ready: number }).ready);
    const bytes = sentOf("bench-cells.ome.tif");
    if (picture) await page.screenshot({ path: join(picture, "beside-viv.jpg"), type: "jpeg", quality: 70 });
    return { first, bytes };
  });
}

async function ours(url: string, picture: string | undefined): Promise<Row> {
  const looks = ["ff0000", "00ff00", "0000ff"].map((colour) => `${colour},0,4000`).join(";");
  const address = `#v=1&url=${url}&panel=pyramid&channels=${encodeURIComponent(looks)}`;
  return await withTilewise({ address, allowed: { complaints: [/./] } }, async ({ page }) => {
    const first = await page.waitForFunction(
      () => {
        const tiles = document.querySelector("tw-tiles") as unknown as {
          readonly samples: readonly ArrayLike<number>[];
          readonly progress: { readonly missing: number };
        };
        return tiles?.progress.missing === 0 && tiles.samples[0]?.length ? performance.now() : undefined;
      },
      undefined,
      { polling: "raf" },
    ).then((found) => found.jsonValue());
    const bytes = sentOf("bench-cells.ome.tif");
    if (picture) await page.screenshot({ path: join(picture, "beside-page.jpg"), type: "jpeg", quality: 70 });
    return { first: first as number, bytes };
  });
}

const [modules, picture] = Deno.args;
if (!modules) throw new Error("Name the folder node_modules that has Viv: see the first lines of this file");
try {
  const bytes = await image();
  const path = await hostViv(modules);
  console.log(`${SIDE} × ${SIDE}, 3 channels, uint16: ${(bytes.length / 2 ** 20).toFixed(1)} MiB`);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of [["Viv", viv.bind(null, path)], ["page", ours]] as const) {
      const url = host("bench-cells.ome.tif", bytes);
      const { first, bytes: read } = await run(
        url,
        round === 0 ? picture : undefined,
      );
      console.log(`${name}: first picture ${first.toFixed(0)} ms, ${(read / 1024).toFixed(0)} KiB read`);
    }
  }
} finally {
  await closeBrowser();
  await closeServers();
}
Deno.exit();
