/**
 * The options of all generators, and the rules for them. What depends on the frame is checked by the generators.
 *
 * @module
 */

import type { OptionNames } from "../options.ts";
import { needed, truth } from "../options/rules.ts";
import { type Centre, GEOMETRY } from "./geometry.ts";
export type { Centre } from "./geometry.ts";

const { cy, cx, r, ri, ro, y, x, height, width, delta, stretchY, angle, bins, maxOrder } = GEOMETRY;

const CENTRE_OPTIONS: OptionNames<Centre> = { cy: needed(cy), cx: needed(cx) };

/**
 * Parameters of {@link circular}, in pixels.
 * @category Masks
 */
export interface CircularOptions extends Centre {
  /** Radius; pixels at exactly this distance belong to the disk. */
  readonly r: number;
  /** Whether the edge is a ramp of 1 px. Default false. */
  readonly antialiased?: boolean;
}

/** Of disks and cones. */
// deno-fmt-ignore: written by `deno task build`
export const CIRCULAR_OPTIONS: OptionNames<CircularOptions> = {
  ...CENTRE_OPTIONS, r: needed(r), antialiased: truth,
};

/**
 * Parameters of {@link ring}, in pixels.
 * @category Masks
 */
export interface RingOptions extends Centre {
  /** Outer radius, included. */
  readonly ro: number;
  /** Inner radius, excluded. */
  readonly ri: number;
  /** Whether both edges are ramps of 1 px. Default false. */
  readonly antialiased?: boolean;
}

/** Of rings. */
// deno-fmt-ignore: written by `deno task build`
export const RING_OPTIONS: OptionNames<RingOptions> = {
  ...CENTRE_OPTIONS, ro: needed(ro), ri: needed(ri), antialiased: truth,
};

/**
 * Parameters of {@link rectangular}, in pixels.
 * @category Masks
 */
export interface RectangularOptions {
  /** Row of a corner. */
  readonly y: number;
  /** Column of that corner. */
  readonly x: number;
  /** Rows to the opposite corner; negative: upwards. */
  readonly height: number;
  /** Columns to the opposite corner; negative: to the left. */
  readonly width: number;
}

/** Of rectangles. */
// deno-fmt-ignore: written by `deno task build`
export const RECTANGULAR_OPTIONS: OptionNames<RectangularOptions> = {
  y: needed(y), x: needed(x), height: needed(height), width: needed(width),
};

/**
 * Parameters of {@link radialGradientBackgroundSubtraction}, in the units of its map of radii.
 * @category Masks
 */
export interface RadialGradientBackgroundOptions {
  /** Radius of the cone. */
  readonly r: number;
  /** Outer radius of the negative ring, included. */
  readonly ro: number;
  /** Width of the transition from the cone to the ring. Default 1. */
  readonly delta?: number;
}

/** Of cones with a negative ring. */
// deno-fmt-ignore: written by `deno task build`
export const GRADIENT_OPTIONS: OptionNames<RadialGradientBackgroundOptions> = {
  r: needed(r), ro: needed(ro), delta,
};

/**
 * Parameters of {@link polarMap}.
 * @category Masks
 */
export interface PolarOptions extends Centre {
  /** Factor by which the coordinates are stretched in the direction of `angle`, which makes ellipses. Default 1. */
  readonly stretchY?: number;
  /** Direction of the stretch, in radians; 0 is the direction of y. Default 0. */
  readonly angle?: number;
}

/** Of maps of radius and angle. */
export const POLAR_OPTIONS: OptionNames<PolarOptions> = { ...CENTRE_OPTIONS, stretchY, angle };

/**
 * Parameters of {@link radialBins}, in pixels.
 * @category Masks
 */
export interface RadialBinsOptions extends Centre {
  /** Outer radius. Default: one that covers the frame. */
  readonly ro?: number;
  /** Inner radius. Default 0. */
  readonly ri?: number;
  /** Number of bins. Default: one per pixel of radius, `ro − ri` rounded. */
  readonly bins?: number;
  /** Whether each bin is divided by its sum. Default false. */
  readonly normalize?: boolean;
}

/** Of stacks of rings. */
// deno-fmt-ignore: written by `deno task build`
export const BINS_OPTIONS: OptionNames<RadialBinsOptions> = {
  ...CENTRE_OPTIONS, ro, ri, bins, normalize: truth,
};

/**
 * Parameters of {@link radialFourierMasks}.
 * @category Masks
 */
export interface RadialFourierMaskOptions extends RadialBinsOptions {
  /** Highest order. Default 24. */
  readonly maxOrder?: number;
}

/** Of Fourier masks. */
export const FOURIER_OPTIONS: OptionNames<RadialFourierMaskOptions> = { ...BINS_OPTIONS, maxOrder };

/** Rules for maps of radius and angle; options of masks around the same centre are accepted as well. */
// deno-fmt-ignore: written by `deno task build`
export const MAP_OPTIONS: OptionNames<PolarOptions & RadialFourierMaskOptions & Partial<CircularOptions>> = {
  ...FOURIER_OPTIONS, ...CIRCULAR_OPTIONS, ...POLAR_OPTIONS, r,
};
