/**
 * Reductions of a cube step by step: a list of steps is applied in order until the cube fits.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import type { Hypercube } from "../cube/cube.ts";
import { type Dimension, extentSize } from "../cube/dimension.ts";

/** A dimension and the number of samples that it is reduced to. */
export type Cut = readonly [dimension: string, extent: number];

/** A step: cuts that are made together. */
type Step = readonly Cut[];

/** What came of the steps. */
interface ReducedCube {
  /** Whether the cube fits. */
  readonly fits: boolean;
  /** All cuts that were made, in their order. */
  readonly trace: readonly Cut[];
  /** The last extent of every dimension that was cut. */
  readonly extents: Readonly<Record<string, number>>;
  /** The cube with these windows. */
  readonly cube: Hypercube;
}

/** Applies steps to a cube, one after another, as long as it does not fit. */
export function reduced(
  cube: Hypercube,
  steps: Iterable<Step>,
  fits: (cube: Hypercube) => boolean,
): ReducedCube {
  const trace: Cut[] = [];
  const extents: Record<string, number> = Object.create(null); // names such as `constructor` are names
  let now = cube;
  const rest = steps[Symbol.iterator]();
  while (!fits(now)) {
    const next = rest.next();
    if (next.done) return { fits: false, trace, extents, cube: now };
    for (const [name, extent] of next.value) extents[name] = extent;
    trace.push(...next.value);
    const changes = Object.entries(extents)
      .map(([name, extent]) => [name, windowOf(cube.dimension(name), extent)]);
    now = cube.with(Object.fromEntries(changes));
  }
  return { fits: true, trace, extents, cube: now };
}

/** The first samples of the window of a dimension. */
export function windowOf({ lower, upper }: Dimension, extent: number): { lower: number; upper: number } {
  return { lower, upper: Math.min(lower + extent, upper) };
}

/** Points of a ladder, with its ends. */
const POINTS = 5;

/**
 * Extents from large to small: {@link POINTS} points from `start` to `size` with equal ratios, without the last one, cut to whole
 * numbers. As recorded runs of Montblanc have them, 9.999… is 9.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([ladder(1, 100), ladder(10, 500), ladder(1, 1)], [[31, 9, 3, 1], [188, 70, 26, 9], [1]]);
 * ```
 */
export function ladder(start: number, size: number): number[] {
  const low = Math.log2(start), step = (Math.log2(size) - low) / (POINTS - 1);
  const points = Array.from({ length: POINTS - 1 }, (_, i) => Math.trunc(2 ** (low + i * step)));
  return [...new Set(points)].filter((n) => n >= 1 && n <= size).toSorted((a, b) => b - a);
}

/** The kinds of sources that Montblanc takes in batches. */
const SOURCES = ["npsrc", "ngsrc", "nssrc"];

/**
 * The steps of Montblanc's budget for a cube with `ntime`, `nbl`, `na` and kinds of sources: first the times, once; then all kinds of
 * sources, down to batches of 9; then the rest of the times; then the baselines, down to the number of antennas.
 */
export function* montblancSteps(cube: Hypercube, sourceBatch: number): Generator<Step> {
  const size = (name: string) => extentSize(cube.dimension(name));
  const sources = SOURCES.filter((name) => cube.dimensions.has(name));
  const times = ladder(1, size("ntime"));
  for (const n of times.slice(0, 1)) yield [["ntime", n]];
  for (const n of sourceBatch > 10 ? ladder(10, sourceBatch) : [sourceBatch]) {
    const cuts = sources.map((name): Cut => [name, Math.min(n, size(name))]);
    const all = Math.min(n, cuts.reduce((sum, [, extent]) => sum + extent, 0));
    yield [...cuts, ...cube.dimensions.has("nsrc") ? [["nsrc", all] as const] : []];
  }
  for (const n of times.slice(1)) yield [["ntime", n]];
  for (const n of ladder(size("na"), size("nbl"))) yield [["nbl", n]];
}

const RULE = /^([A-Za-z_]\w*)(?:=(\d+)(%)?)?$/;

/** A reduction of one dimension: to a count, or by percent. */
interface Rule {
  readonly name: string;
  readonly count: number;
  readonly percent: boolean;
}

/**
 * The rules in a text or in a list of texts: `ntime` (to 1), `ntime=20` (to 20), `nchan=50%` (to half, again and again, to 1), `nbl=1&na=2`
 * (both together).
 */
export function parseRules(rules: string | readonly string[]): Rule[][] {
  const texts = typeof rules === "string" ? rules.split(/[\s,;]+/) : rules;
  const found = texts.filter((text) => text !== "").map((text) => String(text).trim().split("&").map(ruleIn));
  if (found.length === 0) throw wrongRule(inWords(rules), "there is none");
  return found;
}

function ruleIn(text: string): Rule {
  const [, name, count, mark] = RULE.exec(text.trim()) ?? [];
  if (name === undefined) throw wrongRule(text, "it has another form");
  const number = Number(count ?? 1);
  if (mark && !(number >= 1 && number <= 99)) throw wrongRule(text, "percent are from 1 to 99");
  if (!Number.isSafeInteger(number) || number < 1) throw wrongRule(text, "the least extent is 1");
  return { name, count: number, percent: mark !== undefined };
}

function wrongRule(text: string, why: string): TilewiseError {
  return new TilewiseError(
    "invalid",
    `Cannot use the rule ${text}: ${why}; rules are such as ntime, ntime=20, nchan=50% or nbl=1&na=2`,
    { option: "rules", found: text },
  );
}

/** The steps of rules; those that do not make an extent smaller are left out. */
export function* ruleSteps(cube: Hypercube, rules: readonly (readonly Rule[])[]): Generator<Step> {
  const now = new Map([...cube.dimensions.values()].map((dim) => [dim.name, extentSize(dim)]));
  const apply = (rule: readonly Rule[]): Cut[] =>
    rule.flatMap(({ name, count, percent }) => {
      const old = now.get(name)!;
      const extent = percent ? Math.max(1, Math.floor(old * count / 100)) : count;
      if (extent >= old) return [];
      now.set(name, extent);
      return [[name, extent]];
    });
  for (const rule of rules) {
    for (let cuts = apply(rule); cuts.length > 0; cuts = apply(rule)) {
      yield cuts;
      if (!rule.some(({ percent }) => percent)) break;
    }
  }
}
