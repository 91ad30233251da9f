/**
 * Stacks of ImageJ: a description of lines such as `slices=5`, and pages in the order channels, slices, frames, or in that of `order`. Of stacks of
 * more than 4 GiB only the first image has a directory; the others follow its samples.
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import { checkedProduct } from "../../../space/shape.ts";
import { imageJUnit, imageJWords } from "../pixels/imagej.ts";
import { following } from "./following.ts";
import { isMask, type TiffImage } from "./image.ts";
import { keyOf, type TiffFile } from "./images.ts";
import { DIMENSIONS, type MemberFacts, type Series } from "./members.ts";

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
  const unit = imageJUnit(words);
  const scaled = (key: string, own: string): AxisFacts => {
    const scale = words.get(key);
    return scale && own ? { scale: Number(scale), unit: own } : {};
  };
  const axis = (letter: string): AxisFacts => ({
    ...DIMENSIONS[letter]!,
    ...(letter === "T" ? scaled("finterval", words.get("tunit") || "s") : {}),
    ...(letter === "Z" ? scaled("spacing", unit) : {}),
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
