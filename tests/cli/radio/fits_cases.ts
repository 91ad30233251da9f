/**
 * FITS files of images with fields, frames, bands and correlations of all kinds: `deno run -A tests/cli/radio/fits_cases.ts FOLDER`
 * writes them, for `tests/data/imaging/make_fits.py`.
 *
 * @module
 */

import { fitsPieces, type PlaneImage } from "../../../src/cli/radio/image_fits.ts";
import { FRAMES } from "../../../src/observations/meaning/frames.ts";
import type { Observation } from "../../../src/observations/observation.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { writeFileAtomic } from "../../../src/io/write/write.ts";

/** What a file is of. */
export interface FitsCase {
  /** Its frame. */
  readonly frame: string;
  /** Longitude and latitude of its centre in degrees. */
  readonly centre: readonly [number, number];
  /** Middles of bands in Hz. */
  readonly frequencies: readonly number[];
  /** Correlations. */
  readonly correlations: readonly string[];
}

const ALL = ["I", "Q", "U", "V"];
const SKY: readonly (readonly [number, number])[] = [[80.5, -30], [0, 0], [10, 90], [200, -90], [
  359.99,
  89.5,
]];

/** All cases: centres, among them both poles; frames; bands with rising and falling frequencies; orders of correlations. */
export const FITS_CASES: readonly FitsCase[] = [
  ...SKY.map((centre) => ({ frame: "ICRS", centre, frequencies: [1.4e9], correlations: ["I"] })),
  ...[...FRAMES.keys()].map((frame) => ({
    frame,
    centre: [123.25, 60.5] as const,
    frequencies: [1.4e9],
    correlations: ["XX"],
  })),
  { frame: "ICRS", centre: [5, 6], frequencies: [1.4e9, 1.5e9, 1.6e9], correlations: ALL },
  { frame: "ICRS", centre: [5, 6], frequencies: [1.6e9, 1.5e9], correlations: ["RR", "LL"] },
  { frame: "ICRS", centre: [5, 6], frequencies: [1.6e9, 1.5e9], correlations: ["YX", "XY", "YY", "XX"] },
  { frame: "ICRS", centre: [5, 6], frequencies: [1.6e9], correlations: ["V", "I"] },
];

/** The pixels. */
export const FITS_GRID = { pixels: [7, 6], cell: [-2e-3, 3e-3] } as const;

/** The observation of a case. */
export function fitsObservation({ frame, centre }: FitsCase): Observation {
  const direction = centre.map((degrees) => degrees * Math.PI / 180) as [number, number];
  const field = frame === "ICRS"
    ? { name: "a", phaseCentre: direction }
    : { name: "a", phaseCentre: direction, frame, direction };
  return {
    field,
    times: Float64Array.of(59000 * 86400 + 0.5),
    scales: { time: "UTC", frequency: "TOPO" },
  } as unknown as Observation;
}

/** The file of a case: pixels are numbered; the main lobe of plane k is k + 2 by k + 1 arc seconds, at k degrees. */
export function fitsOf(one: FitsCase): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const count = one.frequencies.length, pixels = FITS_GRID.pixels[0] * FITS_GRID.pixels[1];
  const arcsec = Math.PI / 180 / 3600;
  const planes = one.correlations.flatMap((correlation, c) =>
    one.frequencies.map((frequency, b): PlaneImage => {
      const k = c * count + b;
      const data = Float64Array.from({ length: pixels }, (_, i) => k * pixels + i);
      const mainLobe = { major: (k + 2) * arcsec, minor: (k + 1) * arcsec, positionAngle: k * Math.PI / 180 };
      const image = ndarray(data, FITS_GRID.pixels.toReversed(), "float64");
      return { correlation, frequency, width: 1e8, channels: [b, b + 1], image, mainLobe };
    })
  );
  return fitsPieces({ grid: FITS_GRID, observation: fitsObservation(one), source: "a.ms" }, planes, planes);
}

if (import.meta.main) {
  for (const [i, one] of FITS_CASES.entries()) {
    await writeFileAtomic(`${Deno.args[0]}/${i}.fits`, fitsOf(one));
  }
}
