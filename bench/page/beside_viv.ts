/**
 * The page beside Viv, which Avivator is made of, in one Chromium and one run, on the same OME-TIFF of three channels: time to the
 * first picture, bytes that were read, and panning: tiles per second and the longest frame.
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
import type { Page } from "playwright-core";
import { open } from "../../mod.ts";
import { ndarray } from "../../src/entries/arrays.ts";
import { copySamples, omeTiffFile } from "../../src/entries/unstable/views.ts";
import { mapViews } from "../../src/entries/views.ts";
import { closeBrowser } from "../../tests/browser/setup/chromium.ts";
import { withPage, withTilewise } from "../../tests/browser/setup/page.ts";
import { closeServers, host, sentOf } from "../../tests/browser/setup/server.ts";

/** Sides of the image, and how often each viewer opens it. */
const SIDE = 4096, ROUNDS = 3;

/** Drags of so many pixels, each in steps of one frame. */
const DRAGS = 8, FAR = 500, STEPS = 25;

/** What was measured. */
interface Row {
  readonly first: number;
  readonly bytes: number;
  readonly tilesPerSecond: number;
  readonly longest: number;
  readonly median: number;
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

/** Zooms to about one pixel per sample, drags, and says how smooth that was. */
async function pan(page: Page, tiles: () => Promise<number>): Promise<Omit<Row, "first" | "bytes">> {
  const { width, height } = page.viewportSize()!;
  const [x, y] = [width * 0.35, height / 2];
  await page.mouse.move(x, y);
  for (let i = 0; i < 12; i++) {
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(3000);
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    const note = (now: number) => {
      times.push(now);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const [before, start] = [await tiles(), performance.now()];
  for (let drag = 0; drag < DRAGS; drag++) {
    const side = drag % 4 < 2 ? -1 : 1, isDown = drag % 2 === 1;
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= STEPS; step++) {
      const far = side * FAR / 2 * step / STEPS;
      await page.mouse.move(isDown ? x : x + far, isDown ? y + far : y);
    }
    await page.mouse.up();
  }
  await page.waitForTimeout(1000);
  const seconds = (performance.now() - start) / 1000;
  const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
  const frames = times.slice(1).map((time, i) => time - times[i]!).sort((a, b) => a - b);
  return {
    tilesPerSecond: (await tiles() - before) / seconds,
    longest: frames.at(-1)!,
    median: frames[Math.floor(frames.length / 2)]!,
  };
}

async function viv(path: string, url: string, picture: string | undefined): Promise<Row> {
  const allowed = { complaints: [/./] };
  return await withPage({ path: `${path}?url=${url}`, allowed }, async ({ page }) => {
    await page.waitForFunction(() => "ready" in globalThis);
    const first = await page.evaluate(() => (globalThis as unknown as { ready: number }).ready);
    const bytes = sentOf("bench-cells.ome.tif");
    if (picture) await page.screenshot({ path: join(picture, "beside-viv.jpg"), type: "jpeg", quality: 70 });
    const tiles = () => page.evaluate(() => (globalThis as unknown as { tiles: number }).tiles);
    return { first, bytes, ...await pan(page, tiles) };
  });
}

async function ours(url: string, picture: string | undefined): Promise<Row> {
  const looks = ["ff0000", "00ff00", "0000ff"].map((colour) => `${colour},0,4000`).join(";");
  const address = `#v=1&url=${url}&panel=pyramid&channels=${encodeURIComponent(looks)}`;
  return await withTilewise({ address, allowed: { complaints: [/./] } }, async ({ page }) => {
    const first = await page.waitForFunction(
      () => {
        const tiles = document.querySelector("tw-tiles") as unknown as {
          readonly store?: { reader: { getTile(...args: unknown[]): Promise<unknown> } };
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
    await page.evaluate(() => {
      const { store } = document.querySelector("tw-tiles") as unknown as {
        readonly store: { readonly reader: { getTile(...args: unknown[]): Promise<unknown> } };
      };
      const getTile = store.reader.getTile.bind(store.reader);
      Object.assign(globalThis, { tiles: 0 });
      store.reader.getTile = (...args) =>
        getTile(...args).then((tile) => {
          (globalThis as unknown as { tiles: number }).tiles++;
          return tile;
        });
    });
    const tiles = () => page.evaluate(() => (globalThis as unknown as { tiles: number }).tiles);
    return { first: first as number, bytes, ...await pan(page, tiles) };
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
      const { first, bytes: read, tilesPerSecond, longest, median } = await run(
        url,
        round === 0 ? picture : undefined,
      );
      console.log(
        `${name}: first picture ${first.toFixed(0)} ms, ${(read / 1024).toFixed(0)} KiB read; panning ` +
          `${tilesPerSecond.toFixed(1)} tiles/s, frames ${median.toFixed(1)} ms (median), longest ${
            longest.toFixed(0)
          } ms`,
      );
    }
  }
} finally {
  await closeBrowser();
  await closeServers();
}
Deno.exit();
