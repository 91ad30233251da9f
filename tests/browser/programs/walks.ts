/**
 * Paths of six users through the page, from what they drop to what they take home.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { open, read } from "@tilewise/tilewise";
import type { TwImage, TwTiles } from "../../../web/pictures/mod.ts";
import { slide, TILE } from "./slide.ts";
import { type Given, until, Walker } from "./walker.ts";

/** What a user has done, and found. */
export interface Walked<T> {
  readonly actions: readonly string[];
  readonly found: T;
}

async function walked<T>(walk: (walker: Walker) => Promise<T>, path = "/page/"): Promise<Walked<T>> {
  const walker = await Walker.open(path);
  try {
    const found = await walk(walker);
    await (globalThis as { lookAtEnd?: () => Promise<void> }).lookAtEnd?.(); // only a browser that is driven has it
    return { found, actions: walker.actions };
  } catch (error) {
    throw new Error(`${error} after ${walker.actions.join(", ")}; ${walker.hash}`);
  } finally {
    walker.close();
  }
}

/** Six channels are dropped; three of them are mixed, nuclei found, and their table is saved. */
export function biologist(given: readonly Given[]): Promise<Walked<{ channels: number; table: string }>> {
  return walked(async (walker) => {
    await walker.drop(given);
    for (const name of ["D", "E", "F"]) {
      await walker.press("input[type=checkbox]", new RegExp(`^Show ${name}$`));
    }
    await walker.press("button", /^Find objects$/);
    await walker.see(".count", /^\d+ objects$/);
    await walker.press("button", /^CSV/);
    const table = await (await walker.savedAs(/\.csv$/)).text();
    const tiles = walker.document.querySelector("tw-tiles") as TwTiles;
    return { channels: tiles.channels.length, table };
  });
}

/** A slide of 60 000 pixels is seen in true colour, looked at closely, and a region is exported with the samples of the source. */
export function pathologist(): Promise<
  Walked<{ size: number; colours: number; differing: number; samples: number }>
> {
  return walked(async (walker) => {
    const file = new File([await slide(60_000)], "slide.tif");
    await walker.drop([{ path: file.name, url: URL.createObjectURL(file) }]);
    await walker.stage();
    await walker.wheel(11, 0.4, 0.6);
    await walker.key(".stage", /^slide/, "ArrowRight");
    await walker.stage();
    const tiles = walker.document.querySelector("tw-tiles") as TwTiles;
    await until(() => tiles.progress.level === 0 && tiles.progress.missing === 0);
    const { data } = tiles.pixels()!;
    const colours = new Set(
      Array.from({ length: data.length / 64 }, (_, i) => data[64 * i]! - data[64 * i + 1]!),
    );
    const { rows, columns } = tiles.seenPart;
    await walker.press("button", /^OME-TIFF/);
    const saved = await read(await open(new File([await walker.savedAs(/\.ome\.tif$/)], "region.ome.tif")));
    const image = await open(file), period = 4 * TILE; // tiles come again after four
    const known = await read(await open(new File([await slide(period)], "known.tif"), { level: 0 }));
    const isFirst = saved.shape[0] === 3;
    const [height, width] = [rows[1] - rows[0], columns[1] - columns[0]];
    let differing = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = 3 * (((y + rows[0]) % period) * period + (x + columns[0]) % period);
        for (let c = 0; c < 3; c++) {
          const at = isFirst ? (c * height + y) * width + x : 3 * (y * width + x) + c;
          if (saved.data[at] !== known.data[from + c]) differing++;
        }
      }
    }
    return { size: image.shape[0]!, colours: colours.size, differing, samples: saved.data.length };
  });
}

/** A scan is dropped, and its strain is mapped in three steps. */
export function microscopist(
  given: readonly Given[],
): Promise<Walked<{ titles: string[]; first: number[] }>> {
  return walked(async (walker) => {
    const keep = async () => {
      const button = await walker.see("button", /^Keep to compare$/) as HTMLButtonElement;
      await until(() => !button.disabled);
    };
    await walker.drop(given);
    await keep();
    await walker.press("button", /^Analysis:/);
    await walker.press("#analysis-choices .choice", /Strain/);
    await until(() => walker.hash.includes("run.radius"));
    await keep();
    await walker.key("[role=slider]", /^Vector a$/, "ArrowDown");
    await until(() => walker.hash.includes("run.zero"));
    await keep();
    await walker.press("button", /^Draw a region$/);
    await until(() => walker.hash.includes("run.region"));
    await keep();
    const maps = [...walker.document.querySelectorAll<TwImage>(".view.scan tw-image")].map(({ image }) =>
      image!
    );
    const [first] = maps;
    return {
      titles: maps.map(({ title }) => title.split(",")[0]!),
      first: first && "array" in first ? Array.from(first.array.data as Float64Array) : [],
    };
  });
}

/** Two files are dropped, and the second is seen beside the first, linked, then through a lens. */
export function comparer(
  given: readonly Given[],
): Promise<Walked<{ said: string; sizes: (readonly [number, number])[]; inLens: boolean[] }>> {
  return walked(async (walker) => {
    await walker.drop(given);
    await walker.choose(/No other image/, /^fine/);
    const said = (await walker.see("[role=status]", /^Linked/)).textContent!;
    await walker.press("button", /^Side by side$/);
    await walker.wheel(3, 0.5, 0.5);
    await until(() => walker.hash.includes("view=") && walker.hash.includes("second.file=fine"));
    const all = [...walker.document.querySelectorAll("tw-tiles")] as TwTiles[];
    await until(() => all.every(({ progress }) => progress.missing === 0));
    const sizes = all.map(({ seenPart: { rows, columns } }) =>
      [rows[1] - rows[0], columns[1] - columns[0]] as const
    );
    await walker.press("button", /^Lens$/);
    await walker.key("[role=slider]", /^Lens/, "ArrowRight");
    await until(() => walker.hash.includes("second.lens=0.5,0.51,80"));
    const [, second] = all;
    const lens = (await walker.see("[role=slider]", /^Lens/)).getBoundingClientRect();
    second!.style.pointerEvents = "auto"; // what is clipped is not found
    const inLens = [-78, 78, -82, 82].map((right) => {
      const [x, y] = [(lens.left + lens.right) / 2 + right, (lens.top + lens.bottom) / 2];
      return walker.document.elementFromPoint(x, y) === second;
    });
    return { said, sizes, inLens };
  });
}

/** The folder that the command serves at a path is gone through, and two of its images are seen beside each other. */
export function archivist(
  path: string,
): Promise<Walked<{ rows: string[][]; more: string[]; sideways: number; values: number[] }>> {
  return walked(async (walker) => {
    const rows: string[][] = [];
    let sideways = 0;
    const namesIn = (list: string) =>
      walker.all(`[aria-label="${list}"] .mono`).map((one) => one.textContent!);
    const into = async (selector: string, name: string) => {
      await walker.press(selector, new RegExp(`^${name}`));
      await walker.see("nav [aria-current]", new RegExp(`^${name}$`));
      rows.push(namesIn("Served sources").sort());
      const { scrollWidth, clientWidth } = walker.document.documentElement;
      sideways = Math.max(sideways, scrollWidth - clientWidth);
    };
    const row = ".sources button", way = "nav button";
    await into(row, "sub one");
    await into(row, "deep");
    await into(way, "top");
    await into(row, "many");
    await walker.press("button", /^List more$/);
    await walker.see(".sources .mono", /^102\.npy$/);
    const more = namesIn("Served sources after 100");
    await into(way, "top");
    await into(row, "sub one");
    await into(row, "deep");
    await until(() => walker.hash.includes("folder=0/sub+one/deep"));
    await walker.press(row, /^a\.npy/);
    await walker.choose(/No other image/, /^b\.npy/);
    await until(() => walker.hash.includes("second.url=data"));
    const all = () => walker.all("tw-tiles") as TwTiles[];
    await until(() => all().length === 2 && all().every(({ progress }) => progress.missing === 0));
    const values = all().map(({ samples: [samples] }) => Math.max(...samples!));
    return { rows, more, sideways, values };
  }, path);
}

/** An image of the sky is seen with its grid and the sources of a list; then a Measurement Set with its baselines. */
export function astronomer(
  image: readonly Given[],
  set: readonly Given[],
): Promise<Walked<{ sources: number; lines: number; chosen: string; rows: number; offers: string[] }>> {
  return walked(async (walker) => {
    await walker.drop(image);
    await walker.see("[role=status]", /on the image/);
    await walker.press(".part input[type=checkbox]", /^$/);
    await until(() => walker.hash.includes("grid=1"));
    await walker.press(".objects tbody button", /^Source /);
    const chosen = (await walker.see("tr.chosen", /./)).textContent!;
    const sources = walker.all(".objects tbody tr").length;
    const lines = walker.all(".sky-text").length;
    await walker.drop(set);
    await walker.see(".title", /^uv coverage$/);
    await walker.stage();
    const tiles = walker.document.querySelector("tw-tiles") as TwTiles;
    await until(() => tiles.samples[0]?.length);
    const shown = walker.all("button").filter((one) => one.getClientRects().length > 0);
    const offers = shown.map((one) => one.textContent!.trim());
    return { sources, lines, chosen, rows: tiles.samples[0]!.reduce((a, b) => a + b, 0), offers };
  });
}
