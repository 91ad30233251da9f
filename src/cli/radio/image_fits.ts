/**
 * Images as FITS: right ascension, declination, frequency and Stokes parameter, in the precision of the pixels.
 *
 * Source: FITS standard 4.0, section 8; Greisen, Calabretta, A&A 395, 1061 and 1077 (2002); main lobes of several images as CASA
 * has them, in a table BEAMS.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { basename } from "node:path";
import { TilewiseError } from "../../errors.ts";
import { stackPieces } from "../../sinks/arrays/pieces.ts";
import type { CardValue } from "../../sinks/fits/head.ts";
import { fitsTable } from "../../sinks/fits/table.ts";
import { fitsLayout } from "../../sinks/rows/fits.ts";
import { FRAMES } from "../../observations/meaning/frames.ts";
import type { Observation } from "../../observations/observation.ts";
import type { ImageGrid } from "../../rime/image/grid.ts";
import type { MainLobe } from "../../rime/image/main_lobe.ts";
import type { ImagePlane, PlaneFacts } from "../../rime/observed/image_planes.ts";
import { ARCSECOND } from "../../skies/angles.ts";

/** What images are of. */
export interface Imaged {
  /** Where the pixels are. */
  readonly grid: ImageGrid;
  /** What was imaged. */
  readonly observation: Observation;
  /** Its path. */
  readonly source: string;
}

/** An image, and what it is of. */
export type PlaneImage = PlaneFacts & Pick<ImagePlane, "image" | "mainLobe">;

/** Numbers of correlations in FITS. */
const STOKES_CODES = ["I", "Q", "U", "V"];
const FEED_CODES = ["RR", "LL", "RL", "LR", "XX", "YY", "XY", "YX"];

/** A FITS file of images, which are written as they come. */
export async function* fitsPieces(
  made: Imaged,
  planes: readonly PlaneFacts[],
  images: Iterable<PlaneImage> | AsyncIterable<PlaneImage>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const lobes: (MainLobe | undefined)[] = [], shape = [...countsOf(planes), ...made.grid.pixels.toReversed()];
  const noted = async function* () {
    for await (const { image, mainLobe } of images) {
      lobes.push(mainLobe);
      yield image;
    }
  };
  yield* stackPieces(noted(), ({ dtype }) => {
    const beam = planes.length === 1 ? beamCards(lobes[0]) : { CASAMBM: true };
    return fitsLayout(shape, dtype, { ...cardsOf(made, planes), ...beam });
  });
  if (planes.length > 1) yield beamTable(planes, lobes);
}

/** Correlations and bands. */
export function countsOf(planes: readonly PlaneFacts[]): [correlations: number, bands: number] {
  const correlations = new Set(planes.map(({ correlation }) => correlation)).size;
  return [correlations, planes.length / correlations];
}

/** A card of an axis: its value at the first sample, and the step. */
type Linear = readonly [first: number, step: number];

/** The axes of bands and correlations. Errors: `unsupported` where their steps are not even. */
export function evenAxes(
  planes: readonly PlaneFacts[],
): { readonly frequency: Linear; readonly stokes: Linear } {
  const [, bands] = countsOf(planes);
  const codes = planes.filter((_, i) => i % bands === 0).map(({ correlation }) => stokesCode(correlation));
  const { frequency, width } = planes[0]!;
  return {
    frequency: bands === 1
      ? [frequency, width || 1] // a step of 0 has no inverse
      : linear(planes.slice(0, bands).map(({ frequency }) => frequency), "frequencies (Hz)"),
    stokes: codes.length === 1 ? [codes[0]!, 1] : linear(codes, "numbers of correlations (1 to 4: I to V)"),
  };
}

/** How far steps may be from even, relative to them. */
const UNEVEN = 1e-3;

function linear(values: readonly number[], what: string): Linear {
  const first = values[0]!, step = (values.at(-1)! - first) / (values.length - 1);
  const isEven = values.every((value, i) => Math.abs(value - first - i * step) <= UNEVEN * Math.abs(step));
  if (step !== 0 && isEven) return [first, step];
  const text =
    `Cannot write images to FITS whose ${what} are ${values.join(", ")}: the steps of its axes are even. ` +
    "A name that ends with .npy, or fewer images, would work";
  throw new TilewiseError("unsupported", text, { found: values.join(), expected: "even steps" });
}

function cardsOf({ grid, observation, source }: Imaged, planes: readonly PlaneFacts[]) {
  const { field, times, scales, visibility } = observation, { unit } = visibility ?? {};
  const { frame = "ICRS", direction = field.phaseCentre } = field;
  const [longitude, latitude, system, equinox] = FRAMES.get(frame)!.fits;
  const [nx, ny] = grid.pixels, { frequency, stokes } = evenAxes(planes);
  const date = new Date((times[0]! - 40587 * 86400) * 1000);
  return {
    BUNIT: `${ascii(unit ?? "Jy").slice(0, 12)}/beam`,
    OBJECT: ascii(field.name),
    CTYPE1: axis(longitude),
    CRVAL1: degrees(direction[0]),
    CDELT1: degrees(grid.cell[0]),
    CRPIX1: (nx >> 1) + 1,
    CUNIT1: "deg",
    CTYPE2: axis(latitude),
    CRVAL2: degrees(direction[1]),
    CDELT2: degrees(grid.cell[1]),
    CRPIX2: (ny >> 1) + 1,
    CUNIT2: "deg",
    LONPOLE: 180, // north is up at the poles, too, where the default is another one
    CTYPE3: "FREQ",
    CRVAL3: frequency[0],
    CDELT3: frequency[1],
    CRPIX3: 1,
    CUNIT3: "Hz",
    ...specsys(scales?.frequency),
    CTYPE4: "STOKES",
    CRVAL4: stokes[0],
    CDELT4: stokes[1],
    CRPIX4: 1,
    ...defined({ RADESYS: system, EQUINOX: equinox }),
    ...(Number.isNaN(date.getTime()) ? {} : { "DATE-OBS": date.toISOString().replace("Z", "") }),
    ORIGIN: "Tilewise",
    FILENAME: ascii(basename(source)),
  };
}

export function degrees(radians: number): number {
  return radians * 180 / Math.PI;
}

/** The main lobe of the only image. */
function beamCards(lobe: MainLobe | undefined): Record<string, CardValue> {
  if (!lobe) return {};
  return { BMAJ: degrees(lobe.major), BMIN: degrees(lobe.minor), BPA: degrees(lobe.positionAngle) };
}

/** The main lobes of several images: NaN where there is none. */
function beamTable(
  planes: readonly PlaneFacts[],
  lobes: readonly (MainLobe | undefined)[],
): Uint8Array<ArrayBuffer> {
  const [correlations, bands] = countsOf(planes);
  const column = (of: (lobe: MainLobe) => number) => lobes.map((lobe) => lobe ? of(lobe) : NaN);
  return fitsTable("BEAMS", [
    { name: "BMAJ", type: "E", unit: "arcsec", values: column(({ major }) => major / ARCSECOND) },
    { name: "BMIN", type: "E", unit: "arcsec", values: column(({ minor }) => minor / ARCSECOND) },
    { name: "BPA", type: "E", unit: "deg", values: column(({ positionAngle }) => degrees(positionAngle)) },
    { name: "CHAN", type: "J", values: planes.map((_, i) => i % bands) },
    { name: "POL", type: "J", values: planes.map((_, i) => Math.floor(i / bands)) },
  ], { NCHAN: bands, NPOL: correlations });
}

/** A type of an axis in the projection SIN: eight letters. */
function axis(name: string): string {
  return `${name.padEnd(5, "-")}SIN`;
}

/** Frames of frequencies as FITS names them. */
const SPECSYS: Readonly<Record<string, string>> = {
  TOPO: "TOPOCENT",
  GEO: "GEOCENTR",
  BARY: "BARYCENT",
  LSRK: "LSRK",
  LSRD: "LSRD",
  GALACTO: "GALACTOC",
  LGROUP: "LOCALGRP",
  CMB: "CMBDIPOL",
};

function specsys(frame: string | undefined): { SPECSYS?: string } {
  const name = SPECSYS[frame ?? ""];
  return defined({ SPECSYS: name });
}

function stokesCode(name: string): number {
  return STOKES_CODES.includes(name) ? STOKES_CODES.indexOf(name) + 1 : -FEED_CODES.indexOf(name) - 1;
}

/** Text that a card of FITS can hold. */
function ascii(text: string): string {
  return text.replace(/[^ -~]/g, "?").slice(0, 60);
}
