/**
 * The images in the tags of a DigitalMicrograph file: their shapes, types and places.
 *
 * @module
 */

import { frameBytes } from "../../dataset/layout/layout.ts";
import type { CodecSpec } from "../../dataset/layout/storage.ts";
import { TilewiseError } from "../../errors.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { DmHead } from "./head.ts";
import { type DmArray, DmGroup, isDmArray } from "./tags.ts";

/** How the pixels of a type are stored. */
export interface SampleKind {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Numbers inside one pixel. */
  readonly inner?: number;
  /** Bytes of a float where only half of a Fourier transform is stored. */
  readonly half?: 4 | 8;
}

/** Sample types by number, with the numbers inside one pixel. */
const TYPES: Readonly<Record<number, SampleKind>> = {
  1: { dtype: "int16" },
  2: { dtype: "float32" },
  3: { dtype: "complex64" },
  6: { dtype: "uint8" },
  7: { dtype: "int32" },
  8: { dtype: "uint8", inner: 4 },
  9: { dtype: "int8" },
  10: { dtype: "uint16" },
  11: { dtype: "uint32" },
  12: { dtype: "float64" },
  13: { dtype: "complex128" },
  14: { dtype: "bool" },
  23: { dtype: "uint8", inner: 4 },
  27: { dtype: "complex64", half: 4 },
  28: { dtype: "complex128", half: 8 },
};
/** Type of thumbnails: colours, four bytes per pixel. */
const THUMBNAIL = 23;

/** One image of a file. */
export interface DmImage {
  /** Its number in the list of images. */
  readonly number: number;
  /** Its tags. */
  readonly group: DmGroup;
  /** Its dimensions, slowest first. */
  readonly shape: Shape;
  /** How its pixels are stored. */
  readonly type: SampleKind;
  /** Where they are. */
  readonly data: DmArray;
}

/** The images to show: all but the pictures that DM puts beside the data. */
export function imagesOf(root: DmGroup): readonly DmImage[] {
  const list = root.get("ImageList");
  const images = list instanceof DmGroup
    ? list.groups().map(imageOf).filter((image) => image !== undefined)
    : [];
  return withoutThumbnails(root, images);
}

/** The images without the colour pictures that DM puts beside the data. */
function withoutThumbnails(root: DmGroup, images: readonly DmImage[]): readonly DmImage[] {
  const list = root.get("Thumbnails");
  const numbers = list instanceof DmGroup
    ? list.groups().map((thumbnail) => thumbnail.number("ImageIndex"))
    : [];
  const named = images.filter(({ number }) => !numbers.includes(number));
  if (numbers.length > 0) return named.length > 0 ? named : images;
  const others = images.filter(({ group }) => group.number("ImageData", "DataType") !== THUMBNAIL);
  return others.length > 0 ? others : images;
}

function imageOf(group: DmGroup, number: number): DmImage | undefined {
  const data = group.get("ImageData", "Data");
  const dimensions = group.get("ImageData", "Dimensions");
  const type = TYPES[group.number("ImageData", "DataType") ?? -1];
  if (!isDmArray(data) || !(dimensions instanceof DmGroup) || !type) return undefined;
  const shape = [...dimensions.members.values()].map(Number).reverse();
  if (type.half) return { number, group, shape: halfPlaneShape(shape, data), type, data };
  return { number, group, shape: type.inner ? [...shape, type.inner] : shape, type, data };
}

/** Rows of a half-stored transform have one number more than half of what they stand for. */
function halfPlaneShape(shape: Shape, data: DmArray): Shape {
  const rows = shape.slice(0, -1);
  return [...rows, 2 * (data.count / (2 * sizeOf(rows)) - 1)];
}

/** Its name among all images, with its number in front where that is not enough; one alone needs none. */
export function nameOf(image: DmImage, all: readonly DmImage[]): string {
  if (all.length === 1) return "";
  const name = labelOf(image);
  if (name === "") return String(image.number);
  return all.some((other) => other !== image && labelOf(other) === name) ? `${image.number}: ${name}` : name;
}

function labelOf({ group }: DmImage): string {
  const name = group.get("Name");
  return typeof name === "string" ? name.trim() : "";
}

/** How the stored half of a transform becomes a whole one. */
export function halfPlane([rows, columns]: Shape, unit: number): CodecSpec {
  return { id: "half_plane", params: { rows: rows!, columns: columns!, unit } };
}

/** Refuses images whose data have another size than their shape and type say. */
export function checkSize(name: string, { shape, type, data }: DmImage, head: DmHead): void {
  const found = data.count * data.itemSize;
  const isHalf = type.half && shape.length === 2 && head.byteOrder === "little";
  const expected = isHalf ? shape[0]! * (shape[1]! / 2 + 1) * 2 * type.half! : frameBytes(shape, type.dtype);
  if (shape.length > 0 && shape.every((n) => n > 0) && expected === found) return;
  const text =
    `Cannot read ${name}: an image of ${showShape(shape)} ${type.dtype} has ${expected} bytes, its data ` +
    `have ${found}`;
  throw new TilewiseError("malformed", text, { file: name, offset: data.at, expected, found });
}
