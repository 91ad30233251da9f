/**
 * Computes the weights of masks from their descriptions, one list per mask.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { frameSides } from "../../../masks/frame.ts";
import * as masksOf from "../../../masks/mod.ts";
import type { SparseMasks } from "../../../masks/mod.ts";
import {
  BINS_OPTIONS,
  FOURIER_OPTIONS,
  type RadialBinsOptions,
  type RadialFourierMaskOptions,
} from "../../../masks/options.ts";
import { divisor, eachRadialWeight, type RadialLayout, radialLayout } from "../../../masks/radial_bins.ts";
import { checkOrder } from "../../../masks/radial_fourier.ts";
import { diskStamps, stampWeights } from "../../../masks/stamped.ts";
import { checkOptionNames, isPromise } from "../../../options.ts";
import { dtypeInfo, isComplex } from "../../../space/dtype.ts";
import { angleOf, cosine, sine } from "../../../space/functions/functions.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import {
  checkMask,
  type Mask,
  type MaskFunctions,
  type MaskGenerators,
  type MaskModule,
  type MaskRecipe,
  type RingMask,
} from "./mask.ts";
import {
  complexListed,
  listed,
  type MaskSteps,
  type MaskWeights,
  packed,
  type WeightList,
} from "./packed.ts";
import { weightsOfRing } from "./ring.ts";
import { canList, sparseWeights } from "./sparse_stack.ts";

// Stacks of rings as lists of weights: radial bins, and their Fourier masks. Weights are counted first, and then
// written directly to their final place.

/** Pixels that are processed in one step. */
const STEP_PIXELS = 2 ** 16;

/** The masks of `radialBins`. */
function* ringMasks(shape: Shape, options: RadialBinsOptions): MaskSteps {
  checkOptionNames("sparseRadialBins()", options, BINS_OPTIONS);
  const lists = yield* ringLists(shape, radialLayout(shape, options));
  for (const { values } of options.normalize ? lists : []) {
    let sum = 0;
    for (const weight of values) sum += weight;
    for (let i = 0; i < values.length; i++) values[i]! /= divisor(sum);
  }
  return lists.map((list) => listed(sizeOf(shape), list));
}

/** The masks of `radialFourierMasks`. */
function* fourierMasks(shape: Shape, options: RadialFourierMaskOptions): MaskSteps {
  checkOptionNames("radialFourierMasks()", options, FOURIER_OPTIONS);
  const orders = checkOrder(options.maxOrder ?? 24) + 1;
  const layout = radialLayout(shape, { ...options, bins: options.bins ?? 1 });
  const lists = yield* ringLists(shape, layout);
  const masks = [];
  let held = lists.reduce((sum, { values }) => sum + 12 * values.length, 0);
  for (const { pixels, values } of lists) {
    const angles = anglesOf(pixels, shape, layout);
    for (let order = 0; order < orders; order++) {
      held += 16 * values.length;
      yield held;
      const [real, imaginary] = [new Float64Array(values.length), new Float64Array(values.length)];
      for (let i = 0; i < values.length; i++) {
        real[i] = values[i]! * cosine(order * angles[i]!);
        imaginary[i] = values[i]! * sine(order * angles[i]!);
      }
      masks.push(complexListed(sizeOf(shape), withoutZeros(pixels, real), withoutZeros(pixels, imaginary)));
    }
  }
  return masks;
}

interface RingList extends WeightList {
  readonly values: Float64Array;
}

/** The weights of each bin. */
function* ringLists(shape: Shape, layout: RadialLayout): Generator<number, RingList[]> {
  const [height, width] = frameSides(shape, "radial bins");
  const ends = new Uint32Array(layout.bins);
  const rows = Math.max(1, Math.floor(STEP_PIXELS / width));
  for (let y = 0; y < height; y += rows) {
    eachRadialWeight(shape, layout, (bin) => ends[bin]!++, [y, Math.min(height, y + rows)]);
    yield 0;
  }
  for (let bin = 1; bin < ends.length; bin++) ends[bin]! += ends[bin - 1]!;
  const total = ends.at(-1)!;
  yield 12 * total;
  const [pixels, values] = [new Uint32Array(total), new Float64Array(total)];
  const starts = Uint32Array.from(ends, (_, bin) => bin === 0 ? 0 : ends[bin - 1]!);
  const next = starts.slice();
  for (let y = 0; y < height; y += rows) {
    const store = (bin: number, pixel: number, weight: number) => {
      const at = next[bin]!++;
      pixels[at] = pixel;
      values[at] = weight;
    };
    eachRadialWeight(shape, layout, store, [y, Math.min(height, y + rows)]);
    yield 12 * total;
  }
  return Array.from(ends, (end, bin) => ({
    pixels: pixels.subarray(starts[bin], end),
    values: values.subarray(starts[bin], end),
  }));
}

/** The angles of pixels around the centre, as in `polarMap`. */
function anglesOf(pixels: Uint32Array, shape: Shape, { cy, cx }: RadialLayout): Float64Array {
  const width = shape[1]!;
  return Float64Array.from(pixels, (pixel) => angleOf(Math.floor(pixel / width) - cy, pixel % width - cx));
}

function withoutZeros(pixels: Uint32Array, values: Float64Array): WeightList {
  if (!values.includes(0)) return { pixels, values };
  return {
    pixels: pixels.filter((_, i) => values[i] !== 0),
    values: values.filter((weight) => weight !== 0),
  };
}

/** Recipes of stacks that are made in steps. */
type Stacks = "radialBins" | "sparseRadialBins" | "radialFourierMasks";

const STACKS: { readonly [N in Stacks]: (shape: Shape, options: MaskGenerators[N]) => MaskSteps } = {
  radialBins: ringMasks,
  sparseRadialBins: ringMasks,
  radialFourierMasks: fourierMasks,
};

const GENERATORS: {
  readonly [N in Exclude<keyof MaskGenerators, Stacks>]: (shape: Shape, options: MaskGenerators[N]) => Mask;
} = {
  circular: masksOf.circular,
  ring: masksOf.ring,
  rectangular: masksOf.rectangular,
  radialGradient: masksOf.radialGradient,
  radialGradientBackgroundSubtraction: (shape, { r, ro, delta = 1, ...polar }) =>
    masksOf.radialGradientBackgroundSubtraction(masksOf.polarMap(shape, polar).radius, {
      r,
      ro,
      delta,
    }),
  backgroundSubtraction: masksOf.backgroundSubtraction,
  gradientX: masksOf.gradientX,
  gradientY: masksOf.gradientY,
  stampTemplates: (shape, { template, stamps }) => stampWeights(shape, template, stamps),
  stampDisks: (shape, { r, stamps }) => stampWeights(shape, ...diskStamps(shape, r, stamps)),
};

/** The weights of all masks of a list for frames of `shape`, in steps; a stack gives several. */
export function* weightsInSteps(
  masks: readonly Mask[],
  shape: Shape,
  functions: MaskFunctions = new Map(),
): MaskSteps {
  const all: MaskWeights[] = [];
  let held = 0;
  for (const mask of masks) {
    let some: MaskWeights[];
    if (isRing(mask)) some = [weightsOfRing(mask, shape)];
    else {
      const steps = stepsOf(mask, shape, functions);
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield held + step.value;
      some = step.value;
    }
    for (const made of some) {
      all.push(made);
      held += made.bytes ?? 0;
    }
    yield held;
  }
  return all;
}

function isRing(mask: Mask): mask is RingMask {
  return !("make" in mask || "module" in mask || "values" in mask || "data" in mask);
}

function* stepsOf(
  mask: Mask,
  shape: Shape,
  functions: MaskFunctions,
): MaskSteps {
  if ("make" in mask) return yield* made(mask, shape);
  if ("module" in mask) return yield* weightsInSteps(called(mask, shape, functions), shape, functions);
  if ("masks" in mask) return yield* unpacked(mask, shape);
  if ("data" in mask) return weightsOf(mask, shape);
  return [weightsOfRing(mask, shape)];
}

function* made<N extends keyof MaskGenerators>(recipe: MaskRecipe & { make: N }, shape: Shape): MaskSteps {
  const { make, ...options } = recipe as { make: string };
  if (Object.hasOwn(STACKS, make)) return yield* generated(STACKS[make as Stacks], shape, options);
  if (!Object.hasOwn(GENERATORS, make)) {
    const known = [...Object.keys(GENERATORS), ...Object.keys(STACKS)];
    const text = `Cannot make the mask "${make}"; there are ${known.join(", ")}`;
    throw new TilewiseError("invalid", text, { option: "masks", found: String(make) });
  }
  if (!("stamps" in options)) yield Float64Array.BYTES_PER_ELEMENT * sizeOf(shape);
  const mask = generated(GENERATORS[make as keyof typeof GENERATORS], shape, options);
  if ("masks" in mask) return yield* unpacked(mask as SparseMasks, shape);
  return weightsOf(mask as NDArray, shape).map(packed);
}

/**
 * Calls the generator of a recipe. Its options belong to the generator that `make` names, which the compiler cannot
 * check.
 */
function generated<R>(generator: (shape: Shape, options: never) => R, shape: Shape, options: object): R {
  return generator(shape, options as never);
}

/** Key of a module function. */
export function functionKey({ module, export: name = "default" }: MaskModule): string {
  return `${module}#${name}`;
}

function called(mask: MaskModule, shape: Shape, functions: MaskFunctions): readonly Mask[] {
  const key = functionKey(mask);
  const result: unknown = functions.get(key)?.(shape, mask.params ?? {});
  const isAsync = isPromise(result);
  const list = Array.isArray(result) ? result : [result];
  const usable = (value: unknown) =>
    typeof value === "object" && value !== null &&
    ["data", "values", "make", "ro"].some((name) => name in value);
  if (list.length > 0 && list.every(usable)) {
    list.forEach((mask, i) => checkMask(`The mask function ${key}`, `masks[${i}]`, mask));
    return list as Mask[];
  }
  const what = isAsync ? "returned a promise, which is not awaited" : "gave no masks";
  const text =
    `The mask function ${key} ${what}; it must return a mask, or a list of them, and must not be async`;
  throw new TilewiseError("invalid", text, {
    option: "masks",
    found: isAsync ? "a promise" : typeof result,
  });
}

/** The masks of an array: itself, or those along its first dimension. */
function weightsOf({ data, shape: found, dtype }: NDArray, shape: Shape): MaskWeights[] {
  const isStack = checkStack(found, shape);
  const complex = isComplex(dtype);
  const units = sizeOf(shape) * (complex ? 2 : 1);
  return Array.from({ length: isStack ? found[0]! : 1 }, (_, m) => ({
    values: asNumbers(data.subarray(m * units, (m + 1) * units)),
    complex,
  }));
}

/** Sparse masks, one by one. */
function* unpacked(masks: SparseMasks, shape: Shape): MaskSteps {
  if (checkStack(masks.shape, shape) && canList(masks)) return yield* sparseWeights(masks);
  yield dtypeInfo(masks.dtype).itemSize * sizeOf(masks.shape);
  return weightsOf(masksOf.denseMasks(masks), shape).map((mask) => {
    return { ...mask, bytes: mask.values.byteLength };
  });
}

/** Whether an array of shape `found` is a stack of masks for frames of `shape`, or one mask; throws if it is neither. */
function checkStack(found: Shape, shape: Shape): boolean {
  const isStack = found.length === shape.length + 1 && sameShape(found.slice(1), shape);
  if (isStack || sameShape(found, shape)) return isStack;
  const text = `Cannot use a mask of ${showShape(found)}: frames are ${showShape(shape)}; a stack of masks ` +
    `has one dimension more, before those`;
  throw new TilewiseError("invalid", text, {
    option: "masks",
    expected: showShape(shape),
    found: showShape(found),
  });
}
