/**
 * Images of equal shape as one array: where its frames lie.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import type { ChunkFilterSpec, ChunkLayout } from "../../../dataset/layout/chunks.ts";
import { type FileSpan, type FrameLayout, frameLayout } from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import type { SourceSpec } from "../../../io/source/source.ts";
import { type ByteOrder, dtypeInfo } from "../../../space/dtype.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import type { StoredImage } from "../image/stored.ts";
import { reverseUnits } from "../../../space/numbers.ts";

/** One image of a stack. */
export interface Plane {
  /** As it is stored. */
  readonly image: StoredImage;
  /** Number of its file. */
  readonly file: number;
}

/** Images that become one array. */
export interface Stack {
  /** Name for messages. */
  readonly name: string;
  /** Dimensions that count images, slowest first. */
  readonly navShape: Shape;
  /** The images in row-major order of these; `undefined` where one is missing. At least one is there. */
  readonly planes: readonly (Plane | undefined)[];
  /** Their files. */
  readonly sources: readonly SourceSpec[];
}

/** Most places at which plain frames may begin. */
const MOST_RUNS = 256;

/** Shape of the array of a stack. */
export function stackShape({ navShape, planes }: Stack): Shape {
  return [...navShape, ...planes.find((plane) => plane)!.image.shape];
}

/** The layout of a stack whose last `sig` dimensions are a frame. Errors: `unsupported` for images that differ. */
export function layoutOf(stack: Stack, sig: number): FrameLayout {
  const { first, ...ways } = checkEqual(stack);
  const shape = stackShape(stack);
  const sigShape = shape.slice(shape.length - sig);
  const { dtype } = first;
  const byteOrder = ways.byteOrder;
  const spans = ways.isOne ? plainSpans(stack, shape, sig) : undefined;
  if (spans) return frameLayout({ files: spans, sigShape, dtype, byteOrder });
  const images = sizeOf(shape.slice(0, shape.length - sig));
  const files = stack.sources.map((source) => ({ source, start: 0, end: images, headerBytes: 0 }));
  const chunks = chunksOf(stack, first, ways, shape);
  return frameLayout({ files, sigShape, dtype, byteOrder, storage: { kind: "chunks", chunks } });
}

/** The filters of all images of a stack, one way to store after another, and which of them each image has not. */
interface Ways {
  /** Whether all images are stored in the same way. */
  readonly isOne: boolean;
  readonly filters: readonly ChunkFilterSpec[];
  readonly byteOrder: ByteOrder;
  readonly maskOf: (image: StoredImage) => number;
}

/** Most filters of a stack: a bit each. */
const MOST_FILTERS = 32;

/** The first image, which all others must be like, but for how they are compressed. */
function checkEqual({ name, planes }: Stack): Ways & { readonly first: StoredImage } {
  const images = planes.flatMap((plane) => plane ? [plane.image] : []);
  const first = images[0]!;
  const key = keyOf(first);
  const other = images.find((image) => image !== first && keyOf(image) !== key);
  if (other) throw differs(name, first, other);
  const ways = new Map(images.map((image) => [wayOf(image), image]));
  const byteOrder = ways.size === 1 ? first.byteOrder : "little";
  if (ways.size === 1) return { first, isOne: true, filters: first.filters, byteOrder, maskOf: () => 0 };
  const filters: ChunkFilterSpec[] = [];
  const places = new Map<string, number>();
  for (const [way, image] of ways) {
    const own = filtersTo(byteOrder, image);
    places.set(way, (2 ** own.length - 1) * 2 ** filters.length);
    filters.push(...own);
  }
  if (filters.length > MOST_FILTERS) {
    throw differs(
      name,
      first,
      images.find((one) => wayOf(one) !== wayOf(first))!,
    );
  }
  const all = 2 ** filters.length - 1;
  return { first, isOne: false, filters, byteOrder, maskOf: (image) => all - places.get(wayOf(image))! };
}

/** How the samples of an image are stored. */
function wayOf({ filters, byteOrder }: StoredImage): string {
  return JSON.stringify([filters, byteOrder]);
}

/** Filters that lead to samples of a byte order. */
function filtersTo(order: ByteOrder, { byteOrder, filters, dtype }: StoredImage): readonly ChunkFilterSpec[] {
  const { unitSize } = dtypeInfo(dtype);
  return byteOrder === order || unitSize === 1 ? filters : [{ name: "swap", values: [unitSize] }, ...filters];
}

function differs(name: string, first: StoredImage, image: StoredImage): TilewiseError {
  const isShape = !sameShape(image.shape, first.shape);
  const [expected, found] = isShape
    ? [showShape(first.shape), showShape(image.shape)]
    : [first, image].map(({ dtype, byteOrder, chunk, filters }) =>
      `${byteOrder}-endian ${dtype} in ${showShape(chunk)} (${filters.map((one) => one.name).join(", ")})`
    ) as [string, string];
  const text = `Cannot read the images of ${name} as one array: one is ${found}, others are ${expected}; ` +
    "each can be opened by its name";
  return new TilewiseError("unsupported", text, { file: name, expected, found });
}

function keyOf({ shape, dtype, chunk, isClipped }: StoredImage): string {
  return JSON.stringify([shape, dtype, chunk, isClipped]);
}

/** The ranges of files, where all samples lie plain, one after another or with equal gaps between images. */
function plainSpans({ planes, sources }: Stack, shape: Shape, sig: number): FileSpan[] | undefined {
  const first = planes[0];
  if (!first || planes.some((plane) => plane?.image.plainAt === undefined)) return undefined;
  const rank = first.image.shape.length;
  const bytes = sizeOf(first.image.shape) * dtypeInfo(first.image.dtype).itemSize;
  const starts = planes.map((plane) => plane!.image.plainAt!);
  const breaks = planes.flatMap((plane, i) =>
    i > 0 && (plane!.file !== planes[i - 1]!.file || starts[i] !== starts[i - 1]! + bytes) ? [i] : []
  );
  const images = sizeOf(shape.slice(0, shape.length - sig));
  if (breaks.length > 0 && (sig !== rank || breaks.length >= MOST_RUNS)) return undefined;
  return [0, ...breaks].map((start, r) => ({
    source: sources[planes[start]!.file]!,
    start,
    end: breaks[r] ?? images,
    headerBytes: starts[start]!,
  }));
}

function chunksOf(
  { navShape, planes, sources }: Stack,
  first: StoredImage,
  { isOne, filters, byteOrder, maskOf }: Ways,
  shape: Shape,
): ChunkLayout {
  const { addresses: { length: each } } = first;
  const fill = first.fill &&
    reverseUnits(first.fill.slice(), first.byteOrder === byteOrder ? 0 : dtypeInfo(first.dtype).unitSize);
  const cells = each * planes.length;
  const chunks = {
    shape,
    chunk: [...navShape.map(() => 1), ...first.chunk],
    itemSize: dtypeInfo(first.dtype).itemSize,
    addresses: new Float64Array(cells).fill(-1),
    sizes: new Uint32Array(cells),
    masks: new Uint32Array(isOne ? 0 : cells),
    filters,
    plainEdges: false,
    ...(sources.length > 1 ? { files: new Uint32Array(cells) } : {}),
    ...(first.isClipped ? { clipped: true as const } : {}),
    ...defined({ fill }),
  };
  planes.forEach((plane, i) => {
    if (!plane) return;
    chunks.addresses.set(plane.image.addresses, i * each);
    chunks.sizes.set(plane.image.sizes, i * each);
    if (!isOne) chunks.masks.fill(maskOf(plane.image), i * each, (i + 1) * each);
    chunks.files?.fill(plane.file, i * each, (i + 1) * each);
  });
  return chunks;
}
