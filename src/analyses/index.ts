/**
 * All analyses that have a name: the one table behind words, forms, checks and help.
 *
 * @module
 */

import type { Analysis } from "./analysis.ts";
import { DETECTORS } from "./detectors.ts";
import { DIFFRACTION } from "./diffraction.ts";
import { FOURIER } from "./fourier.ts";
import { LATTICES } from "./lattice.ts";
import { EXPRESSION } from "./expression.ts";
import { REDUCTIONS } from "./reductions.ts";

/** The analyses, in the order of the help. */
export const ANALYSES: readonly Analysis[] = [
  ...REDUCTIONS,
  ...DETECTORS,
  ...DIFFRACTION,
  ...FOURIER,
  ...LATTICES,
  EXPRESSION,
];

/** All words that mean an analysis. */
export const ANALYSIS_WORDS: readonly string[] = ANALYSES.flatMap((
  { name, aliases = [] },
) => [name, ...aliases]);

/** The analysis that a word means. */
export function findAnalysis(name: string): Analysis | undefined {
  return ANALYSES.find((analysis) => analysis.name === name || analysis.aliases?.includes(name));
}
