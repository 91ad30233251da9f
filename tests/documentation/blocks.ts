/**
 * Blocks of code in pages, and what they print.
 *
 * @module
 */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { readPng } from "../pictures/read_png.ts";

/** The checkout. */
const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** The texts of the blocks of a language in a page. */
export function blocksOf(page: string, language: string): string[] {
  const text = Deno.readTextFileSync(`${ROOT}${page}`);
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, block]) =>
    block!
  );
}

/** The pages of a folder of `docs/`. */
export function pagesIn(folder: string): string[] {
  return [...Deno.readDirSync(`${ROOT}docs/${folder}`)].map(({ name }) => `docs/${folder}/${name}`)
    .toSorted();
}

/** Refuses that two texts have other numbers; floats may differ in the seventh digit. */
export function assertSameNumbers(found: string, expected: string): void {
  const [a, b] = [found, expected].map((text) => text.trim().split(/\s+/).map(Number));
  assertEquals(a!.length, b!.length, `${found} has other numbers than ${expected}`);
  for (const [i, number] of b!.entries()) assertAlmostEquals(a![i]!, number, 1e-6 * Math.abs(number));
}

/** Refuses a picture with other pixels than `docs/images/tutorials/NAME.png`, which UPDATE=1 renews. */
export async function assertSamePicture(name: string, made: Uint8Array): Promise<void> {
  const kept = `${ROOT}docs/images/tutorials/${name}.png`;
  if (Deno.env.get("UPDATE") === "1") await Deno.writeFile(kept, made);
  const [a, b] = [made, await Deno.readFile(kept)].map(readPng);
  assertEquals([a!.width, a!.height], [b!.width, b!.height], name);
  const others = a!.samples.reduce((count, sample, i) => count + Number(sample !== b!.samples[i]), 0);
  assert(others === 0, `${others} samples of ${name} are not those of the picture on the page`); // a diff takes 20 GB
}
