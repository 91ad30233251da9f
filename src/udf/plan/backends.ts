/**
 * The table of array back ends: what each one is, and how tiles are converted from one to another.
 *
 * To add one, on any device: a line in `facts`, a conversion to it, and the code that makes it in `tile_forms.ts`.
 *
 * @module
 */

import type { Backend, DeviceClass } from "../../dataset/facts.ts";

/**
 * Facts of one back end.
 * @category Tiles
 */
export interface BackendFacts<D extends string = DeviceClass> {
  /** The device that holds its arrays. */
  readonly device: D;
  /** Whether it omits zeros. */
  readonly sparse: boolean;
}

/**
 * One conversion of a tile from one form to another.
 * @category Tiles
 */
export interface Conversion<B extends string = Backend> {
  /** The form that is converted. */
  readonly from: B;
  /** The form that results. */
  readonly to: B;
  /** Its cost: picoseconds per sample of the tile, if one sample in a hundred is not zero. */
  readonly cost: number;
  /** What it does, for explanations. */
  readonly how: string;
}

/**
 * Back ends and conversions between them.
 * @category Tiles
 */
export interface BackendTable<B extends string = Backend, D extends string = DeviceClass> {
  /** Every back end. */
  readonly facts: Readonly<Record<B, BackendFacts<D>>>;
  /** Every direct conversion; all others are chains of these. */
  readonly conversions: readonly Conversion<B>[];
}

/**
 * The back ends of this version; costs are orders of magnitude, measured once (`docs/decisions/0010-array-back-ends.md`).
 * @category Tiles
 */
export const BACKENDS: BackendTable = {
  facts: {
    dense: { device: "cpu", sparse: false },
    csr: { device: "cpu", sparse: true },
    csc: { device: "cpu", sparse: true },
    coo: { device: "cpu", sparse: true },
  },
  conversions: [
    { from: "dense", to: "csr", cost: 140, how: "looks at every sample and keeps those that are not zero" },
    { from: "csr", to: "dense", cost: 50, how: "clears the tile and puts every entry in its place" },
    { from: "csr", to: "csc", cost: 190, how: "counts the entries of each pixel and sorts them by pixel" },
    { from: "csr", to: "coo", cost: 14, how: "writes the frame of every entry beside it" },
  ],
};

/** The cheapest chain of conversions from one form to another. */
interface Chain<B extends string = Backend> {
  /** The forms of the chain, including the first and the last. */
  readonly forms: readonly B[];
  /** The sum of the costs. */
  readonly cost: number;
}

/**
 * The cheapest chain from any of `from` to any of `to`, the first one if several cost the same; `undefined` if there is
 * none.
 */
export function cheapestChain<B extends string>(
  from: readonly B[],
  to: readonly B[],
  { conversions }: { readonly conversions: readonly Conversion<B>[] },
): Chain<B> | undefined {
  const best = new Map<B, Chain<B>>(from.map((form) => [form, { forms: [form], cost: 0 }]));
  for (let improved = true; improved;) {
    improved = false;
    for (const step of conversions) {
      const before = best.get(step.from);
      if (!before || before.cost + step.cost >= (best.get(step.to)?.cost ?? Infinity)) continue;
      best.set(step.to, { forms: [...before.forms, step.to], cost: before.cost + step.cost });
      improved = true;
    }
  }
  const found = to.flatMap((form) => best.get(form) ?? []);
  return found.reduce<Chain<B> | undefined>((a, b) => a && a.cost <= b.cost ? a : b, undefined);
}
