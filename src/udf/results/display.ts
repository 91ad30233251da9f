/**
 * Shows plans and results in a notebook and on the console.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { displayable, type MimeBundle } from "../../pictures/displayable.ts";
import { consoleLine } from "./console_line.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Results } from "../interface/buffer_types.ts";

/** Makes results, and every array in them, displayable. */
export function displayableResults(results: Results, dataset: StoredDataset): Results {
  for (const [title, array] of arraysOf(results)) {
    displayable(array, {
      bundle: () => figureOf(array, title, dataset),
      line: () => `${title}: ${consoleLine(array)}`,
    });
  }
  const lines = () =>
    [...arraysOf(results)].map(([title, array]) => `${title}: ${consoleLine(array)}`).join("\n");
  return displayable(results, { bundle: () => resultsBundle(results, dataset), line: lines });
}

/** The figure of an array; the code that draws is loaded with the first one. */
async function figureOf(array: NDArray, title: string, dataset: StoredDataset): Promise<MimeBundle> {
  const { arrayBundle } = await import("../../pictures/figure.ts");
  return await arrayBundle(array, title, dataset);
}

/** All results as a sheet of figures. */
async function resultsBundle(results: Results, dataset: StoredDataset): Promise<MimeBundle> {
  const named = [...arraysOf(results)];
  const bundles = await Promise.all(named.map(([title, array]) => figureOf(array, title, dataset)));
  const all = (type: string, between: string) => bundles.map((bundle) => bundle[type]).join(between);
  return {
    "text/plain": all("text/plain", "\n"),
    "text/html": `<div style="display:flex;flex-wrap:wrap">${all("text/html", "")}</div>`,
  };
}

function* arraysOf(results: Results): Generator<[title: string, array: NDArray]> {
  for (const [key, buffers] of Object.entries(results)) {
    const names = Object.keys(buffers);
    for (const name of names) yield [names.length === 1 ? key : `${key}.${name}`, buffers[name]!];
  }
}
