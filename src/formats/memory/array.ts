/**
 * Arrays in memory as data sets. The samples stay where they are: their bytes are the file.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import { samplesOf, stridedView } from "../../memory/strided.ts";
import { axesRule, checkAxes, valuesRule } from "../../space/meaning/rules.ts";
import { type DType, dtypeInfo, dtypeOf, parseDType, type TypedArray } from "../../space/dtype.ts";
import { sameShape, type Shape, showShape, sizeOf, stridesOf } from "../../space/shape.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import type { Arrangement, ArrayInput } from "./inputs.ts";

/** What was said of an array, with the name that messages have for it. */
type Said = Arrangement & { readonly name: string };

/** The data set of an array. */
export function openArray(input: ArrayInput, said: Said): StoredDataset {
  const { name } = said;
  const dtype = sampleType(input.data, said.dtype, name);
  const shape = shapeOf(input, said, dtype);
  checkMeaning(name, shape, input);
  const samples = rowMajor(input, shape, dtype, name);
  const [navShape, sigShape] = splitShape(shape, said.sigDims ?? dimsOf(shape, said.sig), name);
  const images = sizeOf(navShape);
  const valid = input.valid && validImages(input.valid, shape, images, name);
  const detection = { format: "memory", why: [`an array of ${showShape(shape)} ${dtype} was given`] };
  return fileDataset({ name, source: { name }, detection }, {
    images,
    navShape,
    sigShape,
    layout: plainLayout(samples, images, sigShape, dtype, name),
    warnings: (given) => [
      ...given.warnings,
      ...(valid ? [invalidWarning(valid)] : []),
      ...axesThatFit(name, shape, input.axes ?? []).warnings,
    ],
    metadata: { shape: [...shape] },
    axes: input.axes,
    values: input.values,
    valid,
  }, said);
}

/** Refuses what is said of an array and cannot be so. */
function checkMeaning(name: string, shape: Shape, { axes, values }: ArrayInput): void {
  if (values !== undefined) valuesRule("open()", "values", values);
  const { of = [] } = values ?? {};
  checkAxes(`open ${name}`, of.map(() => 1), of);
  if (axes === undefined) return;
  axesRule("open()", "axes", axes);
  checkAxes(`open ${name}`, shape, axes);
}

/** The type of samples in memory: that of the typed array, unless another type of the same memory layout was given. */
export function sampleType(data: TypedArray, said: DType | string | undefined, file: string): DType {
  if (!ArrayBuffer.isView(data) || data as unknown instanceof DataView) {
    const found = inWords(data);
    const text = `its data must be a typed array, such as a Float32Array, not ${found}`;
    throw cannot("open", file, "invalid", text, { found });
  }
  const own = data as unknown instanceof Uint8ClampedArray ? "uint8" : dtypeOf(data);
  const dtype = said === undefined ? own : parseDType(said);
  const stored: Partial<Record<DType, DType>> = {
    bool: "uint8",
    complex64: "float32",
    complex128: "float64",
  };
  if (dtype === own || stored[dtype] === own) return dtype;
  const text = `its samples are ${own}, its dtype says ${dtype}; an array is not converted, and ` +
    `bytes of a file are opened by themselves, as in open(bytes, { dtype, sig })`;
  throw cannot("open", file, "invalid", text, { expected: dtype, found: own });
}

/** The given shape, or the scan shape followed by the frame shape; `invalid` with the product unless it fits the samples. */
function shapeOf({ data, shape, stride }: ArrayInput, { nav, sig, name }: Said, dtype: DType): Shape {
  const samples = data.length / (dtypeInfo(dtype).kind === "c" ? 2 : 1);
  if (!shape && !sig) {
    const text = `Cannot open ${name} without its shape: give shape, or sig (and nav)`;
    throw new TilewiseError("invalid", text, { file: name });
  }
  const whole = shape ?? [...nav ?? imagesOf(samples, sig!), ...sig!];
  const needed = counted(whole, name);
  if (needed === samples || shape && stride && samples > needed) return whole;
  const sum = `${showShape(whole)} = ${needed} samples of ${dtype}`;
  const takes = shape ? "shape takes" : "nav and sig take";
  const text = `its ${takes} ${sum}, its data has ${samples}`;
  throw cannot("open", name, "invalid", text, { expected: needed, found: samples });
}

/** The product of sizes, which are counts. */
function counted(shape: Shape, file: string): number {
  if (Array.isArray(shape) && shape.every((n) => Number.isSafeInteger(n) && n >= 0)) return sizeOf(shape);
  const text = `Cannot open ${file} with the shape ${JSON.stringify(shape)}: sizes are whole numbers`;
  throw new TilewiseError("invalid", text, { file, found: JSON.stringify(shape) });
}

function imagesOf(samples: number, sig: Shape): number[] {
  return [Math.floor(samples / Math.max(1, sizeOf(sig)))];
}

/** Default number of dimensions of the frame: those of `sig`, if the array ends with it. */
function dimsOf(shape: Shape, sig: Shape | undefined): number | undefined {
  return sig && sameShape(shape.slice(shape.length - sig.length), sig) ? sig.length : undefined;
}

/** The samples without gaps: the array itself where it lies that way, else a copy. */
function rowMajor({ data, stride }: ArrayInput, shape: Shape, dtype: DType, file: string): TypedArray {
  if (!stride || sameShape(stride, stridesOf(shape))) return data;
  const { itemSize } = dtypeInfo(dtype);
  const end = data.byteOffset + data.byteLength;
  try {
    const view = stridedView(data.buffer, data.byteOffset, dtype, shape, stride.map((n) => n * itemSize));
    const last = stride.reduce((sum, n, d) => sum + n * Math.max(0, shape[d]! - 1), 0);
    if (stride.every((n) => n >= 0) && data.byteOffset + (last + 1) * itemSize <= end) return samplesOf(view);
  } catch (error) {
    if (!(error instanceof TilewiseError)) throw error;
  }
  const text = `with the strides ${stride.join(", ")} an array of ${showShape(shape)} ` +
    `reaches beyond its ${data.byteLength / itemSize} samples`;
  throw cannot("open", file, "invalid", text, { found: stride.join(",") });
}

/** The layout of samples in memory: one file, and nothing between the frames. */
export function plainLayout(
  samples: TypedArray,
  images: number,
  sigShape: Shape,
  dtype: DType,
  name: string,
): FrameLayout {
  const files = [{ source: bytesSpec(samples, name), start: 0, end: images, headerBytes: 0 }];
  return frameLayout({ files, sigShape, dtype });
}

/** The bytes of an array as a source; they are not copied. */
export function bytesSpec({ buffer, byteOffset, byteLength }: TypedArray, name: string) {
  return { kind: "bytes", name, bytes: new Uint8Array(buffer, byteOffset, byteLength) } as const;
}

/** One byte per frame; `undefined` if all are valid. Frames that are partly valid are refused. */
function validImages(valid: Uint8Array, shape: Shape, images: number, file: string): Uint8Array | undefined {
  const size = sizeOf(shape);
  if (!(valid instanceof Uint8Array) || valid.length === 0 || size % valid.length !== 0) {
    const text = `its valid mask has ${valid?.length} values, its array ${size} samples; ` +
      `a mask has one byte per sample, or one for each of the first dimensions`;
    throw cannot("open", file, "invalid", text, { expected: size, found: valid?.length });
  }
  const [each, pixels] = [size / valid.length, size / Math.max(1, images)];
  const first = (image: number) => Math.floor(image * pixels / each);
  const partial: number[] = [];
  const found = Uint8Array.from({ length: images }, (_, image) => {
    const own = valid.subarray(first(image), Math.floor(((image + 1) * pixels - 1) / each) + 1);
    const isValid = own[0] !== 0;
    if (own.some((on) => (on !== 0) !== isValid)) partial.push(image);
    return isValid ? 1 : 0;
  });
  if (partial.length > 0) throw partlyValid(partial, images, file);
  return found.every((on) => on) ? undefined : found;
}

function partlyValid(partial: readonly number[], images: number, file: string): TilewiseError {
  const which = partial.length === 1 ? "1 of its frames is" : `${partial.length} of its ${images} frames are`;
  const text = `${which} valid in part, the first is number ${partial[0]}; frames are ` +
    `valid as a whole or not at all. Fill what is not valid and open { ...array, valid: undefined }, or say ` +
    `with sigDims which dimensions are the frame`;
  return cannot("open", file, "invalid", text, { found: partial.length, frame: partial[0]! });
}

function invalidWarning(valid: Uint8Array): string {
  const missing = valid.reduce((n, on) => n + (on ? 0 : 1), 0);
  const frames = missing === 1 ? "1 frame is" : `${missing} frames are`;
  return `${frames} not valid, of ${valid.length}: no run selects them`;
}
