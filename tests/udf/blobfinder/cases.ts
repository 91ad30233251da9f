/** The random cases of `tests/oracles/blobfinder_cases.py`: their parameters, and the frames that they mean. */

import type { DType } from "../../../src/space/dtype.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { congruential } from "./frames.ts";

/** Why values of some cases are others than those of libertem-blobfinder. */
export const DIFFERS: Readonly<Record<string, string>> = {
  few: "its second match may have fewer peaks than asked for, and fits what is left; here it is not a match",
  line: "peaks on a line leave a vector open: it takes the shortest one, here it is not a match",
  cone:
    "cones with a ring lie off the middle of their pixel there, unless the outer radius is a whole number",
  cut: "run_refine cuts fractions off the expected places, its UDFs and ours round them",
  tight: "its sums leave out what of a pattern reaches beyond the search radius, on two of four sides",
  fractions: "it takes whole pixels; of others it stamps some pixels twice, here they are rounded",
};

/** A frame: noise of whole numbers, disks (y, x, height), an offset. */
export interface FrameSpec {
  readonly size: readonly [number, number];
  readonly seed: number;
  readonly noise: number;
  readonly dtype: DType;
  readonly offset: number;
  readonly radius: number;
  readonly disks: readonly (readonly [number, number, number])[];
}

/** A pattern by its name and options. */
export interface PatternSpec {
  readonly kind:
    | "circular"
    | "radialGradient"
    | "backgroundSubtraction"
    | "radialGradientBackgroundSubtraction";
  readonly radius: number;
  readonly search: number;
  readonly outer?: number;
  readonly delta?: number;
}

/** A number, or the word for what is none. */
export type Found = number | "nan" | "inf" | "-inf";

/** What every case may have: a reason of {@link DIFFERS}. */
interface Case {
  readonly differs?: string;
}

/** Peaks in one frame. */
export interface CorrelateCase extends Case {
  readonly what: "fast" | "full" | "sparse";
  readonly frame: FrameSpec;
  readonly pattern: PatternSpec;
  readonly peaks: readonly blobs.Vector[];
  readonly steps?: number;
  readonly shift?: blobs.Vector;
  readonly centers: readonly number[];
  readonly refineds: readonly number[];
  readonly peak_values: readonly number[];
  readonly peak_elevations: readonly number[];
}

/** A lattice that was fitted. */
export interface Fitted extends Case {
  readonly zero: readonly Found[];
  readonly a: readonly Found[];
  readonly b: readonly Found[];
  readonly selector: readonly number[];
}

/** A lattice fitted to points. */
export interface MatchCase extends Fitted {
  readonly positions: readonly Found[];
  readonly weights: readonly number[];
  readonly error: Found;
}

/** From a start that is near. */
export interface FastmatchCase extends MatchCase {
  readonly what: "fastmatch";
  readonly options: blobs.MatchOptions;
  readonly start_zero: blobs.Vector;
  readonly start_a: blobs.Vector;
  readonly start_b: blobs.Vector;
}

/** With indices that are known. */
export interface AffinematchCase extends MatchCase {
  readonly what: "affinematch";
  readonly indices: readonly number[];
}

/** Lattices fitted to frames. */
export interface RefineCase extends Fitted {
  readonly what: "refine" | "refineWhole";
  readonly frames: readonly FrameSpec[];
  readonly pattern: PatternSpec;
  readonly method: "fast" | "full" | "sparse";
  readonly match: "fast" | "affine";
  readonly steps: number;
  readonly options: blobs.MatchOptions;
  readonly start_zero: blobs.Vector;
  readonly start_a: blobs.Vector;
  readonly start_b: blobs.Vector;
  readonly indices: readonly blobs.Vector[];
  readonly shifts: readonly blobs.Vector[];
  readonly error: readonly Found[];
}

/** Sums in disks of one frame. */
export interface IntegrateCase extends Case {
  readonly what: "integrate" | "featureVector";
  readonly frame: FrameSpec;
  readonly pattern: PatternSpec;
  readonly positions: readonly blobs.Vector[];
  readonly integration: readonly number[];
}

type AnyCase = CorrelateCase | FastmatchCase | AffinematchCase | RefineCase | IntegrateCase;

const lines = (await Deno.readTextFile(new URL("cases.jsonl", import.meta.url))).trim().split("\n");
const all = lines.slice(1).map((line) => JSON.parse(line) as AnyCase); // the first line has the versions

/** All cases of a kind. */
export function casesOf<W extends AnyCase["what"]>(what: W): Extract<AnyCase, { readonly what: W }>[] {
  return all.filter((one): one is Extract<AnyCase, { readonly what: W }> => one.what === what);
}

/** All reasons for differences among the cases. */
export const REASONS: ReadonlySet<string> = new Set(all.flatMap(({ differs }) => differs ?? []));

/** A number as it was written. */
export function value(found: Found): number {
  return typeof found === "number" ? found : found === "nan" ? NaN : found === "inf" ? Infinity : -Infinity;
}

/** The frame of the script. */
export function frameOf(
  { size: [height, width], seed, noise, radius, disks, offset }: FrameSpec,
): Float64Array {
  const random = congruential(seed);
  const out = Float64Array.from({ length: height * width }, () => Math.floor(random.next().value! * noise));
  for (const [cy, cx, most] of disks) {
    for (let i = 0; i < out.length; i++) {
      const [dy, dx] = [Math.floor(i / width) - cy, i % width - cx];
      const share = Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(dy * dy + dx * dx)));
      out[i]! += Math.floor(most * share);
    }
  }
  return out.map((sample) => sample + offset);
}

/** The pattern of the script. */
export function patternOf({ kind, ...options }: PatternSpec): blobs.MatchPattern {
  return blobs[`${kind}Pattern` as const](options);
}
