/**
 * Mask generators, one by one.
 *
 * @module
 */

import * as masks from "../../../src/masks/mod.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { asParam, fromParam, randomArray } from "../data/arrays.ts";
import type { Expected } from "../compare.ts";
import type { Random } from "../data/random.ts";
import type { Json, Params } from "../data/spec.ts";
import { type AnyWork, work } from "../work.ts";

interface GeneratorParams extends Params {
  readonly name: string;
  readonly shape: readonly number[];
  readonly options: { readonly [key: string]: Json };
}

type Options = GeneratorParams["options"];

interface Generator {
  options(random: Random, shape: readonly number[]): Options;
  make(shape: readonly number[], options: never): Readonly<Record<string, NDArray>>;
  /** Pixels at an edge: roundings of the distance decide whether they are inside. */
  edges?(shape: readonly number[], options: Options): (distance: number) => boolean;
}

function centre(random: Random, [height = 1, width = 1]: readonly number[]): Options {
  const one = (n: number) => random.pick([n / 2, random.int(0, n - 1), random.real(-2, n + 1)]);
  return { cy: one(height), cx: one(width) };
}

function radius(random: Random, shape: readonly number[]): number {
  return random.pick([random.int(1, 12), random.real(0.3, Math.max(...shape))]);
}

function ring(random: Random, shape: readonly number[]): Options {
  const ri = random.real(0, 8);
  return { ...centre(random, shape), ri, ro: ri + random.real(1, 9), antialiased: random.chance(0.4) };
}

const near = (a: number) => (distance: number) => Math.abs(distance - a) < 1e-9;

/** Generators by the name of ours; `peers/generators.py` has the same names. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  circular: {
    options: (random, shape) => ({
      ...centre(random, shape),
      r: radius(random, shape),
      antialiased: random.chance(0.4),
    }),
    make: (shape, options: masks.CircularOptions) => ({ mask: masks.circular(shape, options) }),
    edges: (_, { r }) => near(Number(r)),
  },
  ring: {
    options: ring,
    make: (shape, options: masks.RingOptions) => ({ mask: masks.ring(shape, options) }),
    edges: (_, { ri, ro }) => (distance) => near(Number(ri))(distance) || near(Number(ro))(distance),
  },
  rectangular: {
    options: (random, [height = 1, width = 1]) => ({
      y: random.pick([random.int(-3, height), random.real(-3, height)]),
      x: random.pick([random.int(-3, width), random.real(-3, width)]),
      height: random.int(-height, height),
      width: random.int(-width, width),
    }),
    make: (shape, options: masks.RectangularOptions) => ({ mask: masks.rectangular(shape, options) }),
  },
  radialGradient: {
    options: (random, shape) => ({
      ...centre(random, shape),
      r: radius(random, shape),
      antialiased: random.chance(0.4),
    }),
    make: (shape, options: masks.CircularOptions) => ({ mask: masks.radialGradient(shape, options) }),
    edges: (_, { r }) => (distance) => [-0.5, 0, 0.5].some((off) => near(Number(r) + off)(distance)),
  },
  radialGradientBackgroundSubtraction: {
    options: (random, shape) => {
      const r = random.real(1, 8);
      return {
        ...centre(random, shape),
        r,
        ro: r + random.real(0, 5),
        delta: random.pick([1, random.real(0.5, 3)]),
      };
    },
    make: (shape, { cy, cx, ...options }: masks.Centre & masks.RadialGradientBackgroundOptions) => ({
      mask: masks.radialGradientBackgroundSubtraction(masks.polarMap(shape, { cy, cx }).radius, options),
    }),
    edges: (_, { r, ro, delta }) => (distance) =>
      [Number(r) - Number(delta) / 2, Number(r) + Number(delta) / 2, Number(ro)].some((at) =>
        near(at)(distance)
      ),
  },
  backgroundSubtraction: {
    options: (random, shape) => {
      const options = ring(random, shape);
      return {
        ...options,
        cy: shape[0]! / 2,
        cx: shape[1]! / 2,
        ri: Number(options.ri) + 1,
        ro: Number(options.ri) + 4,
        antialiased: true,
      };
    },
    make: (shape, options: masks.RingOptions) => ({ mask: masks.backgroundSubtraction(shape, options) }),
  },
  gradientX: { options: () => ({}), make: (shape) => ({ mask: masks.gradientX(shape) }) },
  gradientY: { options: () => ({}), make: (shape) => ({ mask: masks.gradientY(shape) }) },
  polarMap: {
    options: (random, shape) => ({
      ...centre(random, shape),
      ...(random.chance(0.5) ? { stretchY: random.real(0.4, 3), angle: random.real(-3, 3) } : {}),
    }),
    make: (shape, options: masks.PolarOptions) => ({ ...masks.polarMap(shape, options) }),
  },
  radialBins: {
    options: (random, shape) => {
      const ri = random.pick([0, random.real(0, 1), random.real(0, 4)]);
      return {
        ...centre(random, shape),
        ...(random.chance(0.7) ? { ro: ri + random.real(2, 12) } : {}),
        ...(random.chance(0.7) ? { ri } : {}),
        ...(random.chance(0.7) ? { bins: random.int(1, 7) } : {}),
        normalize: random.chance(0.3),
      };
    },
    make: (shape, options: masks.RadialBinsOptions) => ({
      mask: masks.radialBins(shape, options),
      sparse: masks.denseMasks(masks.sparseRadialBins(shape, options)),
    }),
  },
  balance: {
    options: (random, shape) => ({ template: asParam(randomArray(random, shape, "float64", "fractions")) }),
    make: (_, { template }: { template: Json }) => ({ mask: masks.balance(fromParam(template)) }),
  },
  stampTemplates: {
    options: (random, shape) => ({
      template: asParam(randomArray(random, [random.int(1, 5), random.int(1, 5)], "float64", "whole")),
      stamps: stamps(random, shape),
    }),
    make: (shape, { template, stamps }: { template: Json; stamps: masks.Stamp[] }) => ({
      mask: masks.denseMasks(masks.stampTemplates(shape, fromParam(template), stamps)),
    }),
  },
  stampDisks: {
    options: (random, shape) => ({ r: random.real(0.5, 4), stamps: stamps(random, shape) }),
    make: (shape, { r, stamps }: { r: number; stamps: masks.Stamp[] }) => ({
      mask: masks.denseMasks(masks.stampDisks(shape, r, stamps)),
    }),
  },
  boundingRadius: {
    options: (random, shape) => centre(random, shape),
    make: (shape, options: masks.Centre) => ({
      mask: ndarray(Float64Array.of(masks.boundingRadius(shape, options)), [], "float64"),
    }),
  },
};

function stamps(random: Random, [height = 1, width = 1]: readonly number[]): Json {
  const one = (n: number) => random.int(-4, n + 2);
  return Array.from({ length: random.int(1, 6) }, (_, i) => ({ mask: i, y: one(height), x: one(width) }));
}

/** Rounding decides about pixels at an edge; everything else is the same formula in float64. */
function allowed({ shape, options, name }: GeneratorParams, { shape: found }: NDArray): Expected {
  const isEdge = GENERATORS[name]!.edges?.(shape, options);
  if (!isEdge || options.antialiased === true && name !== "radialGradient") return { within: 1e-9 };
  const width = shape[1]!;
  const within = Float64Array.from({ length: found.reduce((all, n) => all * n, 1) }, (_, i) => {
    const distance = Math.hypot(Math.floor(i / width) - Number(options.cy), i % width - Number(options.cx));
    return isEdge(distance) ? Infinity : 1e-9;
  });
  return { within };
}

/** The work. */
export const GENERATED: readonly AnyWork[] = [
  work<GeneratorParams>({
    word: "generators",
    alone: true,
    params: (random) => {
      const name = random.pick(Object.keys(GENERATORS));
      const shape = [random.int(1, 24), random.int(1, 24)];
      return { name, shape, options: GENERATORS[name]!.options(random, shape) };
    },
    ours: (_, { name, shape, options }) => Promise.resolve(GENERATORS[name]!.make(shape, options as never)),
    expect: (judged) =>
      Object.fromEntries(
        Object.entries(judged.ours).map(([name, array]) => [name, allowed(judged.params, array)]),
      ),
  }),
];
