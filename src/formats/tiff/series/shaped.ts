/**
 * Arrays that tifffile wrote: the description of the first page of each is JSON with its shape, and the letters of its axes.
 *
 * ```
 * {"shape": [2, 4, 5, 20, 24], "axes": "TZCYX"}
 * ```
 *
 * @module
 */

import type { AxisFacts } from "../../../space/axes.ts";
import type { TilewiseError } from "../../../errors.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { shapeOf } from "../image/stored.ts";
import { following } from "./following.ts";
import { isMask, type TiffImage } from "./image.ts";
import { descriptionOf, keyOf, type TiffFile } from "./images.ts";
import { DIMENSIONS, NO_FACTS, type Series, type SeriesPlane } from "./members.ts";

/** Axes by tifffile's letters. */
const AXES: Readonly<Record<string, AxisFacts>> = {
  ...DIMENSIONS,
  A: { name: "angle", kind: "other" },
  P: { name: "phase", kind: "other" },
  R: { name: "tile", kind: "series" },
  H: { name: "lifetime", kind: "other" },
  L: { name: "exposure", kind: "series" },
  V: { name: "event", kind: "series" },
  M: { name: "mosaic", kind: "series" },
  I: { name: "image", kind: "series" },
};

/** What a description says. */
interface SeriesDescription {
  /** Sizes, without those of 1. */
  readonly shape: Shape;
  /** The letter of each, where they are told. */
  readonly axes: readonly (string | undefined)[];
  /** Whether only the first page has a directory. */
  readonly isTruncated: boolean;
}

/** The arrays of the file that have several images; where the pages are not those that a description tells, a problem says so. */
export async function shapedSeries(file: TiffFile, problems: TilewiseError[]): Promise<Series[]> {
  const copies = new Set(file.images.flatMap(({ levels }) => levels));
  const pages = file.images.filter((image) => image.isPage && !copies.has(image) && !isMask(image));
  const found: Series[] = [];
  if (file.problems.length > 0) return found;
  for (let at = 0; at < pages.length;) {
    const told = toldBy(await descriptionOf(pages[at]!.directory));
    const series = told && await seriesOf(file, pages.slice(at), told, found.length);
    const isStack = pages.length > 1 || (told?.shape.length ?? 0) > 2; // a cut copy of one image may keep the text
    if (told && !series && isStack) problems.push(notAsTold(file, told, pages.slice(at)));
    if (!series) return found;
    if (series.planes.length > 1) found.push(series);
    at += told.isTruncated ? 1 : series.planes.length;
  }
  return found;
}

function notAsTold(
  { bytes }: TiffFile,
  { shape }: SeriesDescription,
  pages: readonly TiffImage[],
): TilewiseError {
  const own = showShape(shapeOf(pages[0]!.facts, pages[0]!.facts.samples));
  const problem = `its description tells an array of ${showShape(shape)}, it has pages of ${own}, ` +
    `${pages.length} of them, which are shown as they are`;
  return bytes.error("unsupported", problem, {
    offset: pages[0]!.directory.offset,
    expected: shape.join(),
    found: pages.length,
  });
}

function toldBy(description: string): SeriesDescription | undefined {
  if (!description.startsWith("{") || !description.includes('"shape"')) return undefined;
  let json: { readonly shape?: unknown; readonly axes?: unknown; readonly truncated?: unknown };
  try {
    json = JSON.parse(description);
  } catch {
    return undefined;
  }
  const { shape, axes } = json;
  if (!Array.isArray(shape) || shape.some((n) => !Number.isSafeInteger(n) || n < 1)) return undefined;
  const letters = typeof axes === "string" && axes.length === shape.length ? [...axes] : [];
  const wide = shape.map((_, d) => d).filter((d) => shape[d] > 1);
  return {
    shape: wide.map((d) => shape[d]),
    axes: wide.map((d) => letters[d]),
    isTruncated: json.truncated === true,
  };
}

async function seriesOf(
  file: TiffFile,
  pages: readonly TiffImage[],
  { shape, axes, isTruncated }: SeriesDescription,
  number: number,
): Promise<Series | undefined> {
  const first = pages[0]!;
  const own = shapeOf(first.facts, first.facts.samples);
  const inPage = own.filter((n) => n > 1);
  const nav = shape.slice(0, shape.length - inPage.length);
  const tail = shape.slice(nav.length);
  if (shape.length < inPage.length || !isSame(tail, inPage, first.facts.planar === 2)) return undefined;
  const planes = await planesOf(file, pages, sizeOf(nav), isTruncated);
  if (!planes) return undefined;
  const isTold = axes.some((letter) => letter !== undefined);
  return {
    name: `series${number}`,
    navShape: nav,
    planes,
    sources: [file.bytes.source.describe()],
    facts: {
      ...NO_FACTS,
      axes: nav.map((_, d) => {
        const told = AXES[axes[d] ?? ""];
        return told ?? (isTold || nav.length > 1 ? {} : { name: "page", kind: "series" });
      }),
      metadata: { metadata: "tifffile" },
    },
    isHidden: true,
  };
}

/** Whether the last sizes of an array are those of a page; samples in planes are told in front. */
function isSame(tail: Shape, page: Shape, isPlanar: boolean): boolean {
  const told = isPlanar ? [...tail.slice(1), tail[0]] : tail;
  return told.every((n, d) => n === page[d]);
}

async function planesOf(
  file: TiffFile,
  pages: readonly TiffImage[],
  count: number,
  isTruncated: boolean,
): Promise<SeriesPlane[] | undefined> {
  if (isTruncated) return await following(file, pages[0]!, count);
  const key = keyOf(pages[0]!);
  const own = pages.slice(0, count);
  return own.length === count && own.every((page) => keyOf(page) === key)
    ? own.map((image) => ({ image, file: 0 }))
    : undefined;
}
