/**
 * Fits the images of a file to the scan and frame that the user asked for.
 *
 * @module
 */

import { type DatasetInit, StoredDataset } from "../../dataset/dataset.ts";
import { type FrameInit, frameLayout } from "../../dataset/layout/layout.ts";
import type { FittingAxes } from "../../dataset/said_axes.ts";
import { checkSyncOffset } from "../../dataset/sync.ts";
import { TilewiseError } from "../../errors.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { FormatInput } from "./format.ts";
import type { OpenOptions } from "./options.ts";

/** Facts from a file. */
export interface Native {
  /** Name for messages. */
  readonly name: string;
  /** Images in it. */
  readonly images: number;
  /** Shape of the scan, if the file has it; default: one row of all images. */
  readonly navShape?: Shape | undefined;
  /** Shape of a frame. */
  readonly sigShape: Shape;
  /** Why frames keep the shape that they have in the file, such as `it is stored in chunks`; absent: they may have another one. */
  readonly keepsFrames?: string | undefined;
  /** Sync offset, if the file has it. */
  readonly syncOffset?: number;
}

/** What a reader has found in a file: its frames, where they lie, and what is known of them. */
export interface FileFacts
  extends
    Omit<Native, "name">,
    Omit<DatasetInit, keyof Arranged | "source" | "detection" | "layout" | "axes" | "navAxes"> {
  /** Where its frames lie, in the shape that they have in the file. */
  readonly layout: Omit<FrameInit, "sigShape">;
  /** Reasons for the format that are not known before its headers are read. */
  readonly why?: readonly string[];
  /** What is known of its axes; a function where that follows from the scan that the user gives. */
  readonly axes?: DatasetInit["axes"] | ((given: Arranged) => Partial<FittingAxes>);
  /** What the user should know before the warnings of {@link arrange}; a function gives all of them. */
  readonly warnings?: readonly string[] | ((given: Arranged) => readonly string[]);
}

/** The data set of a file: what it says, in the scan and frames that the user asks for. */
export function fileDataset(
  { name, source, detection }: Pick<FormatInput, "name" | "detection"> & {
    readonly source: { readonly name: string };
  },
  { why = [], layout, axes = [], warnings = [], ...found }: FileFacts,
  options: OpenOptions,
): StoredDataset {
  const given = arrange({ name, ...found }, options);
  const fitting: Partial<FittingAxes> = typeof axes === "function" ? axes(given) : { axes };
  return new StoredDataset({
    ...found,
    source: source.name,
    detection: why.length === 0 ? detection : { ...detection, why: [...detection.why, ...why] },
    navShape: given.navShape,
    layout: frameLayout({ ...layout, sigShape: given.sigShape }),
    syncOffset: given.syncOffset,
    axes: fitting.axes,
    warnings: typeof warnings === "function"
      ? warnings(given)
      : [...warnings, ...given.warnings, ...fitting.warnings ?? []],
  });
}

/** Scan and frame of the data set. */
export interface Arranged {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
  /** Sync offset. */
  readonly syncOffset: number;
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/**
 * Scan, frame and sync offset from the facts of the file and the options of the user.
 *
 * @example A scan of 3 × 4 with ten images
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const found = arrange({ name: "scan.raw", images: 10, sigShape: [8, 8] }, { nav: [3, 4], sig: [64] });
 * assertEquals([found.navShape, found.sigShape, found.warnings.length], [[3, 4], [64], 1]);
 * ```
 */
export function arrange(native: Native, options: OpenOptions): Arranged {
  const { images, name } = native;
  const navShape = options.nav ? wanted(options.nav, "nav", name) : native.navShape ?? [images];
  const syncOffset = options.syncOffset ?? native.syncOffset ?? 0;
  if (syncOffset !== 0) checkSyncOffset(syncOffset, images);
  return {
    navShape,
    sigShape: frameShape(native, options),
    syncOffset,
    warnings: coverage(navShape, images, syncOffset),
  };
}

/** Scan and frame of an array of `shape`: the last `asked` dimensions (2, or all if there are fewer) are the frame. */
export function splitShape(shape: Shape, asked: number | undefined, file: string): [Shape, Shape] {
  const dims = asked ?? Math.min(2, shape.length);
  if (Number.isSafeInteger(dims) && dims >= 0 && dims <= shape.length) {
    return [shape.slice(0, shape.length - dims), shape.slice(shape.length - dims)];
  }
  const text = `Cannot open ${file} with ${dims} signal dimensions: its array of ${showShape(shape)} has ` +
    `${shape.length}`;
  throw new TilewiseError("invalid", text, { file, option: "sigDims", expected: shape.length, found: dims });
}

function frameShape({ name, sigShape, keepsFrames }: Native, { sig }: OpenOptions): Shape {
  if (!sig || sameShape(sig, sigShape)) return sigShape;
  const [asked, found, own] = [sizeOf(wanted(sig, "sig", name)), sizeOf(sigShape), showShape(sigShape)];
  if (asked === found && !keepsFrames) return sig;
  const why = keepsFrames
    ? `${keepsFrames}, so they stay ${own}`
    : `that are ${asked} samples, its frames of ${own} have ${found}; give a shape with as many, or none`;
  const text = `Cannot open ${name} with frames of ${showShape(sig)}: ${why}`;
  const details = { file: name, option: "sig", expected: found, found: asked };
  throw new TilewiseError(keepsFrames ? "unsupported" : "invalid", text, details);
}

/** A shape that a user gave; `invalid` unless all its sizes are counts of one or more. */
export function wanted(shape: Shape, what: "nav" | "sig", name: string): Shape {
  if (shape.every((n) => Number.isSafeInteger(n) && n > 0)) {
    sizeOf(shape);
    return shape;
  }
  const text = `Cannot open ${name} with ${what} ${showShape(shape)}: sizes are whole numbers from 1`;
  throw new TilewiseError("invalid", text, { file: name, found: shape.join(","), option: what });
}

/** Warns when scan and image counts differ; images that the sync offset skips are not counted as missing. */
function coverage(navShape: Shape, images: number, syncOffset: number): string[] {
  const positions = sizeOf(navShape);
  const hidden = images - Math.max(0, syncOffset) - positions;
  if (positions <= images && hidden <= 0) return [];
  const text = `The scan of ${
    showShape(navShape)
  } has ${positions} positions, the files have ${images} images: `;
  const rest = positions > images ? "positions without an image stay blank" : "the last images are not shown";
  return [text + rest];
}
