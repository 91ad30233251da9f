/**
 * Complex numbers and 2×2 matrices of them as the reference kernels of the measurement equation use them: every operation
 * is rounded to the type of the samples, as in the fast kernels.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { writer } from "../samples.ts";

/** A complex number. */
export type Pair = readonly [re: number, im: number];

/** A 2×2 matrix, row-major. */
export type Matrix = readonly [Pair, Pair, Pair, Pair];

/** Arithmetic in the type of the samples, and access to them. */
export interface Arithmetic {
  /** Bytes of a number. */
  readonly size: number;
  /** The nearest number of the type. */
  readonly round: (value: number) => number;
  /** Reads a number. */
  readonly get: (at: number) => number;
  /** Reads a complex number. */
  readonly pair: (at: number) => Pair;
  /** Writes a complex number. */
  readonly setPair: (at: number, pair: Pair) => void;
  /** Reads a matrix. */
  readonly matrix: (at: number) => Matrix;
  /** Writes a matrix. */
  readonly setMatrix: (at: number, matrix: Matrix) => void;
  /** `a b`. */
  readonly times: (a: Pair, b: Pair) => Pair;
  /** `a b` of matrices. */
  readonly product: (a: Matrix, b: Matrix) => Matrix;
}

/** The arithmetic of float32 or float64. */
export function arithmetic(memory: WebAssembly.Memory, dtype: DType): Arithmetic {
  const round = dtype === "float32" ? Math.fround : (value: number) => value;
  const [get, set, size] = [reader(memory, dtype), writer(memory, dtype), dtypeInfo(dtype).itemSize];
  const pair = (at: number): Pair => [get(at), get(at + size)];
  const setPair = (at: number, [re, im]: Pair) => {
    set(at, re);
    set(at + size, im);
  };
  const times = ([r, i]: Pair, [c, s]: Pair): Pair => [
    round(round(r * c) - round(i * s)),
    round(round(r * s) + round(i * c)),
  ];
  const add = (a: Pair, b: Pair): Pair => [round(a[0] + b[0]), round(a[1] + b[1])];
  return {
    size,
    round,
    get,
    pair,
    setPair,
    matrix: (at) => [0, 1, 2, 3].map((k) => pair(at + 2 * k * size)) as unknown as Matrix,
    setMatrix: (at, matrix) => matrix.forEach((one, k) => setPair(at + 2 * k * size, one)),
    times,
    product: ([a, b, c, d], [e, f, g, h]) => [
      add(times(a, e), times(b, g)),
      add(times(a, f), times(b, h)),
      add(times(c, e), times(d, g)),
      add(times(c, f), times(d, h)),
    ],
  };
}

/** The complex conjugate. */
export function conj([re, im]: Pair): Pair {
  return [re, -im];
}

/** The conjugate of the transposed matrix. */
export function adjoint([a, b, c, d]: Matrix): Matrix {
  return [conj(a), conj(c), conj(b), conj(d)];
}
