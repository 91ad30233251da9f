/** Axes that are read again: what was said is there, or its loss is named. */

import { assert } from "@std/assert";
import type { AxisFacts } from "../../src/space/axes.ts";

/** Facts of an axis that files keep, and the words for their loss. */
const FACTS: readonly (readonly [fact: keyof AxisFacts, words: string])[] = [
  ["name", "name"],
  ["unit", "scale and unit"],
  ["scale", "scale and unit"],
  ["offset", "offset"],
  ["positions", "positions"],
  ["names", "names of samples"],
  ["signal", "signal"],
];

/** Names that mean the same. */
const LONG: Readonly<Record<string, string>> = { channel: "c", time: "t" };

function isSame(asked: unknown, found: unknown): boolean {
  if (typeof found === "string" && (LONG[found] ?? found) === asked) return true;
  if (typeof asked === "number") return Math.abs(asked - Number(found ?? NaN)) < 1e-12;
  return JSON.stringify(asked) === JSON.stringify(found);
}

function mustBeNamed(lost: string, words: string, name: string, what: string): void {
  const part = lost.split("; ").find((one) => one.startsWith(`${words} of`));
  assert(part?.includes(name), `${what} of ${name} is lost, and "${lost}" does not say it`);
}

/** Facts that are in the file, and that the reader of Tilewise leaves: positions of axes are arrays of their own in zspy. */
const NOT_READ: Readonly<Record<string, readonly (keyof AxisFacts)[]>> = { ".zspy": ["positions", "unit"] };

/** Compares the axes that were `asked` for with those `found`; `lost`: what the writer said. */
export function compareAxes(
  asked: readonly AxisFacts[],
  found: readonly AxisFacts[],
  lost: string,
  ending: string,
): void {
  for (const [d, axis] of asked.entries()) {
    for (const [fact, words] of FACTS) {
      const [was, is] = [axis[fact], found[d]?.[fact]];
      if (was === undefined || (fact === "offset" && was === 0) || isSame(was, is)) continue;
      if (axis.positions && NOT_READ[ending]?.includes(fact)) continue;
      mustBeNamed(lost, words, axis.name!, fact);
    }
  }
}
