/**
 * DigitalMicrograph files, DM3 and DM4: every image, stack, spectrum image and 4D-STEM scan in them; several files of
 * equal images are one stack.
 *
 * Dimensions are listed fastest first and shown slowest first, in the order of storage. Where a scan is stored fastest,
 * detector frames are put together while they are read, unless the option `forceCOrder` asks for the order of storage.
 *
 * @module
 */

import { type AxisFacts, StoredDataset } from "../../dataset/dataset.ts";
import { type FileSpan, frameBytes } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { type Arranged, fileDataset } from "../common/arrange.ts";
import { type FormatInput, PROBE_BYTES } from "../common/format.ts";
import { scaleWarnings, scanAxes, splitOf, unitOfSame, valuesSaid } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { areImages } from "./axes.ts";
import {
  axesIn,
  brightnessIn,
  checkSize,
  type DmImage,
  type DmOrder,
  halfPlane,
  imagesOf,
  instrumentOf,
  metadataOf,
  nameOf,
  orderOf,
} from "./image.ts";
import { type DmHead, dmHead } from "./head.ts";
import { type DmGroup, readTags } from "./tags.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";

export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  const head = dmHead(input.head);
  if (!head) {
    throw new TilewiseError("malformed", `Cannot read ${input.name} as DM: its head is of another kind`);
  }
  const shown = imagesOf(await readTags(input.source, head, options.signal));
  const chosen = options.array === undefined
    ? shown
    : shown.filter((image) => nameOf(image, shown, options.array) === options.array);
  if (input.given.length > 1) return [await openStack(input, chosen[0] ?? shown[0], head, options)];
  return (chosen.length > 0 ? chosen : shown).map((image) => {
    checkSize(input.name, image, head);
    const files = [{ source: input.source.describe(), start: 0, end: 0, headerBytes: image.data.at }];
    const array = nameOf(image, shown, options.array);
    return describe(input, { image, head, files, shape: image.shape, array }, options);
  });
}

/** Equal images of several files, with the files as the first dimension. */
async function openStack(
  input: FormatInput,
  image: DmImage | undefined,
  head: DmHead,
  options: OpenOptions,
): Promise<StoredDataset> {
  if (!image) {
    const text = `Cannot read ${input.name} and other files as a stack: there is no image in it`;
    throw new TilewiseError("unsupported", text, { file: input.name });
  }
  checkSize(input.name, image, head);
  const files = await dmStack(input.given, image, head, options);
  const shape = [files.length, ...image.shape];
  const stack = describe(input, { image, head, files, shape, array: "" }, options);
  const why = [...stack.detection.why, `${files.length} files were given, with equal images`];
  return new StoredDataset({ ...stack, detection: { ...stack.detection, why } });
}

/** What a data set is made from. */
interface Found {
  readonly image: DmImage;
  readonly head: DmHead;
  /** The files, of which the images have not been counted yet. */
  readonly files: readonly FileSpan[];
  /** Shape of all of it. */
  readonly shape: Shape;
  readonly array: string;
}

function describe(input: FormatInput, found: Found, options: OpenOptions): StoredDataset {
  const { shape, image: { type, data, group }, head, files } = found;
  const { shape: stored } = found.image;
  const said = axesIn(group, stored.length - (type.inner ? 1 : 0), stored.length);
  const name = found.array === "" ? input.name : `${found.array} of ${input.name}`;
  const { axes: own, warnings: problems } = axesThatFit(name, stored, said);
  const axes = shape.map((_, d): AxisFacts =>
    d < shape.length - stored.length ? { kind: "series" } : own[d - shape.length + stored.length] ?? {}
  );
  const sig = Math.max(
    sigDims(input, shape, dimsOf(group, shape, axes, options, 2 + (type.inner ? 1 : 0))),
    type.inner ? 1 : 0, // a pixel is not divided
  );
  const order = files.length > 1 || type.inner ? { scanFirst: false } : orderOf(group, shape, sig, axes);
  const scanFirst = order.scanFirst && !options.forceCOrder;
  if (scanFirst && type.half) throw halfScanFirst(input.name);
  const at = scanFirst ? sig : shape.length - sig;
  const [navShape, sigShape] = scanFirst
    ? [shape.slice(at), shape.slice(0, at)]
    : [shape.slice(0, at), shape.slice(at)];
  const images = sizeOf(navShape);
  const shown = axesFor(axes, scanFirst ? at : 0);
  const isPatterns = scanFirst && shape.length === 4;
  const brightness = brightnessIn(group);
  return fileDataset(input, {
    array: found.array,
    why: order.why ? [order.why] : [],
    images,
    navShape,
    sigShape,
    layout: {
      files: files.map((file, i) => ({
        ...file,
        start: i * images / files.length,
        end: (i + 1) * images / files.length,
      })),
      dtype: type.dtype,
      byteOrder: head.byteOrder,
      storedBytes: type.half ? data.count * data.itemSize : frameBytes(sigShape, type.dtype),
      storage: scanFirst ? { kind: "scan-first", navShape: [images], pixels: "C" } : contiguous(
        type.inner
          ? { id: "bgra", params: { channels: type.inner } }
          : type.half && halfPlane(found.image.shape, type.half),
      ),
    },
    warnings: (given) => [...warningsOf(order, given, options), ...problems, ...scaleWarnings(brightness)],
    axes: isPatterns
      ? scanAxes(navShape.length, sigShape.length, shown.map(({ kind: _, ...axis }) => axis))
      : shown,
    ...valuesSaid(type.dtype, { unit: unitOfSame(brightness) }),
    instrument: instrumentOf(group),
    metadata: { ...metadataOf(group), ...(order.why ? { scanFirst: order.scanFirst } : {}) },
    stored: scanFirst ? inStorageOrder(input, found, options) : undefined,
  }, options);
}

/** The same with the dimensions as they are stored. */
function inStorageOrder(input: FormatInput, found: Found, options: OpenOptions): StoredDataset {
  const { nav: _nav, sig: _sig, syncOffset: _offset, sigDims: _dims, ...others } = options;
  return describe(input, found, { ...others, forceCOrder: true });
}

/** Dimensions of a frame: what the caller asks for, else what the axes say; energies may be stored slowest. */
function dimsOf(
  group: DmGroup,
  shape: Shape,
  axes: readonly AxisFacts[],
  options: OpenOptions,
  usual: number,
): number {
  if (options.forceCOrder) return options.sigDims ?? usual;
  const isImage = areImages(group.get("ImageTags", "Meta Data", "Format"));
  const { sig, frame } = splitOf(
    shape,
    axes,
    options,
    usual,
    isImage ? [...shape.keys()].slice(-usual) : undefined,
  );
  const isSlowest = frame?.length === 1 && frame[0] === 0 && shape.length === 3;
  return isSlowest ? 1 : sig;
}

function halfScanFirst(file: string): TilewiseError {
  const text = "its images are halves of Fourier transforms, with the scan stored fastest; " +
    "only frames that follow each other can be put together, as with the option forceCOrder";
  return cannot("read", file, "unsupported", text);
}

function sigDims({ name }: FormatInput, shape: Shape, asked: number): number {
  if (Number.isSafeInteger(asked) && asked >= 0) return Math.min(asked, shape.length);
  const text = `Cannot read ${name} with sigDims ${asked}: an image of ${
    showShape(shape)
  } has ${shape.length}`;
  throw new TilewiseError("invalid", text, { file: name, option: "sigDims", found: asked });
}

/** The axes with the first `count` moved to the end. */
function axesFor(axes: readonly AxisFacts[], count: number): AxisFacts[] {
  return [...axes.slice(count), ...axes.slice(0, count)];
}

function warningsOf({ scanFirst }: DmOrder, { warnings }: Arranged, { forceCOrder }: OpenOptions): string[] {
  if (!scanFirst) return [...warnings];
  const text = forceCOrder
    ? "The scan is stored fastest: the last dimensions are those of the scan, not of the detector"
    : "The scan is stored fastest, so that frames are gathered from the whole file: reading single frames is slow; " +
      "convert it for more than a pass or two";
  return [text, ...warnings];
}

/** The files in the order in which they were given, the first of which has `image`; their images are not counted yet. */
async function dmStack(
  given: readonly ByteSource[],
  image: DmImage,
  head: DmHead,
  { signal }: OpenOptions,
): Promise<FileSpan[]> {
  const files: FileSpan[] = [];
  for (const source of given) {
    await using once = source; // a stack may have more files than may be open at the same time
    const at = files.length === 0 ? image.data.at : await placeIn(once, image, head, signal);
    files.push({ source: source.describe(), start: 0, end: 0, headerBytes: at });
  }
  return files;
}

/** Where the image lies in another file of the stack. */
async function placeIn(
  source: ByteSource,
  first: DmImage,
  head: DmHead,
  signal: AbortSignal | undefined,
): Promise<number> {
  const own = dmHead(await readUpTo(source, 0, PROBE_BYTES, signal));
  if (!own) throw odd(source.name, "it is not a DM file", "malformed");
  if (own.byteOrder !== head.byteOrder) throw odd(source.name, `it is ${own.byteOrder} endian`);
  const images = imagesOf(await readTags(source, own, signal));
  const image = images.find(({ number }) => number === first.number) ?? images[0];
  if (!image) throw odd(source.name, "it has no image");
  checkSize(source.name, image, own);
  if (sameShape(image.shape, first.shape) && image.type === first.type) return image.data.at;
  const [found, expected] = [image, first].map(({ shape, type }) => `${showShape(shape)} ${type.dtype}`);
  throw odd(source.name, `its image is ${found}, that of the first file ${expected}`);
}

function odd(
  file: string,
  problem: string,
  code: "malformed" | "unsupported" = "unsupported",
): TilewiseError {
  return new TilewiseError(code, `Cannot read ${file} as part of a stack: ${problem}`, { file });
}
