/**
 * A computation as a command line.
 *
 * @module
 */

import { wordOf } from "../../../src/analyses/mod.ts";
import { fileName, type Recipe } from "../recipe.ts";
import { roiFlag } from "./selection.ts";

/** A command, and a file that it reads. */
export interface Command {
  /** What is typed into a shell. */
  readonly text: string;
  /** The same, word by word. */
  readonly words: readonly string[];
  /** The mask of the region, if the command names it as a file. */
  readonly mask?: { readonly name: string; readonly data: Uint8Array };
}

/** The command. */
export function commandOf(recipe: Recipe): Command {
  const base = fileName(recipe);
  const region = recipe.roi && roiFlag(recipe.roi, recipe.navShape, `${base}-roi.npy`);
  const words = [
    "run",
    wordOf(recipe.analysis),
    recipe.source,
    ...flagsOf(recipe.choices),
    ...(region ? ["--roi", region.text] : []),
    "-o",
    `${base}.npy`,
  ];
  const text = ["tilewise", ...words].map(quoted).join(" ");
  return { text, words, ...(region?.mask ? { mask: { name: region.text, data: region.mask } } : {}) };
}

/** Options of `open` as flags: `syncOffset` is `--sync-offset`. */
export function flagsOf(choices: Recipe["choices"]): string[] {
  return Object.entries(choices).filter(([, text]) => text.trim() !== "").flatMap(([option, text]) => {
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (text === "true") return [flag];
    if (text === "false") return [];
    const value = option === "nav" || option === "sig"
      ? text.trim().split(/\s*[x×*,;]\s*|\s+/i).join("x")
      : text;
    return [flag, value];
  });
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
