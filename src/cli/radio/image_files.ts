/**
 * An image in files: a picture with axes, FITS with the coordinates of the sky, npy.
 *
 * @module
 */

import type { Observation } from "../../observations/observation.ts";
import type { DType } from "../../space/dtype.ts";
import { isKind } from "../../sinks/registry.ts";
import { basename } from "node:path";
import { TilewiseError } from "../../errors.ts";
import type { PendingFile } from "../../io/write/write.ts";
import { type Chart, charted } from "../../pictures/axes/chart.ts";
import { stackPieces } from "../../sinks/arrays/pieces.ts";
import { npyHeader } from "../../sinks/npy/npy_header.ts";
import { plainLayout } from "../../sinks/rows/layout.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { colourRows, type PictureOptions } from "../../pictures/picture.ts";
import { encodePng } from "../../sinks/png/png.ts";
import { rasterOf } from "../../sinks/png/raster.ts";
import type { Limits } from "../../pictures/scale.ts";
import type { PlaneFacts } from "../../rime/observed/image_planes.ts";
import { unitFor } from "./angles.ts";
import { countsOf, evenAxes, fitsPieces, type Imaged, type PlaneImage } from "./image_fits.ts";

/** Where files go, and how pictures look. */
interface ImageOutputs {
  /** The image. */
  readonly out: string;
  /** The picture beside it. */
  readonly picture?: string;
  /** Colours. */
  readonly look: PictureOptions;
}

/** Most pixels of an image in a picture; of larger ones, means are shown. */
const MOST_SHOWN = 2 ** 22;

/** The files of one image: the image, and a picture. */
export function imageFiles(
  made: Imaged,
  plane: PlaneImage,
  { out, picture, look }: ImageOutputs,
): PendingFile[] {
  const png = (path: string): PendingFile => ({ path, content: () => pictureOf(made, plane, look) });
  if (isPng(out)) return [png(out)];
  return [planesFile(made, [plane], [plane], out), ...(picture === undefined ? [] : [png(picture)])];
}

/** The file of several images, which are written when they are made. Pictures have one image. */
export function planesFile(
  made: Imaged,
  planes: readonly PlaneFacts[],
  images: Iterable<PlaneImage> | AsyncIterable<PlaneImage>,
  out: string,
): PendingFile {
  return { path: out, content: () => isNpy(out) ? npyOf(planes, images) : fitsPieces(made, planes, images) };
}

/** What is known of the array of some images. */
export function imageFacts(
  { grid, observation, dtype }: Imaged & { readonly dtype: DType },
  planes: readonly PlaneFacts[],
): Omit<NDArray, "data" | "stride"> {
  const [, bands] = countsOf(planes);
  const sky = (["declination", "right ascension"] as const).map((name, d) => {
    const [pixels, scale] = [grid.pixels[1 - d]!, grid.cell[1 - d]!];
    return { name, kind: "space" as const, scale, offset: -(pixels >> 1) * scale, unit: "rad" };
  });
  const several = [
    {
      name: "correlation",
      names: planes.filter((_, i) => i % bands === 0).map(({ correlation }) => correlation),
    },
    { name: "frequency", unit: "Hz", positions: planes.slice(0, bands).map(({ frequency }) => frequency) },
  ];
  const shape = grid.pixels.toReversed();
  return {
    shape: planes.length > 1 ? [...countsOf(planes), ...shape] : shape,
    dtype,
    axes: planes.length > 1 ? [...several, ...sky] : sky,
    values: { kind: "amount", unit: unitOf(observation) },
  };
}

/** The unit of pixels. */
export function unitOf({ visibility }: Observation): string {
  return `${visibility?.unit ?? "Jy"}/beam`;
}

/** Refuses planes that a file of that name cannot hold, before any is made. */
export function checkPlanes(planes: readonly PlaneFacts[], out: string): void {
  if (isPng(out) && planes.length > 1) {
    const text =
      `Cannot write ${planes.length} images to ${out}: a picture has one; a name that ends with .fits or ` +
      ".npy would work";
    throw new TilewiseError("unsupported", text, { file: out, found: planes.length, expected: 1 });
  }
  if (!isPng(out) && !isNpy(out)) evenAxes(planes);
}

function isPng(out: string): boolean {
  return isKind(out, "png");
}

function isNpy(out: string): boolean {
  return isKind(out, "npy");
}

/** NumPy: rows and columns of one image; correlations, bands, rows, columns of several. */
async function* npyOf(
  planes: readonly PlaneFacts[],
  images: Iterable<PlaneImage> | AsyncIterable<PlaneImage>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const arrays = async function* () {
    for await (const { image } of images) yield image;
  };
  const counts = planes.length === 1 ? [] : countsOf(planes);
  yield* stackPieces(arrays(), ({ dtype, shape }) => plainLayout(npyHeader(dtype, [...counts, ...shape])));
}

async function pictureOf(
  made: Imaged,
  { image, correlation }: PlaneImage,
  look: PictureOptions,
): Promise<Uint8Array> {
  const colormap = look.colormap ?? "viridis";
  const rows = colourRows(image, { ...look, colormap }, MOST_SHOWN, true);
  const text = { Software: "Tilewise", Title: `${correlation} of ${made.source}` };
  const chart = chartOf(made, correlation, {
    label: unitOf(made.observation),
    limits: rows.limits as Limits,
    colormap,
  });
  return await encodePng(charted(rasterOf(rows), chart), { text });
}

function chartOf(
  { grid, source, observation }: Imaged,
  correlation: string,
  bar: NonNullable<Chart["bar"]>,
): Chart {
  const [nx, ny] = grid.pixels;
  const [unit, name] = unitFor(Math.max(nx, ny) * grid.cell[1]);
  const edge = (axis: 0 | 1, at: number) => (at - 0.5 - (grid.pixels[axis] >> 1)) * grid.cell[axis] / unit;
  const { field } = observation;
  const of = field.name ? ` (${field.name})` : "";
  return {
    title: `${correlation} of ${basename(source)}${of}`,
    x: { label: `right ascension offset (${name})`, range: [edge(0, 0), edge(0, nx)] },
    y: { label: `declination offset (${name})`, range: [edge(1, 0), edge(1, ny)] },
    bar,
  };
}
