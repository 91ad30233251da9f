/** Images of two files beside each other: linked by what they know of their pixels, each with its own channels, after a reload too. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { type NDArray, ndarray } from "@tilewise/tilewise/arrays";
import { storedPieces } from "../../../src/pictures/mod.ts";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { encodeNpy } from "../../npy_files.ts";
import { assertAccessible, browserTest, dropFiles, until, whole, withTilewise } from "../setup/mod.ts";

const allowed = { complaints: [/GPU stall due to ReadPixels/, /willReadFrequently/] };

/** Rows and columns of the first image; the second has twice as many of half the size. */
const [HEIGHT, WIDTH] = [24, 32];

/** The sample of the first image that covers the only bright samples of the second. */
const [ROW, COLUMN] = [10, 15];

interface Given {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

function file(name: string, bytes: Uint8Array): Given {
  return { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
}

/** An OME-TIFF with named channels whose pixels have this size in µm. */
async function tiff(name: string, array: NDArray, names: readonly string[], scale: number): Promise<Given> {
  const along = (axis: string) => ({ name: axis, kind: "space" as const, scale, unit: "µm" });
  const axes = [{ name: "c", kind: "channel" as const, names }, along("y"), along("x")];
  return file(name, await new Blob(await storedPieces({ ...array, axes }, name)).bytes());
}

/** Two channels of 8 bits, three of 16 bits with finer pixels, numbers without any size, and a scan. */
async function files(): Promise<Given[]> {
  const [coarse, fine] = [new Uint8Array(2 * HEIGHT * WIDTH), new Uint16Array(3 * 4 * HEIGHT * WIDTH)];
  coarse.forEach((_, i) => coarse[i] = i % 251);
  for (const y of [2 * ROW, 2 * ROW + 1]) {
    for (const x of [2 * COLUMN, 2 * COLUMN + 1]) fine[y * 2 * WIDTH + x] = 60_000;
  }
  return [
    await tiff("a.ome.tif", ndarray(coarse, [2, HEIGHT, WIDTH], "uint8"), ["DAPI", "GFP"], 0.5),
    await tiff("b.ome.tif", ndarray(fine, [3, 2 * HEIGHT, 2 * WIDTH], "uint16"), ["X", "Y", "Z"], 0.25),
    file("c.npy", encodeNpy(Float32Array.from({ length: 600 }, (_, i) => i), [20, 30], "float32")),
    file("d.npy", encodeNpy(Uint8Array.from({ length: 1024 }, (_, i) => i % 7), [4, 4, 8, 8], "uint8")),
  ];
}

async function give(page: Page, given: readonly Given[]): Promise<void> {
  await page.locator("input[type=file]").first().setInputFiles([...given]);
}

/** How bright the second picture is where the first has the middle of a sample. */
function brightnessAt(page: Page, y: number, x: number): Promise<number> {
  return page.evaluate(([y, x, height, width]) => {
    const second = document.querySelectorAll("tw-tiles")[1] as TwTiles;
    const { data, width: columns, height: rows } = second.pixels()!;
    const zoom = Math.min(rows / height!, columns / width!); // all of the first is seen
    const at = (part: number, size: number, screen: number) =>
      Math.floor(screen / 2 + (part + 0.5 - size / 2) * zoom);
    const first = 4 * (at(y!, height!, rows) * columns + at(x!, width!, columns));
    return Math.max(...data.slice(first, first + 3));
  }, [y, x, HEIGHT, WIDTH]);
}

/** The second image is where the first is: by the size of their pixels, whatever is seen. */
async function linked(page: Page): Promise<void> {
  const [there, beside] = [
    await brightnessAt(page, ROW, COLUMN),
    await brightnessAt(page, ROW + 1, COLUMN + 1),
  ];
  assert(there > 200 && beside < 20, `${there} ${beside}`);
}

browserTest(
  "an image of another file is beside the first or under a line, linked, with its own channels, also after a reload",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const given = await files();
      await give(page, given);
      await whole(page, undefined, 1);
      const part = page.getByRole("region", { name: "Two images" });
      const which = part.getByLabel("Beside this image");
      assertEquals(await which.locator("option").allTextContents(), [
        "No other image",
        "b.ome.tif",
        "c.npy",
        "d.npy",
      ]);
      await which.selectOption({ label: "b.ome.tif" });
      await part.getByText("Linked by size in µm: pixels of 0.5 µm and 0.25 µm.").waitFor();
      await whole(page, undefined, 2);
      await page.waitForURL(({ hash }) => hash.includes("second.file=b.ome.tif&second.wipe=0.5"));
      await linked(page);
      await assertAccessible(page);
      assertEquals(await part.locator(".channels .name").allTextContents(), ["X", "Y", "Z"]);
      assertEquals(await page.locator(".channels").first().locator(".name").allTextContents(), [
        "DAPI",
        "GFP",
      ]);
      await part.getByRole("checkbox", { name: "Show Z" }).uncheck();
      await page.waitForURL(({ hash }) =>
        /second\.channels=\w{6};\w{6};-\w{6}/.test(hash) && !/&channels=/.test(hash)
      );
      await part.getByRole("button", { name: "Side by side" }).press("Enter");
      await page.waitForURL(({ hash }) => hash.includes("second.channels=") && !hash.includes("second.wipe"));
      await movedTogether(page);
      await page.reload();
      await page.getByText("Please choose these files again").waitFor();
      await give(page, given);
      await whole(page, undefined, 2);
      assertEquals(await part.getByRole("checkbox", { name: "Show Z" }).isChecked(), false);
      await page.waitForURL(({ hash }) => /view=.*second\.file=b\.ome\.tif&second\.channels=/.test(hash));
      await others(page);
    }),
);

/** Keys on either picture move both. */
async function movedTogether(page: Page): Promise<void> {
  const stages = page.locator("tw-tiles .stage");
  const seen = () =>
    page.evaluate(() =>
      ([...document.querySelectorAll("tw-tiles")] as TwTiles[]).map(({ seenPart: { rows, columns } }) => [
        ...rows,
        ...columns,
      ])
    );
  await stages.nth(1).focus();
  for (const key of ["+", "+", "+", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await page.waitForURL(({ hash }) => hash.includes("view="));
  await whole(page, undefined, 2);
  const [first, second] = await seen();
  assert(first![1]! - first![0]! < HEIGHT, `${first}`);
  first!.forEach((edge, i) => assertAlmostEquals(second![i]!, 2 * edge, 2.01));
  await stages.nth(0).focus();
  await page.keyboard.press("ArrowLeft");
  await until(
    page,
    (before) => (document.querySelector("tw-tiles") as TwTiles).seenPart.columns[0] < before,
    first![2]!,
  );
  const [left, beside] = await seen();
  left!.forEach((edge, i) => assertAlmostEquals(beside![i]!, 2 * edge, 2.01));
}

/** An image without sizes is linked pixel by pixel; a scan cannot be there, and both are said. */
async function others(page: Page): Promise<void> {
  const part = page.getByRole("region", { name: "Two images" });
  const which = part.getByLabel("Beside this image");
  await which.selectOption({ label: "c.npy" });
  await part.getByText("Linked pixel by pixel: only one of them knows the size of its pixels.").waitFor();
  await part.getByRole("heading", { name: "Values of c.npy" }).waitFor();
  await which.selectOption({ label: "d.npy" });
  await part.getByText(/^d\.npy cannot be beside this image: it is a scan/).waitFor();
  await whole(page, undefined, 1);
  await assertAccessible(page);
  await which.selectOption({ label: "No other image" });
  await page.waitForURL(({ hash }) => !hash.includes("second"));
  await page.keyboard.press("Control+z"); // the choice is undone as others are
  await part.getByText(/^d\.npy cannot be beside/).waitFor();
}

/** Writes a stack as a folder of OME-Zarr; each sample is ten times the number of its plane. */
async function writeStack(folder: string, name: string, planes: number, step: number): Promise<string> {
  const data = Uint8Array.from(
    { length: planes * HEIGHT * WIDTH },
    (_, i) => 10 * Math.floor(i / HEIGHT / WIDTH),
  );
  const along = (axis: string, scale: number) => ({ name: axis, kind: "space" as const, scale, unit: "µm" });
  const axes = [along("z", step), along("y", 0.5), along("x", 0.5)];
  const [tiff, store] = [`${folder}/${name}.ome.tif`, `${folder}/${name}.ome.zarr`];
  const pieces = await storedPieces({ ...ndarray(data, [planes, HEIGHT, WIDTH], "uint8"), axes }, tiff);
  await Deno.writeFile(tiff, await new Blob(pieces).bytes());
  assertEquals((await cli(["convert", tiff, store, "--quiet"])).code, 0);
  return store;
}

/** Waits until all samples of the pictures have these values. */
async function values(page: Page, expected: readonly number[]): Promise<void> {
  await until(page, (expected) => {
    const all = [...document.querySelectorAll("tw-tiles")] as TwTiles[];
    return all.length === expected.length &&
      all.every(({ progress, samples: [samples] }, i) =>
        progress.missing === 0 && samples?.every((value) => value === expected[i])
      );
  }, expected);
}

browserTest(
  "two folders of OME-Zarr that are dropped together are beside each other, at the same depth",
  () =>
    withFolder(async (folder) => {
      const stores = [await writeStack(folder, "a", 5, 2), await writeStack(folder, "b", 9, 1)];
      await withTilewise({ allowed }, async (open) => {
        const { page } = open;
        await dropFiles(open, stores);
        await page.getByText(/a\.ome\.zarr was opened; there are also b\.ome\.zarr/).waitFor();
        const part = page.getByRole("region", { name: "Two images" });
        const which = part.getByLabel("Beside this image");
        await which.selectOption({ label: "b.ome.zarr" });
        await part.getByText("pixels of 0.5 µm and 0.5 µm. Depth by µm.").waitFor();
        await values(page, [0, 0]);
        await page.getByRole("slider", { name: /Depth/ }).fill("2");
        await values(page, [20, 40]);
        await page.waitForURL(({ hash }) => hash.includes("file=a.ome.zarr&file=b.ome.zarr"));
        await page.getByRole("button", { name: "Choose another" }).click();
        await page.getByRole("button", { name: /^b\.ome\.zarr.*24 × 32/ }).click();
        await page.waitForURL(({ hash }) => hash.includes("file=b.ome.zarr&file=a.ome.zarr"));
        await values(page, [0]);
        await which.selectOption({ label: "a.ome.zarr" });
        await page.getByRole("slider", { name: /Depth/ }).fill("8");
        await values(page, [80, 40]);
      });
    }),
);

/** Radius of the lens at first. */
const RADIUS = 80;

/** What is seen of both images, without the line and the lens; `way` is `wipe=…` or `lens=…`, as in the address. */
async function seenWith(page: Page, way: string): Promise<string> {
  await page.evaluate((way) => {
    location.hash = location.hash.replace(/second\.(wipe|lens)=[^&]*/, `second.${way}`);
    document.querySelector<HTMLElement>(".overlap")!.style.visibility = "hidden";
  }, way);
  await page.locator(`.picture[data-way=${way.split("=")[0]}]`).waitFor();
  await whole(page, undefined, 2);
  const found = await page.screenshot();
  await page.evaluate(() => document.querySelector<HTMLElement>(".overlap")!.style.visibility = "");
  return found.toString("base64");
}

/** How many pixels of the first picture differ in a third one from the images that are to be there, and how many say which it is. */
function countPixels(
  page: Page,
  [first, second, lens]: readonly string[],
  circle: { readonly y: number; readonly x: number; readonly radius: number },
): Promise<{ inside: number; outside: number; wrong: number }> {
  return page.evaluate(async ({ pictures, circle }) => {
    const { left, top, right, bottom } = (document.querySelector("tw-tiles") as TwTiles).place;
    const [width, height] = [Math.floor(right - left) - 8, Math.floor(bottom - top) - 8];
    const [first, second, lens] = await Promise.all(pictures.map(async (picture) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const context = new OffscreenCanvas(width, height).getContext("2d")!;
      context.drawImage(await createImageBitmap(new Blob([bytes])), -left - 4, -top - 4);
      return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    })) as [Uint32Array, Uint32Array, Uint32Array];
    const counted = { inside: 0, outside: 0, wrong: 0 };
    for (let i = 0; i < first.length; i++) {
      const far = Math.hypot(
        top + 4 + Math.floor(i / width) - circle.y,
        left + 4 + i % width - circle.x,
      );
      if (first[i] === second[i] || Math.abs(far - circle.radius) < 2) continue;
      const isInside = far < circle.radius;
      counted[isInside ? "inside" : "outside"]++;
      if (lens[i] !== (isInside ? second : first)[i]) counted.wrong++;
    }
    return counted;
  }, { pictures: [first!, second!, lens!], circle });
}

/** The circle of the lens on the page. */
async function circleOf(page: Page): Promise<{ y: number; x: number; radius: number }> {
  const { x, y, width, height } = (await page.locator(".overlap").boundingBox())!;
  assertAlmostEquals(width, height, 0.01);
  return { y: y + height / 2, x: x + width / 2, radius: width / 2 };
}

/** Waits until the middle of the lens is there, to a thousandth of the picture. */
function lensAt(page: Page, x: number, y: number): Promise<boolean> {
  return until(page, ([x, y]) => {
    const { left, right, top, bottom } = document.querySelector(".overlap")!.getBoundingClientRect();
    return Math.abs((left + right) / 2 - x) < 1 && Math.abs((top + bottom) / 2 - y) < 1;
  }, [x, y] as const);
}

browserTest(
  "a lens shows the second image around the pointer, what a line would show there, also after a reload",
  () =>
    withTilewise({ allowed }, async ({ page }) => {
      const given = await files();
      await give(page, given);
      await whole(page, undefined, 1);
      const part = page.getByRole("region", { name: "Two images" });
      await part.getByLabel("Beside this image").selectOption({ label: "b.ome.tif" });
      await part.getByRole("button", { name: "Lens" }).press("Enter");
      await page.waitForURL(({ hash }) => hash.includes(`second.lens=0.5,0.5,${RADIUS}`));
      await whole(page, undefined, 2);
      await assertAccessible(page);
      const { left, top, width, height } = await page.evaluate(() =>
        (document.querySelector("tw-tiles") as TwTiles).place.toJSON()
      );
      const [x, y] = [left + 0.4 * width, top + 0.6 * height];
      await page.mouse.move(x, y);
      await lensAt(page, x, y);
      await page.getByRole("slider", { name: "Lens with the second image" }).focus();
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("ArrowUp");
      const radius = part.getByRole("slider", { name: "Radius of the lens" });
      await radius.focus();
      await page.keyboard.press("ArrowRight");
      const frame = (await page.locator(".picture").boundingBox())!;
      await lensAt(page, x - 0.1 * frame.width, y - 0.01 * (top + height - frame.y));
      await page.waitForURL(({ hash }) => hash.includes(`,${RADIUS + 1}`));
      const circle = await circleOf(page);
      assertAlmostEquals(circle.radius, RADIUS + 1, 0.01);
      const lens = /second\.(lens=[^&]*)/.exec(page.url())![1]!;

      await page.reload();
      await page.getByText("Please choose these files again").waitFor();
      await give(page, given);
      await whole(page, undefined, 2);
      assertEquals(await circleOf(page), circle);
      const pictures = [
        await seenWith(page, "wipe=1"),
        await seenWith(page, "wipe=0"),
        await seenWith(page, lens),
      ];
      const counted = await countPixels(page, pictures, circle);
      assert(counted.inside > 1000 && counted.outside > 10_000, JSON.stringify(counted));
      assertEquals(counted.wrong, 0, JSON.stringify(counted));

      await page.emulateMedia({ forcedColors: "active" });
      const edge = await page.locator(".overlap").evaluate((one) => getComputedStyle(one).borderTopColor);
      assertEquals(edge, "rgb(255, 255, 255)"); // beside its dark casing, on any image
      await part.getByRole("button", { name: "Wipe" }).press("Enter");
      await page.waitForURL(({ hash }) => hash.includes("second.wipe=0.5") && !hash.includes("lens"));
      await page.keyboard.press("Control+z");
      await page.waitForURL(({ hash }) => hash.includes(lens));
    }),
);

browserTest(
  "a finger that begins inside of a lens drags it, beside it the image",
  () =>
    withTilewise({ size: "phone", allowed }, async ({ page, context }) => {
      await give(page, await files());
      await whole(page, undefined, 1);
      const part = page.getByRole("region", { name: "Two images" });
      await part.getByLabel("Beside this image").selectOption({ label: "b.ome.tif" });
      await part.getByRole("button", { name: "Lens" }).press("Enter");
      await whole(page, undefined, 2);
      await page.locator(".picture").scrollIntoViewIfNeeded();
      const { x, y } = await circleOf(page);
      const session = await context.newCDPSession(page);
      const touch = (
        type: "touchStart" | "touchMove" | "touchEnd",
        ...touchPoints: { x: number; y: number }[]
      ) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
      await touch("touchStart", { x: x + 10, y: y + 10 });
      for (const far of [8, 16, 24]) await touch("touchMove", { x: x + 10 - far, y: y + 10 + far });
      await touch("touchEnd");
      await lensAt(page, x - 24, y + 24);
      await page.waitForURL(({ hash }) => /second\.lens=0\.[^&]*,80/.test(hash) && !hash.includes("view="));
    }),
);
