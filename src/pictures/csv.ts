/**
 * Arrays as comma-separated text.
 *
 * @module
 */

import { dtypeInfo } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import { unravel } from "../space/shape.ts";
import { positions, validity } from "./scale.ts";

/**
 * The array as CSV. Real arrays of two dimensions are written as they look, a line a row; others with one line a
 * sample: its index, then its value (`re,im` where complex), under a heading. What is not valid stays empty.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * assertEquals(encodeCsv(ndarray(Uint8Array.of(1, 2, 3, 4), [2, 2], "uint8")), "1,2\n3,4\n");
 * assertEquals(encodeCsv(ndarray(Uint8Array.of(7, 8), [2], "uint8")), "i0,value\n0,7\n1,8\n");
 * ```
 */
export function encodeCsv(array: NdArray): string {
  const isComplex = dtypeInfo(array.dtype).kind === "c";
  const cells = cellsOf(array, isComplex);
  const { shape } = array;
  if (shape.length === 2 && !isComplex) return table(cells, shape[1]!);
  const heading = [...shape.map((_, d) => `i${d}`), ...(isComplex ? ["re", "im"] : ["value"])];
  const lines = cells.map((cell, n) => [...unravel(n, shape), cell].join(","));
  return [heading.join(","), ...lines, ""].join("\n");
}

function cellsOf(array: NdArray, isComplex: boolean): string[] {
  const { data } = array;
  const isValid = validity(array);
  const cells: string[] = [];
  for (const at of positions(array)) {
    if (isComplex) cells.push(isValid(cells.length) ? `${data[2 * at]},${data[2 * at + 1]}` : ",");
    else cells.push(isValid(cells.length) ? String(data[at]) : "");
  }
  return cells;
}

function table(cells: readonly string[], columns: number): string {
  let text = "";
  for (let at = 0; at < cells.length; at += columns) {
    text += cells.slice(at, at + columns).join(",") + "\n";
  }
  return text;
}
