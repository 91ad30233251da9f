/**
 * Arrays that tifffile wrote: the description of the first page of each is JSON with its shape, and the letters of its axes.
 *
 * ```
 * {"shape": [2, 4, 5, 20, 24], "axes": "TZCYX"}
 * ```
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import type { TilewiseError } from "../../../errors.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { checkedProduct, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { shapeOf } from "../image/stored.ts";
import { imageJWords } from "../pixels/axes.ts";
import {
  DIMENSIONS,
  isMask,
  type MemberFacts,
  NO_FACTS,
  type Series,
  type SeriesPlane,
  type TiffImage,
} from "./members.ts";
import { descriptionOf, keyOf, StoredImages, type TiffFile } from "./images.ts";

// Images without directories: their samples follow those of the first, without compression.

/** The planes of `count` images, of which only `image` has a directory; `undefined` if its samples are not plain. Errors: `truncated`. */
export async function following(
  { bytes }: TiffFile,
  image: TiffImage,
  count: number,
): Promise<SeriesPlane[] | undefined> {
  const stored = await new StoredImages([image]).of(image);
  const each = sizeOf(stored.shape) * dtypeInfo(stored.dtype).itemSize;
  if (stored.plainAt === undefined) return undefined;
  bytes.inside(stored.plainAt, count * each, `a stack of ${count} images`);
  return Array.from({ length: count }, (_, i) => ({ image: { ...image, shift: i * each }, file: 0 }));
}

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
  /** The letters of those of 1 outside of an image. */
  readonly fixed: readonly string[];
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
    fixed: letters.filter((letter, d) => shape[d] === 1 && !"YXS".includes(letter)),
    isTruncated: json.truncated === true,
  };
}

/** Whether a description tells an array of one dimension, of so many samples. */
export function tellsRow(description: string, width: number): boolean {
  return /^\{"shape": ?\[(\d+)\]/.exec(description)?.[1] === String(width);
}

async function seriesOf(
  file: TiffFile,
  pages: readonly TiffImage[],
  { shape, axes, fixed, isTruncated }: SeriesDescription,
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
      of: fixed.flatMap((letter) => AXES[letter] ?? []),
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

// Stacks of ImageJ: a description of lines such as `slices=5`, and pages in the order channels, slices, frames, or in that of `order`. Of stacks of
// more than 4 GiB only the first image has a directory; the others follow its samples.

/** The stack of a file with such a description; `undefined` if it is a single image, or does not fit the pages. */
export async function imageJSeries(file: TiffFile, description: string): Promise<Series | undefined> {
  const words = imageJWords(description);
  const pages = file.images.filter((image) => image.isPage && !isMask(image));
  const first = pages[0];
  if (!first || file.problems.length > 0 || pages.some((image) => keyOf(image) !== keyOf(first))) {
    return undefined;
  }
  const told = countOf(words, "images");
  const images = told === 1 ? pages.length : told;
  const dims = dimsOf(words, images);
  const count = checkedProduct(dims.map(([, size]) => size), `the stack ${file.bytes.name}`);
  const planes = pages.length === count
    ? pages.map((image) => ({ image, file: 0 }))
    : pages.length === 1
    ? await following(file, first, count)
    : undefined;
  if (!planes) {
    const problem = `its description tells ${images} images of ImageJ, it has ${pages.length} pages, ` +
      "which are shown as they are";
    throw file.bytes.error("unsupported", problem, {
      offset: first.directory.offset,
      expected: String(images),
      found: pages.length,
    });
  }
  const used = dims.filter(([, size]) => size > 1);
  return {
    name: "series0",
    navShape: used.map(([, size]) => size),
    planes,
    sources: [file.bytes.source.describe()],
    facts: {
      ...imageJFacts(first, words, used.map(([letter]) => letter)),
      of: dims.filter(([, size]) => size === 1).map(([letter]) => DIMENSIONS[letter]!),
      warnings: countWarnings(file.bytes.name, words, images),
    },
  };
}

function countOf(words: ReadonlyMap<string, string>, name: string): number {
  const value = Number(words.get(name) ?? NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : 1;
}

/** Which word counts a dimension, by the letters of `order`. */
const COUNTS: Readonly<Record<string, string>> = { T: "frames", Z: "slices", C: "channels" };

/** Says that channels, slices and frames are not as many as the images, which are slices then. */
function countWarnings(name: string, words: ReadonlyMap<string, string>, images: number): string[] {
  const counts = Object.values(COUNTS).filter((key) => words.has(key));
  const product = counts.reduce((all, key) => all * countOf(words, key), 1);
  if (product === images || counts.length === 0) return [];
  const told = counts.map((key) => `${words.get(key)} ${key}`).join(" × ");
  return [`${name} tells ${told}, and has ${images} images: they are shown as slices`];
}

/**
 * The dimensions that count images, slowest first: frames, slices and channels, or as `order` has them, whose first letter
 * behind `xy` is the fastest. All pages are slices, where these are fewer.
 */
function dimsOf(words: ReadonlyMap<string, string>, images: number): [letter: string, size: number][] {
  const order = /^(?:xy)?([czt]{3})/i.exec(words.get("order") ?? "")?.[1]?.toUpperCase() ?? "";
  const letters = new Set(order).size === 3 ? order : "CZT";
  const told = [...letters].reverse().map((letter): [string, number] => [
    letter,
    countOf(words, COUNTS[letter]!),
  ]);
  const count = told.reduce((product, [, size]) => product * size, 1);
  return count === images ? told : [["Z", images]];
}

function imageJFacts(
  { facts }: TiffImage,
  words: ReadonlyMap<string, string>,
  nav: readonly string[],
): MemberFacts {
  const step = words.get("finterval");
  const axis = (letter: string): AxisFacts => ({
    ...DIMENSIONS[letter]!,
    ...(letter === "T" && step ? { scale: Number(step), unit: words.get("tunit") || "s" } : {}),
  });
  return {
    axes: [
      ...nav.map(axis),
      DIMENSIONS["Y"]!,
      DIMENSIONS["X"]!,
      ...(facts.samples > 1 ? [DIMENSIONS["S"]!] : []),
    ],
    instrument: known({ frameRate: Number(words.get("fps") ?? NaN) }),
    metadata: { metadata: "ImageJ", imageJ: Object.fromEntries(words) },
    warnings: [],
  };
}
