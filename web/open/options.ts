/**
 * The texts of the form and of the address as options of `open`, and what is wrong with them.
 *
 * @module
 */

import type { OpenOptions } from "@tilewise/tilewise/formats";
import type { OpenChoices } from "../state/state.ts";

/** The options, or one sentence per text that cannot be one. */
export interface ReadOptions {
  /** What could be read. */
  readonly options: OpenOptions;
  /** What is wrong, by name of the option. */
  readonly wrong: Readonly<Record<string, string>>;
}

/** Reads a text; throws a sentence. */
type Read = (text: string) => unknown;

const whole = (least: number): Read => (text) => {
  const value = Number(text.trim());
  if (/^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(least === 0 ? "A whole number, such as 0 or 1024" : "A whole number");
};

const shape: Read = (text) => {
  const sizes = text.trim().split(/\s*[x×*,;]\s*|\s+/i).map((part) =>
    /^\d+$/.test(part) ? Number(part) : NaN
  );
  if (sizes.every((size) => Number.isSafeInteger(size) && size > 0)) return sizes;
  throw new RangeError("Sizes with × between them, such as 256×256");
};

const bytes: Read = (text) => {
  if (/^\d+(\.\d+)?\s*([kMG]i?B|B)?$/i.test(text.trim())) {
    return /^\d+$/.test(text.trim()) ? Number(text) : text.trim();
  }
  throw new RangeError("Bytes, such as 384 or 4KiB");
};

const oneOf = (...words: readonly string[]): Read => (text) => {
  if (words.includes(text)) return text;
  throw new RangeError(`One of ${words.join(", ")}`);
};

const truth: Read = (text) => oneOf("true", "false")(text) === "true";
const name: Read = (text) => text;

/** The options that the page knows, and how their texts are read. */
const READERS: Readonly<Record<string, Read>> = {
  format: name,
  array: name,
  level: whole(0),
  nav: shape,
  sig: shape,
  sigDims: whole(0),
  navAxes: (text) => text.split(",").map((axis) => axis.trim()),
  sigAxes: (text) => text.split(",").map((axis) => axis.trim()),
  syncOffset: whole(-Infinity),
  dtype: name,
  byteOrder: oneOf("little", "big"),
  headerBytes: bytes,
  frameHeaderBytes: bytes,
  frameFooterBytes: bytes,
  bits: whole(1),
  bitOrder: oneOf("lsb", "msb"),
  allowTruncated: truth,
  allowMissing: truth,
  noSeries: truth,
  forceCOrder: truth,
};

/** Reads all texts; empty ones are left out. */
export function readOptions(choices: OpenChoices): ReadOptions {
  const wrong: Record<string, string> = {};
  const options: [string, unknown][] = [];
  for (const [key, text] of Object.entries(choices)) {
    if (text.trim() === "") continue;
    const read = Object.hasOwn(READERS, key) ? READERS[key] : undefined;
    try {
      if (!read) throw new RangeError("The page does not know this option");
      options.push([key, read(text)]);
    } catch (error) {
      wrong[key] = error instanceof RangeError ? error.message : "This cannot be right";
    }
  }
  return { options: Object.fromEntries(options) as OpenOptions, wrong };
}

/** A shape as the form and the address have it. */
export function shapeText(sizes: readonly number[]): string {
  return sizes.join("x");
}
