/**
 * Fourier transforms.
 *
 * @module
 */

import type { CrystallinityOptions } from "../udf/builtin/crystallinity.ts";
import type { Disk } from "../udf/builtin/runs.ts";
import { builtin } from "../udf/interface/udf_ref.ts";
import { WordError } from "./word_error.ts";
import {
  type Analysis,
  INTENSITY,
  type Made,
  number,
  type Parameter,
  type ParametersOf,
  type Values,
} from "./analysis.ts";

/** A disk of frames that is set to 0 before they are transformed. */
const HOLE: ParametersOf<Disk> = {
  cy: number("row of the centre of a disk that is cut out first", "none"),
  cx: number("column of its centre", "none"),
  r: number("its radius", "none"),
};

const RING: { readonly [K in Exclude<keyof CrystallinityOptions, "real">]: Parameter } = {
  ri: number("inner radius in frequency space, excluded"),
  ro: number("outer radius, included"),
};

const SPECTRUM: Readonly<Record<"fft" | "magnitude", string>> = {
  fft: "complex128; frequency 0 in the middle",
  magnitude: "its absolute value",
};

/** The analyses. */
export const FOURIER: readonly Analysis[] = [
  {
    name: "crystallinity",
    group: "Fourier",
    help: "Fourier magnitude of each frame in a ring of frequencies",
    parameters: { ...RING, ...HOLE },
    results: INTENSITY,
    example: "crystallinity:ri=4,ro=20,cy=64,cx=64,r=12",
    make: (values) => withHole("crystallinity", values),
  },
  {
    name: "fft_of_sum",
    aliases: ["fft"],
    group: "Fourier",
    help: "Fourier transform of the sum of all frames",
    parameters: HOLE,
    results: SPECTRUM,
    example: "fft_of_sum:cy=64,cx=64,r=12",
    make: (values) => withHole("fft_of_sum", values),
  },
  {
    name: "fft_of_frames",
    aliases: ["fftpick"],
    group: "Fourier",
    help: "Fourier transform of each selected frame; --roi selects them",
    parameters: HOLE,
    results: SPECTRUM,
    make: (values) => withHole("fft_of_frames", values),
  },
];

/** The words cy, cx and r become the disk that transforms know as `real`. */
function withHole(name: string, { cy, cx, r, ...rest }: Values): Made {
  const given = [cy, cx, r].filter((value) => value !== undefined).length;
  if (given % 3 !== 0) throw new WordError("a disk that is cut out needs cy, cx and r");
  return { ref: builtin(name, { ...rest, ...(given > 0 ? { real: { cy, cx, r } } : {}) }) };
}
