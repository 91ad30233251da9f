/**
 * Corrections of the detector: dark frame, gain map and excluded pixels, checked and prepared for kernels.
 *
 * A corrected sample is `(sample − dark) · gain`; then each excluded pixel becomes the mean of its good
 * neighbours: those of the 3^n − 1 pixels around it that lie in the frame and are not excluded themselves. Complex frames
 * take real and complex maps.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type Box, wholeBox } from "../space/box.ts";
import { type DType, dtypeInfo, resultType } from "../space/dtype.ts";
import type { NDArray } from "../space/ndarray.ts";
import { ravel, sameShape, type Shape, showShape, sizeOf, stridesOf, unravel } from "../space/shape.ts";
import type { CorrectedDType, Corrections } from "./correction_options.ts";

export * from "./correction_options.ts";

/**
 * Type of corrected samples: the smallest float of 32 or 64 bits that holds the stored samples; complex samples keep their
 * type. Refuses corrections that do not fit the frames.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(correctionsDType({ excluded: [[0, 1]] }, { dtype: "uint16", sigShape: [4, 4] }), "float32");
 * assertEquals(correctionsDType({}, { dtype: "uint32", sigShape: [4, 4] }), "float64");
 * assertEquals(correctionsDType({}, { dtype: "complex64", sigShape: [4, 4] }), "complex64");
 * ```
 */
export function correctionsDType(corrections: Corrections, frames: CorrectedFrames): CorrectedDType {
  checkCorrections(corrections, frames);
  return resultType("float32", frames.dtype) as CorrectedDType;
}

/** Facts about the frames. */
interface CorrectedFrames {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Shape of a frame. */
  readonly sigShape: Shape;
}

/** Refuses corrections that do not fit the frames, or that leave an excluded pixel without a neighbour. */
function checkCorrections(corrections: Corrections, frames: CorrectedFrames): void {
  const { dark, gain, excluded = [] } = corrections;
  const { sigShape } = frames;
  if (dark) checkMap(dark, "dark", frames);
  if (gain) checkMap(gain, "gain", frames);
  for (const at of excluded) {
    if (
      at.length === sigShape.length && at.every((c, d) => Number.isInteger(c) && c >= 0 && c < sigShape[d]!)
    ) {
      continue;
    }
    const text = `Excluded pixel (${at.join(", ")}) is not in a frame of ${showShape(sigShape)}`;
    throw new TilewiseError("invalid", text, {
      option: "corrections.excluded",
      expected: showShape(sigShape),
      found: at.join(", "),
    });
  }
  patchPlan(corrections, sigShape, wholeBox(sigShape));
}

function checkMap(
  { shape, stride, dtype }: NDArray,
  name: "dark" | "gain",
  { dtype: samples, sigShape }: CorrectedFrames,
): void {
  const what = { dark: "dark frame", gain: "gain map" }[name];
  const option = `corrections.${name}`;
  if (!sameShape(shape, sigShape)) {
    const text = `Cannot use a ${what} of ${showShape(shape)} for frames of ${showShape(sigShape)}`;
    throw new TilewiseError("invalid", text, {
      option,
      expected: showShape(sigShape),
      found: showShape(shape),
    });
  }
  if (!sameShape(stride, stridesOf(shape))) {
    const text = `Cannot use a ${what} whose samples are not in row-major order`;
    throw new TilewiseError("invalid", text, { option });
  }
  if (dtypeInfo(dtype).kind === "c" && dtypeInfo(samples).kind !== "c") {
    const text = `Cannot use a ${what} of ${dtype} for frames of ${samples}; it must be real, as they are`;
    throw new TilewiseError("invalid", text, { option, found: dtype, expected: samples });
  }
}

/** How kernels patch the excluded pixels of one part of the frames. */
interface PatchPlan {
  /** For each pixel: its number in the part, the number of its neighbours, and their numbers. */
  readonly plan: Int32Array;
  /** Pixels to patch. */
  readonly count: number;
}

/**
 * The patch plan of the part `box` of frames of `sigShape`, pixels in ascending order.
 *
 * Errors: `invalid` when a pixel has no good neighbour (unless `allowEmpty`), or when the box cuts a
 * neighbourhood, which tiles from `negotiate` never do.
 *
 * @example The corner of a 2 × 2 frame is the mean of the other three
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { plan } = patchPlan({ excluded: [[0, 0]] }, [2, 2], { origin: [0, 0], shape: [2, 2] });
 * assertEquals([...plan], [0, 3, 1, 2, 3]);
 * ```
 */
export function patchPlan(
  { excluded = [], allowEmpty = false }: Corrections,
  sigShape: Shape,
  { origin, shape }: Box,
): PatchPlan {
  const bad = new Set(excluded.map((at) => ravel(at, sigShape)));
  const inside = (at: Shape) => at.every((c, d) => c >= origin[d]! && c < origin[d]! + shape[d]!);
  const number = (at: Shape) => ravel(at.map((c, d) => c - origin[d]!), shape);
  const entries: number[] = [];
  let count = 0;
  for (const pixel of [...bad].sort((a, b) => a - b)) {
    const at = unravel(pixel, sigShape);
    if (!inside(at)) continue;
    const good = neighbours(at, sigShape).filter((other) => !bad.has(ravel(other, sigShape)));
    if (good.length === 0 && allowEmpty) continue;
    if (good.length === 0) throw noNeighbour(at);
    if (!good.every(inside)) throw cutNeighbourhood(at, shape);
    entries.push(number(at), good.length, ...good.map(number));
    count++;
  }
  return { plan: Int32Array.from(entries), count };
}

/**
 * The plan for complex samples as pairs of floats: each pixel twice, once for either part.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { plan, count } = pairedPlan({ plan: Int32Array.of(0, 2, 1, 3), count: 1 });
 * assertEquals([[...plan], count], [[0, 2, 2, 6, 1, 2, 3, 7], 2]);
 * ```
 */
export function pairedPlan({ plan, count }: PatchPlan): PatchPlan {
  const entries: number[] = [];
  for (let at = 0; at < plan.length;) {
    const [pixel, neighbours] = [plan[at]!, plan[at + 1]!];
    const good = plan.subarray(at + 2, at += 2 + neighbours);
    for (const part of [0, 1]) {
      entries.push(2 * pixel + part, neighbours);
      for (const other of good) entries.push(2 * other + part);
    }
  }
  return { plan: Int32Array.from(entries), count: 2 * count };
}

/** The pixels around `at` that lie in the frame, ascending. */
function neighbours(at: Shape, sigShape: Shape): number[][] {
  const steps = at.map(() => 3);
  return Array.from(
    { length: sizeOf(steps) },
    (_, i) => unravel(i, steps).map((step, d) => at[d]! + step - 1),
  )
    .filter((other) => !sameShape(other, at) && other.every((c, d) => c >= 0 && c < sigShape[d]!));
}

function noNeighbour(at: Shape): TilewiseError {
  const text = `Excluded pixel (${at.join(", ")}) has no good neighbour to be patched from; ` +
    "allowEmpty leaves such pixels as they are";
  return new TilewiseError("invalid", text, { option: "corrections.excluded", found: at.join(", ") });
}

function cutNeighbourhood(at: Shape, shape: Shape): TilewiseError {
  const text = `Excluded pixel (${at.join(", ")}) touches the border of a tile of ${showShape(shape)}`;
  return new TilewiseError("invalid", text, { found: at.join(", ") });
}
