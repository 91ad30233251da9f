/**
 * All images of a TIFF file, with their facts, and which of them are reduced copies of others.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { isTilewiseError, type TilewiseError } from "../../../errors.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { groupBy } from "../../../portable.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { plainXml } from "../../common/xml.ts";
import type { TiffBytes } from "../container/bytes.ts";
import { type Directory, TAG } from "../container/directory.ts";
import { type Found, isOfFile, readHeader, walk } from "../container/walk.ts";
import { type ImageFacts, isImage, readFacts } from "../image/facts.ts";
import { readStored, shapeOf, type StoredImage } from "../image/stored.ts";
import { isLsm, lsmImages } from "./lsm.ts";
import { isMask, isReduced, REDUCED, type TiffImage } from "./members.ts";

// Slides of Philips: the sizes of reduced copies are those of whole tiles, of which the ends are no image. How much smaller each
// is follows from the spacings of pixels in the description of the first image.

/** Bytes of a description and of the name of a program that are looked at. */
const [MOST_XML, MOST_NAME] = [2 ** 24, 64];

/** The images, those of Philips without what lies behind their ends. */
async function withoutPadding(images: readonly TiffImage[]): Promise<TiffImage[]> {
  const [base, ...others] = images;
  if (!base?.facts.tile || !others.some(isReduced)) return [...images];
  if (!(await base.directory.text(TAG.software, MOST_NAME)).startsWith("Philips")) return [...images];
  const spacings = spacingsOf(await base.directory.text(TAG.description, MOST_XML));
  const levels = others.filter((image) => image.isPage && isReduced(image) && image.facts.tile);
  const factor = new Map(levels.map((image, i) => [image, factorOf(spacings, i + 1)]));
  return images.map((image) => factor.has(image) ? cut(base, image, factor.get(image)!) : image);
}

/** Spacings of pixels in millimetres, of all resolutions from the largest image on: rows, columns. */
export function spacingsOf(xml: string): (readonly [y: number, x: number])[] {
  const found = xml.matchAll(/<Attribute Name="DICOM_PIXEL_SPACING"[^>]{0,200}>([^<]{0,200})</g);
  return Array.from(found, ([, text]) => {
    const [y, x] = plainXml(text!).match(/[\d.]+(e[-+]?\d+)?/gi) ?? [];
    return [Number(y), Number(x)] as const;
  });
}

/** How much smaller resolution `level` is: as the spacings say, else half as large as the one before. */
function factorOf(spacings: readonly (readonly [number, number])[], level: number): number {
  const [first, own] = [spacings[0]?.[1] ?? NaN, spacings[level]?.[1] ?? NaN];
  const factor = Math.round(own / first);
  return factor >= 2 ? factor : 2 ** level;
}

/** A reduced copy in its true size, where this needs the tiles that it has. */
function cut({ facts: { width, height } }: TiffImage, image: TiffImage, factor: number): TiffImage {
  const [rows, columns] = image.facts.tile!;
  const own = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
  const isSame = Math.ceil(own.width / columns) === Math.ceil(image.facts.width / columns) &&
    Math.ceil(own.height / rows) === Math.ceil(image.facts.height / rows);
  const isSmaller = own.width <= image.facts.width && own.height <= image.facts.height;
  return isSame && isSmaller ? { ...image, facts: { ...image.facts, ...own } } : image;
}

/** A TIFF file with its images. */
export interface TiffFile {
  /** Its bytes. */
  readonly bytes: TiffBytes;
  /** Its directories. */
  readonly found: readonly Found[];
  /** Its images. */
  readonly images: readonly TiffImage[];
  /** Those that only go with others: labels and thumbnails of slides. */
  readonly beside: ReadonlySet<TiffImage>;
  /** Why others of its images cannot be read. */
  readonly problems: readonly TilewiseError[];
}

/** The images of the TIFF file in `source`, which begins with `head`. Errors: of the first one, if it is damaged. */
export async function readImages(
  source: ByteSource,
  head: Uint8Array,
  signal?: AbortSignal,
): Promise<TiffFile> {
  const { bytes, first } = await readHeader(source, head, signal);
  if (first === 0) {
    throw bytes.error("malformed", "it has no directory", {
      offset: bytes.isBig ? 8 : 4,
      expected: "an offset",
      found: 0,
    });
  }
  const { found, problems } = await walk(bytes, first);
  const images: TiffImage[] = [];
  const wrong: TilewiseError[] = [];
  for (const { index, directory, page, isPage } of found) {
    if (!isImage(directory)) continue;
    try {
      const facts = await readFacts(directory);
      images.push({ name: `ifd${index}`, directory, page, isPage, facts, levels: [] });
    } catch (error) {
      if (!isOfFile(error) || (index === 0 && error.code !== "unsupported")) throw error;
      wrong.push(error);
    }
  }
  const shown = isLsm(images) ? await lsmImages(images) : await withoutPadding(images);
  const beside = findLevels(shown, isLsm(images));
  return { bytes, found, images: shown, beside, problems: [...wrong, ...problems] };
}

/** Reads images as they are stored, each directory once. */
export class StoredImages {
  readonly #known = new Map<Directory, StoredImage>();
  readonly #isMixed: boolean;

  /** @param images those that are to be read together */
  constructor(images: readonly TiffImage[]) {
    const ways = images.map(({ facts }) => `${facts.compression} ${facts.predictor} ${facts.fillOrder}`);
    this.#isMixed = new Set(ways).size > 1;
  }

  /** The image as it is stored. */
  async of({ directory, facts, shift = 0, offsets }: TiffImage): Promise<StoredImage> {
    const look = { isMixed: this.#isMixed, ...defined({ offsets }) };
    const stored = this.#known.get(directory) ?? await readStored(directory, facts, look);
    this.#known.set(directory, stored);
    if (shift === 0) return stored;
    const { addresses, plainAt } = stored;
    return {
      ...stored,
      addresses: addresses.map((at) => at + shift),
      ...(plainAt === undefined ? {} : { plainAt: plainAt + shift }),
    };
  }
}

/** The shape of an image, and the bytes of its samples. */
export function sizesOf({ facts }: TiffImage): { readonly shape: Shape; readonly byteLength: number } {
  const shape = shapeOf(facts, facts.samples);
  const bytes = [1, 2, 4, 8, 16].find((size) => 8 * size >= facts.bits)!;
  return { shape, byteLength: sizeOf(shape) * bytes };
}

/** Fills in the reduced copies: those below an image, or behind it in the chain. Returns images that only go with others. */
function findLevels(images: readonly TiffImage[], hasThumbnails: boolean): Set<TiffImage> {
  if (hasThumbnails) return new Set(images.filter(isReduced)); // one behind every image
  const pages = images.filter((image) => image.isPage && !isMask(image));
  const below = groupBy(images.filter(({ isPage }) => !isPage), ({ page }) => page);
  for (const page of pages) {
    for (const image of (below.get(page.page) ?? []).toSorted(byWidth)) takeLevel([page], [image], false);
  }
  const beside = new Set<TiffImage>();
  let bases: readonly TiffImage[] | undefined;
  for (const run of runsOf(pages)) {
    if (bases && bases[0]!.levels.every(({ isPage }) => isPage) && takeLevel(bases, run, true)) continue;
    if (bases && run.every((image) => isBeside(bases![0]!, image))) {
      for (const image of run) beside.add(image);
    } else bases = run;
  }
  return beside;
}

/** Images that follow each other and are alike, as the channels of a slide are. */
function runsOf(pages: readonly TiffImage[]): TiffImage[][] {
  const runs: TiffImage[][] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && keyOf(last[0]!) === keyOf(page) && isReduced(last[0]!) === isReduced(page)) last.push(page);
    else runs.push([page]);
  }
  return runs;
}

/** Facts that are equal for images that can be stacked. */
const SAME = [
  "width",
  "height",
  "depth",
  "samples",
  "bits",
  "sampleFormat",
  "compression",
  "planar",
  "photometric",
  "predictor",
  "tile",
] as const;

/** What is equal for images that can be stacked. */
export function keyOf({ facts }: TiffImage): string {
  return SAME.map((fact) => facts[fact]).join();
}

/** Whether an image shows the slide of the tiled image `base`: a label, or a thumbnail in strips between its levels. */
function isBeside(base: TiffImage, image: TiffImage): boolean {
  const isSmall = image.facts.width < base.facts.width && image.facts.height < base.facts.height;
  return isReduced(image) || (base.facts.tile !== undefined && image.facts.tile === undefined && isSmall);
}

function byWidth(a: TiffImage, b: TiffImage): number {
  return b.facts.width - a.facts.width;
}

/** Adds the images of `run` to the copies of `bases`, one each, if they are the next smaller ones. */
function takeLevel(bases: readonly TiffImage[], run: readonly TiffImage[], isChain: boolean): boolean {
  const [base, image] = [bases[0]!, run[0]!];
  const last = base.levels.at(-1) ?? base;
  const fits = bases.length === run.length && !isMask(image) && isCopy(base.facts, image.facts, isChain) &&
    isSmaller(image.facts, last.facts);
  if (fits) bases.forEach((one, i) => one.levels.push(run[i]!));
  return fits;
}

function isSmaller(a: ImageFacts, b: ImageFacts): boolean {
  return a.width <= b.width && a.height <= b.height && a.width * a.height < b.width * b.height;
}

/** Relative difference of the factors of both axes that rounding and padding may cause. */
const MOST_SKEW = 0.02;

/** Whether an image has the same kind of samples and, within rounding, the same proportions. */
function isCopy(base: ImageFacts, image: ImageFacts, isChain: boolean): boolean {
  const isAlike = base.samples === image.samples && base.bits === image.bits &&
    base.sampleFormat === image.sampleFormat && base.depth === image.depth;
  const isTold = !isChain || (image.subfile & REDUCED!) !== 0;
  // a thumbnail of a slide is stored in strips
  if (!isAlike || (!isTold && (base.tile === undefined) !== (image.tile === undefined))) return false;
  const [byWidth, byHeight] = [base.width / image.width, base.height / image.height];
  const rounding = 1.5 / image.width + 1.5 / image.height;
  return Math.abs(byWidth / byHeight - 1) <= MOST_SKEW + rounding;
}

/** What a file says about itself in words; empty where it does not, or where they lie outside of it. */
export async function descriptionOf(directory: Directory): Promise<string> {
  try {
    return (await directory.text(TAG.description)).trim();
  } catch (error) {
    if (!isTilewiseError(error, "truncated") && !isTilewiseError(error, "malformed")) throw error;
    return "";
  }
}
