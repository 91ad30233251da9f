/**
 * Paints numbers as pixels of the screen, without a graphics card: the same as the shaders, up to one colour.
 *
 * @module
 */

import { colourTable, HUES, LENGTHS, type Limits, vectorColours } from "../../src/pictures/mod.ts";
import type { Display } from "../state/state.ts";
import { colormapOf } from "./limits.ts";
import { LABELS } from "./maps.ts";
import { gammaOf, placeOf, shareOf } from "./transfer.ts";
import type { TilePlace } from "./mosaic.ts";
import type { Planes } from "./numbers.ts";

/** What the colours of a painting are. */
export interface Colours {
  /** Red, green, blue of each colour. */
  readonly table: Uint8Array;
  /** Values of the first and of the last colour. */
  readonly limits: Limits;
  /** The place of each share of the range, of `places.length` shares. */
  readonly display: Display;
}

/** The colours of a display, with limits that are known. */
export function coloursOf(display: Display, limits: Limits, directions: boolean): Colours {
  return { table: directions ? vectorColours() : tableOf(display), limits, display };
}

/** The colours of a map, or from black to the colour of a channel. */
function tableOf(display: Display): Uint8Array {
  const { colormap } = display;
  if (colormap === LABELS) return labelTable ??= Uint8Array.from([...Array(256).keys()].flatMap(labelColour));
  return colormap.startsWith("#") ? colourRamp(colormap) : colourTable(colormapOf(display));
}

let labelTable: Uint8Array | undefined;

const ramps = new Map<string, Uint8Array>();

/** The colours from black to `#rrggbb`. */
function colourRamp(colour: string): Uint8Array {
  let ramp = ramps.get(colour);
  if (ramp) return ramp;
  if (ramps.size >= 64) ramps.clear(); // a colour that is being chosen goes through many
  ramp = new Uint8Array(3 * 256);
  const rgb = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  for (let i = 0; i < 256; i++) ramp.set(rgb.map((most) => Math.round(i * most / 255)), 3 * i);
  ramps.set(colour, ramp);
  return ramp;
}

/**
 * Paints the samples `columns` of the samples `rows` of the planes into `into`, RGBA: one pixel per index; −1 and NaN are
 * transparent.
 */
export function paint(
  into: Uint8ClampedArray,
  planes: Planes,
  rows: Int32Array,
  columns: Int32Array,
  colours: Colours,
): void {
  const [first, second] = planes.parts;
  const paintRow = second ? vectorRow(colours) : valueRow(colours);
  const [line, other] = [new Float64Array(planes.width), new Float64Array(second ? planes.width : 0)];
  const pixels = new Uint32Array(planes.width);
  const out = new Uint32Array(into.buffer, into.byteOffset, into.byteLength / 4);
  let last = -1;
  for (let y = 0; y < rows.length; y++) {
    const row = rows[y]!, at = y * columns.length;
    if (row < 0) {
      out.fill(0, at, at + columns.length);
      continue;
    }
    if (row !== last) {
      first.row(row, line);
      second?.row(row, other);
      paintRow(pixels, line, other);
      last = row;
    }
    for (let x = 0; x < columns.length; x++) out[at + x] = columns[x]! < 0 ? 0 : pixels[columns[x]!]!;
  }
}

/** Paints the planes of channels, one after another, and adds their colours, as light is added; see {@link paint}. */
export function paintAdded(
  into: Uint8ClampedArray,
  channels: readonly Planes[],
  rows: Int32Array,
  columns: Int32Array,
  colours: readonly Colours[],
): void {
  const one = new Uint8ClampedArray(channels.length > 1 ? into.length : 0);
  channels.forEach((planes, channel) => {
    paint(channel === 0 ? into : one, planes, rows, columns, colours[channel]!);
    if (channel > 0) { for (let i = 0; i < into.length; i++) into[i]! += one[i]!; }
  });
}

type PaintRow = (pixels: Uint32Array, line: Float64Array, other: Float64Array) => void;

/** Numbers as the colours of a map. */
function valueRow({ table, limits, display }: Colours): PaintRow {
  const packed = packedTable(table);
  const transfer = transferOf(display);
  return (pixels, line) => {
    for (let i = 0; i < line.length; i++) {
      const share = shareOf(line[i]!, limits);
      pixels[i] = share === share ? packed[Math.round(255 * transfer(share))]! : 0;
    }
  };
}

/** Vectors as hue and lightness. */
function vectorRow({ table, limits, display }: Colours): PaintRow {
  const packed = packedTable(table);
  const transfer = transferOf(display);
  return (pixels, line, other) => {
    for (let i = 0; i < line.length; i++) {
      const length = Math.hypot(line[i]!, other[i]!);
      const turn = Math.atan2(line[i]!, other[i]!) / (2 * Math.PI);
      const hue = Math.round((turn + 1) * HUES) % HUES;
      const share = shareOf(length, limits);
      pixels[i] = share === share ? packed[hue * LENGTHS + Math.round(transfer(share) * (LENGTHS - 1))]! : 0;
    }
  };
}

function transferOf(display: Display): (share: number) => number {
  const gamma = gammaOf(display);
  if (display.scale === "linear" && gamma === 1) return (share) => share;
  return (share) => placeOf(share, { scale: display.scale, gamma });
}

/** Colours as words of four bytes in the memory order of this machine: red, green, blue, opaque. */
function packedTable(table: Uint8Array): Uint32Array {
  const bytes = new Uint8Array(table.length / 3 * 4).fill(255);
  for (let i = 0; i < table.length / 3; i++) bytes.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
  return new Uint32Array(bytes.buffer);
}

/** How labels are shown. */
export interface LabelLook {
  /** How much of the image they hide, 0 to 1. */
  readonly opacity: number;
  /** Whether only their edges are shown. */
  readonly outline: boolean;
  /** The label whose edge is white. */
  readonly chosen?: number;
}

/** Writes the labels of a tile to the pixels that it covers, in rows of `width` pixels. */
export function placeLabels(
  into: Uint32Array,
  width: number,
  { parts: [plane] }: Planes,
  { top, left, rows, columns }: TilePlace,
): void {
  const line = new Float64Array(plane.width);
  let last = -1;
  rows.forEach((row, r) => {
    if (row !== last) plane.row(last = row, line);
    const at = (top + r) * width + left;
    columns.forEach((column, c) => into[at + c] = line[column]!);
  });
}

/**
 * The colours of labels, in rows of `width` pixels: 0 is transparent. Labels that follow each other differ much in hue. An edge is
 * one pixel of the screen wide at any zoom, and lies inside of its label.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const pixels = labelPixels(Uint32Array.of(0, 7, 7, 0), 4, { opacity: 0.5, outline: false });
 * assertEquals([3, 7, 11, 15].map((alpha) => pixels[alpha]), [0, 128, 128, 0]);
 * ```
 */
export function labelPixels(
  labels: Uint32Array,
  width: number,
  { opacity, outline, chosen }: LabelLook,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * labels.length);
  const colours = new Map<number, readonly number[]>();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    const atEdge = label !== 0 && (outline || label === chosen) && isEdge(labels, width, i);
    if (label === 0 || outline && !atEdge) continue;
    if (atEdge && label === chosen) {
      pixels.fill(255, 4 * i, 4 * i + 4);
      continue;
    }
    let colour = colours.get(label);
    if (!colour) colours.set(label, colour = [...labelColour(label), 255 * opacity]);
    pixels.set(colour, 4 * i);
  }
  return pixels;
}

function isEdge(labels: Uint32Array, width: number, i: number): boolean {
  const label = labels[i]!;
  const x = i % width;
  return (x > 0 && labels[i - 1] !== label) || (x + 1 < width && labels[i + 1] !== label) ||
    (i >= width && labels[i - width] !== label) ||
    (i + width < labels.length && labels[i + width] !== label);
}

/** Red, green and blue of a label: hues in steps of the golden ratio. */
export function labelColour(label: number): [number, number, number] {
  const hue = 6 * ((label * 0.618033988749895) % 1);
  const part = (shift: number) => Math.max(0, Math.min(1, Math.abs((hue + shift) % 6 - 3) - 1));
  return [0, 4, 2].map((shift) => Math.round(60 + 195 * part(shift))) as [number, number, number];
}
