/** What astropy reads in FITS files of images: see `tests/data/imaging/make_fits.py`. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { evenAxes } from "../../../src/cli/radio/image_fits.ts";
import { checkPlanes } from "../../../src/cli/radio/image_files.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { FRAMES } from "../../../src/observations/meaning/frames.ts";
import { lmToRadec } from "../../../src/rime/geometry/directions.ts";
import { directionOf } from "../../../src/rime/image/grid.ts";
import expected from "../../data/imaging/fits.json" with { type: "json" };
import { FITS_CASES, FITS_GRID, fitsObservation, fitsOf } from "./fits_cases.ts";

const DEGREE = Math.PI / 180;

/** Degrees between two directions in degrees. */
function apart([a, b]: readonly number[], [c, d]: readonly number[]): number {
  const vector = (longitude: number, latitude: number) => [
    Math.cos(latitude * DEGREE) * Math.cos(longitude * DEGREE),
    Math.cos(latitude * DEGREE) * Math.sin(longitude * DEGREE),
    Math.sin(latitude * DEGREE),
  ];
  const [from, to] = [vector(a!, b!), vector(c!, d!)];
  return Math.hypot(...from.map((value, i) => value - to[i]!)) / DEGREE;
}

for (const [i, one] of FITS_CASES.entries()) {
  const { frame, centre, frequencies, correlations } = one;
  Deno.test(`astropy reads pixels, frame, bands, correlations and beams: ${i}, ${frame} at ${centre}`, async () => {
    const { header, places, world, frame: read, ...beams } = expected[i]!;
    const pieces = await Array.fromAsync(fitsOf(one), (piece) => piece.slice());
    const text = new TextDecoder().decode(pieces[0]);
    const cards = Array.from({ length: header.length }, (_, k) => text.slice(80 * k, 80 * k + 80).trimEnd());
    assertEquals(cards, header); // it has read this header
    assertEquals(text.slice(80 * header.length).trim(), "END");
    const known = FRAMES.get(frame)!.astropy;
    if (read !== null && known) assertEquals(read, known);
    const { direction, phaseCentre } = fitsObservation(one).field;
    for (const [k, [x, y]] of places.entries()) {
      const [longitude, latitude, frequency, stokes] = world[k]!;
      const found = lmToRadec(directionOf(FITS_GRID, x!, y!), direction ?? phaseCentre);
      assert(
        apart([longitude!, latitude!], Array.from(found, (value) => value / DEGREE)) < 1e-10,
        `${x} ${y}`,
      );
      assertAlmostEquals(frequency!, frequencies.at(-1)!, 1e-6);
      const codes = { I: 1, Q: 2, U: 3, V: 4, RR: -1, LL: -2, XX: -5, YY: -6, XY: -7, YX: -8 };
      assertEquals(stokes, codes[correlations.at(-1)! as keyof typeof codes]);
    }
    const planes = Array.from({ length: frequencies.length * correlations.length }, (_, k) => k);
    if ("beams" in beams) {
      const own = planes.map((
        k,
      ) => [k + 2, k + 1, k, k % frequencies.length, Math.floor(k / frequencies.length)]);
      beams.beams!.forEach((row, k) =>
        row.forEach((value, c) => assertAlmostEquals(value, own[k]![c]!, 1e-5))
      );
      assertEquals(beams.units, ["arcsec", "arcsec", "deg", null, null]);
    } else [2 / 3600, 1 / 3600, 0].forEach((value, c) => assertAlmostEquals(beams.beam![c]!, value, 1e-15));
  });
}

const plane = (correlation: string, frequency: number, width = 1e6) => ({
  correlation,
  frequency,
  width,
  channels: [0, 1] as const,
});

Deno.test("axes of FITS have even steps, or are refused before anything is made", () => {
  assertEquals(evenAxes([plane("I", 3e9), plane("I", 2e9), plane("I", 1e9)]).frequency, [3e9, -1e9]);
  assertEquals(evenAxes([plane("I", 3e9, 0)]).frequency, [3e9, 1]); // a width that is not known
  assertEquals(evenAxes([plane("I", 1e9), plane("V", 1e9)]).stokes, [1, 3]);
  const uneven = [plane("I", 1e9), plane("I", 2e9), plane("I", 2.9e9)];
  const same = [plane("I", 1e9), plane("I", 1e9)];
  const orders = [plane("I", 1e9), plane("Q", 1e9), plane("V", 1e9)];
  for (const planes of [uneven, same, orders]) {
    assertThrows(() => checkPlanes(planes, "a.fits"), TilewiseError, "the steps of its axes are even");
    checkPlanes(planes, "a.npy");
  }
  assertThrows(() => checkPlanes(uneven, "a.png"), TilewiseError, "a picture has one");
});
