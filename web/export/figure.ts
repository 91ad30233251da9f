/**
 * An image as a figure: with its title, a scale bar, and the colours with their values.
 *
 * @module
 */

/// <reference lib="dom" />

import { barTicks, type LabelShare, percentText, wheelPixels } from "../draw/legend.ts";
import type { ShownImage, ShownVectors } from "../draw/image.ts";
import { coloursOf, labelColour } from "../draw/paint.ts";
import { scaleBar } from "../draw/scale_bar.ts";
import type { Display } from "../state/state.ts";
import type { ExportedFile } from "./data.ts";
import { type Painted, painted } from "./picture.ts";

/** Longer side of the image in the figure, at least. */
const SIDE = 640;

/** Distances in pixels. */
const GAP = { margin: 24, title: 40, bar: 20, beside: 20, labels: 96 } as const;

const INK = "#15222a";
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** The figure. */
export async function figureFile(
  image: ShownImage | ShownVectors,
  display: Display,
  name: string,
): Promise<ExportedFile> {
  const picture = painted(image, display);
  const zoom = Math.max(1, Math.floor(SIDE / Math.max(picture.width, picture.height)));
  const [width, height] = [picture.width * zoom, picture.height * zoom];
  const right = GAP.beside + GAP.bar + GAP.labels;
  const canvas = document.createElement("canvas");
  canvas.width = 2 * GAP.margin + width + right;
  canvas.height = 2 * GAP.margin + GAP.title + Math.max(height, 120);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(GAP.margin, GAP.margin);
  drawTitle(context, image, canvas.width - 2 * GAP.margin);
  context.translate(0, GAP.title);
  drawPixels(context, picture, width, height);
  drawScale(context, image, zoom, width, height);
  context.translate(width + GAP.beside, 0);
  if (picture.directions) drawWheel(context, picture, image);
  else drawBar(context, picture, display, image, height);
  return { name, blob: await pngOf(canvas) };
}

/** Pixels as they are seen, with a scale bar; `zoom`: pixels per sample. */
export async function scaledFile(
  pixels: ImageData,
  image: Pick<ShownImage, "axes">,
  zoom: number,
  name: string,
): Promise<ExportedFile> {
  const canvas = document.createElement("canvas");
  const { width, height } = Object.assign(canvas, { width: pixels.width, height: pixels.height });
  const context = canvas.getContext("2d")!;
  context.putImageData(pixels, 0, 0);
  drawScale(context, image, zoom, width, height);
  return { name, blob: await pngOf(canvas) };
}

async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) return blob;
  throw new RangeError(`This browser cannot make a picture of ${canvas.width} × ${canvas.height} pixels`);
}

type Context = CanvasRenderingContext2D;

function drawTitle(context: Context, { title }: { readonly title: string }, most: number): void {
  context.fillStyle = INK;
  context.font = `600 20px ${FONT}`;
  context.textBaseline = "top";
  context.fillText(title, 0, 0, most);
}

function drawPixels(context: Context, { width, height, data }: Painted, wide: number, high: number): void {
  const small = document.createElement("canvas");
  small.width = width;
  small.height = height;
  small.getContext("2d")!.putImageData(new ImageData(data, width, height), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, wide, high);
}

/** A bar of a round length in a corner of the image, on a ground on which it can be seen. */
function drawScale(
  context: Context,
  { axes }: Pick<ShownImage, "axes">,
  zoom: number,
  width: number,
  height: number,
): void {
  const bar = scaleBar(axes[1], zoom, width / 3);
  if (!bar || height < 60 || width < 120) return;
  context.font = `500 14px ${FONT}`;
  const wide = Math.max(bar.pixels, context.measureText(bar.label).width) + 16;
  context.fillStyle = "rgb(0 0 0 / 60%)";
  context.fillRect(8, height - 44, wide, 36);
  context.fillStyle = "#ffffff";
  context.textBaseline = "top";
  context.fillText(bar.label, 16, height - 40);
  context.fillRect(16, height - 18, bar.pixels, 4);
}

function drawBar(
  context: Context,
  { limits, labels }: Painted,
  display: Display,
  { unit }: { readonly unit?: string },
  height: number,
): void {
  const length = Math.max(96, height - 24);
  if (labels) return drawNames(context, labels, length);
  const { table } = coloursOf(display, limits, false);
  for (let y = 0; y < length; y++) {
    const colour = 3 * Math.round(255 * (1 - y / (length - 1)));
    context.fillStyle = `rgb(${table[colour]} ${table[colour + 1]} ${table[colour + 2]})`;
    context.fillRect(0, y, GAP.bar, 1);
  }
  context.fillStyle = INK;
  context.font = `400 14px ${FONT}`;
  context.textBaseline = "middle";
  for (const { at, label } of barTicks(limits, display, Math.max(2, Math.floor(length / 80)))) {
    const y = Math.round((1 - at) * (length - 1));
    context.fillRect(GAP.bar, y, 5, 1);
    context.fillText(label, GAP.bar + 9, Math.max(7, Math.min(length - 7, y)), GAP.labels - 9);
  }
  context.textBaseline = "top";
  if (unit) context.fillText(unit, 0, length + 8, GAP.bar + GAP.labels);
}

/** A square of its colour for each label, as far as there is room. */
function drawNames(context: Context, labels: readonly LabelShare[], length: number): void {
  context.font = `400 14px ${FONT}`;
  context.textBaseline = "middle";
  labels.slice(0, Math.floor(length / 20)).forEach(({ label, share }, i) => {
    context.fillStyle = `rgb(${labelColour(label).join(" ")})`;
    context.fillRect(0, 20 * i, 14, 14);
    context.fillStyle = INK;
    context.fillText(`${label}: ${percentText(share)}`, 20, 20 * i + 7);
  });
}

/** The wheel of directions, and the length at its rim. */
function drawWheel(context: Context, { limits }: Painted, { unit = "" }: { readonly unit?: string }): void {
  const size = GAP.bar + GAP.labels - 8;
  const wheel = document.createElement("canvas");
  wheel.width = wheel.height = size;
  wheel.getContext("2d")!.putImageData(new ImageData(wheelPixels(size), size, size), 0, 0);
  context.drawImage(wheel, 0, 0);
  context.fillStyle = INK;
  context.font = `400 14px ${FONT}`;
  context.textBaseline = "top";
  context.fillText(`rim: ${Number(limits[1].toPrecision(4))} ${unit}`, 0, size + 8, size);
}
