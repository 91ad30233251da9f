/**
 * Diffraction disks of analyses: what they look like, and where they are expected.
 *
 * @module
 */

import { defined } from "../options.ts";
import { findPeaks } from "../udf/builtin/blobfinder/find_peaks.ts";
import { findLattices } from "../udf/builtin/blobfinder/full_match.ts";
import { latticePoints } from "../udf/builtin/blobfinder/lattice.ts";
import type { Lattice, Vector } from "../udf/builtin/blobfinder/options/lattice.ts";
import type { MatchPattern } from "../udf/builtin/blobfinder/options/patterns.ts";
import {
  backgroundSubtractionPattern,
  circularPattern,
  radialGradientBackgroundSubtractionPattern,
  radialGradientPattern,
  userTemplate,
} from "../udf/builtin/blobfinder/patterns.ts";
import type { NDArray } from "../space/ndarray.ts";
import { heightAndWidth } from "../udf/builtin/runs.ts";
import { sumFrames } from "../udf/builtin/sum_frames.ts";
import { WordError } from "./word_error.ts";
import { type AnalysisContext, asRead, type Values, warn } from "./analysis.ts";
import { PATTERN, type PATTERN_WORDS } from "./disk_parameters.ts";

const PATTERNS = {
  circular: circularPattern,
  "radial-gradient": radialGradientPattern,
  "background-subtraction": backgroundSubtractionPattern,
  "radial-gradient-background-subtraction": radialGradientBackgroundSubtractionPattern,
} as const satisfies Readonly<Record<typeof PATTERN_WORDS[number], unknown>>;

/** The pattern that the values mean, and the other values. */
export function patternOf(
  analysis: string,
  values: Values,
  { pattern: { preset } }: typeof PATTERN = PATTERN,
): { pattern: MatchPattern; rest: Values } {
  const { pattern = preset!, radius, search, outer, delta, ...rest } = values;
  const given = defined({ radius, search, outer, delta }) as Record<string, number>;
  if (typeof pattern !== "string") {
    refuse(analysis, "a template", given, ["search"]);
    return { pattern: userTemplate({ template: pattern as NDArray, ...given }), rest };
  }
  if (radius === undefined) {
    throw new WordError(`the UDF ${analysis} needs radius; write ${analysis}:radius=…`, {
      parameter: "radius",
    });
  }
  const rings = pattern.includes("background");
  refuse(analysis, pattern, given, [
    "radius",
    "search",
    ...(rings ? ["outer"] : []),
    ...(pattern.startsWith("radial-gradient-") ? ["delta"] : []),
  ]);
  return { pattern: PATTERNS[pattern as keyof typeof PATTERNS](given as { radius: number }), rest };
}

function refuse(analysis: string, pattern: string, given: object, takes: readonly string[]): void {
  const odd = Object.keys(given).find((name) => !takes.includes(name));
  if (odd === undefined) return;
  throw new WordError(`${analysis}: ${pattern} has no ${odd}; it takes ${takes.join(", ")}`, {
    parameter: odd,
  });
}

/** Points of a lattice. */
interface Expected {
  /** The lattice. */
  readonly lattice: Lattice;
  /** Indices of its points that count. */
  readonly indices: readonly Vector[];
  /** Where they are. */
  readonly peaks: readonly Vector[];
  /** The values that say nothing of the lattice. */
  readonly rest: Values;
}

/** The lattice that is given, or else found in the sum of all frames, and its points in the frame. */
export async function expectedDisks(
  analysis: string,
  pattern: MatchPattern,
  values: Values,
  facts: AnalysisContext,
): Promise<Expected> {
  const { zero, a, b, margin, minRadius, maxRadius, ...rest } = values;
  const given = [zero, a, b].filter((value) => value !== undefined).length;
  if (given % 3 !== 0) throw new WordError(`${analysis} needs all of zero, a and b, or none of them`);
  const frame = heightAndWidth(facts.dataset.sigShape, "find disks in");
  const found = given > 0 ? asRead<Lattice>({ zero, a, b }) : await foundLattice(analysis, pattern, facts);
  const range = defined({ margin: margin ?? radiusOf(pattern), minRadius, maxRadius });
  const lattice = found ?? someLattice(frame);
  const { indices, peaks } = latticePoints(lattice, { frame, ...range as object });
  if (found && peaks.length > 0) return { lattice, indices, peaks, rest };
  // one point: a plan of more could need more memory than that of the lattice which is found
  const couldHave = 2 * Number(range.margin) < Math.min(...frame) &&
    !(Number(minRadius) > Math.hypot(...frame));
  if (!found && couldHave) return { lattice, indices: [[0, 0]], peaks: [lattice.zero], rest };
  throw new WordError(
    `${analysis}: no point of the lattice lies in the frame; give a smaller margin or other vectors`,
  );
}

function radiusOf(pattern: MatchPattern): number {
  return "radius" in pattern ? Math.ceil(pattern.radius) : Math.ceil(pattern.search / 2);
}

/** A lattice in place of one that is not found yet. */
function someLattice([height, width]: readonly [number, number]): Lattice {
  return { zero: [(height - 1) / 2, (width - 1) / 2], a: [0, width / 4], b: [height / 4, 0] };
}

/** The lattice with the most peaks in the sum of all frames, reported as words that can be typed; none before the first pass. */
async function foundLattice(
  analysis: string,
  pattern: MatchPattern,
  facts: AnalysisContext,
): Promise<Lattice | undefined> {
  const picture = (await facts.firstPass(sumFrames()))?.intensity;
  if (!picture) return undefined;
  const { positions, values } = await findPeaks(picture, { pattern, count: 100 });
  const lowest = Math.min(0, ...values); // some patterns weigh more outside than inside
  const weights = values.map((value) => value - lowest);
  const [found] = findLattices({ positions, weights }, { lattices: 1, minWeight: 0 });
  if (!found) {
    throw new WordError(
      `${analysis}: no lattice in the ${positions.length} peaks of the sum; give zero, a and b`,
    );
  }
  const lattice = centred(found, facts.dataset.sigShape as [number, number]);
  const typed = Object.entries(lattice).map(([name, [y, x]]) => `${name}=${round(y)}:${round(x)}`);
  const { matched, expected, chance, warning } = found;
  facts.tell(
    `${analysis}: found ${typed.join(",")}, which ${matched} of ${positions.length} peaks fit`,
    { udf: analysis, lattice, matched, peaks: positions.length, expected, chance },
  );
  if (warning) warn(facts, analysis, `${warning}; give zero, a and b if there is one`);
  return lattice;
}

/** The same lattice with its origin at the point nearest to the middle of the frame. */
function centred({ zero, a, b }: Lattice, frame: readonly [number, number]): Lattice {
  const { peaks } = latticePoints({ zero, a, b }, { frame });
  const far = ([y, x]: Vector) => Math.hypot(y - frame[0] / 2, x - frame[1] / 2);
  const nearest = peaks.reduce((best, point) => far(point) < far(best) ? point : best, zero);
  return { zero: nearest, a, b };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
