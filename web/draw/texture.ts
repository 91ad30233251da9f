/**
 * Numbers as textures: which format holds them without loss, and the numbers in it.
 *
 * Small integers travel as they are. 32-bit floats travel as their bits, so that NaN survives every driver. All else travels as
 * two floats whose sum is the value, scaled by a power of two: 48 bits of precision, so that a narrow window on large values is
 * as smooth as in double precision.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";
import { type Plane, planeRows } from "../../src/pictures/mod.ts";

/** How the numbers of a texture are read: integers, bits of one float, or bits of two floats. */
export type TextureKind = "unsigned" | "signed" | "float" | "double";

/** A texture of numbers. */
export interface NumberTexture {
  /** How they are read. */
  readonly kind: TextureKind;
  /** Numbers per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** The texels; two words each for `double`. */
  readonly data: Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array;
  /** The numbers are values times this. */
  readonly factor: number;
}

/** The array itself as a texture, if it is dense, all valid, and of small integers or 32-bit floats. */
export function directTexture(array: NDArray): NumberTexture | undefined {
  const { data, shape: [height = 0, width = 0], stride, valid, shape } = array;
  if (shape.length !== 2 || valid || stride[1] !== 1 || stride[0] !== width) return undefined;
  if (data.length < width * height) return undefined;
  const whole = { width, height, factor: 1 };
  const end = width * height;
  if (data instanceof Uint8Array || data instanceof Uint16Array) {
    return { ...whole, kind: "unsigned", data: plain(data.subarray(0, end)) };
  }
  if (data instanceof Int8Array || data instanceof Int16Array) {
    return { ...whole, kind: "signed", data: plain(data.subarray(0, end)) };
  }
  if (array.dtype !== "float32" || !(data instanceof Float32Array)) return undefined;
  return { ...whole, kind: "float", data: plain(new Uint32Array(data.buffer, data.byteOffset, end)) };
}

/** Shared memory cannot go to the graphics card: it is copied first. */
function plain<A extends Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array>(data: A): A {
  return data.buffer instanceof ArrayBuffer ? data : data.slice() as A;
}

/** Any planes as textures with one factor: 32-bit floats if `isExact`, as values are, else pairs of floats. */
export function planeTextures(planes: readonly Plane[], isExact: boolean): NumberTexture[] {
  if (isExact) return planes.map(floatTexture);
  const factor = factorOf(planes);
  return planes.map((plane) => doubleTexture(plane, factor));
}

/** Whether 32-bit floats hold all values of a dtype. */
export function fitsFloat({ dtype }: Pick<NDArray, "dtype">): boolean {
  return /^(bool|u?int(8|16)|float(16|32)|complex64)$/.test(dtype);
}

function floatTexture(plane: Plane): NumberTexture {
  const { width, height } = plane;
  const floats = new Float32Array(width * height);
  let at = 0;
  for (const line of planeRows(plane)) {
    floats.set(line, at);
    at += width;
  }
  return { kind: "float", width, height, data: new Uint32Array(floats.buffer), factor: 1 };
}

function doubleTexture(plane: Plane, factor: number): NumberTexture {
  const { width, height } = plane;
  const floats = new Float32Array(2 * width * height);
  let at = 0;
  for (const line of planeRows(plane)) {
    for (let x = 0; x < width; x++, at += 2) {
      const value = line[x]! * factor;
      const high = Math.fround(value);
      floats[at] = high;
      floats[at + 1] = Number.isFinite(value) ? value - high : 0;
    }
  }
  return { kind: "double", width, height, data: new Uint32Array(floats.buffer), factor };
}

/** A power of two that brings the largest value near 1, for values that 32-bit floats cannot hold; else 1. */
function factorOf(planes: readonly Plane[]): number {
  const most = Math.max(...planes.map(largest));
  if (most === 0 || (most < 2 ** 100 && most > 2 ** -60)) return 1;
  return 2 ** -Math.max(-1000, Math.min(1000, Math.round(Math.log2(most))));
}

/** The largest finite size of a value. */
function largest(plane: Plane): number {
  let most = 0;
  for (const line of planeRows(plane)) {
    for (let x = 0; x < line.length; x++) {
      const size = Math.abs(line[x]!);
      if (size > most && size < Infinity) most = size;
    }
  }
  return most;
}
