/** Channels of microscopes and slides: together in their colours, one by one, as the file says, and the same after a reload. */

import { assert, assertEquals } from "@std/assert";
import { open, read } from "@tilewise/tilewise";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { makeTiff, sampleAt } from "../../formats/tiff/make.ts";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { assertAccessible, browserTest, dropFiles, until, whole, withTilewise } from "../setup/mod.ts";

const [HEIGHT, WIDTH] = [24, 32];
const allowed = { complaints: [/GPU stall due to ReadPixels/, /willReadFrequently/] };

async function openFile(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const file = { name, mimeType: "image/tiff", buffer: Buffer.from(bytes) };
  await page.locator("input[type=file]").first().setInputFiles(file);
  await whole(page);
}

/** The colour in the middle of a sample. */
function colourAt(page: Page, y: number, x: number): Promise<number[]> {
  return page.evaluate(([y, x, height, width]) => {
    const { data, width: columns, height: rows } = (document.querySelector("tw-tiles") as TwTiles).pixels()!;
    const zoom = Math.min(rows / height!, columns / width!); // all of it is seen
    const at = (part: number, size: number, screen: number) =>
      Math.floor(screen / 2 + (part + 0.5 - size / 2) * zoom);
    const first = 4 * (at(y!, height!, rows) * columns + at(x!, width!, columns));
    return [...data.slice(first, first + 4)];
  }, [y, x, HEIGHT, WIDTH]);
}

browserTest(
  "a picture of red, green and blue opens in its own colours",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const making = { height: HEIGHT, width: WIDTH, samples: 3, entries: [[262, 3, [2]]] as const };
      await openFile(page, "slide.tif", makeTiff([making]));
      for (const [y, x] of [[0, 0], [5, 9], [HEIGHT - 1, WIDTH - 1]] as const) {
        const first = 3 * (y * WIDTH + x);
        const expected = [0, 1, 2].map((sample) => sampleAt(first + sample, making));
        assertEquals(await colourAt(page, y, x), [...expected, 255]);
      }
      await page.getByRole("button", { name: "One at a time" }).click();
      await page.getByRole("slider", { name: /sample/ }).waitFor();
      await page.waitForURL((url) => url.hash.includes("channels=one"));
    }),
);

/** Two channels with names and colours, and two depths. */
function cells(): Uint8Array {
  const xml =
    `<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">
    <Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint8" SizeX="${WIDTH}" SizeY="${HEIGHT}" SizeC="2" SizeZ="2" SizeT="1"
    PhysicalSizeZ="1.5"><Channel ID="Channel:0:0" Name="DAPI" Color="65535"/><Channel ID="Channel:0:1" Name="GFP"
    Color="16711935"/><TiffData/></Pixels></Image></OME>`;
  const page = { height: HEIGHT, width: WIDTH };
  return makeTiff([{ ...page, entries: [[270, 2, xml]] }, page, page, page]);
}

browserTest(
  "channels are blended, hidden and coloured; depth and channels are in the address",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      await openFile(page, "cells.ome.tif", cells());
      const names = page.locator(".channels .name");
      assertEquals(await names.allTextContents(), ["DAPI", "GFP"]);
      await assertAccessible(page);
      const [red, green, blue] = await colourAt(page, 3, 4);
      assert(red === 0 && green! > 0 && blue === green, `${red} ${green} ${blue}`); // both pages hold the same numbers
      await page.getByRole("checkbox", { name: "Show GFP" }).uncheck();
      await page.waitForURL((url) => /channels=0000ff;-00ff00/.test(url.hash));
      await whole(page);
      assertEquals((await colourAt(page, 3, 4)).slice(0, 3), [0, 0, blue!]);
      await page.getByLabel("Colour of DAPI").fill("#ff0000");
      await page.waitForURL((url) => /channels=ff0000/.test(url.hash));
      assertEquals((await colourAt(page, 3, 4)).slice(0, 3), [blue!, 0, 0]);
      const depth = page.getByRole("slider", { name: /Depth/ });
      await depth.focus();
      await page.keyboard.press("ArrowRight");
      await page.waitForURL((url) => url.hash.includes("stack.z=1"));
      await page.getByText("1.5 µm, 1 of 0–1").waitFor();
      await page.getByTitle("Show only GFP").click();
      await page.waitForURL((url) => /channels=-ff0000;00ff00/.test(url.hash));
      await sortAndRange(page);
      await exportSeen(page);
    }),
);

/** Rows are moved by keys and dragged; each channel has its own histogram and range. */
async function sortAndRange(page: Page): Promise<void> {
  const names = page.locator(".channels .name");
  await page.getByRole("button", { name: /Move DAPI/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForURL((url) => url.hash.includes("order=1,0"));
  assertEquals(await names.allTextContents(), ["GFP", "DAPI"]);
  await page.getByRole("button", { name: "Move DAPI, row 2 of 2", exact: false }).and(page.locator(":focus"))
    .waitFor();
  const grip = (await page.getByRole("button", { name: /Move GFP/ }).boundingBox())!;
  const last = (await page.locator(".channels > li").last().boundingBox())!;
  await page.mouse.move(grip.x + 8, grip.y + 8);
  await page.mouse.down();
  await page.mouse.move(grip.x + 8, last.y + last.height, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL((url) => url.hash.includes("order=0,1"));
  assertEquals(await names.allTextContents(), ["DAPI", "GFP"]);
  await page.getByRole("slider", { name: "GFP: Value of the last colour" }).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForURL((url) => /channels=-ff0000;00ff00,[\d.]+,[\d.]+&/.test(url.hash));
  assertEquals(await page.getByRole("slider", { name: /DAPI/ }).count(), 0); // it is not shown
  const hash = new URL(page.url()).hash;
  await page.getByRole("button", { name: "Range of what is seen" }).click();
  await page.waitForURL((url) => url.hash !== hash);
}

/** What is seen leaves as files and as code: all of it here, of the second depth. */
async function exportSeen(page: Page): Promise<void> {
  const save = async (name: string) => {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).click(),
    ]);
    return { name: saved.suggestedFilename(), bytes: await Deno.readFile(await saved.path()) };
  };
  const plane = Array.from(
    { length: HEIGHT * WIDTH },
    (_, i) => sampleAt(i, { height: HEIGHT, width: WIDTH }),
  );
  for (const word of ["OME-TIFF", "OME-Zarr"]) {
    const { name, bytes } = await save(`${word}: `);
    const folder = await Deno.makeTempDir();
    await Deno.writeFile(`${folder}/${name}`, bytes);
    const image = await open(`${folder}/${name}`);
    const { data, shape } = await read(image);
    assertEquals([...data], [...plane, ...plane], word); // all pages of the file hold the same numbers
    assertEquals([shape, image.axes[0]!.names], [[2, HEIGHT, WIDTH], ["DAPI", "GFP"]]);
    await Deno.remove(folder, { recursive: true });
  }
  const picture = await save("Picture: ");
  assertEquals([picture.name, ...picture.bytes.subarray(1, 4)], ["cells-part.png", 80, 78, 71]);
  const { bytes } = await save("Script: ");
  const text = new TextDecoder().decode(bytes);
  assert(
    text.includes(`rows: [0, ${HEIGHT}], columns: [0, ${WIDTH}], selection: { z: 1, channel: i }`),
    text,
  );
}

browserTest(
  "the contrast stays while one moves, until the range of what is seen is asked for",
  () =>
    withTilewise({ address: "#v=1&sample=pyramid&panel=pyramid", allowed }, async ({ page }) => {
      await whole(page);
      const limits = () => page.evaluate(() => (document.querySelector("tw-tiles") as TwTiles).limits[0]!);
      const before = await limits();
      await page.locator("tw-tiles .stage").focus();
      for (let i = 0; i < 8; i++) await page.keyboard.press("+");
      await page.waitForURL((url) => url.hash.includes("view="));
      await whole(page);
      assertEquals(await limits(), before);
      await page.getByRole("button", { name: "Range of what is seen" }).click();
      await page.waitForURL((url) => url.hash.includes("scan.range="));
      assert(JSON.stringify(await limits()) !== JSON.stringify(before));
    }),
);

/** An OME-Zarr of version 0.4 with labels of half its size: the lower half of the image is label 7. */
async function zarrWithLabels(folder: string): Promise<string> {
  const root = `${folder}/cells.ome.zarr`;
  const write = async (path: string, content: unknown) => {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    const bytes = content instanceof Uint8Array ? content : new TextEncoder().encode(JSON.stringify(content));
    await Deno.writeFile(`${root}/${path}`, bytes);
  };
  const image = async (
    path: string,
    shape: readonly number[],
    dtype: string,
    data: ArrayBufferView,
    more = {},
  ) => {
    const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
    const scale = shape.map(() => HEIGHT / shape[0]!);
    const datasets = [{ path: "0", coordinateTransformations: [{ type: "scale", scale }] }];
    await write(`${path}.zgroup`, { zarr_format: 2 });
    await write(`${path}.zattrs`, { multiscales: [{ version: "0.4", axes, datasets }], ...more });
    const zarray = {
      zarr_format: 2,
      shape,
      chunks: shape,
      dtype,
      order: "C",
      compressor: null,
      filters: null,
    };
    await write(`${path}0/.zarray`, { ...zarray, fill_value: 0, dimension_separator: "." });
    await write(`${path}0/0.0`, new Uint8Array(data.buffer));
  };
  const [rows, columns] = [HEIGHT / 2, WIDTH / 2];
  await image("", [HEIGHT, WIDTH], "|u1", Uint8Array.from({ length: HEIGHT * WIDTH }, (_, i) => i % 251));
  const labels = Uint32Array.from({ length: rows * columns }, (_, i) => i < rows * columns / 2 ? 0 : 7);
  await write("labels/.zgroup", { zarr_format: 2 });
  await write("labels/.zattrs", { labels: ["nuclei"] });
  await image("labels/nuclei/", [rows, columns], "<u4", labels, { "image-label": { version: "0.4" } });
  return root;
}

browserTest(
  "labels of OME-Zarr lie over the image, are named under the cursor, and stand in the address",
  () =>
    withTilewise({ allowed }, async (opened) => {
      const { page } = opened;
      const folder = await Deno.makeTempDir();
      await dropFiles(opened, [await zarrWithLabels(folder)]);
      await whole(page);
      const over = page.getByLabel("Shown over the image");
      await over.selectOption({ label: "nuclei" });
      await page.waitForURL((url) => url.hash.includes("overlay=labels"));
      const opaque = (expected: readonly number[]) =>
        until(page, (expected) => {
          const tiles = document.querySelector("tw-tiles") as TwTiles;
          const layer = tiles.shadowRoot!.querySelector<HTMLCanvasElement>("canvas.labels")!;
          const { width, height } = layer;
          const { data } = layer.getContext("2d")!.getImageData(0, 0, width, height);
          const alphas = [0.3, 0.7].map((down) =>
            data[4 * (Math.floor(height * down) * width + Math.floor(width / 2)) + 3]
          );
          return tiles.labels?.store.missing === 0 && `${alphas}` === `${expected}`;
        }, expected);
      await opaque([0, 128]);
      const box = (await page.locator("tw-tiles .stage").boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.7);
      await page.getByText(/nuclei 7 · /).waitFor();
      await page.getByLabel("Outlines only").check();
      await page.waitForURL((url) => url.hash.includes("overlay.outline=true"));
      await opaque([0, 0]); // in the middle of a label
      await assertAccessible(page);
      await over.selectOption({ label: "None" });
      await page.waitForURL((url) => !url.hash.includes("overlay"));
      await Deno.remove(folder, { recursive: true });
    }),
);

browserTest(
  "of two pictures that are dropped the second is named, and can be opened",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const picture = (name: string, width: number) => ({
        name,
        mimeType: "image/tiff",
        buffer: Buffer.from(makeTiff([{ height: HEIGHT, width }])),
      });
      await page.locator("input[type=file]").first().setInputFiles([
        picture("a.tif", 40),
        picture("b.tif", 50),
      ]);
      await page.getByText(/a\.tif was opened; there are also b\.tif/).waitFor();
      await page.getByRole("button", { name: /a\.tif/ }).first().click();
      await page.getByRole("button", { name: "b.tif" }).click();
      await page.getByText(/b\.tif was opened; there are also a\.tif/).waitFor();
      await until(
        page,
        () => (document.querySelector("tw-tiles") as TwTiles)?.store?.levels[0]?.width === 50,
      );
    }),
);
