/**
 * Parameters of analyses of diffraction disks: what disks look like, and where they are expected.
 *
 * @module
 */

import type { Lattice } from "../udf/builtin/blobfinder/options/lattice.ts";
import { number, type Parameter } from "./analysis.ts";

/** The patterns that have a name. */
export const PATTERN_WORDS = [
  "circular",
  "radial-gradient",
  "background-subtraction",
  "radial-gradient-background-subtraction",
] as const;

/** What a disk looks like. */
export const PATTERN: Readonly<Record<"pattern" | "radius" | "search" | "outer" | "delta", Parameter>> = {
  pattern: {
    kinds: ["word", "array"],
    words: PATTERN_WORDS,
    meaning: "what a disk looks like; @FILE.npy: weights of your own",
    preset: "background-subtraction",
  },
  radius: number("radius of a disk; needed unless the pattern is a file", "–"),
  search: number("how far a disk is looked for", "2 × radius, or outer if that is more"),
  outer: number("of background patterns: outer radius of the negative ring", "1.5 × radius"),
  delta: number("of the last pattern: width of the transition to the ring", "1"),
};

const vector = (meaning: string): Parameter => ({
  kinds: ["vector"],
  meaning,
  unit: "px",
  preset: "found in the sum of all frames",
});

/** A lattice, and which of its points count. */
export const LATTICE: Readonly<Record<keyof Lattice | "margin" | "minRadius" | "maxRadius", Parameter>> = {
  zero: vector("origin of the lattice, y:x"),
  a: vector("its first vector, y:x"),
  b: vector("its second vector, y:x"),
  margin: number("points this near to the edge of the frame do not count", "the radius, rounded up"),
  minRadius: number("points nearer to the origin do not count", "0"),
  maxRadius: number("points farther from it do not count", "no limit"),
};

/** The same for sums in disks, whose weights are 1 inside. */
export const WEIGHTS: typeof PATTERN = { ...PATTERN, pattern: { ...PATTERN.pattern, preset: "circular" } };
