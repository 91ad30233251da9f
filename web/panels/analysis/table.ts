/**
 * Small arrays as tables: results that are not images, such as the pixels that were compared.
 *
 * @module
 */

/// <reference lib="dom" />

import type { NDArray } from "@tilewise/tilewise";
import { element } from "../../parts/dom.ts";
import { short, validity } from "./statistics.ts";

/** Most rows and columns that are shown. */
const MOST = { rows: 24, columns: 16 } as const;

/** The numbers of an array in rows and columns; all dimensions but the last are rows. */
export function tableOf(array: NDArray): HTMLElement {
  const { shape } = array;
  const columns = shape.at(-1) ?? 1;
  const rows = shape.slice(0, -1).reduce((product, n) => product * n, 1);
  const [shownRows, shownColumns] = [Math.min(MOST.rows, rows), Math.min(MOST.columns, columns)];
  const text = textsOf(array);
  const head = element(
    "tr",
    {},
    element("td"),
    ...numbers(shownColumns).map((column) => element("th", { scope: "col" }, String(column))),
  );
  const body = numbers(shownRows).map((row) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, String(row)),
      ...numbers(shownColumns).map((column) => element("td", {}, text(row * columns + column))),
    )
  );
  const isCut = shownRows < rows || shownColumns < columns;
  const note = `${shownRows} of ${rows} rows, ${shownColumns} of ${columns} columns: export it to see all`;
  return element(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": "Numbers of the result" },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)),
    isCut && element("p", { class: "hint" }, note),
  );
}

/** Entry `i` as text; complex numbers as sums. */
function textsOf(array: NDArray): (i: number) => string {
  const { data, dtype } = array;
  const isValid = validity(array);
  if (!dtype.startsWith("complex")) return (i) => isValid(i) ? short(Number(data[i])) : "–";
  return (i) => {
    const [re, im] = [Number(data[2 * i]), Number(data[2 * i + 1])];
    return isValid(i) ? `${short(re)} ${im < 0 ? "−" : "+"} ${short(Math.abs(im))}i` : "–";
  };
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
