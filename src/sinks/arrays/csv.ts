/**
 * Arrays as comma-separated text.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { unravel } from "../../space/shape.ts";
import { positions, validity } from "./numbers.ts";

/** Characters that are encoded in one step. */
const PIECE = 1 << 16;

/**
 * The array as CSV, piece by piece: the text of many samples can exceed the largest length of a string. Real arrays of two
 * dimensions are written with one line per row; other arrays with one line per sample, index then value (`re,im` if complex),
 * below a heading. Values that are not valid are left empty.
 *
 * @example
 * ```ts
 * import { ndarray } from "../../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const [bytes] = csvPieces(ndarray(Uint8Array.of(1, 2, 3, 4), [2, 2], "uint8"));
 * assertEquals(new TextDecoder().decode(bytes), "1,2\n3,4\n");
 * ```
 */
export function* csvPieces(array: NDArray): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  for (const part of lines(array)) {
    text += part;
    if (text.length < PIECE) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}

/** Every line, in parts: a single line may be long, too. */
function* lines(array: NDArray): Generator<string> {
  const { shape } = array;
  const isComplex = dtypeInfo(array.dtype).kind === "c";
  const cells = cellsOf(array, isComplex);
  if (shape.length === 2 && !isComplex) return yield* table(cells, shape[1]!);
  yield [...shape.map((_, d) => `i${d}`), ...(isComplex ? ["re", "im"] : ["value"])].join(",") + "\n";
  let n = 0;
  for (const cell of cells) yield [...unravel(n++, shape), cell].join(",") + "\n";
}

function* cellsOf(array: NDArray, isComplex: boolean): Generator<string> {
  const { data } = array;
  const isValid = validity(array);
  let n = 0;
  for (const at of positions(array)) {
    const isThere = isValid(n++);
    if (isComplex) yield isThere ? `${textOf(data[2 * at]!)},${textOf(data[2 * at + 1]!)}` : ",";
    else yield isThere ? textOf(data[at]!) : "";
  }
}

/** The shortest text that is read as the same number; −0 has its sign. */
function textOf(value: number | bigint): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function* table(cells: Iterable<string>, columns: number): Generator<string> {
  let column = 0;
  for (const cell of cells) {
    column = (column + 1) % columns;
    yield cell + (column === 0 ? "\n" : ",");
  }
}
