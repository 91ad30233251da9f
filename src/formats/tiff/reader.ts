/**
 * TIFF and what is built on it: BigTIFF, OME-TIFF, ImageJ, SVS, cloud-optimised GeoTIFF. Every image is an array, `ifd0`,
 * `ifd1` and so on; series of images are arrays of more dimensions, and reduced copies are levels of pyramids.
 *
 * Source: TIFF revision 6.0, and the descriptions of BigTIFF, OME-TIFF and GDAL's and Aperio's tags.
 *
 * @module
 */

import { Dataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import type { FormatInput, Some, Wanted } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { isOfFile } from "./container/walk.ts";
import { datasetOf } from "./dataset.ts";
import { readMembers } from "./read.ts";
import type { Member } from "./series/members.ts";

/**
 * Opens the wanted arrays; those that cannot be read become warnings of the others, or the error if there are no others. Samples that are cut off, and
 * a damaged first image where one image is wanted, are errors.
 */
export async function openSome(input: FormatInput, options: OpenOptions, wanted: Wanted): Promise<Some> {
  const { members, problems, why } = await readMembers(input, options);
  const all = new Map(members.map((member) => [member.name, member]));
  const order = chosen(members, options, wanted);
  const detection = { ...input.detection, why: [...input.detection.why, ...why] };
  const opened: Dataset[] = [];
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
  return {
    arrays: opened.map((one) => withProblems(one, failed)),
    left: leftOf(order.slice(next), opened, wanted, all),
  };
}

/** Whether the first image is damaged, or images cannot be read together though the file says so: another one is not an answer. */
function isToldFirst({ planes, isHidden }: Member, error: TilewiseError): boolean {
  const hasFirst = planes.some((plane) => plane?.image.page === 0 && plane.image.isPage);
  return hasFirst && (error.code === "malformed" || (planes.length > 1 && !isHidden));
}

/** The arrays to open, in order: hidden ones only where they are asked for, or are what a file is about. */
function chosen(members: readonly Member[], { array, level }: OpenOptions, { largest }: Wanted): Member[] {
  const asked = array === undefined ? undefined : members.find(({ name }) => name === array);
  if (array !== undefined && !asked) return members.filter(({ isHidden }) => !isHidden);
  if (!asked && !largest) return members.filter(({ isHidden }) => !isHidden);
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
  opened: readonly Dataset[],
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
  const text = `Cannot read ${name}: none of its directories describes an image`;
  return new TilewiseError("malformed", text, { file: name, expected: "an image", found: "none" });
}

/** Errors that are told. */
const MOST_PROBLEMS = 8;

/** Adds to a data set a warning about each array that could not be read. */
function withProblems(dataset: Dataset, problems: readonly TilewiseError[]): Dataset {
  if (problems.length === 0) return dataset;
  const texts = problems.slice(0, MOST_PROBLEMS).map(({ message }) => message);
  const more = problems.length - texts.length;
  const warnings = [...dataset.warnings, ...texts, ...(more > 0 ? [`and ${more} more such problems`] : [])];
  return new Dataset({ ...dataset, warnings });
}
