/**
 * Slides of Philips: the sizes of reduced copies are those of whole tiles, of which the ends are no image. How much smaller each
 * is follows from the spacings of pixels in the description of the first image.
 *
 * @module
 */

import { plainXml } from "../../common/xml.ts";
import { TAG } from "../container/tags.ts";
import { isReduced, type TiffImage } from "./image.ts";

/** Bytes of a description and of the name of a program that are looked at. */
const [MOST_XML, MOST_NAME] = [2 ** 24, 64];

/** The images, those of Philips without what lies behind their ends. */
export async function withoutPadding(images: readonly TiffImage[]): Promise<TiffImage[]> {
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
