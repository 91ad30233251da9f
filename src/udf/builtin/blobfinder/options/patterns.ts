/**
 * Types of the patterns of disks, their options, and the rules for their values.
 *
 * @module
 */

import { checkOptionNames, type OptionNames, type OptionRule } from "../../../../options.ts";
import { must, needed, number } from "../../../../options/rules.ts";
import type { NDArray } from "../../../../space/ndarray.ts";
import { arrayValue } from "../../../../space/rules.ts";

/**
 * A disk of uniform brightness, whose edge is a ramp of 1 px.
 * @category Blob finding
 */
export interface CircularPattern {
  /** Which pattern it is. */
  readonly kind: "circular";
  /** Radius in pixels. */
  readonly radius: number;
  /** Search radius: how far from its place a disk is searched. */
  readonly search: number;
}

/**
 * Weights that grow with the distance from the centre up to the edge, so that the edge counts more than the inside.
 * @category Blob finding
 */
export interface RadialGradientPattern {
  /** Which pattern it is. */
  readonly kind: "radial-gradient";
  /** Radius in pixels. */
  readonly radius: number;
  /** Search radius: how far from its place a disk is searched. */
  readonly search: number;
}

/**
 * A disk with a negative ring around it; the weights add up to 0, so that a uniform background has no effect.
 * @category Blob finding
 */
export interface BackgroundSubtractionPattern {
  /** Which pattern it is. */
  readonly kind: "background-subtraction";
  /** Radius in pixels. */
  readonly radius: number;
  /** Outer radius of the ring. Any number. */
  readonly outer: number;
  /** Search radius: how far from its place a disk is searched. */
  readonly search: number;
}

/**
 * A radial gradient with a negative ring around it.
 * @category Blob finding
 */
export interface GradientBackgroundPattern {
  /** Which pattern it is. */
  readonly kind: "radial-gradient-background-subtraction";
  /** Radius in pixels. */
  readonly radius: number;
  /** Outer radius of the ring. Any number. */
  readonly outer: number;
  /** Width of the transition from the edge to the ring. Any number. */
  readonly delta: number;
  /** Search radius: how far from its place a disk is searched. */
  readonly search: number;
  /** The distance of every pixel from the centre, for disks that are not circles; the centre is pixel ⌊size / 2⌋. */
  readonly radiusMap?: NDArray;
}

/**
 * Weights of your own.
 * @category Blob finding
 */
export interface TemplatePattern {
  /** Which pattern it is. */
  readonly kind: "template";
  /** The weights; its centre is pixel ⌊size / 2⌋. */
  readonly template: NDArray;
  /** Search radius: how far from its place a disk is searched. */
  readonly search: number;
}

/**
 * The pattern of a diffraction disk.
 * @category Blob finding
 */
export type MatchPattern =
  | CircularPattern
  | RadialGradientPattern
  | BackgroundSubtractionPattern
  | GradientBackgroundPattern
  | TemplatePattern;

/**
 * Parameters of {@link circularPattern} and {@link radialGradientPattern}, in pixels.
 * @category Blob finding
 */
export interface DiskOptions {
  /** Radius of the disk. Any number. */
  readonly radius: number;
  /** Search radius: how far from its place a disk is searched. Any number. Default `2 radius`. */
  readonly search?: number;
}

/**
 * Parameters of {@link backgroundSubtractionPattern}, in pixels.
 * @category Blob finding
 */
export interface BackgroundOptions extends DiskOptions {
  /** Outer radius of the negative ring. Any number. Default `1.5 radius`. */
  readonly outer?: number;
}

/**
 * Parameters of {@link radialGradientBackgroundSubtractionPattern}, in pixels.
 * @category Blob finding
 */
export interface GradientBackgroundOptions extends BackgroundOptions {
  /** Width of the transition from the edge to the ring. Any number. Default 1. */
  readonly delta?: number;
  /** The distance of every pixel from the centre; default: circles around pixel ⌊size / 2⌋. */
  readonly radiusMap?: NDArray;
}

/**
 * Parameters of {@link userTemplate}.
 * @category Blob finding
 */
export interface TemplateOptions {
  /** The weights; its centre is pixel ⌊size / 2⌋. */
  readonly template: NDArray;
  /**
   * Search radius: how far from its place a disk is searched, in pixels. Any number. Default: half the diagonal of
   * the template.
   */
  readonly search?: number;
}

/** Of disks and radial gradients. */
export const DISK_OPTIONS: OptionNames<DiskOptions> = { radius: needed(number), search: number };

/** Of disks on a background. */
export const BACKGROUND_OPTIONS: OptionNames<BackgroundOptions> = { ...DISK_OPTIONS, outer: number };

/** Of radial gradients on a background. */
// deno-fmt-ignore: written by `deno task build`
export const GRADIENT_OPTIONS: OptionNames<GradientBackgroundOptions> = {
  ...BACKGROUND_OPTIONS, delta: number, radiusMap: arrayValue,
};

/** Of templates. */
// deno-fmt-ignore: written by `deno task build`
export const TEMPLATE_OPTIONS: OptionNames<TemplateOptions> = {
  template: needed(arrayValue), search: number,
};

/** What the makers of patterns add, as far as it was not given. */
const MADE = { kind: true, search: needed(number) } as const;

const DISK_NAMES: OptionNames<CircularPattern | RadialGradientPattern> = { ...DISK_OPTIONS, ...MADE };

// deno-fmt-ignore: written by `deno task build`
const RING_NAMES: OptionNames<BackgroundSubtractionPattern> = {
  ...BACKGROUND_OPTIONS, ...MADE, outer: needed(number),
};

// deno-fmt-ignore: written by `deno task build`
const GRADIENT_NAMES: OptionNames<GradientBackgroundPattern> = {
  ...GRADIENT_OPTIONS, ...MADE, outer: needed(number), delta: needed(number),
};

const TEMPLATE_NAMES: OptionNames<TemplatePattern> = { ...TEMPLATE_OPTIONS, ...MADE };

/** The properties of patterns, by kind. */
const PATTERNS: Readonly<Record<MatchPattern["kind"], object>> = {
  circular: DISK_NAMES,
  "radial-gradient": DISK_NAMES,
  "background-subtraction": RING_NAMES,
  "radial-gradient-background-subtraction": GRADIENT_NAMES,
  template: TEMPLATE_NAMES,
};

/** Match patterns: plain data that name their kind. */
export const pattern: OptionRule<MatchPattern> = (call, option, value) => {
  const { kind } = (value ?? {}) as Partial<MatchPattern>;
  const known = kind === undefined || !Object.hasOwn(PATTERNS, kind) ? undefined : PATTERNS[kind];
  if (known) return checkOptionNames(call, value as object, known as OptionNames<object>, option);
  must("a match pattern, as blobs.circularPattern({ radius }) makes it", () => false)(call, option, value);
};
