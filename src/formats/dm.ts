/**
 * DigitalMicrograph files, DM3 and DM4: every image, stack, spectrum image and 4D-STEM scan in them.
 *
 * Dimensions are listed fastest first and shown slowest first, in the order of storage. A 4D scan is stored scan
 * fastest, unless a tag says that its order has been swapped; `metadata.scanFastest` tells.
 *
 * @module
 */

import { Dataset } from "../dataset/dataset.ts";
import { type AxisFacts, type Instrument, known } from "../dataset/facts.ts";
import { type CodecSpec, frameBytes } from "../dataset/layout.ts";
import { TilewiseError } from "../errors.ts";
import type { DType } from "../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { arrange } from "./arrange.ts";
import { type DmArray, DmGroup, type DmHead, dmHead, isDmArray, readTags } from "./dm_tags.ts";
import type { Format, FormatInput } from "./format.ts";
import type { OpenOptions } from "./options.ts";

/** How the pixels of a type are stored. */
interface SampleKind {
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
/** Type of thumbnails: colours, four bytes a pixel. */
const THUMBNAIL = 23;

/** DigitalMicrograph files. */
export const dm: Format = {
  id: "dm",
  title: "DigitalMicrograph",
  extensions: ["dm3", "dm4"],
  detect: ({ head }) => {
    const found = dmHead(head);
    return found
      ? {
        claim: "yes",
        why: `begins with version ${found.version} and a byte order, as DM${found.version} does`,
      }
      : { claim: "no", why: "does not begin with version 3 or 4 and a byte order of DM" };
  },
  open: openDm,
};

/** One image of a file. */
interface DmImage {
  readonly number: number;
  readonly group: DmGroup;
  readonly shape: Shape;
  readonly type: SampleKind;
  readonly data: DmArray;
}

async function openDm(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  const head = dmHead(input.head);
  if (!head) {
    throw new TilewiseError("malformed", `Cannot read ${input.name} as DM: its head is of another kind`);
  }
  const root = await readTags(input.source, head, options.signal);
  const list = root.get("ImageList");
  const images = list instanceof DmGroup
    ? list.groups().map(imageOf).filter((image) => image !== undefined)
    : [];
  const shown = withoutThumbnails(root, images);
  const chosen = options.array === undefined
    ? shown
    : shown.filter((image) => nameOf(image, shown) === options.array);
  return (chosen.length > 0 ? chosen : shown).map((image) => openImage(input, image, head, shown, options));
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

function nameOf({ number, group }: DmImage, all: readonly DmImage[]): string {
  if (all.length === 1) return "";
  const name = group.get("Name");
  return typeof name === "string" && name !== "" ? `${number}: ${name}` : String(number);
}

function openImage(
  input: FormatInput,
  image: DmImage,
  head: DmHead,
  all: readonly DmImage[],
  options: OpenOptions,
): Dataset {
  const { shape, type, data, group } = image;
  checkSize(input, image, head);
  const sig = Math.min(options.sigDims ?? 2 + (type.inner ? 1 : 0), shape.length);
  const [navShape, sigShape] = [shape.slice(0, shape.length - sig), shape.slice(shape.length - sig)];
  const native = { name: input.name, images: sizeOf(navShape), navShape, sigShape };
  const arranged = arrange(native, options);
  return new Dataset({
    source: input.source.name,
    array: nameOf(image, all),
    detection: input.detection,
    navShape: arranged.navShape,
    layout: {
      files: [{ source: input.source.describe(), start: 0, end: sizeOf(navShape), headerBytes: data.at }],
      sigShape: arranged.sigShape,
      dtype: type.dtype,
      byteOrder: head.byteOrder,
      frameHeaderBytes: 0,
      frameFooterBytes: 0,
      storedBytes: type.half ? data.count * data.itemSize : frameBytes(arranged.sigShape, type.dtype),
      order: "C",
      ...(type.half ? { codec: halfPlane(shape, type.half) } : {}),
    },
    syncOffset: arranged.syncOffset,
    warnings: [...orderWarning(group, shape), ...arranged.warnings],
    axes: axesIn(group, shape.length - (type.inner ? 1 : 0), shape.length),
    instrument: instrumentOf(group),
    metadata: metadataOf(group),
  });
}

function halfPlane([rows, columns]: Shape, unit: number): CodecSpec {
  return { id: "half_plane", params: { rows: rows!, columns: columns!, unit } };
}

function checkSize({ name }: FormatInput, { shape, type, data }: DmImage, head: DmHead): void {
  const found = data.count * data.itemSize;
  const isHalf = type.half && shape.length === 2 && head.byteOrder === "little";
  const expected = isHalf ? shape[0]! * (shape[1]! / 2 + 1) * 2 * type.half! : frameBytes(shape, type.dtype);
  if (shape.length > 0 && shape.every((n) => n > 0) && expected === found) return;
  const text =
    `Cannot read ${name}: an image of ${showShape(shape)} ${type.dtype} has ${expected} bytes, its data ` +
    `have ${found}`;
  throw new TilewiseError("malformed", text, { file: name, offset: data.at, expected, found });
}

/** Four dimensions with the scan fastest: the frames that are shown are not those of the detector. */
function orderWarning(group: DmGroup, shape: Shape): string[] {
  if (!scanIsFastest(group, shape)) return [];
  return [
    "The scan may be stored fastest: then the last two dimensions are those of the scan, not of the detector",
  ];
}

function scanIsFastest(group: DmGroup, shape: Shape): boolean {
  return shape.length === 4 && group.get("ImageTags", "Meta Data", "Data Order Swapped") === false;
}

/** Calibrations, which are listed as dimensions are: fastest first. An origin is counted in samples. */
function axesIn(group: DmGroup, dimensions: number, rank: number): (AxisFacts | undefined)[] {
  const list = group.get("ImageData", "Calibrations", "Dimension");
  const found = list instanceof DmGroup ? list.groups().slice(0, dimensions) : [];
  const axes = found.map((axis) => {
    const [scale, origin, unit] = [axis.number("Scale"), axis.number("Origin"), axis.get("Units")];
    if (scale === undefined || typeof unit !== "string" || unit === "") return undefined;
    return { scale, offset: -(origin ?? 0) * scale, unit };
  }).reverse();
  return [...axes, ...Array.from({ length: rank - axes.length }, () => undefined)];
}

function instrumentOf(group: DmGroup): Instrument {
  const scope = (...path: string[]) => group.number("ImageTags", "Microscope Info", ...path);
  const camera = group.get("ImageTags", "Acquisition", "Device", "Name");
  const length = scope("STEM Camera Length");
  return known({
    voltage: scope("Voltage"),
    magnification: scope("Indicated Magnification"),
    cameraLength: length === undefined ? undefined : length / 1000,
    exposure: group.number("ImageTags", "Acquisition", "Parameters", "High Level", "Exposure (s)"),
    detector: typeof camera === "string" ? camera : undefined,
  });
}

function metadataOf(group: DmGroup): Record<string, unknown> {
  const tags = group.get("ImageTags");
  return { name: group.get("Name") ?? "", tags: tags instanceof DmGroup ? tags.toJSON() : {} };
}
