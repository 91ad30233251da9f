/**
 * What a page looks like, compared with a stored picture. Both are made small first, so that the edges of letters, which differ
 * from one machine to the next, do not matter; a part that is missing, at another place or in another colour does.
 *
 * `UPDATE=1` writes the stored pictures anew.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { Locator, Page } from "playwright-core";
import { browser } from "./chromium.ts";

/** Where the stored pictures are: they are shown in the documentation as well. */
const FOLDER = fromFileUrl(new URL("../../../docs/images/", import.meta.url));

/** Pixels per side of the squares whose mean colours are compared. */
const SQUARE = 8;

/** Most pictures that are taken until one looks as it should: the page draws before each of them. */
const MOST_PICTURES = 60;

/** What may differ. */
export interface Tolerance {
  /** Most levels (of 255) by which a channel of a square may differ. Default: 24. */
  readonly levels?: number;
  /** Largest share of squares that may differ more than that. Default: 0.02. */
  readonly share?: number;
}

/** Waits until a page, or a part of it, looks like the stored picture `docs/images/NAME.png`; throws if it never does. */
export async function assertLooksLike(
  shown: Page | Locator,
  name: string,
  { levels = 24, share = 0.02 }: Tolerance = {},
): Promise<void> {
  const take = () => shown.screenshot({ animations: "disabled", caret: "hide" });
  const path = `${FOLDER}${name}.png`;
  if (Deno.env.get("UPDATE") === "1") {
    await Deno.mkdir(FOLDER, { recursive: true });
    return await Deno.writeFile(path, await still(take));
  }
  const stored = await Deno.readFile(path).catch(() => {
    throw new Error(`There is no picture ${path}: UPDATE=1 makes it`);
  });
  for (let left = MOST_PICTURES - 1;; left--) {
    const found = await take();
    const differing = await compare(found, stored, levels);
    if (differing <= share) return;
    if (left > 0) continue; // not painted yet
    const beside = await Deno.makeTempFile({ prefix: `tilewise-${name}-`, suffix: ".png" });
    await Deno.writeFile(beside, found);
    const percent = (100 * differing).toFixed(1);
    throw new Error(
      `${percent} % of ${name} look different: see ${beside}; UPDATE=1 stores what is there now`,
    );
  }
}

/** The first picture that looks like the one before it. */
async function still(take: () => Promise<Uint8Array>): Promise<Uint8Array> {
  for (let before = await take();;) {
    const found = await take();
    if (await compare(before, found, 0) === 0) return found;
    before = found;
  }
}

/** The share of squares of two pictures that differ; 1 if their sizes do. */
async function compare(a: Uint8Array, b: Uint8Array, levels: number): Promise<number> {
  const context = await (await browser()).newContext();
  try {
    const page = await context.newPage();
    const pictures = [a.toBase64(), b.toBase64()];
    return await page.evaluate(difference, { pictures, square: SQUARE, levels });
  } finally {
    await context.close();
  }
}

/** What is compared. */
interface Compared {
  readonly pictures: readonly string[];
  readonly square: number;
  readonly levels: number;
}

/** Runs in a page: decodes pictures, and compares the mean colours of squares. */
async function difference({ pictures, square, levels }: Compared): Promise<number> {
  const all: { readonly size: string; readonly means: Float64Array }[] = [];
  for (const picture of pictures) {
    const blob = await (await fetch(`data:image/png;base64,${picture}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const { width, height } = bitmap;
    const across = Math.ceil(width / square), down = Math.ceil(height / square);
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const sums = new Float64Array(3 * across * down), counts = new Float64Array(across * down);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = Math.floor(y / square) * across + Math.floor(x / square);
        counts[at]! += 1;
        for (let c = 0; c < 3; c++) sums[3 * at + c]! += data[4 * (y * width + x) + c]!;
      }
    }
    all.push({ size: `${width}×${height}`, means: sums.map((sum, i) => sum / counts[Math.floor(i / 3)]!) });
  }
  const [one, other] = all as [typeof all[number], typeof all[number]];
  if (one.size !== other.size) return 1;
  let differing = 0;
  for (let i = 0; i < one.means.length; i += 3) {
    if ([0, 1, 2].some((c) => Math.abs(one.means[i + c]! - other.means[i + c]!) > levels)) differing++;
  }
  return differing / (one.means.length / 3);
}
