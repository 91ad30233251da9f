/**
 * Corrections that come with a data set: where its dark frame and gain map lie, and which pixels are dead.
 *
 * They are plain data like the layout of the frames; nothing is read before a run is planned.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { CONVERSION_KERNELS, packsOf } from "../kernels/pack_names.ts";
import { kernel } from "../kernels/registry.ts";
import { loadPacks } from "../kernels/wasm.ts";
import { ALIGNMENT } from "../memory/arena.ts";
import { dtypeInfo, resultType, typedArray } from "../space/dtype.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { sizeOf } from "../space/shape.ts";
import { formatBytes } from "../space/size.ts";
import type { Corrections } from "./corrections.ts";
import type { FrameLayout } from "./layout/layout.ts";
import { FramesApart } from "./frames_apart.ts";
import { loadReading } from "./storage/kinds.ts";
import { loadUnchanged } from "./storage/load_unchanged.ts";

/**
 * Corrections that a format found with the data. A run uses them unless its option `corrections` says otherwise.
 * @category Data sets
 */
export interface SuppliedCorrections {
  /** Where the dark frame lies: image 0 of this. */
  readonly dark?: FrameLayout;
  /** Where the gain map lies: image 0 of this. */
  readonly gain?: FrameLayout;
  /** Coordinates of dead pixels; those without a good neighbour stay as they are. */
  readonly excluded?: readonly (readonly number[])[];
  /** What they are and where they come from, one line each. */
  readonly why: readonly string[];
}

/** Most bytes that may be held to read one image; an image that is the mean of many needs much. */
const MOST_BYTES = 2 ** 31;
const loaded = new WeakMap<SuppliedCorrections, Promise<Corrections>>();

/** Reads the corrections that come with a data set; they are cached. */
export function loadSupplied(supplied: SuppliedCorrections): Promise<Corrections> {
  let found = loaded.get(supplied);
  if (!found) {
    found = load(supplied);
    loaded.set(supplied, found);
    found.catch(() => loaded.delete(supplied)); // a later call may succeed
  }
  return found;
}

async function load({ dark, gain, excluded }: SuppliedCorrections): Promise<Corrections> {
  return {
    ...(dark ? { dark: await readImage(dark) } : {}),
    ...(gain ? { gain: await readImage(gain) } : {}),
    ...(excluded ? { excluded, allowEmpty: true } : {}),
  };
}

/** Image 0 of a layout, as floats of a type that holds its samples. */
export async function readImage(layout: FrameLayout, signal?: AbortSignal): Promise<NDArray> {
  const { sigShape } = layout;
  const dtype = resultType("float32", layout.dtype);
  if (dtype !== "float32" && dtype !== "float64") {
    const text = `Cannot correct with samples of ${layout.dtype}: corrections are real numbers`;
    throw new TilewiseError("unsupported", text, { found: layout.dtype });
  }
  const pixels = sizeOf(sigShape);
  await Promise.all([loadReading(layout), loadPacks(packsOf(CONVERSION_KERNELS))]);
  const bytes = pixels * dtypeInfo(dtype).itemSize, more = bytes + ALIGNMENT;
  const needed = FramesApart.bytesFor(layout, { more });
  if (needed > MOST_BYTES) throw tooLarge(needed);
  await using frames = await FramesApart.open(layout, { more });
  const { reader, kernels, slab } = frames, out = slab.take(bytes, "samples");
  const raw = await loadUnchanged(reader, [0], undefined, signal);
  const convert = kernel(
    kernels,
    dtype === "float32" ? "convert_f32" : "convert_f64",
    raw.dtype,
    raw.byteOrder,
  );
  convert(out, raw.pointer, pixels);
  return ndarray(typedArray(dtype, frames.buffer, out, pixels).slice(), sigShape, dtype);
}

function tooLarge(bytes: number): TilewiseError {
  const text = `Cannot read the corrections that come with the data: they take ${formatBytes(bytes)}, ` +
    `${formatBytes(MOST_BYTES)} is the most; corrections: "none" leaves them out`;
  return new TilewiseError("over-budget", text, { expected: MOST_BYTES, found: bytes });
}
