/**
 * Products with masks: from files, or made by a generator that is named.
 *
 * @module
 */

import { defined } from "../options.ts";
import type { Shape } from "../space/shape.ts";
import type { Mask, MaskGenerators, MaskOptions } from "../udf/builtin/masks/mask.ts";
import { WordError } from "./word_error.ts";
import {
  type Analysis,
  type AnalysisContext,
  asRead,
  number,
  type Parameter,
  truth,
  type Values,
  word,
} from "./analysis.ts";

/** What each generator takes. A centre that is not given is the middle of the frame. */
const RECIPES: { readonly [N in keyof MaskGenerators]?: readonly (keyof MaskGenerators[N])[] } = {
  circular: ["cy", "cx", "r", "antialiased"],
  ring: ["cy", "cx", "ri", "ro", "antialiased"],
  rectangular: ["y", "x", "height", "width"],
  radialGradient: ["cy", "cx", "r", "antialiased"],
  radialGradientBackgroundSubtraction: ["cy", "cx", "r", "ro", "delta", "stretchY", "angle"],
  backgroundSubtraction: ["cy", "cx", "ri", "ro", "antialiased"],
  gradientX: [],
  gradientY: [],
  radialBins: ["cy", "cx", "ri", "ro", "bins", "normalize"],
  sparseRadialBins: ["cy", "cx", "ri", "ro", "bins", "normalize"],
  radialFourierMasks: ["cy", "cx", "ri", "ro", "bins", "normalize", "maxOrder"],
};

/** The parameters that a generator requires. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  circular: ["r"],
  ring: ["ri", "ro"],
  rectangular: ["y", "x", "height", "width"],
  radialGradient: ["r"],
  radialGradientBackgroundSubtraction: ["r", "ro"],
  backgroundSubtraction: ["ri", "ro"],
  stampDisks: ["r", "at"],
};

const STAMPED = ["r", "at"];

const MAKES = [...Object.keys(RECIPES), "stampDisks"];

const OPTIONS: { readonly [K in Exclude<keyof MaskOptions, "masks">]-?: Parameter } = {
  shifts: {
    kinds: ["vector", "array"],
    meaning: "moves the masks: y:x for all frames, or @FILE.npy of shape (…scan, 2); rounded",
    unit: "px",
    preset: "0:0",
  },
  useSparse: {
    kinds: ["word", "truth"],
    words: ["auto"],
    meaning: "weight by weight, zeros left out: auto where that is faster",
    preset: "auto",
  },
  dtype: word(
    "type of the result",
    ["float32", "float64", "complex64", "complex128"],
    "float64, or complex128",
  ),
};

const made = (meaning: string, unit?: string) => number(meaning, "–", unit);

/** The analysis. */
export const MASKS: Analysis = {
  name: "apply_masks",
  aliases: ["mask", "masks"],
  group: "Detectors",
  help: "each frame times each mask of a file, or of a generator",
  notes: [
    "Files: .npy with one mask or a stack of them; .npz of scipy.sparse.save_npz (masks × pixels) or sparse.save_npz.",
    "Generators and what they take; a centre (cy, cx) is the middle of the frame unless it is given:",
    ...Object.entries({ ...RECIPES, stampDisks: STAMPED }).map(([name, takes]) =>
      `  make=${name}${takes.length > 0 ? `: ${takes.join(", ")}` : ""}`
    ),
  ],
  parameters: {
    file: { kinds: ["path"], meaning: "a file with masks", preset: "–" },
    make: word("a generator, instead of a file", MAKES, "–"),
    cy: number("row of the centre", "height / 2"),
    cx: number("column of the centre", "width / 2"),
    r: made("radius"),
    ri: number("inner radius", "0 (radial bins)"),
    ro: number("outer radius", "covers the frame (radial bins)"),
    bins: number("how many rings", "one per pixel of radius", ""),
    normalize: truth("whether each ring is divided by its sum"),
    maxOrder: number("highest order", "24", ""),
    antialiased: truth("whether edges are ramps of 1 px"),
    delta: number("width of the transition", "1"),
    stretchY: number("stretch to ellipses", "1", ""),
    angle: number("direction of the stretch", "0", "rad"),
    y: made("row of a corner"),
    x: made("column of that corner"),
    height: made("rows to the opposite corner"),
    width: made("columns to the opposite corner"),
    at: {
      kinds: ["points"],
      meaning: "centres of disks, one mask each; fractions are cut off",
      unit: "px",
      preset: "–",
    },
    ...OPTIONS,
  },
  uses({ file, make }) {
    const own = make === undefined
      ? []
      : make === "stampDisks"
      ? STAMPED
      : RECIPES[make as keyof MaskGenerators] ?? [];
    const from = file !== undefined ? ["file"] : make !== undefined ? ["make"] : ["make", "file"];
    return [...from, ...own, ...Object.keys(OPTIONS)];
  },
  results: { intensity: "one number per frame and mask: float64 or complex128" },
  example: "apply_masks:make=radialBins,bins=20",
  check(names) {
    if (names.includes("file") !== names.includes("make")) return;
    throw new WordError(
      "the UDF apply_masks needs file or make; write apply_masks:file=… or apply_masks:make=radialBins,bins=20",
    );
  },
  async make(values, facts) {
    const { applyMasks } = await import("../udf/builtin/apply_masks.ts");
    const { file, make, shifts, useSparse, dtype, ...rest } = values;
    const masks = make === undefined
      ? [await fileMask(String(file), rest, facts)]
      : [recipe(String(make), rest, facts)];
    return { ref: applyMasks({ masks, ...defined({ shifts, useSparse, dtype }) } as MaskOptions) };
  },
};

async function fileMask(file: string, rest: Values, { readMasks }: AnalysisContext): Promise<Mask> {
  const odd = Object.keys(rest)[0];
  if (odd !== undefined) {
    throw new WordError(`the UDF mask takes no ${odd} with a file; generators do`, { parameter: odd });
  }
  if (readMasks) return await readMasks(file);
  throw new WordError(
    `the UDF mask cannot read ${file} here; use a generator, as in mask:make=radialBins,bins=20`,
    {
      parameter: "file",
    },
  );
}

function recipe(make: string, values: Values, { dataset: { sigShape } }: AnalysisContext): Mask {
  const takes: readonly string[] = make === "stampDisks"
    ? STAMPED
    : RECIPES[make as keyof MaskGenerators] ?? [];
  const odd = Object.keys(values).find((name) => !takes.includes(name));
  if (odd !== undefined) {
    const known = takes.length > 0 ? `it takes ${takes.join(", ")}` : "it takes none";
    throw new WordError(`the masks ${make} have no parameter "${odd}"; ${known}`, { parameter: odd });
  }
  const missing = (NEEDED[make] ?? []).filter((name) => !(name in values));
  if (missing.length > 0) {
    throw new WordError(`the masks ${make} need ${missing.join(" and ")}`, { parameter: missing[0]! });
  }
  if (make === "stampDisks") return { make, r: Number(values.r), stamps: stamps(values.at!) };
  return asRead<Mask>({ make, ...(takes.includes("cy") ? middle(sigShape) : {}), ...values });
}

function middle([height = 0, width = 0]: Shape): { cy: number; cx: number } {
  return { cy: height / 2, cx: width / 2 };
}

function stamps(at: Values[string]): { mask: number; y: number; x: number }[] {
  return (at as number[][]).map(([y, x], mask) => ({ mask, y: y!, x: x! }));
}
