/**
 * The files of a TVIPS series, which are numbered: `x_000.tvips`, `x_001.tvips` and so on, without a gap.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { beside } from "../common/beside.ts";
import type { FormatInput } from "../common/format.ts";

/** The names of all files of the series of `input`, which is the first one. Errors: `not-found` where one is missing. */
export async function seriesNames(input: FormatInput): Promise<string[]> {
  const { name, given, source } = input;
  const stem = /^(.*_)000(\.tvips)$/i.exec(name);
  if (!stem) return [name];
  const there = new Set(await input.siblings());
  const number = (n: number) => `${stem[1]}${String(n).padStart(3, "0")}${stem[2]}`;
  const names = [name];
  if (given.length === 1 && source.describe().kind === "http") return await askedNames(input, number);
  while (there.has(number(names.length))) names.push(number(names.length));
  const later = [...there].filter((one) => one.startsWith(stem[1]!) && /_\d{3}\.tvips$/i.test(one)).length;
  if (later > names.length) {
    const text = `Cannot read the series of ${name}: ${
      number(names.length)
    } is missing, but later files are there`;
    throw new TilewiseError("not-found", text, { file: number(names.length) });
  }
  return names;
}

/** Servers have no list of their files: they are asked for one after another. */
async function askedNames(input: FormatInput, number: (n: number) => string): Promise<string[]> {
  const names = [input.name];
  while (await beside(input, number(names.length))) names.push(number(names.length));
  return names;
}
