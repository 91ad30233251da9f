/**
 * How values are shown in notebooks and on the console: the keys of the methods that are called, and an array as one line of text.
 *
 * @module
 */

import { dtypeInfo } from "../space/dtype.ts";
import type { NDArray } from "../space/ndarray.ts";
import { showShape, sizeOf } from "../space/shape.ts";
import { numberBlocks } from "./numbers.ts";
import { limitsIn } from "./scale.ts";

/** One value in several media types, as notebooks take it; images are base64. */
export type MimeBundle = Readonly<Record<string, string>>;

/** Key of the method that notebooks call to show a value; it may return a promise. */
export const JUPYTER_DISPLAY: symbol = Symbol.for("Jupyter.display");

/** Key of the method that formats a value for the console. */
export const CUSTOM_INSPECT: symbol = Symbol.for("Deno.customInspect");

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character]!);
}

/**
 * Adds the methods that notebooks and consoles use to show `value`; they do not appear when it is listed or compared.
 *
 * @returns `value` itself
 */
export function displayable<T extends object>(
  value: T,
  show: { bundle: () => MimeBundle | Promise<MimeBundle>; line: () => string },
): T {
  return Object.defineProperties(value, {
    [JUPYTER_DISPLAY]: { value: show.bundle, enumerable: false },
    [CUSTOM_INSPECT]: { value: show.line, enumerable: false },
  });
}

/**
 * One line: shape, dtype, range, and how much of it is valid.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * assertEquals(arrayLine(ndarray(Uint8Array.of(1, 9), [2], "uint8")), "2 uint8, from 1 to 9");
 * ```
 */
export function arrayLine(array: NDArray): string {
  const [low, high] = limitsIn(numberBlocks(array), sizeOf(array.shape));
  const { valid, shape, dtype } = array;
  const share = valid ? valid.reduce((sum, v) => sum + (v ? 1 : 0), 0) / valid.length : 1;
  const missing = share < 1 ? `, ${(100 * share).toFixed(1)} % valid` : "";
  const of = dtypeInfo(dtype).kind === "c" ? "magnitude " : "";
  return `${showShape(shape)} ${dtype}, ${of}from ${short(low)} to ${short(high)}${missing}`;
}

/** Five digits of a number. */
export function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}
