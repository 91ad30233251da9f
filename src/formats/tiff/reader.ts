/**
 * TIFF and what is built on it: BigTIFF, OME-TIFF, ImageJ, SVS, cloud-optimised GeoTIFF. Every image is an array, `ifd0`,
 * `ifd1` and so on; series of images are arrays of more dimensions, and reduced copies are levels of pyramids.
 *
 * Source: TIFF revision 6.0, and the descriptions of BigTIFF, OME-TIFF and GDAL's and Aperio's tags.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { StoredDataset } from "../../dataset/dataset.ts";
import type { Level } from "../../dataset/facts.ts";
import { isStoredAs } from "../../dataset/layout/layout.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { cannot, type TilewiseError } from "../../errors.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { scaleWarnings, unitOfSame, valuesSaid } from "../common/kinds.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import type { FormatInput, Some, Wanted } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { isOfFile } from "./container/walk.ts";
import { compressionOf, isPredicted } from "./image/facts.ts";
import { imageJScaling, type Pixels } from "./pixels/axes.ts";
import { gdalMissing, gdalScaling } from "./pixels/gdal.ts";
import { gatanScaling, pixelsOf } from "./pixels/pixels.ts";
import { untoldOf } from "./pixels/untold.ts";
import { readMembers } from "./read.ts";
import { DIMENSIONS, type Member, type MemberFacts, type TiffImage } from "./series/members.ts";
import { descriptionOf, sizesOf, StoredImages } from "./series/images.ts";
import { layoutOf, type Plane, type Stack, stackShape } from "./series/stack.ts";

/** The data set of `member`; `all` has the other resolutions. */
export async function datasetOf(
  input: FormatInput,
  member: Member,
  all: ReadonlyMap<string, Member>,
  options: OpenOptions,
): Promise<StoredDataset> {
  const { name, navShape, sources } = member;
  const planes: (Plane | undefined)[] = [];
  const stored = new StoredImages(member.planes.flatMap((plane) => plane ? [plane.image] : []));
  for (const plane of member.planes) {
    planes.push(plane && { image: await stored.of(plane.image), file: plane.file });
  }
  const stack: Stack = { name: `${name} of ${input.source.name}`, navShape, planes, sources };
  const own = <T>(each: readonly T[]) => member.facts.isRow ? each.slice(1) : each;
  const shape = own(stackShape(stack));
  const [nav, sig] = splitShape(shape, options.sigDims ?? shape.length - navShape.length, input.source.name);
  const layout = layoutOf(stack, sig.length);
  const isChunked = isStoredAs(layout, "chunks");
  const first = member.planes.find((plane) => plane)!.image;
  const base = (all.get(member.pyramid[0] ?? "") ?? member).planes.find((plane) => plane)!.image;
  const facts = withPixels(member, base, await pixelsOf(base));
  const whole = own([...navShape, ...sizesOf(base).shape]);
  const said = own(facts.axes).slice(0, whole.length).map((axis) => ({ isRising: true, ...axis }));
  const { axes, warnings } = axesThatFit(stack.name, whole, said);
  const description = await descriptionOf(first.directory);
  const scaling = {
    ...await gatanScaling(first.directory),
    ...imageJScaling(description),
    ...await gdalScaling(first.directory),
  };
  const missing = await gdalMissing(first.directory, layout.dtype);
  const hasSteps = axes.some((axis) => axis?.name !== "t" && axis?.scale !== undefined);
  const untold = [
    ...leftOut(first),
    ...await untoldOf(base.directory, description, hasSteps),
    ...scaleWarnings(scaling),
  ];
  return fileDataset({ ...input, name: input.source.name }, {
    array: name,
    images: sizeOf(nav),
    navShape: nav,
    sigShape: sig,
    keepsFrames: isChunked ? "it is stored in tiles or strips" : undefined,
    layout,
    warnings: (given) => [...facts.warnings, ...given.warnings, ...warnings, ...untold],
    axes: axesIn(member, axes, shape, base),
    ...valuesSaid(layout.dtype, { ...facts, missing, unit: unitOfSame(scaling) }),
    instrument: facts.instrument,
    metadata: {
      ...storageFacts(first, isChunked ? layout.storage.chunks.chunk : undefined),
      ...facts.metadata,
    },
    level: member.level,
    levels: levelsOf(member, all),
    auxiliary: member.isAuxiliary,
    valid: isWhole(member, nav) ? undefined : validIn(member),
  }, options);
}

/** What its tags say that is not done. */
function leftOut({ facts }: TiffImage): string[] {
  const { predictor, orientation, compression } = facts;
  const { name } = compressionOf(compression);
  const side = SIDES[orientation];
  return [
    ...(predictor === 1 || isPredicted(facts) ? [] : [
      `Predictor ${predictor} is left out, as libtiff does it: the compression is ${name}, which has none`,
    ]),
    ...(side === undefined
      ? []
      : [`Rows and columns are as stored; the file wants to be shown with ${side}`]),
  ];
}

/** What orientations say, as the format numbers them, other than the usual one and one that is only upside down. */
const SIDES: Readonly<Record<number, string>> = {
  2: "the first column at the right (orientation 2)",
  3: "the first row at the bottom and the first column at the right (orientation 3)",
  5: "the first row at the left (orientation 5)",
  6: "the first row at the right (orientation 6)",
  7: "the first row at the right and the first column at the bottom (orientation 7)",
  8: "the first row at the left and the first column at the bottom (orientation 8)",
};
/** Rows go upwards, as in FITS. */
const UPWARDS = 4;

function isWhole({ planes, navShape }: Member, nav: Shape): boolean {
  return nav.length !== navShape.length || planes.every((plane) => plane !== undefined);
}

/** Which images are there. */
function validIn({ planes }: Member): Uint8Array {
  return Uint8Array.from(planes, (plane) => plane ? 1 : 0);
}

/** The names of the axes of an image. */
function lettersOf({ facts }: TiffImage): string[] {
  return [...(facts.depth > 1 ? ["Z"] : []), "Y", "X", "S"];
}

/** The facts of a member, with those that the tags of its largest `image` say of pixels where nothing else does. */
function withPixels({ facts, navShape }: Member, image: TiffImage, pixels: Pixels): MemberFacts {
  const outer = navShape.map((_, d) => facts.axes[d]?.name ?? "page");
  const names = [
    ...outer.map((name) => name === "page" && navShape.length === 1 ? "z" : name),
    ...lettersOf(image),
  ];
  const axes = names.map((letter, d): AxisFacts => {
    const own = facts.axes[d] ?? {};
    const found = pixels.axes[letter.toLowerCase() as "z" | "y" | "x"];
    return own.scale !== undefined || own.positions || !found ? own : found;
  });
  return {
    ...facts,
    axes,
    instrument: { ...pixels.instrument, ...facts.instrument },
    metadata: { ...pixels.metadata, ...facts.metadata },
  };
}

/** The axes that are known, with the names of the others; a reduced copy has larger steps than its `base`. */
function axesIn(
  { navShape, facts }: Member,
  given: readonly (AxisFacts | undefined)[],
  shape: Shape,
  base: TiffImage,
): AxisFacts[] {
  const first = facts.isRow ? 1 : 0;
  const usual = lettersOf(base).map((letter) => DIMENSIONS[letter]!).slice(first);
  const top = sizesOf(base).shape.slice(first);
  return shape.map((size, d) => {
    const inImage = d - navShape.length;
    const { scale, ...others } = given[d] ?? {};
    const factor = inImage >= 0 && inImage < top.length ? top[inImage]! / size : 1;
    return {
      ...(inImage >= 0 && others.kind !== "detector" ? usual[inImage] : {}),
      ...(inImage >= 0 && usual[inImage]!.name === "y" && base.facts.orientation === UPWARDS
        ? { upwards: true as const }
        : {}),
      ...(inImage < 0 && others.kind === undefined ? { name: `nav${d}` } : {}),
      ...others,
      ...(scale === undefined ? {} : { scale: scale * factor }),
    };
  });
}

function levelsOf({ pyramid }: Member, all: ReadonlyMap<string, Member>): Level[] {
  const shapes = pyramid.map((name) => {
    const { navShape, planes } = all.get(name)!;
    return { array: name, shape: [...navShape, ...sizesOf(planes.find((plane) => plane)!.image).shape] };
  });
  return shapes.map(({ array, shape }) => ({
    array,
    shape,
    scale: shape.map((size, d) => shapes[0]!.shape[d]! / size),
  }));
}

/** Meanings of samples, as the format numbers them. */
const PHOTOMETRIC: Readonly<Record<number, string>> = {
  0: "white is zero",
  1: "black is zero",
  2: "RGB",
  3: "palette indices",
  4: "mask",
  5: "separated (CMYK)",
  6: "YCbCr, read as RGB",
  8: "CIE L*a*b*",
  9: "ICC L*a*b*",
  10: "ITU L*a*b*",
  32803: "colour filter array",
  34892: "linear raw",
};

/** How an image is stored, in words. */
function storageFacts({ facts, directory }: TiffImage, chunk: Shape | undefined): Record<string, unknown> {
  const { compression, predictor, tile, tileDepth, rowsPerStrip, width, photometric, planar, samples, bits } =
    facts;
  const { name } = compressionOf(compression);
  return {
    container: `${directory.file.isBig ? "BigTIFF" : "TIFF"}, ${directory.file.byteOrder} endian`,
    compression: isPredicted(facts) ? `${name}, predictor ${predictor}` : name,
    ...(tile
      ? { tiles: showShape(tileDepth > 1 ? [tileDepth, ...tile] : tile) }
      : { strips: showShape([rowsPerStrip, width]) }),
    ...defined({ chunks: chunk }),
    colours: PHOTOMETRIC[photometric] ?? `photometric interpretation ${photometric}`,
    bits,
    ...(samples > 1 ? { pixels: planar === 1 ? "interleaved" : "in planes" } : {}),
  };
}

/**
 * Opens the wanted arrays; those that cannot be read become warnings of the others, or the error if there are no others. Samples that are cut off, and
 * a damaged first image where one image is wanted, are errors.
 */
export async function openSome(input: FormatInput, options: OpenOptions, wanted: Wanted): Promise<Some> {
  const { members, problems, why } = await readMembers(input, options);
  const all = new Map(members.map((member) => [member.name, member]));
  const order = chosen(members, options, wanted);
  const detection = { ...input.detection, why: [...input.detection.why, ...why] };
  const opened: StoredDataset[] = [];
  const failed: TilewiseError[] = [...problems];
  const most = wanted.largest && options.level === undefined ? 1 : wanted.most ?? Infinity;
  let next = 0;
  for (; next < order.length && opened.length < most; next++) {
    if (wanted.largest && failed.length > problems.length && order[next]!.isAuxiliary) break; // a label is not a slide
    try {
      opened.push(await datasetOf({ ...input, detection }, order[next]!, all, options));
    } catch (error) {
      if (!isOfFile(error) || error.code === "truncated" || order.length === 1) throw error;
      if (wanted.largest && isToldFirst(order[next]!, error)) throw error;
      failed.push(error);
    }
  }
  if (opened.length === 0) throw failed[problems.length] ?? failed[0] ?? noImage(input);
  const isOpen = ({ name }: Member) => opened.some(({ array }) => array === name);
  return {
    arrays: opened.map((one) => withProblems(one, failed)),
    left: leftOf(order.slice(next), opened, wanted, all),
    ...defined({ main: members.toSorted(byWeight).find(isOpen)?.name }),
  };
}

/** Whether the first image is damaged, or images cannot be read together though the file says so: another one is not an answer. */
function isToldFirst({ planes, isHidden }: Member, error: TilewiseError): boolean {
  const hasFirst = planes.some((plane) => plane?.image.page === 0 && plane.image.isPage);
  return hasFirst && (error.code === "malformed" || (planes.length > 1 && !isHidden));
}

/**
 * The arrays to open, in order: hidden ones only where they are asked for, or are what a file is about. Where series are wanted,
 * they come before their pages, of which there may be thousands, also those that pages make without saying so.
 */
function chosen(
  members: readonly Member[],
  { array, level }: OpenOptions,
  { largest, asSeries = false }: Wanted,
): Member[] {
  const asked = members.find(({ name }) => name === array),
    visible = members.filter(({ isHidden }) => !isHidden);
  if (array === undefined && !largest && asSeries) {
    const isSeries = ({ planes }: Member) => planes.length > 1;
    return [...members.filter(isSeries), ...visible.filter((one) => !isSeries(one))];
  }
  if (!asked && (array !== undefined || !largest)) return visible;
  const order = asked ? [asked] : members.toSorted(byWeight);
  if (level === undefined || order.length === 0) return order;
  return members.filter(({ name }) => name === order[0]!.name || order[0]!.pyramid.includes(name));
}

/** Series first, then the largest; masks, labels and thumbnails last. */
function byWeight(a: Member, b: Member): number {
  return Number(a.isAuxiliary) - Number(b.isAuxiliary) || Number(a.level > 0) - Number(b.level > 0) ||
    b.byteLength - a.byteLength || b.planes.length - a.planes.length;
}

/** The arrays that were left out; those that show the same images as the one that was taken are not told. */
function leftOf(
  left: readonly Member[],
  opened: readonly StoredDataset[],
  wanted: Wanted,
  all: ReadonlyMap<string, Member>,
) {
  const taken = wanted.largest ? opened.flatMap(({ array }) => imagesOf(all.get(array)!, all)) : [];
  return left.filter((one) => !one.isHidden && !imagesOf(one, all).every((image) => taken.includes(image)))
    .map(({ name, byteLength }) => ({ array: name, byteLength }));
}

/** Names of the images that an array and its other resolutions show. */
function imagesOf({ pyramid, planes }: Member, all: ReadonlyMap<string, Member>): string[] {
  const members = pyramid.length === 0 ? [planes] : pyramid.map((name) => all.get(name)!.planes);
  return members.flat().flatMap((plane) => plane ? [`${plane.file} ${plane.image.name}`] : []);
}

function noImage({ source: { name } }: FormatInput): TilewiseError {
  const text = "none of its directories describes an image";
  return cannot("read", name, "malformed", text, { expected: "an image", found: "none" });
}

/** Errors that are told. */
const MOST_PROBLEMS = 8;

/** Adds to a data set a warning about each array that could not be read. */
function withProblems(dataset: StoredDataset, problems: readonly TilewiseError[]): StoredDataset {
  if (problems.length === 0) return dataset;
  const texts = problems.slice(0, MOST_PROBLEMS).map(({ message }) => message);
  const more = problems.length - texts.length;
  const warnings = [...dataset.warnings, ...texts, ...(more > 0 ? [`and ${more} more such problems`] : [])];
  return new StoredDataset({ ...dataset, warnings });
}
