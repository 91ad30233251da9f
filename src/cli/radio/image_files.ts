/**
 * An image in files: a picture with axes, FITS with the coordinates of the sky, npy.
 *
 * @module
 */

import { basename } from "node:path";
import { encodeFits } from "../../formats/fits/write.ts";
import type { PendingFile } from "../../io/write/write.ts";
import { FRAMES } from "../../observations/meaning/frames.ts";
import type { Observation } from "../../observations/observation.ts";
import { type Chart, charted } from "../../pictures/axes/chart.ts";
import { npyPieces } from "../../pictures/npy.ts";
import { colourRows, type PictureOptions } from "../../pictures/picture.ts";
import { encodePng } from "../../pictures/png.ts";
import { type Raster, rasterOf } from "../../pictures/raster.ts";
import type { Limits } from "../../pictures/scale.ts";
import type { ImageGrid } from "../../rime/image/grid.ts";
import type { Product } from "../../rime/observed/product.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { unitFor } from "./angles.ts";

/** An image, and what it is of. */
export interface Made {
  /** The pixels (ny, nx). */
  readonly image: NDArray<"float64"> | NDArray<"float32">;
  /** Where they are. */
  readonly grid: ImageGrid;
  /** What was imaged. */
  readonly observation: Observation;
  /** Which correlation of it. */
  readonly product: Product;
  /** Its path. */
  readonly source: string;
}

/** Where files go, and how pictures look. */
export interface ImageOutputs {
  /** The image. */
  readonly out: string;
  /** The picture beside it. */
  readonly picture?: string;
  /** Colours. */
  readonly look: PictureOptions;
}

/** Most pixels of an image in a picture; of larger ones, means are shown. */
const MOST_SHOWN = 2 ** 22;

/** Numbers of correlations in FITS. */
const STOKES_CODES = ["I", "Q", "U", "V"];
const FEED_CODES = ["RR", "LL", "RL", "LR", "XX", "YY", "XY", "YX"];

/** The files of an image. */
export function imageFiles(made: Made, { out, picture, look }: ImageOutputs): PendingFile[] {
  const png = (path: string): PendingFile => ({ path, content: () => pictureOf(made, look) });
  if (/\.png$/i.test(out)) return [png(out)];
  const content = () => /\.npy$/i.test(out) ? npyPieces(made.image) : fitsOf(made);
  return [{ path: out, content }, ...(picture === undefined ? [] : [png(picture)])];
}

/** The image as FITS, in single precision. */
function fitsOf({ image, grid, observation, product, source }: Made): Uint8Array<ArrayBuffer> {
  const { field, frequencies, channelWidths, times, scales, visibility } = observation,
    { unit } = visibility ?? {};
  const { frame = "ICRS", direction = field.phaseCentre } = field;
  const [longitude, latitude, system, equinox] = FRAMES.get(frame)!.fits;
  const [nx, ny] = grid.pixels;
  const degrees = (radians: number) => radians * 180 / Math.PI;
  const [lowest, highest] = edgesOf(frequencies, channelWidths);
  const date = new Date((times[0]! - 40587 * 86400) * 1000);
  const cards = {
    BUNIT: `${ascii(unit ?? "JY").slice(0, 12)}/BEAM`,
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
    CRVAL3: (lowest + highest) / 2,
    CDELT3: highest - lowest,
    CRPIX3: 1,
    CUNIT3: "Hz",
    ...specsys(scales?.frequency),
    CTYPE4: "STOKES",
    CRVAL4: stokesCode(product.name),
    CDELT4: 1,
    CRPIX4: 1,
    ...(system === undefined ? {} : { RADESYS: system }),
    ...(equinox === undefined ? {} : { EQUINOX: equinox }),
    ...(Number.isNaN(date.getTime()) ? {} : { "DATE-OBS": date.toISOString().replace("Z", "") }),
    ORIGIN: "Tilewise",
    FILENAME: ascii(basename(source)),
  };
  return encodeFits(Float32Array.from(image.data), [1, 1, ny, nx], "float32", cards);
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
  return name === undefined ? {} : { SPECSYS: name };
}

/** The lower edge of the lowest channel, and the upper edge of the highest one; widths may be negative. */
function edgesOf(frequencies: Float64Array, widths: Float64Array): [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity];
  frequencies.forEach((frequency, channel) => {
    const half = Math.abs(widths[channel]!) / 2;
    lowest = Math.min(lowest, frequency - half);
    highest = Math.max(highest, frequency + half);
  });
  return [lowest, highest];
}

function stokesCode(name: string): number {
  return STOKES_CODES.includes(name) ? STOKES_CODES.indexOf(name) + 1 : -FEED_CODES.indexOf(name) - 1;
}

/** Text that a card of FITS can hold. */
function ascii(text: string): string {
  return text.replace(/[^ -~]/g, "?").slice(0, 60);
}

async function pictureOf(made: Made, look: PictureOptions): Promise<Uint8Array> {
  const colormap = look.colormap ?? "viridis";
  const rows = colourRows(made.image, { ...look, colormap }, MOST_SHOWN);
  const { source, product } = made;
  const text = { Software: "Tilewise", Title: `${product.name} of ${source}` };
  const chart = chartOf(made, { label: "Jy/beam", limits: rows.limits as Limits, colormap });
  return await encodePng(charted(upsideDown(rasterOf(rows)), chart), { text });
}

/** The first row of an image is the southern one, that of a picture the upper one. */
export function upsideDown({ width, height, channels, data }: Raster): Raster {
  const turned = data.slice();
  const each = width * channels;
  for (let y = 0; y < height; y++) {
    turned.set(data.subarray(y * each, (y + 1) * each), (height - 1 - y) * each);
  }
  return { width, height, channels, data: turned };
}

function chartOf({ grid, source, product, observation }: Made, bar: NonNullable<Chart["bar"]>): Chart {
  const [nx, ny] = grid.pixels;
  const [unit, name] = unitFor(Math.max(nx, ny) * grid.cell[1]);
  const edge = (axis: 0 | 1, at: number) => (at - 0.5 - (grid.pixels[axis] >> 1)) * grid.cell[axis] / unit;
  const { field } = observation;
  const of = field.name ? ` (${field.name})` : "";
  return {
    title: `${product.name} of ${basename(source)}${of}`,
    x: { label: `right ascension offset (${name})`, range: [edge(0, 0), edge(0, nx)] },
    y: { label: `declination offset (${name})`, range: [edge(1, 0), edge(1, ny)] },
    bar,
  };
}
