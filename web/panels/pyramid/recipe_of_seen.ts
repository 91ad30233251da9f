/**
 * What code about an image needs to know: how it is opened, filtered, and what its files are called.
 *
 * @module
 */

import { VERSION } from "@tilewise/tilewise/run";
import { textFile } from "../../export/data.ts";
import { download } from "../../export/download.ts";
import { sourceText } from "../../export/recipe.ts";
import type { SeenRecipe } from "../../export/seen.ts";
import { readOptions } from "../../open/options.ts";
import type { Workbench } from "../workbench.ts";
import type { OpenedImage } from "./opened_image.ts";

/** A name for files: that of the source, without its ending. */
export function baseOf({ session }: Workbench): string {
  const name = session?.dataset.source.split(/[\\/]/).findLast((part) => part !== "") ?? "image";
  return name.replace(/(\.ome)?\.\w+$/, "").replace(/[^\w-]+/g, "-") || "image";
}

/** How the image that is open is made somewhere else. */
export function recipeOf(
  { session, store: { state } }: Workbench,
  { dataset, source }: OpenedImage,
): Omit<SeenRecipe, "rows" | "columns" | "selection"> {
  const choice = state.source ?? { kind: "files", names: [dataset.source] } as const;
  const { array } = dataset;
  const named = session!.datasets.length > 1 && array !== "" && state.open.array === undefined;
  return {
    version: VERSION,
    ...sourceText(choice, dataset.source),
    options: { ...readOptions(state.open).options, ...(named ? { array } : {}) },
    choices: { ...state.open, ...(named ? { array } : {}) },
    filters: state.filters,
    labels: source.labels,
    dtype: dataset.dtype,
  };
}

/** Copies a command, or saves it where the page may not copy; says which. */
export async function copied(text: string, base: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return `Copied: ${text}`;
  } catch {
    download([textFile(`${base}.sh`, `${text}\n`)]);
    return "The command is saved as a file, as this page may not copy";
  }
}
