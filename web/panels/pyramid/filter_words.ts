/**
 * Filters as the page edits them: a name, and the text of each parameter.
 *
 * @module
 */

import { type Filter, FILTERS, findFilter, partsOf } from "../../../src/analyses/mod.ts";

/** A filter that is edited. */
export interface FilterText {
  /** Its name; `expr` for an expression. */
  readonly name: string;
  /** The text of each parameter; an expression is the parameter `text`. */
  readonly values: Readonly<Record<string, string>>;
}

/** Filters that keep the size of an image, so that tiles can be filtered one by one. */
export const OFFERED: readonly Filter[] = FILTERS.filter(({ name }) => name !== "downsample");

/** What an expression begins with. */
const EXPRESSION = "expr:";

/** A word of `tilewise map` as name and parameters. Words that nobody can read are expressions, so that they can be mended. */
export function readFilter(word: string): FilterText {
  if (word.startsWith(EXPRESSION)) return { name: "expr", values: { text: word.slice(EXPRESSION.length) } };
  try {
    const { name, pairs } = partsOf(word);
    if (findFilter(name)) return { name, values: Object.fromEntries(pairs) };
  } catch {
    // the message about it comes from the attempt to use it
  }
  return { name: "expr", values: { text: word } };
}

/** The word of a filter; parameters without text have their default. */
export function writeFilter({ name, values }: FilterText): string {
  if (name === "expr") return EXPRESSION + (values["text"] ?? "");
  const pairs = Object.entries(values).filter(([, text]) => text.trim() !== "");
  return pairs.length === 0
    ? name
    : `${name}:${pairs.map(([key, text]) => `${key}=${text.trim()}`).join(",")}`;
}

/**
 * A filter with values to begin with. In stacks, windows have a size only along rows and columns: the images of a stack are not
 * mixed unless the user says so.
 */
export function newFilter(name: string, labels: readonly string[]): FilterText {
  const filter = findFilter(name);
  if (!filter) return { name: "expr", values: { text: "x * 2" } };
  const values: Record<string, string> = {};
  for (const [key, { kind, preset, words }] of Object.entries(filter.parameters)) {
    const number = preset ?? FIRST[key];
    if (kind === "numbers" && number !== undefined && Number.isFinite(Number(number))) {
      values[key] = planeOnly(number, labels);
    } else if (preset === undefined) values[key] = words?.[0] ?? FIRST[key] ?? "1";
  }
  return { name, values };
}

/** A filter in words, such as `Blur 2 px`. */
export function filterWords({ name, values }: FilterText): string {
  const filter = findFilter(name);
  if (!filter) return "Expression";
  const shown = Object.entries(filter.parameters).flatMap(([key, { preset, usual }]) =>
    usual ? [`${inPlane(values[key] ?? preset ?? "")} ${usual.unit ?? ""}`.trim()] : []
  );
  return [filter.title, shown.join(", ")].join(" ").trim();
}

/** The number for rows and columns, of one number per dimension; text that is not a number as it is. */
export function inPlane(text: string): string {
  const parts = text.split("x").map(Number);
  return text !== "" && parts.every(Number.isFinite) ? `${Math.max(...parts)}` : text;
}

/** Values for parameters that have no default. */
const FIRST: Readonly<Record<string, string>> = {
  sigma: "2",
  radius: "2",
  percent: "90",
  value: "0",
  dtype: "float32",
};

/** A number for rows and columns; for all other dimensions of a stack 0. */
export function planeOnly(number: string, labels: readonly string[]): string {
  return labels.length <= 2 ? number : labels.map((label) => /^[yx]$/.test(label) ? number : "0").join("x");
}
