/**
 * Views and results as arrays, for user functions.
 *
 * @module
 */

import { copyView } from "../../memory/copy_box.ts";
import type { Places } from "../../memory/places.ts";
import { denseStrides, stridedView } from "../../memory/strided.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, unitsOf } from "../../space/dtype.ts";
import { isBig } from "../../space/numbers.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { type Shape, sizeOf, stridesOf } from "../../space/shape.ts";
import { eachPlace } from "./lines.ts";
import type { PlacedSamples } from "./operation.ts";

/** The types of arrays, and their places. */
interface FunctionArraysOptions {
  /** The memory that contains everything. */
  readonly memory: WebAssembly.Memory;
  /** Type of the samples in views. */
  readonly stored: DType;
  /** Type of the samples that the function gets. */
  readonly input: DType;
  /** Type of its results. */
  readonly dtype: DType;
  /** Addresses of room for the input, if its type differs from that of views, and for the output. */
  readonly scratch: Places<"input" | "output">;
  /** Where the arrays that the function takes are among those of a view. */
  readonly order: readonly number[];
}

/** Makes the arrays for one view, and copies the result. */
interface FunctionArrays {
  /** The view of each array, in the type that the function gets. */
  of(view: PlacedSamples): NDArray[];
  /** Room for the result. */
  room(out: PlacedSamples): NDArray;
  /** Copies the result to its place. */
  deliver(made: NDArray, out: PlacedSamples): void;
}

/** Arrays for a function of views. */
export function functionArrays(options: FunctionArraysOptions): FunctionArrays {
  const { memory, stored, input, dtype, scratch } = options;
  return {
    of(view) {
      const { itemSize } = dtypeInfo(stored);
      return options.order.map((k, n) => {
        const own = { ...view, pointer: view.pointer + k * (view.apart ?? 0) };
        if (stored !== input) return converted(own, n, options);
        const stride = view.strides.map((bytes) => bytes / itemSize);
        return placedArray(memory, stored, own.pointer, view.shape, stride);
      });
    },
    room: ({ shape }) => placedArray(memory, dtype, scratch.at("output"), shape, stridesOf(shape)),
    deliver(_, { pointer, shape, strides }) {
      const { buffer } = memory;
      copyView(
        stridedView(buffer, scratch.at("output"), dtype, shape),
        stridedView(buffer, pointer, dtype, shape, strides),
      );
    },
  };
}

/** The array whose first sample is at `pointer`; strides in samples. */
function placedArray(
  { buffer }: WebAssembly.Memory,
  dtype: DType,
  pointer: number,
  shape: Shape,
  stride: Shape,
): NDArray {
  const span = sizeOf(shape) === 0 ? 0 : 1 + shape.reduce((sum, n, d) => sum + (n - 1) * stride[d]!, 0);
  return { data: typedArray(dtype, buffer, pointer, span), shape, stride, dtype };
}

/** The samples of the view of array `n` as `input`, without gaps. */
function converted(
  view: PlacedSamples,
  n: number,
  { memory, stored, input, scratch }: FunctionArraysOptions,
): NDArray {
  const { buffer } = memory;
  const { shape } = view;
  const length = shape.at(-1)!;
  const pointer = scratch.at("input") + n * sizeOf(shape) * dtypeInfo(input).itemSize;
  const to = { pointer, strides: denseStrides(shape, input) };
  eachPlace(shape.slice(0, -1), view, to, (from, out) => {
    convert(typedArray(stored, buffer, from, length), stored, typedArray(input, buffer, out, length), input);
  });
  return placedArray(memory, input, pointer, shape, stridesOf(shape));
}

/** Converts samples to another type, which can hold them; `to` may begin before `from` in the same memory. */
export function convert(from: TypedArray, stored: DType, to: TypedArray, input: DType): void {
  if (unitsOf(stored) < unitsOf(input)) {
    for (let i = 0; i < from.length; i++) {
      to[2 * i] = Number(from[i]!);
      to[2 * i + 1] = 0;
    }
  } else if (isBig(to)) {
    for (let i = 0; i < from.length; i++) to[i] = BigInt(from[i]!);
  } else if (isBig(from)) {
    for (let i = 0; i < from.length; i++) to[i] = Number(from[i]!);
  } else to.set(from);
}
