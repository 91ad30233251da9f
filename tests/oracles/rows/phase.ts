/**
 * Rows of the phase of the measurement equation, and of cosines and sines.
 *
 * @module
 */

import type { Sizes } from "./common/describe.ts";
import { complexPhase } from "../twins/rime/phase.ts";
import { sincos, sincosTurns } from "../twins/rime/sincos.ts";
import { numbers, pixels, rowLength, type Rows, rows } from "./common/row.ts";

/** The complex phase. `frames` is the number of sources, `rows` the rows of uvw, `rowLength` the number of channels. */
export const PHASE: Rows<"complex_phase" | "sincos" | "sincos_turns"> = {
  complex_phase: {
    reference: complexPhase,
    parameters: (dtype) => ({
      out: numbers(dtype, ({ frames, pixels }) => 2 * frames * pixels, "finite"),
      lm: numbers("float64", ({ frames }) => 2 * frames, directions),
      uvw: numbers("float64", ({ rows }) => 3 * rows),
      frequency: numbers("float64", rowLength),
      sources: ({ frames }) => frames,
      rows,
      channels: rowLength,
      speed: ({ seed }) => seed % 2 ? 299792458 : -299792458,
    }),
  },
  sincos_turns: {
    reference: sincosTurns,
    parameters: (dtype) => ({
      cos: numbers(dtype, pixels),
      sin: numbers(dtype, pixels),
      turns: numbers("float64", pixels),
      n: pixels,
      work: numbers("uint8", () => 96),
    }),
  },
  sincos: {
    reference: sincos,
    parameters: (dtype) => ({
      cos: numbers(dtype, pixels),
      sin: numbers(dtype, pixels),
      angles: numbers(dtype, pixels),
      n: pixels,
      work: numbers("uint8", () => 96),
    }),
  },
};

/** Directions from the phase centre outwards; the last ones lie beyond the horizon. */
function directions({ frames }: Sizes): number[] {
  return Array.from({ length: frames }, (_, s) => [s / 40, -s / 45]).flat();
}
