/**
 * The names of the options of all generators, with the rules for their values. Which numbers fit, a generator says.
 *
 * @module
 */

import type { OptionNames } from "../options.ts";
import { number, truth } from "../options/rules.ts";
import type { CircularOptions, RectangularOptions, RingOptions } from "./disks.ts";
import type { Centre } from "./frame.ts";
import type { RadialGradientBackgroundOptions } from "./gradients.ts";
import type { PolarOptions } from "./polar.ts";
import type { RadialBinsOptions } from "./radial_bins.ts";
import type { RadialFourierMaskOptions } from "./radial_fourier.ts";

const CENTRE_OPTIONS: OptionNames<Centre> = { cy: number, cx: number };

/** Of disks and cones. */
export const CIRCULAR_OPTIONS: OptionNames<CircularOptions> = {
  ...CENTRE_OPTIONS,
  r: number,
  antialiased: truth,
};

/** Of rings. */
export const RING_OPTIONS: OptionNames<RingOptions> = {
  ...CENTRE_OPTIONS,
  ro: number,
  ri: number,
  antialiased: truth,
};

/** Of rectangles. */
export const RECTANGULAR_OPTIONS: OptionNames<RectangularOptions> = {
  y: number,
  x: number,
  height: number,
  width: number,
};

/** Of cones with a negative ring. */
export const GRADIENT_OPTIONS: OptionNames<RadialGradientBackgroundOptions> = {
  r: number,
  ro: number,
  delta: number,
};

/** Of maps of radius and angle. */
export const POLAR_OPTIONS: OptionNames<PolarOptions> = {
  ...CENTRE_OPTIONS,
  stretchY: number,
  angle: number,
};

/** Of stacks of rings. */
export const BINS_OPTIONS: OptionNames<RadialBinsOptions> = {
  ...CENTRE_OPTIONS,
  ro: number,
  ri: number,
  bins: number,
  normalize: truth,
};

/** Of Fourier masks. */
export const FOURIER_OPTIONS: OptionNames<RadialFourierMaskOptions> = { ...BINS_OPTIONS, maxOrder: number };

/** Of maps of radius and angle, which may be given what the masks around the same centre take. */
export const MAP_OPTIONS: OptionNames<PolarOptions & RadialFourierMaskOptions & CircularOptions> = {
  ...FOURIER_OPTIONS,
  ...CIRCULAR_OPTIONS,
  ...POLAR_OPTIONS,
};
