/**
 * Random geometries: centres anywhere, also far outside, on pixels and between; radii 0, tiny and huge; rings without a
 * pixel or with all of them.
 *
 * @module
 */

import type { DType } from "../../src/space/dtype.ts";
import { mulberry32 } from "../kernels/call.ts";
import type { Case, Group, Params } from "./geometry_cases.ts";

const DTYPES: readonly DType[] = [
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "float64",
];
const SIDES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17];

/** Numbers by a seed. */
export class RandomGeometry {
  readonly #next: () => number;

  /** The same numbers for the same seed. */
  constructor(seed: number) {
    this.#next = mulberry32(seed);
  }

  /** Data, and `count` cases over it. */
  group(seed: number, count: number): Group & { readonly cases: readonly Case[] } {
    const sig = [this.#oneOf(SIDES), this.#oneOf(SIDES)] as const;
    const order = this.#oneOf(["little", "big"] as const);
    const group = { sig, frames: 3, dtype: this.#oneOf(DTYPES), order, seed };
    return { ...group, cases: Array.from({ length: count }, () => this.#case(sig)) };
  }

  #case(sig: Group["sig"]): Case {
    const size = Math.max(...sig);
    const centre = { cy: this.#centre(sig[0]), cx: this.#centre(sig[1]) };
    const ring = this.#ring(size);
    const r = this.#radius(size);
    const makes: readonly (() => Case)[] = [
      () => ({
        udf: "radialfourier",
        params: { ...centre, ...ring, bins: this.#whole(1, 7), maxOrder: this.#whole(0, 4) },
      }),
      () => ({ udf: "fem", params: { ...centre, ...ring } }),
      () => ({ udf: "crystallinity", params: this.#crystallinity(size, { ...centre, r }) }),
      () => ({ udf: "disk", params: { ...centre, r } }),
      () => ({ udf: "annular", params: { ...centre, ...ring } }),
      () => ({
        udf: "point",
        params: { cy: this.#between(-0.99, sig[0]), cx: this.#between(-0.99, sig[1]) },
      }),
      () => ({ udf: "rectangle", params: this.#rectangle(sig) }),
      () => ({ udf: "com", params: this.#com(centre, ring) }),
      () => ({ udf: "mask", params: this.#mask(sig) }),
    ];
    const likely = [0, 0, 0, 0, 8, 8, 8, 7, 7];
    return makes[this.#whole(0, 1) ? this.#oneOf(likely) : this.#whole(0, makes.length - 1)]!();
  }

  #crystallinity(size: number, real: Params): Params {
    return { ...this.#ring(size / 2), ...(this.#whole(0, 1) ? { real } : {}) };
  }

  #com(centre: Params, { ri, ro }: { ri: number; ro: number }): Params {
    return this.#oneOf([centre, { ...centre, r: ro }, { ...centre, ri }, { ...centre, r: ro, ri }]);
  }

  /** The recipe of a mask, without shifts. */
  recipe(sig: Group["sig"]): Params {
    const size = Math.max(...sig);
    const centre = { cy: this.#centre(sig[0]), cx: this.#centre(sig[1]) };
    const [r, ring] = [this.#radius(size), this.#ring(size)];
    const some = Math.max(r, 0.25), bins = this.#whole(1, 5);
    const template = [[1, 2], [3, 4], [5, 6]];
    const stamps = Array.from({ length: this.#whole(1, 4) }, () => {
      return { mask: this.#whole(0, 2), y: this.#centre(sig[0]), x: this.#centre(sig[1]) };
    });
    const cone = { ...centre, r: some, ro: some + this.#oneOf([0, 1, 3.5]) };
    const ellipse = {
      delta: this.#oneOf([0.5, 1, 2]),
      stretchY: this.#oneOf([1, 1.3]),
      angle: this.#oneOf([0, 0.4]),
    };
    return this.#oneOf<Params>([
      { make: "circular", ...centre, r },
      { make: "circular", ...centre, r: some, antialiased: true },
      { make: "ring", ...centre, ...ring },
      { make: "ring", ...centre, ...ring, antialiased: true },
      { make: "rectangular", ...this.#rectangle(sig) },
      { make: "radialGradient", ...centre, r },
      { make: "radialGradient", ...centre, r: some, antialiased: true },
      { make: "radialGradientBackgroundSubtraction", ...cone, ...ellipse },
      this.#background(sig),
      { make: "gradientX" },
      { make: "gradientY" },
      { make: "radialBins", ...centre, ...ring, bins },
      { make: "radialBins", ...centre, ...ring, bins, normalize: true },
      { make: "sparseRadialBins", ...centre, ...ring, bins: 2 * bins },
      { make: "radialFourierMasks", ...centre, ...ring, bins, maxOrder: this.#whole(0, 3) },
      { make: "stampTemplates", stamps, template },
      { make: "stampDisks", stamps, r: Math.min(r, 4) },
    ]);
  }

  /** A disk around a pixel, with a ring that has one. */
  #background([height, width]: Group["sig"]): Params {
    const room = (Math.max(height, width) - 3) / 2;
    if (room < 0) return { make: "gradientY" };
    const [cy, cx] = [this.#whole(0, height - 1), this.#whole(0, width - 1)];
    const ri = this.#between(0, room);
    return { make: "backgroundSubtraction", cy, cx, ri, ro: ri + 1.5 };
  }

  #mask(sig: Group["sig"]): Params {
    const shift = () =>
      Array.from({ length: 2 }, () => this.#oneOf([0, this.#whole(-3, 3), this.#between(-20, 20)]));
    const how: readonly (() => Params)[] = [
      () => ({ shifts: shift() }),
      () => ({ shifts: [shift(), shift(), shift()] }),
      () => ({ useSparse: this.#oneOf(["auto", true, false]) }),
      () => ({}),
    ];
    return { ...this.recipe(sig), ...this.#oneOf(how)() };
  }

  #rectangle([height, width]: Group["sig"]): Params {
    const extent = (n: number): [number, number] =>
      this.#oneOf<() => [number, number]>([
        () => [this.#whole(-2, n + 2), 0],
        () => [-1000, 2000],
        () => [this.#whole(-2, n + 2), this.#whole(-n - 2, n + 2)],
        () => [this.#between(-2, n + 2), this.#between(-n - 2, n + 2)],
      ])();
    const [[y, h], [x, w]] = [extent(height), extent(width)];
    return { y, x, height: h, width: w };
  }

  #centre(size: number): number {
    const kinds: readonly (() => number)[] = [
      () => this.#whole(0, size - 1),
      () => this.#whole(0, size - 1),
      () => this.#whole(0, size) - 0.5,
      () => this.#whole(0, size) - 0.5,
      () => this.#between(-0.5, size - 0.5),
      () => this.#whole(-6, 2 * size + 6) / 2,
      () => this.#between(-3 * size, 4 * size),
      () => this.#oneOf([-1, 1]) * this.#oneOf([30, 100.5, 1234.25, 1e4]),
    ];
    return this.#oneOf(kinds)();
  }

  #radius(size: number): number {
    const kinds: readonly (() => number)[] = [
      () => 0,
      () => this.#oneOf([1e-9, 0.01, 0.3, 0.5]),
      () => this.#whole(1, Math.ceil(size) + 1),
      () => Math.sqrt(this.#whole(1, Math.ceil(2 * size * size))),
      () => this.#between(0, 1.5 * size),
      () => this.#between(0, 1.5 * size),
      () => this.#between(0, 1.5 * size),
      () => this.#oneOf([1e3, 3e4, 1e6]),
    ];
    return this.#oneOf(kinds)();
  }

  #ring(size: number): { ri: number; ro: number } {
    const [a, b] = [this.#radius(size), this.#radius(size)].sort((x, y) => x - y) as [number, number];
    return { ri: a, ro: a < b ? b : a + this.#oneOf([1e-3, 0.2, 1, 2.5]) };
  }

  #between(low: number, high: number): number {
    return Math.round(1e4 * (low + (high - low) * this.#next())) / 1e4;
  }

  #whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.#next());
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(values.length * this.#next())]!;
  }
}
