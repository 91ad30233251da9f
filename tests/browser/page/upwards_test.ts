/** Images of FITS files are shown the right way up: their first row is at the bottom. */

import { assert } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { encodeFits } from "../../formats/fits/encode.ts";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { browserTest, withTilewise } from "../setup/mod.ts";

const [HEIGHT, WIDTH] = [16, 12];

/** Nine bright pixels around row 2, column 3: enough for the colours, which leave out a hundredth of all pixels. */
function sky(): Uint8Array {
  const data = new Float32Array(HEIGHT * WIDTH);
  for (const row of [1, 2, 3]) data.fill(5, row * WIDTH + 2, row * WIDTH + 5);
  return encodeFits(data, [HEIGHT, WIDTH], "float32", {
    CTYPE1: "RA---SIN",
    CTYPE2: "DEC--SIN",
    CRVAL1: 30,
    CRVAL2: 0,
    CRPIX1: 4,
    CRPIX2: 3,
    CDELT1: -1 / 3600,
    CDELT2: 1 / 3600,
    BUNIT: "Jy/beam",
  });
}

/** Where the brightest pixels of the picture are, as parts of height and width of the image. */
async function brightest(page: Page): Promise<readonly [number, number]> {
  return await page.evaluate(([height, width]) => {
    const { data, width: columns, height: rows } = (document.querySelector("tw-tiles") as TwTiles).pixels()!;
    let [most, y, x, count] = [0, 0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const sum = data[i]! + data[i + 1]! + data[i + 2]!;
      if (sum < most) continue;
      if (sum > most) [most, y, x, count] = [sum, 0, 0, 0];
      [y, x, count] = [y + Math.floor(i / 4 / columns), x + (i / 4) % columns, count + 1];
    }
    const zoom = Math.min(rows / height!, columns / width!); // all of it is seen
    const part = (at: number, screen: number, size: number) => (at + 0.5 - screen / 2) / (zoom * size) + 0.5;
    return [part(y / count, rows, height!), part(x / count, columns, width!)] as const;
  }, [HEIGHT, WIDTH]);
}

const allowed = { complaints: [/GPU stall due to ReadPixels/, /willReadFrequently/] };

browserTest(
  "the first row of a FITS image is at the bottom, and is the one under the pointer",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const file = { name: "sky.fits", mimeType: "application/octet-stream", buffer: Buffer.from(sky()) };
      await page.locator("input[type=file]").first().setInputFiles(file);
      await page.locator("tw-tiles [aria-busy=false]").first().waitFor();
      const [y, x] = await brightest(page);
      const [down, across] = [(HEIGHT - 2.5) / HEIGHT, 3.5 / WIDTH];
      assert(Math.abs(y - down) < 0.02 && Math.abs(x - across) < 0.02, `${y} ${x}`);
      const box = (await page.locator("tw-tiles canvas").first().boundingBox())!;
      const zoom = Math.min(box.height / HEIGHT, box.width / WIDTH);
      const place = (from: number, all: number, part: number, size: number) =>
        from + all / 2 + (part - 0.5) * size * zoom;
      await page.mouse.move(place(box.x, box.width, across, WIDTH), place(box.y, box.height, down, HEIGHT));
      await page.getByText(/^02h00m00\.0s [+−]00°00′00″ · y 2, x 3 · level 0 · 5 Jy\/beam$/).first()
        .waitFor();
    }),
);
