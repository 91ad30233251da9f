/**
 * Data sets whose axes are split into scan and frame by name: any axes can be the frame, in any order.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { Dataset } from "./dataset.ts";
import { keepFamilyOf } from "./families.ts";
import { type ChunkLayout, framesAsChunks } from "./layout/chunks.ts";
import { type FrameLayout, frameLayout, framePitch, isStoredAs } from "./layout/layout.ts";
import { permuted } from "./layout/permuted.ts";

/**
 * An axis: its name, or its number, counted from 0, scan before frame.
 * @category Data sets
 */
export type AxisName = string | number;

/** Which axes of an array are the scan and which the frame; those that are not named are the other ones, in order. */
export interface AxesSplit {
  /** The axes of the scan, the slowest first. */
  readonly navAxes?: readonly AxisName[] | undefined;
  /** The axes of a frame, the slowest first. */
  readonly sigAxes?: readonly AxisName[] | undefined;
}

/** `dataset` with other axes as scan and frame. Its samples stay where they are, and are put in order when they are read. */
export function splitAxes(dataset: Dataset, { navAxes, sigAxes }: AxesSplit): Dataset {
  if (!navAxes && !sigAxes) return dataset;
  const sigNumbers = sigAxes && numbersOf(dataset, "sigAxes", sigAxes);
  const nav = navAxes ? numbersOf(dataset, "navAxes", navAxes) : othersThan(dataset, sigNumbers!);
  const sig = sigNumbers ?? othersThan(dataset, nav);
  const order = [...nav, ...sig];
  if (new Set(order).size !== order.length || order.length !== dataset.shape.length) {
    throw refused(dataset, "each of its axes must be named once, as scan or as frame");
  }
  const { shape, axes, layout: { dtype, byteOrder, files } } = dataset;
  const pick = (numbers: Shape): Shape => numbers.map((d) => shape[d]!);
  const [navShape, sigShape] = [pick(nav), pick(sig)];
  const chunks = permuted(asChunks(dataset), order);
  const span = { ...files[0]!, start: 0, end: sizeOf(navShape) };
  const layout: FrameLayout = frameLayout({
    files: [span, ...files.slice(1).map((file) => ({ ...file, start: span.end, end: span.end }))],
    sigShape,
    dtype,
    byteOrder,
    storage: { kind: "chunks", chunks },
  });
  const levels = dataset.levels.map((level) => ({
    ...level,
    shape: order.map((d) => level.shape[d]!),
    scale: order.map((d) => level.scale[d]!),
  }));
  const split = new Dataset({ ...dataset, navShape, layout, axes: order.map((d) => axes[d]!), levels });
  keepFamilyOf(dataset, split, (level) => splitAxes(level, { navAxes: nav, sigAxes: sig }));
  return split;
}

/** The numbers of the axes `names`. */
function numbersOf(dataset: Dataset, option: string, names: readonly AxisName[]): number[] {
  const { axes } = dataset;
  return names.map((name) => {
    const found = typeof name === "number" ? name : axes.findIndex((axis) => axis.name === name);
    if (found >= 0 && found < axes.length && Number.isInteger(found)) return found;
    const known = axes.map((axis, d) => `${d} "${axis.name}"`).join(", ");
    throw refused(dataset, `there is no axis ${JSON.stringify(name)}; there are ${known}`, {
      option,
      found: name,
    });
  });
}

function othersThan({ shape }: Dataset, named: readonly number[]): number[] {
  return shape.map((_, d) => d).filter((d) => !named.includes(d));
}

/** The whole array in chunks, as it is stored. */
function asChunks(dataset: Dataset): ChunkLayout {
  const { layout, images, frames, syncOffset, valid, shape, sigShape, corrections } = dataset;
  if (images !== frames || syncOffset !== 0 || valid || corrections) {
    throw refused(dataset, "its frames do not fill the scan one by one, or come with corrections");
  }
  if (isStoredAs(layout, "chunks")) return layout.storage.chunks;
  if (!isStoredAs(layout, "contiguous") || layout.storage.codec) {
    throw refused(dataset, "its frames are neither plain samples nor in chunks");
  }
  const { itemSize } = dtypeInfo(layout.dtype);
  const pitch = framePitch(layout);
  const all = layout.files.flatMap(({ start, end, headerBytes }, file) =>
    Array.from(
      { length: end - start },
      (_, i) => ({ file, address: headerBytes + i * pitch + layout.frameHeaderBytes }),
    )
  );
  const addresses = Float64Array.from(all, ({ address }) => address);
  const plain = framesAsChunks({ shape, sig: sigShape.length, itemSize, addresses });
  return { ...plain, files: Uint32Array.from(all, ({ file }) => file) };
}

function refused({ source }: Dataset, why: string, details: Record<string, unknown> = {}): TilewiseError {
  return new TilewiseError("invalid", `Cannot split the axes of ${source}: ${why}`, {
    file: source,
    ...details,
  });
}
