/**
 * The page beside Viv, which Avivator is made of, in one Chromium and one run, on the same OME-TIFF of three channels: time to the
 * first picture, and bytes that were read for it; then the image is dragged about at full resolution, see `panning.ts`.
 *
 * ```sh
 * npm install --prefix /tmp/viv @vivjs/layers@0.21.0 @vivjs/loaders@0.21.0 @deck.gl/core@9.2.9 @deck.gl/geo-layers@9.2.9 \
 *   @deck.gl/layers@9.2.9 @luma.gl/gltf@9.2.6 vite@6
 * deno run -A --no-check bench/page/beside_viv.ts /tmp/viv/node_modules
 * ```
 *
 * Packages are installed outside of the checkout.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import type { Page } from "playwright-core";
import { closeBrowser } from "../../tests/browser/setup/chromium.ts";
import { withPage, withTilewise } from "../../tests/browser/setup/page.ts";
import { closeServers, host, sentOf } from "../../tests/browser/setup/server.ts";
import type { TwTiles } from "../../web/pictures/mod.ts";
import { hostFolder, type Light, threeChannels } from "./inputs.ts";
import { BEGIN, difference, pan, type Panned, type Panning, rangesOf, tilesOf } from "./panning.ts";

/** Sides of the image, and how often each viewer opens it. */
const SIDE = 4096, ROUNDS = 3;

/** What was measured. */
interface Row {
  readonly first: number;
  readonly bytes: number;
  readonly panning: Panning;
}

/** Round cells with noise, so that nothing compresses away. */
const light: Light = (c, y, x) => {
  const [dy, dx] = [y % 96 - 48, (x + 32 * c) % 96 - 48];
  const noise = Math.imul((c * SIDE + y) * SIDE + x, 2654435761) >>> 24;
  return noise + 3200 * Math.exp(-(dy * dy + dx * dx) / 500);
};

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
  const path = await hostFolder("bench-viv", join(folder, "dist"));
  await Deno.remove(folder, { recursive: true });
  return path;
}

/** Name of the image on the server. */
const NAME = "bench-cells.ome.tif";

/** Pages may complain of slow drivers. */
const allowed = { complaints: [/./] };

/** A part of the window. */
type Place = Panned["place"];

async function viv(path: string, bytes: Uint8Array, place: Place): Promise<Row> {
  const whole = (page: Page) => page.waitForFunction(isWhole, undefined, { polling: "raf" });
  const url = host(NAME, bytes);
  const opened = await withPage({ path: `${path}?url=${url}`, allowed }, async ({ page }) => {
    await page.waitForFunction(() => "ready" in globalThis);
    const first = await page.evaluate(() => (globalThis as unknown as { ready: number }).ready);
    return { first, bytes: sentOf(NAME) };
  });
  const { width, height } = place;
  const panning = await withPage({ path: "/lib/", allowed }, async ({ page }) => {
    const asked = rangesOf(page, NAME);
    await page.setViewportSize({ width, height });
    await page.goto(new URL(`${path}?url=${url}&view=${BEGIN}`, page.url()).href);
    await page.waitForFunction(() => "ready" in globalThis);
    await whole(page);
    const middle = () => page.evaluate(middleOfViv);
    const panned = {
      page,
      place: { x: 0, y: 0, width, height },
      middle,
      whole: async () => void await whole(page),
    };
    return await pan(panned, await tilesOf(bytes, 3), asked);
  });
  return { ...opened, panning };
}

/** What deck.gl shows of itself. */
interface Shown {
  readonly deck: {
    readonly layerManager: { getLayers(): readonly { readonly isLoaded: boolean }[] };
    getViewports(): readonly {
      readonly width: number;
      readonly height: number;
      unproject(place: readonly number[]): readonly number[];
    }[];
  };
}

function isWhole(): boolean {
  return (globalThis as unknown as Shown).deck.layerManager.getLayers().every(({ isLoaded }) => isLoaded);
}

function middleOfViv(): number[] {
  const [shown] = (globalThis as unknown as Shown).deck.getViewports();
  const [x, y] = shown!.unproject([shown!.width / 2, shown!.height / 2]);
  return [y!, x!];
}

async function ours(bytes: Uint8Array): Promise<Row & { readonly place: Place }> {
  const looks = ["ff0000", "00ff00", "0000ff"].map((colour) => `${colour},0,4000`).join(";");
  const url = host(NAME, bytes);
  const address = `#v=1&url=${url}&panel=pyramid&channels=${encodeURIComponent(looks)}`;
  const opened = await withTilewise({ address, allowed }, async ({ page }) => {
    const first = await page.waitForFunction(whenWhole, undefined, { polling: "raf" });
    return { first: await first.jsonValue() as number, bytes: sentOf(NAME) };
  });
  return await withPage({ path: "/lib/", allowed }, async ({ page }) => {
    const asked = rangesOf(page, NAME);
    await page.goto(new URL(`/page/${address}&view=${BEGIN}`, page.url()).href);
    const whole = async () => void await page.waitForFunction(whenWhole, undefined, { polling: "raf" });
    await whole();
    const tiles = page.locator("tw-tiles");
    const middle = () =>
      tiles.evaluate((one) => {
        const { y, x } = (one as TwTiles).look!;
        return [y, x];
      });
    const { x, y, width, height } = await tiles.evaluate((one) => (one as TwTiles).place.toJSON()) as Place;
    const place = { x, y, width: Math.round(width), height: Math.round(height) };
    const panning = await pan({ page, place, middle, whole }, await tilesOf(bytes, 3), asked);
    return { ...opened, panning, place };
  });
}

/** When all that is seen is there; undefined: not yet. */
function whenWhole(): number | undefined {
  const tiles = document.querySelector("tw-tiles");
  return tiles?.progress.missing === 0 && tiles.samples[0]?.length ? performance.now() : undefined;
}

function print(name: string, { first, bytes, panning }: Row): void {
  const { tiles, seconds, longest, usual, moved } = panning;
  console.log(
    `${name}: first picture ${first.toFixed(0)} ms, ${(bytes / 1024).toFixed(0)} KiB read; dragged by ${
      moved.toFixed(0)
    } px in ${seconds.toFixed(2)} s: ${tiles} tiles, ${(tiles / seconds).toFixed(0)} per second, frames ${
      usual.toFixed(0)
    } ms, the longest ${longest.toFixed(0)} ms`,
  );
}

const [modules] = Deno.args;
if (!modules) throw new Error("Name the folder node_modules that has Viv: see the first lines of this file");
try {
  const bytes = await threeChannels(SIDE, light);
  const path = await hostViv(modules);
  console.log(`${SIDE} × ${SIDE}, 3 channels, uint16: ${(bytes.length / 2 ** 20).toFixed(1)} MiB`);
  for (let round = 0; round < ROUNDS; round++) {
    const page = await ours(bytes);
    const other = await viv(path, bytes, page.place);
    print("page", page);
    print("Viv", other);
    const apart = difference(page.panning.seen, other.panning.seen);
    console.log(`what both show in the end differs by ${apart.toFixed(2)} of 255 levels`);
  }
} finally {
  await closeBrowser();
  await closeServers();
}
Deno.exit();
