/**
 * Dimensions of a hypercube: a size, and the half-open window of the current work.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { text, truth, whole } from "../../options/rules.ts";

/**
 * Half-open range of samples along a dimension.
 * @category Hypercubes
 */
export type Extent = readonly [lower: number, upper: number];

/**
 * A named dimension: `0 <= lower <= upper <= size`.
 * @category Hypercubes
 */
export interface Dimension {
  /** Its name, such as `ntime`; schemas of arrays refer to it. */
  readonly name: string;
  /** Samples of the whole problem. Whole, at least 0. */
  readonly size: number;
  /** First sample of the window. Whole, at least 0. */
  readonly lower: number;
  /** One past the last sample of the window. Whole, at least 0. */
  readonly upper: number;
  /** Description of what it counts, for readers. */
  readonly description: string;
  /** Whether kernels need it whole, such as the correlations: plans do not cut it. */
  readonly whole: boolean;
}

/**
 * Changes of a dimension; properties that are not given keep their values.
 * @category Hypercubes
 */
export type DimensionChange = Partial<Omit<Dimension, "name">>;

/** The names of changes; a whole dimension is accepted as well, but its name cannot be changed. */
// deno-fmt-ignore: written by `deno task build`
export const CHANGES: OptionNames<DimensionChange & { readonly name?: string }> = {
  size: whole(0), lower: whole(0), upper: whole(0), description: text, whole: truth, name: text,
};

/**
 * A checked dimension. Default window: the whole size.
 *
 * @example
 * ```ts
 * import { dimension } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const time = dimension("ntime", 100, { description: "times" });
 * assertEquals(changed(time, { lower: 90 }), { ...time, lower: 90, upper: 100 });
 * ```
 * @category Hypercubes
 */
export function dimension(name: string, size: number, rest: Omit<DimensionChange, "size"> = {}): Dimension {
  checkOptionNames("dimension()", rest, CHANGES);
  const { lower = 0, upper = size, description = "", whole = false } = rest;
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new TilewiseError("invalid", `Cannot name a dimension "${name}"; use letters, digits and _`);
  }
  const counts = [lower, upper, size].every((n) => Number.isSafeInteger(n));
  if (!counts || lower < 0 || lower > upper || upper > size) {
    const found = `lower ${lower}, upper ${upper}, size ${size}`;
    const text =
      `Cannot make dimension ${name} with ${found}: it needs whole numbers 0 <= lower <= upper <= size`;
    throw new TilewiseError("invalid", text, { found });
  }
  return { name, size, lower, upper, description, whole };
}

/**
 * The dimension with a change, checked as a whole: a window over all of the old size becomes a window over all of the
 * new one.
 */
export function changed(old: Dimension, change: DimensionChange): Dimension {
  const { size = old.size, lower = old.lower, description = old.description, whole = old.whole } = change;
  const upper = change.upper ?? (isWhole(old) ? size : old.upper);
  return dimension(old.name, size, { lower, upper, description, whole });
}

/** Samples in the window of a dimension. */
export function extentSize({ lower, upper }: Dimension): number {
  return upper - lower;
}

/** Whether the window is the whole dimension. */
export function isWhole({ lower, upper, size }: Dimension): boolean {
  return lower === 0 && upper === size;
}
