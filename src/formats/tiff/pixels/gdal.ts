/**
 * What GDAL says of the samples of an image: the number of missing ones in tag 42113, and in tag 42112 their scale, offset and unit.
 *
 * ```
 * <GDALMetadata><Item name="SCALE" sample="0" role="scale">0.01</Item> … role="offset" … role="unittype" </GDALMetadata>
 * ```
 * Source: GDAL, "GTiff – GeoTIFF File Format".
 *
 * @module
 */

import type { DType } from "../../../space/dtype.ts";
import { noDataOf } from "../../common/fill.ts";
import type { Scaling } from "../../common/kinds.ts";
import { plainXml, xmlElements } from "../../common/xml.ts";
import { type Directory, TAG } from "../container/directory.ts";
import { noDataText } from "../image/stored.ts";

/** Bytes of the text that are read. */
const MOST_TEXT = 2 ** 18;

/** The number of a missing sample, where samples can have it. Bands that differ in it are not told apart. */
export async function gdalMissing(directory: Directory, dtype: DType): Promise<number | undefined> {
  const text = await noDataText(directory);
  if (text === undefined) return undefined;
  const value = Number(noDataOf(text, dtype));
  return value === Number(text.trim().replace(",", ".") || NaN) ? value : undefined; // else the nearest one, which is a sample
}

function one<T>(all: readonly T[]): T | readonly T[] | undefined {
  return all.length > 1 ? all : all[0];
}

/** Scale, offset and unit of the bands; a list where bands differ. */
export async function gdalScaling(directory: Directory): Promise<Scaling> {
  if (!directory.has(TAG.gdalMetadata)) return {};
  const items = xmlElements(await directory.text(TAG.gdalMetadata, MOST_TEXT), "Item");
  const said = (role: string) => {
    const found = items.filter(({ tag }) => new RegExp(`\\brole="${role}"`).test(tag));
    return [...new Set(found.map(({ inside }) => plainXml(inside).trim()))];
  };
  const number = (role: string) => one(said(role).map((text) => Number(text || NaN)));
  return { scale: number("scale"), offset: number("offset"), unit: one(said("unittype")) };
}
