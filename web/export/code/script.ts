/**
 * A computation as a script for Deno.
 *
 * @module
 */

import { fileName, type Recipe } from "../recipe.ts";
import { stepsOf } from "./steps.ts";

/** What scripts import Tilewise from. */
export function packageOf({ version }: Pick<Recipe, "version">): string {
  return `jsr:@tilewise/tilewise@${version}`;
}

/** The script; `from` is what the library is imported from. */
export function scriptOf(recipe: Recipe, from: string = packageOf(recipe)): string {
  const { imports, open, compute, save } = stepsOf(recipe, from);
  const name = `${fileName(recipe)}.ts`;
  const net = /^https?:/i.test(recipe.source) ? " --allow-net" : "";
  return [
    `// Made with the page of Tilewise ${recipe.version}. Each result becomes a file beside this one:`,
    `// deno run --allow-read --allow-write${net} ${name}`,
    ...imports,
    "",
    ...open,
    ...compute,
    ...save,
    "",
  ].join("\n");
}
