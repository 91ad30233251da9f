/** Images of FITS files are shown the right way up: their first row is at the bottom. */

import { assert } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { encodeFits } from "../../formats/fits/encode.ts";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { assertAccessible, browserTest, withTilewise } from "../setup/mod.ts";

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
    BMAJ: 4 / 3600,
    BMIN: 2 / 3600,
    BPA: 90,
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

/** A list with the bright pixels' place, and one beside the image. */
const LIST = "Name,Ra,Dec,I\nbright,30.0,0.0,5\nfar,200.0,0.0,1\n";

browserTest(
  "the first row of a FITS image is at the bottom, under a grid, its beam, and the sources of a list",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      await page.locator("input[type=file]").first().setInputFiles([
        { name: "sky.fits", mimeType: "application/octet-stream", buffer: Buffer.from(sky()) },
        { name: "sources.csv", mimeType: "text/csv", buffer: Buffer.from(LIST) },
      ]);
      await page.locator("tw-tiles [aria-busy=false]").first().waitFor();
      const [y, x] = await brightest(page);
      const [down, across] = [(HEIGHT - 2.5) / HEIGHT, 3.5 / WIDTH];
      assert(Math.abs(y - down) < 0.02 && Math.abs(x - across) < 0.02, `${y} ${x}`);
      const box = (await page.locator("tw-tiles canvas").first().boundingBox())!;
      const zoom = Math.min(box.height / HEIGHT, box.width / WIDTH);
      const place = (from: number, all: number, part: number, size: number) =>
        from + all / 2 + (part - 0.5) * size * zoom;
      const bright = [
        place(box.x, box.width, across, WIDTH),
        place(box.y, box.height, down, HEIGHT),
      ] as const;
      await page.mouse.move(...bright);
      await page.getByText(/^02h00m00\.0s [+−]00°00′00″ · y 2, x 3 · level 0 · 5 Jy\/beam$/).first()
        .waitFor();
      await page.locator("tw-tiles .sky-text").filter({ hasText: "bright" }).waitFor(); // while it is pointed at
      await page.getByText("sources.csv: 1 on the image, 1 not").waitFor();
      await page.getByText("Beam 4″ × 2″ at 90°, in the corner").waitFor();
      await page.mouse.click(...bright);
      await page.locator("tr.chosen").filter({ hasText: "bright" }).waitFor();
      await page.getByLabel("Grid of coordinates").check();
      await page.locator("tw-tiles .sky-text").filter({ hasText: "+0°" }).first().waitFor();
      await page.waitForURL((url) => url.hash.includes("grid=1"));
      await assertAccessible(page);
    }),
);
