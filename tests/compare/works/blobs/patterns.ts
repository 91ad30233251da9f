/**
 * Match patterns as parameters, and their weights.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { asParam, float64, fromParam } from "../../data/arrays.ts";
import type { Random } from "../../data/random.ts";
import type { Json, Params } from "../../data/spec.ts";
import { type AnyWork, work } from "../../work.ts";
import { overPixels } from "../plain.ts";

/** A pattern as a parameter: kind and numbers, or a template. */
export interface PatternParams extends Params {
  readonly kind: "circular" | "gradient" | "background" | "gradient-background" | "template";
  readonly radius: number;
  readonly [key: string]: Json;
}

/**
 * A random pattern for disks of about this radius. Templates are symmetric about their centre: others are mirrored by one
 * side and not by the other.
 */
export function randomPattern(random: Random, radius: number, kinds = KINDS): PatternParams {
  const kind = random.pick(kinds);
  const search = random.chance(0.3) ? { search: 2 * radius + random.pick([0, 1, 2.5]) } : {};
  if (kind === "template") {
    const n = 2 * Math.ceil(radius + 1);
    return { kind, radius, template: asParam(hat(n, radius)), ...("search" in search ? { search: n } : {}) };
  }
  const outer = random.chance(0.5) ? { outer: Math.ceil(1.4 * radius) } : {};
  if (kind === "circular" || kind === "gradient") return { kind, radius, ...search };
  if (kind === "background") return { kind, radius, ...search, ...outer };
  return {
    kind,
    radius,
    ...search,
    outer: Math.ceil(1.4 * radius),
    ...(random.chance(0.5) ? { delta: 1.5 } : {}),
  };
}

/** All kinds. */
export const KINDS = ["circular", "gradient", "background", "gradient-background", "template"] as const;

/** A hat of `n` pixels around pixel n / 2, whose first row and column are empty. */
function hat(n: number, radius: number) {
  const weights = overPixels([n, n], (y, x) => {
    if (y === 0 || x === 0) return 0;
    return Math.max(-0.4, 1 - Math.hypot(y - n / 2, x - n / 2) / radius);
  });
  return float64(weights, [n, n]);
}

/** The pattern of ours. */
export function patternOf(params: PatternParams): blobs.MatchPattern {
  const { kind, template, ...numbers } = params;
  const options = numbers as unknown as { radius: number; outer?: number; delta?: number; search?: number };
  if (kind === "circular") return blobs.circularPattern(options);
  if (kind === "gradient") return blobs.radialGradientPattern(options);
  if (kind === "background") return blobs.backgroundSubtractionPattern(options);
  if (kind === "gradient-background") return blobs.radialGradientBackgroundSubtractionPattern(options);
  return blobs.userTemplate({
    template: fromParam(template!),
    ...(options.search === undefined ? {} : { search: options.search }),
  });
}

/** The work. */
export const PATTERNS: readonly AnyWork[] = [
  work<{ readonly pattern: PatternParams; readonly shape: readonly number[] } & Params>({
    word: "patterns",
    alone: true,
    params: (random) => {
      const pattern = randomPattern(random, random.pick([random.int(1, 6), random.real(1, 6)]));
      const even = () => 2 * random.int(3, 14);
      const any = () => random.int(3, 28);
      const isImage = pattern.kind === "template" || pattern.kind === "gradient-background";
      return { pattern, shape: isImage ? [even(), even()] : [any(), any()] };
    },
    ours: (_, { pattern, shape }) => Promise.resolve({ mask: blobs.patternMask(patternOf(pattern), shape) }),
    expect: () => ({ mask: 1e-12 }),
  }),
];
