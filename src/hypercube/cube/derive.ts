/**
 * Derived dimensions: their sizes are computed from other dimensions, and follow every change of these.
 *
 * A product (rows = times × baselines) and a sum (sources = points + Gaussians) also follow the windows of their parts.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { defined, inWords, nearest } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import { checkedProduct } from "../../space/shape.ts";
import {
  changed,
  type Dimension,
  dimension,
  type DimensionChange,
  type Extent,
  isWhole,
} from "./dimension.ts";

/**
 * A dimension of a cube: its size, or the dimensions from which its size follows. Exactly one of `size`, `productOf`,
 * `sumOf` and `baselinesOf` is given; `size` is a function of the sizes of the dimensions in `of`.
 *
 * @example Sizes that follow
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: {
 *     ntime: 10,
 *     na: { size: 7, description: "antennas" },
 *     nbl: { baselinesOf: "na" },
 *     nrow: { productOf: ["ntime", "nbl"] },
 *     npair: { of: ["na"], size: (na) => na * na },
 *   },
 *   arrays: [],
 * });
 * assertEquals(cube.sizes("nbl nrow npair"), [21, 210, 49]);
 * assertEquals(cube.with({ na: { size: 27 } }).sizes("nbl nrow npair"), [351, 3510, 729]);
 * ```
 * @category Hypercubes
 */
export interface DimensionInit {
  /** Samples of the whole problem, or a function that gives them from the sizes of the dimensions in `of`. */
  readonly size?: number | ((...sizes: number[]) => number);
  /** The dimensions whose sizes the function `size` gets. */
  readonly of?: readonly string[];
  /** Its size is the product of these dimensions; the first one is the slowest. */
  readonly productOf?: readonly string[];
  /** Its size is the sum of these dimensions, whose samples lie one after another. */
  readonly sumOf?: readonly string[];
  /** Its size is the number of pairs of this dimension: `n (n − 1) / 2` baselines of `n` antennas. */
  readonly baselinesOf?: string;
  /** Whether `baselinesOf` also counts every antenna with itself: `n (n + 1) / 2`. Default false. */
  readonly autoCorrelations?: boolean;
  /** First sample of the window. Default 0. */
  readonly lower?: number;
  /** One past the last sample of the window. Default: the size. */
  readonly upper?: number;
  /** Description of what it counts, for readers. */
  readonly description?: string;
  /** Whether kernels need it whole: plans do not cut it. Default false. */
  readonly whole?: boolean;
}

/**
 * How a derived dimension follows others.
 * @category Hypercubes
 */
export interface DimensionRule {
  /** The dimensions that it follows. */
  readonly of: readonly string[];
  /** Its size, from theirs. */
  readonly size: (...sizes: number[]) => number;
  /** How its window follows theirs; if absent, it has a window of its own. */
  readonly follows?: "product" | "sum";
  /** The rule in words, such as `ntime × nbl`. */
  readonly text: string;
}

/** The derivation of a dimension; nothing if it has a size of its own. */
export function derivationOf(name: string, init: DimensionInit): DimensionRule | undefined {
  const { size, of, productOf, sumOf, baselinesOf, autoCorrelations = false } = init;
  const given = Object.entries(defined({ size, productOf, sumOf, baselinesOf }));
  const isFunction = typeof size === "function";
  if (given.length !== 1 || isFunction !== (of !== undefined)) {
    const found = [...given.map(([key]) => key), ...of ? ["of"] : []].join(", ") || "none of them";
    const text =
      `Cannot make dimension ${name}: it needs one of size, productOf, sumOf, baselinesOf, or "of" ` +
      `with a function as size; given are ${found}`;
    throw new TilewiseError("invalid", text, { option: `dimensions.${name}`, found });
  }
  if (isFunction) return { of: of!, size, text: `a function of ${of!.join(", ")}` };
  if (productOf) return { of: productOf, size: product, follows: "product", text: productOf.join(" × ") };
  if (sumOf) return { of: sumOf, size: sum, follows: "sum", text: sumOf.join(" + ") };
  if (baselinesOf === undefined) return undefined;
  const step = autoCorrelations ? 1 : -1;
  const text = `pairs of ${baselinesOf}${autoCorrelations ? " with themselves as well" : ""}`;
  return { of: [baselinesOf], size: (n) => product(n, Math.max(0, n + step)) / 2, text };
}

function product(...sizes: number[]): number {
  return checkedProduct(sizes, "a derived dimension");
}

function sum(...sizes: number[]): number {
  return sizes.reduce((a, b) => a + b, 0);
}

/** Dimensions by name. */
export type DimensionMap = ReadonlyMap<string, Dimension>;

/** DimensionRules by the names of the derived dimensions, each after those that it follows. */
export type DimensionRules = ReadonlyMap<string, DimensionRule>;

/** The derivations in an order in which each comes after those that it follows; refuses unknown names and circles. */
export function inOrderOf(derivations: DimensionRules, known: readonly string[]): DimensionRules {
  const done = new Map<string, DimensionRule>();
  const visit = (name: string, path: readonly string[]): void => {
    const rule = derivations.get(name);
    if (!rule || done.has(name)) return;
    if (path.includes(name)) {
      throw noSize(path[0]!, `it follows itself: ${[...path, name].join(" → ")}`, name);
    }
    for (const base of rule.of) {
      if (!known.includes(base)) {
        const near = nearest(base, known);
        throw noSize(
          name,
          `there is no dimension "${base}"; ${
            near ? `did you mean "${near}"?` : `known are ${known.join(", ")}`
          }`,
          base,
        );
      }
      visit(base, [...path, name]);
    }
    done.set(name, rule);
  };
  for (const name of derivations.keys()) visit(name, []);
  return done;
}

function noSize(name: string, why: string, found: unknown): TilewiseError {
  return new TilewiseError("invalid", `Cannot make dimension ${name}: ${why}`, {
    option: `dimensions.${name}`,
    found: inWords(found),
  });
}

/**
 * The derived dimension with a change, after changes of the dimensions that it follows. A window that is given counts;
 * otherwise it follows those windows, or stays as it was.
 */
export function followed(
  old: Dimension,
  rule: DimensionRule,
  dims: DimensionMap,
  change: DimensionChange,
  moved: boolean,
): Dimension {
  const bases = rule.of.map((name) => dims.get(name)!);
  const size = sizeBy(old.name, rule, dims);
  if (change.size !== undefined && change.size !== size) {
    const text = `the size of ${old.name} is ${size}, as it is ${rule.text}, and cannot be ${change.size}; ` +
      `change ${rule.of.join(" or ")}`;
    throw noSize(old.name, text, change.size);
  }
  if (change.lower !== undefined || change.upper !== undefined || !rule.follows || !moved) {
    return changed(old, { ...change, size });
  }
  const [lower, upper] = windowOf(rule.follows, bases, size);
  return changed(old, { ...change, size, lower, upper });
}

/** The size of a derived dimension; refused if its function throws or gives no count. */
function sizeBy(name: string, { of, size, text }: DimensionRule, dims: DimensionMap): number {
  const sizes = of.map((base) => dims.get(base)!.size);
  const found: unknown = called(name, () => size(...sizes));
  if (Number.isSafeInteger(found) && found as number >= 0) return found as number;
  throw noSize(
    name,
    `its size (${text}) is ${inWords(found)} for ${sizes.join(", ")}; it must be a count`,
    found,
  );
}

function called(name: string, size: () => unknown): unknown {
  try {
    return size();
  } catch (cause) {
    if (isTilewiseError(cause)) throw cause;
    const text = `Cannot make dimension ${name}: its function failed: ${reasonOf(cause)}`;
    throw new TilewiseError("invalid", text, { option: `dimensions.${name}` }, { cause });
  }
}

/**
 * The window of a product or a sum.
 *
 * Samples of a product are one range if at most one of its parts is cut, all slower ones have one sample in their
 * windows, and all faster ones are whole; otherwise the window is the whole. The window of a sum is the range of its
 * samples, if they are one; otherwise it has as many samples as the windows of its parts together, and no place.
 */
export function windowOf(follows: "product" | "sum", bases: readonly Dimension[], size: number): Extent {
  if (follows === "sum") {
    return rangeOfSum(bases) ?? [
      bases.reduce((all, { lower }) => all + lower, 0),
      bases.reduce((all, { upper }) => all + upper, 0),
    ];
  }
  const first = bases.findIndex(({ lower, upper }) => upper - lower !== 1);
  const cut = first < 0 ? bases.length - 1 : first;
  if (bases.some(({ lower, upper }) => lower === upper)) return [0, 0];
  if (cut < 0 || !bases.slice(cut + 1).every(isWhole)) return [0, size];
  const inner = product(...bases.slice(cut + 1).map((base) => base.size));
  const start = bases.slice(0, cut).reduce((at, base) => at * base.size + base.lower, 0);
  const { lower, upper, size: length } = bases[cut]!;
  return [(start * length + lower) * inner, (start * length + upper) * inner];
}

/** The range of the samples that the windows of the parts of a sum have, which lie one after another; nothing if there are gaps. */
export function rangeOfSum(bases: readonly Dimension[]): Extent | undefined {
  let at = 0, range: Extent | undefined;
  for (const { size, lower, upper } of bases) {
    const next: Extent = [at + lower, at + upper];
    at += size;
    if (lower === upper) continue;
    if (range && range[1] !== next[0]) return undefined;
    range = [range?.[0] ?? next[0], next[1]];
  }
  return range;
}

/** The checked dimension for what a cube was given; derived ones need the dimensions that they follow in `dims`. */
export function madeFrom(
  name: string,
  { size, lower, upper, description, whole }: DimensionInit,
  rule: DimensionRule | undefined,
  dims: DimensionMap,
): Dimension {
  const rest = defined({ lower, upper, description, whole });
  if (!rule) return dimension(name, size as number, rest);
  const all = dimension(name, sizeBy(name, rule, dims));
  return followed(all, rule, dims, rest, true);
}
