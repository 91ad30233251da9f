/**
 * Images, samples and sources by seed. Short cuts of imaging go by |w|, so that w is drawn from classes.
 *
 * @module
 */

import type { ImageGrid } from "../../../src/rime/image/grid.ts";
import { randomList, randomNumbers } from "../../rime/image/data.ts";

/** What an image, its visibilities and a prediction are made from. */
export interface Problem {
  readonly grid: ImageGrid;
  readonly places: { readonly uvw: Float64Array<ArrayBuffer>; readonly frequency: Float64Array<ArrayBuffer> };
  readonly visibilities: Float64Array<ArrayBuffer>;
  readonly weights: Float64Array<ArrayBuffer>;
  readonly model: Float64Array<ArrayBuffer>;
  readonly sources: { readonly lm: Float64Array<ArrayBuffer>; readonly flux: Float64Array<ArrayBuffer> };
  readonly options: { readonly convention: "fourier" | "casa"; readonly wTerm: boolean };
  readonly epsilon: number;
  /** About half of the width of the image, in radians. */
  readonly size: number;
  /** The class of w. */
  readonly kind: Kind;
}

const KINDS = ["any", "any", "equal", "opposite", "zero", "above", "below", "hardly"] as const;
type Kind = typeof KINDS[number];

/** The problem of a seed. */
export function drawn(seed: number): Problem {
  const next = randomNumbers(seed), unit = () => (next() + 1) / 2, sign = () => next() < 0 ? -1 : 1;
  const whole = (least: number, most: number) => least + Math.floor(unit() * (most - least + 1));
  const pixels = [whole(1, 40), whole(1, 40)] as const;
  const size = 10 ** -(0.5 + 3 * unit());
  const cell = [sign() * size * unit() / pixels[0], sign() * size * unit() / pixels[1]] as const;
  const centre = unit() < 0.5 ? [0, 0] as const : [next() * 0.4, next() * 0.4] as const;
  const nrow = unit() < 0.1 ? 1 : whole(1, 60), nchan = whole(1, 4), epsilon = 10 ** -(1 + 11 * unit());
  const frequency = Float64Array.from({ length: nchan }, () => 1e8 + 1e9 * unit());
  const reach = cell.map((width) => 0.3 / Math.abs(width) * (unit() < 0.2 ? 3 : unit())); // now and then beyond the grid
  const scale = [...reach, 1000 * unit()];
  const kind = KINDS[whole(0, KINDS.length - 1)]!, one = next() * scale[2]!;
  const height: Record<Kind, (w: number) => number> = {
    any: (w) => w,
    equal: () => one,
    opposite: () => sign() * one,
    zero: () => 0,
    above: Math.abs,
    below: (w) => -Math.abs(w),
    hardly: () => sign() * one * (1 + 1e-9 * next()),
  };
  const uvw = Float64Array.from({ length: 3 * nrow }, (_, i) => {
    const value = next() * scale[i % 3]!;
    return i % 3 === 2 ? height[kind](value) : value;
  });
  const sources = whole(1, 30);
  return {
    grid: { pixels, cell, centre },
    places: { uvw, frequency },
    visibilities: randomList(2 * nrow * nchan, seed),
    weights: randomList(nrow * nchan, seed + 1).map(Math.abs),
    model: randomList(pixels[0] * pixels[1], seed + 2),
    sources: {
      // about as far from the centre as images are wide: grids of other predictions would be huge
      lm: randomList(2 * sources, seed + 3).map((x, i) => x * cell[i % 2]! * pixels[i % 2]!),
      flux: randomList(sources, seed + 4),
    },
    options: { convention: next() < 0 ? "fourier" : "casa", wTerm: unit() < 0.8 },
    epsilon,
    size,
    kind,
  };
}
