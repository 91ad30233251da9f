/**
 * The table of array back ends: what each is, and how one becomes another.
 *
 * To add one, on whatever device: a line in `facts`, a conversion to it, and its making in `tile_forms.ts`.
 *
 * @module
 */

import type { Backend, DeviceClass } from "../../dataset/backend.ts";

/**
 * What is known of one back end.
 * @category Tiles
 */
export interface BackendFacts<D extends string = DeviceClass> {
  /** Where its arrays are. */
  readonly device: D;
  /** Whether it leaves zeros out. */
  readonly sparse: boolean;
}

/**
 * One way to make a tile in one form from the tile in another.
 * @category Tiles
 */
export interface Conversion<B extends string = Backend> {
  /** The form that is there. */
  readonly from: B;
  /** The form that is made. */
  readonly to: B;
  /** What it costs: picoseconds a sample of the tile, one sample in a hundred being not zero. */
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
  /** Every conversion; others are chains of these. */
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

/** The cheapest way from one form to another. */
export interface Chain<B extends string = Backend> {
  /** The forms on the way, both ends included. */
  readonly forms: readonly B[];
  /** The sum of the costs. */
  readonly cost: number;
}

/** The cheapest way from any of `from` to any of `to`, the first of equal ones; `undefined` if there is none. */
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
