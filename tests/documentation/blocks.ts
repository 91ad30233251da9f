/**
 * Blocks of code in pages, and what they print.
 *
 * @module
 */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

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
