/**
 * Which part of an image is seen: places on the screen and samples.
 *
 * Samples are counted from the centre of the first: sample 0 covers −0.5 to 0.5.
 *
 * @module
 */

import type { ImageAxis } from "./image.ts";
import type { Position } from "../state/state.ts";

/** A size on the screen, or of an image. */
export interface Size {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** What is seen: the sample in the middle of the screen, and pixels of the screen per sample. */
export interface Look {
  /** Row. */
  readonly y: number;
  /** Column. */
  readonly x: number;
  /** Pixels per sample. */
  readonly zoom: number;
  /** How many times as high as wide samples are shown; absent: 1. */
  readonly tall?: number;
  /** Whether row 0 is at the bottom. */
  readonly upwards?: true;
}

/** Pixels per sample along rows, which are the columns' times how tall samples are; below 0 for rows that grow upwards. */
export function zoomDown({ zoom, tall = 1, upwards }: Look): number {
  return upwards ? -zoom * tall : zoom * tall;
}

/** The look of an image whose rows may grow upwards. */
export function orientedBy({ axes: [rows] }: { readonly axes: readonly ImageAxis[] }, look: Look): Look {
  return rows?.upwards ? { ...look, upwards: true } : look;
}

/** Where samples of one image are in another, along rows and columns: there, sample 0 is at `start`, and each next one `step` on. */
export interface Places {
  readonly start: Position;
  /** Both have the same size; along rows it is below 0 if those of one image grow upwards. */
  readonly step: Position;
}

/** Places in an image of which each sample covers `scale` samples of this one along both sides, from the same corner on. */
export function covering(scale: number): Places {
  const start = 0.5 / scale - 0.5;
  return { start: [start, start], step: [1 / scale, 1 / scale] };
}

/** The same look in samples of another image. */
export function lookIn({ y, x, zoom, ...others }: Look, { start, step }: Places): Look {
  return { ...others, y: start[0] + step[0] * y, x: start[1] + step[1] * x, zoom: zoom / step[1] };
}

/** A step on the screen as one of samples: rows may grow upwards. */
export function stepOf({ upwards }: Look, [down, right]: Position): [number, number] {
  return [upwards ? -down : down, right];
}

/** The upper edge of an image and the lower one on the screen, and both sides. */
export function edgesOn(
  look: Look,
  screen: Size,
  { width, height }: Size,
): { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number } {
  const [first, left] = placeOn(look, screen, [-0.5, -0.5]);
  const [last, right] = placeOn(look, screen, [height - 0.5, width - 0.5]);
  return { top: Math.min(first, last), bottom: Math.max(first, last), left, right };
}

/** Most pixels of the screen per sample. */
const MOST_ZOOM = 128;

/** The whole image in the middle of the screen. */
export function fit(image: Size, screen: Size): Look {
  const zoom = Math.min(screen.width / image.width, screen.height / image.height);
  return {
    y: (image.height - 1) / 2,
    x: (image.width - 1) / 2,
    zoom: Number.isFinite(zoom) && zoom > 0 ? zoom : 1,
  };
}

/** Least size on the screen of an image of one row or column, such as that of a scan along a line. */
const LEAST_SIDE = 24;

/** The same, but images of few rows or columns are stretched: a line of 2000 positions would be thinner than a pixel. */
export function fitStretched(image: Size, screen: Size): Look {
  const whole = fit(image, screen);
  const [height, width] = [image.height * whole.zoom, image.width * whole.zoom];
  if (Math.min(height, width) >= Math.min(LEAST_SIDE, screen.height, screen.width)) return whole;
  if (height < width) return { ...whole, tall: LEAST_SIDE / height };
  const zoom = LEAST_SIDE / image.width;
  return { ...whole, zoom, tall: whole.zoom / zoom };
}

/** The sample at a place of the screen, with fractions. */
export function sampleOf(look: Look, screen: Size, place: Position): Position {
  return [
    look.y + (place[0] - screen.height / 2) / zoomDown(look),
    look.x + (place[1] - screen.width / 2) / look.zoom,
  ];
}

/** The place on the screen of a sample. */
export function placeOn(look: Look, screen: Size, sample: Position): Position {
  return [
    (sample[0] - look.y) * zoomDown(look) + screen.height / 2,
    (sample[1] - look.x) * look.zoom + screen.width / 2,
  ];
}

/** The same with `factor` times the zoom; the sample at `place` stays where it is. */
export function zoomed(look: Look, screen: Size, image: Size, factor: number, place: Position): Look {
  const least = Math.min(fit(image, screen).zoom, 1);
  const zoom = Math.max(least, Math.min(Math.max(MOST_ZOOM, least), look.zoom * factor));
  const [y, x] = sampleOf(look, screen, place);
  const next = { ...look, zoom };
  const [above, left] = [place[0] - screen.height / 2, place[1] - screen.width / 2];
  return kept({ ...next, y: y - above / zoomDown(next), x: x - left / zoom }, screen, image);
}

/** Short numbers for the address: hundredths of a pixel of the screen. */
export function rounded({ y, x, zoom }: Look): Pick<Look, "y" | "x" | "zoom"> {
  const digits = Math.max(0, Math.ceil(Math.log10(100 * zoom)));
  return { y: Number(y.toFixed(digits)), x: Number(x.toFixed(digits)), zoom: Number(zoom.toPrecision(5)) };
}

/** Moved by pixels of the screen: the image follows the hand. */
export function panned(look: Look, screen: Size, image: Size, down: number, right: number): Look {
  return kept({ ...look, y: look.y - down / zoomDown(look), x: look.x - right / look.zoom }, screen, image);
}

/** The image stays on the screen: in the middle where it is smaller, else without space beside it. */
export function kept(look: Look, screen: Size, image: Size): Look {
  return {
    ...look,
    y: keptAlong(look.y, screen.height / Math.abs(zoomDown(look)), image.height),
    x: keptAlong(look.x, screen.width / look.zoom, image.width),
  };
}

function keptAlong(centre: number, seen: number, size: number): number {
  if (seen >= size) return (size - 1) / 2;
  return Math.max(seen / 2 - 0.5, Math.min(size - 0.5 - seen / 2, centre));
}

/**
 * How far the lower corners of the image lie inside of those of the screen, so that what is written there is written on the image;
 * 0 where less than `least` of the image is seen.
 */
export function cornerInset(
  look: Look,
  screen: Size,
  image: Size,
  least: Size,
): { readonly down: number; readonly side: number } {
  const { bottom, right } = edgesOn(look, screen, image);
  const [down, side] = [Math.max(0, screen.height - bottom), Math.max(0, screen.width - right)];
  const isSmall = image.width * look.zoom < least.width ||
    image.height * Math.abs(zoomDown(look)) < least.height;
  return isSmall ? { down: 0, side: 0 } : { down, side };
}

/** How many samples make one: the whole number for which a pixel of the screen has no more than one mean. */
export function reductionFor(zoom: number): number {
  const n = Math.ceil(1 / zoom - 1e-6);
  return STEPS.find((step) => step >= n) ?? Math.ceil(n / 128) * 128;
}

/** Few steps, so that means are kept while the zoom changes. */
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/**
 * For each of `count` pixels of the screen, the index of its sample of `size / n`; −1 outside of the image. The
 * middle of the pixels is at sample `centre`; with a zoom below 0, samples go down.
 */
export function indicesAlong(
  count: number,
  centre: number,
  zoom: number,
  size: number,
  n: number,
): Int32Array {
  const indices = new Int32Array(count);
  const first = centre + 0.5 - count / 2 / zoom;
  for (let i = 0; i < count; i++) {
    const sample = Math.floor(first + (i + 0.5) / zoom);
    indices[i] = sample >= 0 && sample < size ? Math.floor(sample / n) : -1;
  }
  return indices;
}
