/** The elements that show data: with and without a graphics card, after it was lost, and how long a change of colours takes. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { TwHistogram, TwImage } from "../../../web/pictures/mod.ts";
import { answered, browserTest, isFull, type OpenPage, until, withTilewise } from "../setup/mod.ts";

/** The address of a page with a scan, its pattern and vectors. */
const SAMPLE = "#v=1&sample=crystal-small&run=com&run.r=11";

/** Drivers without a graphics card remark on their own speed. */
const ALLOWED = { complaints: [/GPU stall due to ReadPixels/, /CONTEXT_LOST_WEBGL/, /willReadFrequently/] };

function withScan(work: (open: OpenPage) => Promise<void>): Promise<void> {
  return withTilewise({ address: SAMPLE, allowed: ALLOWED }, async (open) => {
    await answered(open.page);
    await work(open);
  });
}

/** How two pictures of one image differ. */
interface Difference {
  readonly dtype: string;
  readonly surface: string;
  /** Numbers that are compared. */
  readonly count: number;
  /** Numbers that differ by more than one level. */
  readonly far: number;
  /** The largest difference. */
  readonly most: number;
}

/** Rows and columns. */
type Size = readonly [number, number];

/** Sizes of images: small ones of all types; large ones of types that are sent in their own ways, or with `--full` of all. */
function sizesOf(dtype: string): readonly Size[] {
  const small = [37, 53] as const, large = [700, 900] as const;
  return isFull() || ["uint16", "float64", "complex64"].includes(dtype) ? [small, large] : [small];
}

/** Draws made images of a type with and without the graphics card. */
function compareSurfaces(page: Page, dtype: string, sizes: readonly Size[]): Promise<Difference[]> {
  return page.evaluate(({ dtype, sizes }) => {
    const picture = document.querySelector("tw-image") as TwImage;
    const Types = {
      bool: Uint8Array,
      uint8: Uint8Array,
      int8: Int8Array,
      uint16: Uint16Array,
      int16: Int16Array,
      uint32: Uint32Array,
      int32: Int32Array,
      float32: Float32Array,
      float64: Float64Array,
      complex64: Float32Array,
      complex128: Float64Array,
    };
    const Type = Types[dtype as keyof typeof Types];
    let state = 7;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const value = () => {
      if (dtype === "bool") return random() < 0.5 ? 1 : 0;
      if (/int/.test(dtype)) return Math.floor(random() * 120) - (dtype.startsWith("u") ? 0 : 60);
      return random() < 0.03 ? NaN : (dtype === "float64" ? 1e9 : 0) + random() * 100;
    };
    const results = [];
    for (const [height, width] of sizes) {
      for (const scale of ["linear", "log"] as const) {
        const data = new Type(height * width * (dtype.startsWith("complex") ? 2 : 1)).map(value);
        const valid = Uint8Array.from({ length: height * width }, () => random() < 0.9 ? 1 : 0);
        const array = { data, shape: [height, width], stride: [width, 1], dtype, valid };
        const axes = [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }];
        Object.assign(picture, {
          image: { array, title: "Made", axes },
          display: { colormap: "viridis", scale, gamma: 0.7, percentile: [1, 99] },
          surface: "webgl2",
        });
        const [fast, surface] = [picture.pixels()!.data, picture.surface];
        picture.surface = "2d";
        const slow = picture.pixels()!.data;
        let [far, most] = [0, 0];
        fast.forEach((one, i) => {
          const off = Math.abs(one - slow[i]!);
          if (off > 1) far++;
          most = Math.max(most, off);
        });
        results.push({ dtype, surface, count: fast.length, far, most });
      }
    }
    picture.surface = "webgl2";
    return results;
  }, { dtype, sizes });
}

browserTest(
  "with and without a graphics card the pixels are the same, for every type of samples",
  () =>
    withScan(async ({ page }) => {
      const types = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"];
      for (const dtype of [...types, "complex64", "complex128"]) {
        for (const { surface, count, far, most } of await compareSurfaces(page, dtype, sizesOf(dtype))) {
          assertEquals(surface, "webgl2");
          assert(count > 100_000, `${dtype}: the picture has pixels`);
          // A value between two colours may round to either: they are neighbours in the table.
          assert(far <= count / 20_000 && most <= 8, `${dtype}: ${far} of ${count} differ, by up to ${most}`);
        }
      }
    }),
);

browserTest(
  "a graphics card that is lost comes back, or is done without",
  () =>
    withScan(async ({ page }) => {
      const [before, after, without] = await page.evaluate(async () => {
        const picture = document.querySelector("tw-image") as TwImage;
        const sum = () => picture.pixels()!.data.reduce((total, value) => total + value, 0);
        const settled = async () => { // what it shows, when that has stayed the same for ten pictures
          let last = sum();
          for (let same = 0; same < 10; same = sum() === last ? same + 1 : 0) {
            last = sum();
            await new Promise(requestAnimationFrame);
          }
          return last;
        };
        const before = await settled();
        const canvas = picture.shadowRoot!.querySelector(".canvas canvas") as HTMLCanvasElement;
        const until = async (isThere: () => boolean) => {
          while (!isThere()) await new Promise(requestAnimationFrame);
        };
        const lose = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
        const lost = new Promise((resolve) => canvas.addEventListener("webglcontextlost", resolve));
        lose.loseContext();
        await lost;
        await new Promise(requestAnimationFrame); // it is asked after the event whether the card may come back
        lose.restoreContext();
        await until(() => picture.surface === "webgl2" && sum() > 0);
        const after = [picture.surface, await settled()];
        const again = picture.shadowRoot!.querySelector(".canvas canvas") as HTMLCanvasElement;
        again.getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext();
        await until(() => picture.surface === "2d" && sum() > 0);
        return [before, after, [picture.surface, await settled()]] as const;
      });
      assertEquals(after, ["webgl2", before]);
      assertEquals(without[0], "2d");
      assert(Math.abs(Number(without[1]) - before) <= before / 1000);
    }),
);

browserTest(
  "another contrast of 2048 × 2048 samples needs no new numbers on the graphics card",
  () =>
    withScan(async ({ page }) => {
      const figures = await page.evaluate(() => {
        const picture = document.querySelector("tw-image") as TwImage;
        const side = 2048;
        const data = Uint16Array.from({ length: side * side }, (_, i) => Math.imul(i, 2654435761) >>> 16);
        const array = { data, shape: [side, side], stride: [side, 1], dtype: "uint16" } as const;
        const axis = { name: "y", step: 1, unit: "px" };
        picture.image = { array, title: "Large", axes: [axis, axis] };
        const timed = (work: () => void) => {
          const start = performance.now();
          work();
          return performance.now() - start;
        };
        const display = (high: number) => ({
          colormap: "viridis",
          scale: "linear" as const,
          gamma: 1,
          percentile: [0, 100] as const,
          range: [0, high] as const,
        });
        picture.display = display(60000);
        const first = timed(() => picture.pixels());
        let uploads = 0;
        const { texImage2D } = WebGL2RenderingContext.prototype;
        WebGL2RenderingContext.prototype.texImage2D = function (...given: unknown[]) {
          if ((given.at(-1) as ArrayBufferView).byteLength > 1e5) uploads++;
          return (texImage2D as unknown as (...given: unknown[]) => void).apply(this, given);
        };
        const draws = Array.from({ length: 20 }, (_, i) =>
          timed(() => {
            picture.display = display(60000 - 1000 * i);
            picture.draw();
          })).sort((a, b) => a - b);
        WebGL2RenderingContext.prototype.texImage2D = texImage2D;
        const read = (kind: "webgl2" | "2d") => {
          picture.surface = kind;
          picture.pixels();
          return Array.from({ length: 9 }, (_, i) =>
            timed(() => {
              picture.display = display(50000 - 1000 * i);
              picture.pixels();
            })).sort((a, b) => a - b)[4]!;
        };
        return {
          first,
          median: draws[10]!,
          most: draws[19]!,
          uploads,
          card: read("webgl2"),
          plain: read("2d"),
        };
      });
      const text = (ms: number) => `${ms.toFixed(1)} ms`;
      console.log(
        `2048 × 2048 u16: first picture ${text(figures.first)}; another contrast ${text(figures.median)} ` +
          `(median), ${text(figures.most)} (most); with its pixels read back: WebGL2 ${
            text(figures.card)
          }, ` +
          `without a graphics card ${text(figures.plain)}`,
      );
      assertEquals(figures.uploads, 0);
    }),
);

browserTest(
  "the values of 4096 × 4096 samples are counted while the page answers",
  () =>
    withScan(async ({ page }) => {
      const { total, steps } = await page.evaluate(async () => {
        const histogram = document.querySelector("tw-histogram") as TwHistogram;
        const side = 4096;
        const data = Uint16Array.from({ length: side * side }, (_, i) => Math.imul(i, 2654435761) >>> 16);
        const array = { data, shape: [side, side], stride: [side, 1], dtype: "uint16" } as const;
        const axis = { name: "y", step: 1, unit: "px" };
        histogram.display = { ...histogram.display, percentile: [0, 100] };
        histogram.image = { array, title: "Large", axes: [axis, axis] };
        const steps: number[] = []; // how many samples were counted between two answers of the page
        for (let before = 0; before < side * side;) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          steps.push(histogram.counted - before);
          before = histogram.counted;
        }
        return { total: histogram.counted, steps };
      });
      assertEquals(total, 4096 * 4096);
      assert(
        Math.max(...steps) < total / 2,
        `it answers while it counts: ${steps.filter((step) => step > 0)}`,
      );
    }),
);

browserTest(
  "a drag on a handle can be taken back with Escape, and the layout stays where it is",
  () =>
    withScan(async ({ page }) => {
      const handle = page.getByRole("slider", { name: /^Detector/ }).first();
      const box = (await handle.boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const before = await handle.getAttribute("aria-valuetext");
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y + 10);
      await page.mouse.move(x + 40, y + 20);
      const values = page.locator(`[role=slider][aria-label^=Detector][aria-valuetext="${before}"]`);
      await values.waitFor({ state: "detached" });
      await handle.evaluate((element, y) =>
        // its text changes a moment before its place
        new Promise<void>((moved) => {
          const look = () => element.getBoundingClientRect().y > y ? moved() : requestAnimationFrame(look);
          look();
        }), box.y);
      await page.keyboard.press("Escape");
      await values.waitFor({ state: "attached" });
      await page.mouse.up();
      const end = (await handle.boundingBox())!; // the focus has a ring around it
      assertEquals([end.x + end.width / 2, end.y + end.height / 2].map(Math.round), [x, y].map(Math.round));
    }),
);

browserTest("hit areas of handles are large enough for fingers", () =>
  withScan(async ({ page }) => {
    // They keep their size when the picture has got its own, which is a moment after the handles are there.
    await until(page, () => {
      const hits = [...document.querySelectorAll("tw-image")].flatMap((picture) => [
        ...picture.shadowRoot!.querySelectorAll(".handle .hit"),
      ]);
      const sizes = hits.map((hit) => hit.getBoundingClientRect());
      return hits.length >= 3 && sizes.every(({ width, height }) => Math.min(width, height) >= 24);
    });
  }));

browserTest(
  "what is missing is hatched, and what is written on an image lies on it",
  () =>
    withScan(async ({ page }) => {
      const [strokes, inside] = await page.evaluate(() => {
        const picture = document.querySelector("tw-image") as TwImage;
        const root = picture.shadowRoot!;
        const missing = getComputedStyle(root.querySelector(".missing")!);
        const stage = root.querySelector(".stage")!.getBoundingClientRect();
        const side = Math.min(stage.width, stage.height);
        const bottom = stage.top + (stage.height + side) / 2;
        const legends = [...root.querySelectorAll(".scale-bar, .wheel")].map((one) =>
          one.getBoundingClientRect()
        );
        return [
          [missing.backgroundColor, missing.maskImage],
          legends.every((one) => one.bottom < bottom && one.top > bottom - side),
        ] as const;
      });
      assert(!/^rgba?\(.*, 0\)$|transparent/.test(strokes[0]!), strokes[0]!);
      assert(strokes[1]!.includes("gradient"), strokes[1]!);
      assert(inside);
    }),
);
