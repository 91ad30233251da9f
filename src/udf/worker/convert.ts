/**
 * Converts the samples of a tile to dense native-endian numbers of another dtype.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import { type Kernels, swapSamples } from "../../kernels/bind.ts";
import { type DType, dtypeInfo, isComplex, type TypedArray, typedArray } from "../../space/dtype.ts";
import { fillNumbers, reverseUnits, setNumber } from "../../space/numbers.ts";
import type { Convert, Tile } from "../interface/tile.ts";

/** A {@link Convert} to `dtype` that reuses the bytes at address `scratch` for every tile. */
export function converter(kernels: Kernels, dtype: DType, scratch: number): Convert {
  return (tile) => {
    const length = tile.frames * tile.pixels;
    const pointer = isDense(tile, dtype) ? tile.raw.pointer : scratch;
    const data = typedArray(dtype, kernels.memory.buffer, pointer, length);
    if (pointer === scratch) fill(kernels, tile, dtype, scratch, data);
    return data;
  };
}

/** Whether the samples already have the wanted type and layout, so that a typed array can show them in place. */
function isDense({ raw, pixels, frames }: Tile, dtype: DType): boolean {
  const { itemSize, unitSize } = dtypeInfo(dtype);
  return raw.dtype === dtype && (raw.byteOrder === "little" || unitSize === 1) &&
    raw.pointer % unitSize === 0 && (frames === 1 || raw.frameStride === pixels * itemSize);
}

function fill(kernels: Kernels, tile: Tile, dtype: DType, scratch: number, data: TypedArray): void {
  const { raw, frames, pixels } = tile;
  const step = pixels * dtypeInfo(dtype).itemSize;
  if (raw.dtype === dtype) copyFrames(kernels, tile, scratch);
  else if ((dtype === "float32" || dtype === "float64") && dtypeInfo(raw.dtype).kind !== "c") {
    const convert = kernel(
      kernels,
      dtype === "float32" ? "convert_f32" : "convert_f64",
      raw.dtype,
      raw.byteOrder,
    );
    for (let f = 0; f < frames; f++) convert(scratch + f * step, raw.pointer + f * raw.frameStride, pixels);
  } else convertSlowly(tile, dtype, data, kernels.memory.buffer);
}

/** Copies the frames one right after another, and swaps bytes if the file has the other byte order. */
function copyFrames(kernels: Kernels, { raw, frames, pixels }: Tile, scratch: number): void {
  const bytes = pixels * dtypeInfo(raw.dtype).itemSize;
  const memory = new Uint8Array(kernels.memory.buffer);
  for (let f = 0; f < frames; f++) {
    const from = raw.pointer + f * raw.frameStride;
    memory.copyWithin(scratch + f * bytes, from, from + bytes);
  }
  swapSamples(kernels, raw, scratch, frames * pixels);
}

/** Converts any dtype to any other, sample by sample: for rare pairs without a kernel. */
function convertSlowly(
  { raw, frames, pixels }: Tile,
  dtype: DType,
  data: TypedArray,
  buffer: ArrayBufferLike,
): void {
  const from = dtypeInfo(raw.dtype);
  const bytes = pixels * from.itemSize;
  const perPixel = from.kind === "c" ? 2 : 1;
  const widen = isComplex(dtype) && perPixel === 1; // real to complex: the imaginary parts are 0
  if (widen) fillNumbers(data, 0);
  for (let f = 0; f < frames; f++) {
    const copy = new Uint8Array(buffer, raw.pointer + f * raw.frameStride, bytes).slice();
    if (raw.byteOrder === "big") reverseUnits(copy, from.unitSize);
    const samples = typedArray(raw.dtype, copy.buffer, 0, pixels);
    const at = f * pixels * (widen ? 2 : perPixel);
    for (let i = 0; i < samples.length; i++) setNumber(data, at + (widen ? 2 * i : i), samples[i]!);
  }
}
