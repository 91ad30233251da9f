/**
 * A ramp with levels, and the colours that viewers make of it.
 *
 * @module
 */

import { open } from "@tilewise/tilewise";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { fileSink, mapViews } from "@tilewise/tilewise/views";
import type { withPage } from "../setup/mod.ts";

/** A ramp from left to right, of 16 bits, with levels. */
export async function rampTiff(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const [height, width] = [1100, 1500];
  const data = Uint16Array.from({ length: height * width }, (_, i) => 1000 + 20 * (i % width));
  const ramp = await open({ data, shape: [height, width] });
  await mapViews(ramp, copySamples(), {
    sink: fileSink(`${folder}/ramp.ome.tif`, { tile: [256, 256], levels: 3 }),
  });
  return await Deno.readFile(`${folder}/ramp.ome.tif`);
}

/** Colours of a screenshot's pixels, in the middle row. */
export type Middle = (fractions: readonly number[]) => Promise<number[][]>;

/** Reads colours of a screenshot of what `selector` finds. */
export function middleOf(
  page: Parameters<Parameters<typeof withPage>[1]>[0]["page"],
  selector: string,
): Middle {
  return async (fractions) => {
    const png = await page.locator(selector).first().screenshot();
    return await page.evaluate(async ([bytes, fractions]) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const drawing = canvas.getContext("2d", { willReadFrequently: true })!;
      drawing.drawImage(bitmap, 0, 0);
      return fractions.map((f) =>
        [...drawing.getImageData(Math.floor(f * bitmap.width), bitmap.height / 2, 1, 1).data].slice(0, 3)
      );
    }, [[...png], [...fractions]] as const);
  };
}

/** Whether two colours differ by at most `most`. */
export const isNear = (a: readonly number[], b: readonly number[], most: number) =>
  a.every((value, i) => Math.abs(value - b[i]!) <= most);
