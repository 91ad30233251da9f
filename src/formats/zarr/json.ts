/**
 * JSON documents of Zarr stores, and checked access to what is in them.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, type TilewiseError } from "../../errors.ts";

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** Deepest nesting of a document that is read. */
const MOST_DEPTH = 200;

/**
 * The object in `bytes`. NaN and infinities, which Python writes into attributes, become texts; a `fill_value` that is a large
 * whole number becomes a bigint.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const bytes = new TextEncoder().encode('{"a": NaN, "fill_value": 18446744073709551615}');
 * assertEquals(parseJson(bytes, ".zarray"), { a: "NaN", fill_value: 18446744073709551615n });
 * ```
 */
export function parseJson(bytes: Uint8Array, file: string): Json {
  const text = new TextDecoder().decode(bytes.slice());
  checkDepth(text, file);
  let found: unknown;
  try {
    found = JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  } catch {
    found = parsePython(text, file);
  }
  if (isObject(found)) return found;
  throw malformed(file, "it is not a JSON object");
}

function parsePython(text: string, file: string): unknown {
  try {
    return JSON.parse(withTexts(text), revive as (key: string, value: unknown) => unknown);
  } catch (cause) {
    throw malformed(file, `it is not JSON (${cause instanceof Error ? cause.message : cause})`);
  }
}

/** A document in which NaN and infinities, as Python writes them, are texts. */
export function withTexts(text: string): string {
  const words = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;
  return text.replace(words, (word) => word.startsWith('"') ? word : `"${word}"`);
}

function revive(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isLarge = key === "fill_value" && typeof value === "number" && !Number.isSafeInteger(value);
  return isLarge && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context!.source!) : value;
}

/** The parser calls itself for each level: a document of brackets would exhaust the stack. */
function checkDepth(text: string, file: string): void {
  let depth = 0, isText = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    if (isText) {
      if (letter === 0x5c) i++;
      else if (letter === 0x22) isText = false;
    } else if (letter === 0x22) isText = true;
    else if (letter === 0x7b || letter === 0x5b) {
      if (++depth > MOST_DEPTH) throw malformed(file, `it is nested more than ${MOST_DEPTH} levels deep`);
    } else if (letter === 0x7d || letter === 0x5d) depth--;
  }
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under `key`; an empty one if there is none. */
export function objectIn(json: Json, key: string): Json {
  const found = json[key];
  return isObject(found) ? found : {};
}

/** The objects of the list under `key`; none if there is no list. */
export function objectsIn(json: Json, key: string): readonly Json[] {
  const found = json[key];
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The text under `key`. */
export function textIn(json: Json, key: string): string | undefined {
  const found = json[key];
  return typeof found === "string" ? found : undefined;
}

/** The list of finite numbers under `key`. */
export function numbersIn(json: Json, key: string): number[] | undefined {
  const found = json[key];
  return Array.isArray(found) && found.every((n) => Number.isFinite(n)) ? found as number[] : undefined;
}

/** The error for a damaged document. */
export function malformed(file: string, problem: string): TilewiseError {
  return cannot("read", file, "malformed", problem);
}

/** The error for what is valid, but not read. */
export function unsupported(file: string, problem: string, found?: string): TilewiseError {
  return cannot("read", file, "unsupported", problem, { ...defined({ found }) });
}
