/**
 * Virtual data sets: which elements of which other data sets they show.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import type { Hdf5Array } from "./arrays.ts";
import {
  freeDim,
  type Mapping,
  namesOf,
  type OpenSource,
  positionsOf,
  readMappings,
  withExtent,
} from "./virtual_extent.ts";
import type { SourceBox } from "./stack.ts";

/** Frames, and samples along a side of one, that are still counted one by one. */
const MOST_POSITIONS = 2 ** 24;
/** Virtual data sets that may show each other in a row. */
const MOST_LEVELS = 8;
/** Parts of a data set, with all their parts. */
const MOST_PARTS = 100_000;

/** What a virtual data set shows. */
interface VirtualParts {
  /** Its parts; later ones cover earlier ones. */
  readonly parts: SourceBox[];
  /** Sources that are missing, in words. */
  readonly missing: string[];
}

/**
 * The parts of a virtual data set whose last `sig` dimensions are frames. Sources that are virtual themselves are
 * followed to the data sets that have the samples. Errors: `unsupported`, also for those that show themselves.
 */
export async function virtualParts(
  array: Hdf5Array,
  sig: number,
  openSource: OpenSource,
  trail: readonly string[] = [],
): Promise<VirtualParts> {
  checkSize(array, sig);
  const here = [...trail, placeOf(array)];
  if (trail.includes(placeOf(array))) {
    const text = `Cannot read ${here[0]}, a virtual data set: it shows itself, by way of ${
      here.join(", then ")
    }`;
    throw new TilewiseError("unsupported", text, { file: array.dataset.file.name });
  }
  if (here.length > MOST_LEVELS) {
    throw tooMany(array, `${here.length} virtual data sets show each other in a row`);
  }
  const parts: SourceBox[] = [];
  const missing: string[] = [];
  for (const mapping of await readMappings(array)) {
    for (const [file, path, block] of namesOf(mapping, array.shape)) {
      const found = await openSource(array.dataset.file, file, path);
      if (!found) {
        missing.push(`${path} of ${file}`);
        continue;
      }
      const isVirtual = found.dataset.layout.kind === "virtual";
      const source = isVirtual ? await withExtent(found, openSource) : found;
      const part = partOf(array, source, mapping, sig, block);
      const inner = isVirtual ? await virtualParts(source, sig, openSource, here) : undefined;
      for (const one of inner ? through(part, inner.parts) : [part]) parts.push(one);
      for (const name of inner?.missing ?? []) missing.push(name);
      if (parts.length > MOST_PARTS) throw tooMany(array, `it has more than ${MOST_PARTS} parts`);
    }
  }
  return { parts, missing };
}

function placeOf({ dataset: { file, path } }: Hdf5Array): string {
  return `${path} of ${file.name}`;
}

function tooMany({ dataset: { file, path } }: Hdf5Array, why: string): TilewiseError {
  const text = `Cannot read ${path} of ${file.name}, a virtual data set: ${why}`;
  return new TilewiseError("unsupported", text, { file: file.name });
}

/** What `part` shows of a virtual source, by the `inner` parts of that; where it has none, its fill value is seen. */
function through(part: SourceBox, inner: readonly SourceBox[]): SourceBox[] {
  const parts = inner.flatMap((one) => compose(part, one) ?? []);
  const isCovered = new Set<number>();
  for (const { images, shape } of parts) {
    if (shape.every((n, d) => n === part.shape[d])) images.forEach((image) => isCovered.add(image));
  }
  return part.images.every((image) => isCovered.has(image))
    ? parts
    : [{ ...part, source: blank(part.source) }, ...parts];
}

/** The part of `inner` that `outer`, which shows its data set, shows; `undefined` if they do not overlap. */
function compose(outer: SourceBox, inner: SourceBox): SourceBox | undefined {
  const low = outer.from.map((first, d) => Math.max(first, inner.at[d]!));
  const shape = outer.from.map((first, d) =>
    Math.min(first + outer.shape[d]!, inner.at[d]! + inner.shape[d]!) - low[d]!
  );
  if (shape.some((n) => n <= 0)) return undefined;
  const behind = new Map<number, number>();
  inner.images.forEach((image, i) => behind.set(image, inner.sourceImages[i]!));
  const images: number[] = [], sourceImages: number[] = [];
  outer.sourceImages.forEach((image, i) => {
    const source = behind.get(image);
    if (source === undefined) return;
    images.push(outer.images[i]!);
    sourceImages.push(source);
  });
  if (images.length === 0) return undefined;
  return {
    source: inner.source,
    images: Int32Array.from(images),
    sourceImages: Int32Array.from(sourceImages),
    at: low.map((first, d) => outer.at[d]! + first - outer.from[d]!),
    from: low.map((first, d) => inner.from[d]! + first - inner.at[d]!),
    shape,
  };
}

/** An array of the same shape and fill value without samples. */
function blank(array: Hdf5Array): Hdf5Array {
  const layout = { kind: "contiguous", address: undefined, size: undefined } as const;
  return { ...array, dataset: { ...array.dataset, layout, filters: [], isExternal: false } };
}

/** What a mapping says, as images and a box of a frame. */
function partOf(
  array: Hdf5Array,
  source: Hdf5Array,
  mapping: Mapping,
  sig: number,
  block?: number,
): SourceBox {
  checkSize(source, sig);
  const target = positionsOf(mapping.target, array.shape, block);
  const origin = positionsOf(mapping.source, source.shape);
  const nav = [target.length - sig, origin.length - sig];
  if (nav[1]! < 0) throw unsupported(array, source, `its frames have ${origin.length} dimensions`);
  const boxes = [target.slice(nav[0]), origin.slice(nav[1])].map((sides) => sides.map(interval));
  const [at, from] = boxes;
  if (boxes.flat().includes(undefined)) throw unsupported(array, source, "a frame is taken with gaps");
  if (at!.some((side, d) => side!.size !== from![d]!.size)) {
    throw unsupported(array, source, "the dimensions of frames do not match");
  }
  let [images, sourceImages] = [
    flat(target.slice(0, nav[0]), array.shape),
    flat(origin.slice(0, nav[1]), source.shape),
  ];
  if (images.length !== sourceImages.length) {
    if (freeDim(mapping.target) === undefined && freeDim(mapping.source) === undefined) {
      throw unsupported(array, source, `${images.length} frames are to show ${sourceImages.length}`);
    }
    const count = Math.min(images.length, sourceImages.length);
    [images, sourceImages] = [images.slice(0, count), sourceImages.slice(0, count)];
  }
  return {
    source,
    images,
    sourceImages,
    at: at!.map((side) => side!.first),
    from: from!.map((side) => side!.first),
    shape: at!.map((side) => side!.size),
  };
}

function checkSize({ shape, dataset: { file, path } }: Hdf5Array, sig: number): void {
  const nav = Math.max(0, shape.length - sig);
  const most = Math.max(sizeOf(shape.slice(0, nav)), ...shape);
  if (most <= MOST_POSITIONS) return;
  const text = `Cannot read ${path} of ${file.name} through a virtual data set: ${
    showShape(shape)
  } is too large`;
  throw new TilewiseError("unsupported", text, { file: file.name, expected: MOST_POSITIONS, found: most });
}

/** Positions that follow each other. */
function interval(positions: readonly number[]): { first: number; size: number } | undefined {
  const first = positions[0] ?? 0;
  return positions.every((at, i) => at === first + i) ? { first, size: positions.length } : undefined;
}

/** The images of a product of positions in the leading dimensions of `shape`. */
function flat(positions: readonly (readonly number[])[], shape: Shape): Int32Array {
  const images = new Int32Array(sizeOf(positions.map(({ length }) => length)));
  let done: ArrayLike<number> = [0];
  for (const [d, along] of positions.entries()) {
    const next = new Int32Array(done.length * along.length);
    for (let o = 0, i = 0; o < done.length; o++) {
      for (const at of along) next[i++] = done[o]! * shape[d]! + at;
    }
    done = next;
  }
  images.set(done);
  return images;
}

function unsupported({ dataset }: Hdf5Array, source: Hdf5Array, why: string): TilewiseError {
  const text = `Cannot read ${dataset.path} of ${dataset.file.name}, a virtual data set: of ` +
    `${source.dataset.path} of ${source.dataset.file.name} ${why}; whole frames and boxes of frames can be read`;
  return new TilewiseError("unsupported", text, { file: dataset.file.name });
}
