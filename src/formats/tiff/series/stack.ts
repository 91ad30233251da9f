/**
 * Images of equal shape as one array: where its frames lie.
 *
 * @module
 */

import type { ChunkLayout } from "../../../dataset/layout/chunks.ts";
import { type FileSpan, type FrameLayout, frameLayout } from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import type { SourceSpec } from "../../../io/source/source.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import type { StoredImage } from "../image/stored.ts";

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
  const first = checkEqual(stack);
  const shape = stackShape(stack);
  const sigShape = shape.slice(shape.length - sig);
  const { dtype, byteOrder } = first;
  const spans = plainSpans(stack, shape, sig);
  if (spans) return frameLayout({ files: spans, sigShape, dtype, byteOrder });
  const images = sizeOf(shape.slice(0, shape.length - sig));
  const files = stack.sources.map((source) => ({ source, start: 0, end: images, headerBytes: 0 }));
  const chunks = chunksOf(stack, first, shape);
  return frameLayout({ files, sigShape, dtype, byteOrder, storage: { kind: "chunks", chunks } });
}

/** The first image, which all others must be like. */
function checkEqual({ name, planes }: Stack): StoredImage {
  const first = planes.find((plane) => plane)!.image;
  const key = keyOf(first);
  for (const plane of planes) {
    if (!plane || plane.image === first || keyOf(plane.image) === key) continue;
    const { image } = plane;
    const isShape = !sameShape(image.shape, first.shape);
    const [expected, found] = isShape
      ? [showShape(first.shape), showShape(image.shape)]
      : [first, image].map(({ dtype, byteOrder, chunk, filters }) =>
        `${byteOrder}-endian ${dtype} in ${showShape(chunk)} (${filters.map((one) => one.name).join(", ")})`
      ) as [string, string];
    const text = `Cannot read the images of ${name} as one array: one is ${found}, others are ${expected}; ` +
      "each can be opened by its name";
    throw new TilewiseError("unsupported", text, { file: name, expected, found });
  }
  return first;
}

function keyOf({ shape, dtype, byteOrder, chunk, filters, isClipped }: StoredImage): string {
  return JSON.stringify([shape, dtype, byteOrder, chunk, filters, isClipped]);
}

/** The stretches of files, where all samples lie plain, one after another or with equal gaps between images. */
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

function chunksOf({ navShape, planes, sources }: Stack, first: StoredImage, shape: Shape): ChunkLayout {
  const { addresses: { length: each }, fill } = first;
  const cells = each * planes.length;
  const chunks = {
    shape,
    chunk: [...navShape.map(() => 1), ...first.chunk],
    itemSize: dtypeInfo(first.dtype).itemSize,
    addresses: new Float64Array(cells).fill(-1),
    sizes: new Uint32Array(cells),
    masks: new Uint32Array(),
    filters: first.filters,
    plainEdges: false,
    ...(sources.length > 1 ? { files: new Uint32Array(cells) } : {}),
    ...(first.isClipped ? { clipped: true as const } : {}),
    ...(fill ? { fill } : {}),
  };
  planes.forEach((plane, i) => {
    if (!plane) return;
    chunks.addresses.set(plane.image.addresses, i * each);
    chunks.sizes.set(plane.image.sizes, i * each);
    chunks.files?.fill(plane.file, i * each, (i + 1) * each);
  });
  return chunks;
}
