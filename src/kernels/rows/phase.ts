/**
 * Rows of the kernels of the measurement equation.
 *
 * @module
 */

import type { Parameter, Sizes } from "../families/describe.ts";
import { complexPhase } from "../reference/phase.ts";
import type { FamilyRow } from "./common/row.ts";

/** The complex phase. Sources are counted by `frames`, rows of uvw by `rows`, channels by `rowLength`. */
export const PHASE: { readonly complex_phase: FamilyRow<"complex_phase"> } = {
  complex_phase: { reference: complexPhase, parameters },
};

function parameters(): Parameter[] {
  const doubles = (name: string, count: (sizes: Sizes) => number): Parameter => ({
    name,
    role: "in",
    dtype: "float64",
    bytes: (sizes) => 8 * count(sizes),
    values: name === "lm" ? directions : "any",
  });
  return [
    {
      name: "out",
      role: "out",
      dtype: "float64",
      bytes: ({ frames, pixels }) => 16 * frames * pixels,
      values: "finite",
    },
    doubles("lm", ({ frames }) => 2 * frames),
    doubles("uvw", ({ rows }) => 3 * rows),
    doubles("frequency", ({ rowLength }) => rowLength),
    (sizes) => sizes.frames,
    (sizes) => sizes.rows,
    (sizes) => sizes.rowLength,
    ({ seed }) => seed % 2 ? 299792458 : -299792458,
  ];
}

/** Directions from the phase centre outwards; the last ones lie beyond the horizon. */
function directions({ frames }: Sizes): number[] {
  return Array.from({ length: frames }, (_, s) => [s / 40, -s / 45]).flat();
}
