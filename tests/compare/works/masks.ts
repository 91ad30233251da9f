/**
 * Products of frames with masks.
 *
 * @module
 */

import { type DType, dtypeInfo, resultType } from "../../../src/space/dtype.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import type { Mask, MaskOptions } from "../../../src/udf/builtin/masks/mask.ts";
import { roundHalfEven } from "../../../src/masks/frame.ts";
import { sparseMasks } from "../../../src/masks/sparse.ts";
import { asParam, float64, fromParam, randomArray } from "../data/arrays.ts";
import { perEntry, roundoffOf, SINGLE, sumError } from "../verdict/bounds.ts";
import type { Random } from "../data/random.ts";
import { type DataSpec, isImage, type Json, type Params, product } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";
import { type AnyWork, compute, type Judged, work } from "../work.ts";

/** Types of masks whose weights float32 holds: there both compute in single precision, or exactly. */
const SINGLE_MASKS: readonly DType[] = ["bool", "uint8", "int8", "int16", "float32", "complex64"];

/** Types of masks for which the peer computes in double precision. */
const DOUBLE_MASKS: readonly DType[] = ["int32", "float64", "complex128"];

interface MaskParams extends Params {
  /** Wire arrays. */
  readonly masks: readonly Json[];
  /** Whether they are given as sparse ones. */
  readonly sparse: boolean;
  /** Whether ours computes weight by weight. */
  readonly useSparse: "auto" | boolean;
  /** How the peer does. */
  readonly theirSparse: null | boolean | string;
  /** The peer's `mask_dtype`. */
  readonly maskDType: DType | null;
  /** Shifts of all frames, or a wire array. */
  readonly shifts: Json;
  /** Type of our result. */
  readonly dtype: DType | null;
}

function maskParams(random: Random, data: DataSpec, types: readonly DType[]): MaskParams {
  const dtypes = Array.from({ length: random.int(1, 4) }, () => random.pick(types));
  const sparse = random.chance(0.3);
  const masks = dtypes.map((dtype) =>
    asParam(randomArray(random, data.sig, dtype, random.pick(["whole", "fractions", "few"])))
  );
  const mixed = dtypes.reduce((a, b) => resultType(a, b));
  const shifts = isImage(data) && random.chance(0.35) ? randomShifts(random, data) : null;
  const theirs = [
    null,
    false,
    true,
    ...(shifts === null ? ["scipy.sparse", "scipy.sparse.csc"] : []),
    "sparse.pydata",
  ];
  return {
    masks,
    sparse,
    useSparse: random.pick(["auto", true, false] as const),
    theirSparse: random.pick(theirs),
    maskDType: random.chance(0.3) && "fc".includes(dtypeInfo(mixed).kind) ? single(mixed) : null,
    shifts,
    dtype: random.chance(0.2) ? single(resultType(resultType(mixed, data.dtype), "float32")) : null,
  };
}

function single(dtype: DType): DType {
  return dtypeInfo(dtype).kind === "c" ? "complex64" : "float32";
}

/** Shifts that may leave the frame, of all frames or of each: whole pixels, halves, or any; the peer is given them rounded. */
function randomShifts(random: Random, { nav, sig: [height = 1, width = 1] }: DataSpec): Json {
  const one = (n: number) => random.pick([random.int(-n, n), random.int(-n, n) / 2, random.real(-n, n)]);
  if (random.chance(0.5)) return [one(height), one(width)];
  const pairs = Array.from({ length: product(nav) }, () => [one(height), one(width)]);
  return asParam(float64(pairs.flat(), [...nav, 2]));
}

function oursOf({ masks, sparse, useSparse, shifts, dtype }: MaskParams): MaskOptions {
  const arrays = masks.map(fromParam);
  return {
    masks: sparse ? arrays.map(asSparse) : arrays,
    useSparse,
    ...(shifts === null ? {} : { shifts: shiftsOf(shifts) as never }),
    ...(dtype === null ? {} : { dtype: dtype as "float32" }),
  };
}

function shiftsOf(shifts: Json): NDArray | readonly number[] {
  return Array.isArray(shifts) ? shifts as number[] : fromParam(shifts);
}

function asSparse({ data, shape, dtype }: NDArray): Mask {
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const pixels = Array.from({ length: product(shape) }, (_, p) => p).filter((p) =>
    data.subarray(units * p, units * (p + 1)).some((value: number | bigint) => Number(value) !== 0)
  );
  const values = new (data.constructor as Float64ArrayConstructor)(units * pixels.length);
  pixels.forEach((p, i) => values.set(data.subarray(units * p, units * (p + 1)) as never, units * i));
  return sparseMasks([1, ...shape], pixels.map(() => 0), pixels, values, dtype);
}

/** Bounds of the products with masks, for each position and mask. */
function maskErrors({ opened: { data, truth }, params }: Judged<MaskParams>): Float64Array {
  const arrays = params.masks.map(fromParam);
  const mixed = params.maskDType ?? arrays.map((array) => array.dtype).reduce((a, b) => resultType(a, b));
  return errorsWith(roundoffOf(resultType(resultType("float32", data.dtype), mixed)), truth, params);
}

/** The bounds where products are computed in float32; none unless it holds all weights, and the samples. */
export function singleMaskErrors(data: DataSpec, truth: Truth, params: Params): Float64Array | undefined {
  const isSingle = roundoffOf(resultType("float32", data.dtype)) === SINGLE;
  const arrays = (params as MaskParams).masks.map(fromParam);
  const holds = arrays.every(({ data }) => Array.from(data, Number).every((w) => Math.fround(w) === w));
  return isSingle && holds ? errorsWith(SINGLE, truth, params as MaskParams) : undefined;
}

function errorsWith(
  unit: number,
  truth: Truth,
  { masks, maskDType, shifts, dtype }: MaskParams,
): Float64Array {
  const arrays = masks.map(fromParam);
  const moves = shifts === null ? undefined : shiftsOf(shifts);
  return perEntry(truth, arrays.length, (position) =>
    arrays.map((array) => {
      const complexWeights = dtypeInfo(array.dtype).kind === "c";
      const weights = moves
        ? shifted(array, moves, position)
        : Float64Array.from(array.data as Float64Array, Number);
      const isRounded = maskDType !== null && roundoffOf(array.dtype) !== SINGLE &&
        "fc".includes(dtypeInfo(array.dtype).kind);
      const error = sumError(truth, position, {
        weights,
        complexWeights,
        unit,
        weightError: isRounded ? 2 * SINGLE : 0,
      });
      return dtype === null
        ? error
        : error + 2 * SINGLE * sizeOfSum(truth.magnitudes(position), weights, truth.pixels);
    }));
}

/** How large the products of a sum are together; what a pixel without weight holds does not count. */
function sizeOfSum(magnitudes: Float64Array, weights: Float64Array, pixels: number): number {
  const size = (values: Float64Array, p: number) => {
    const units = values.length / pixels;
    return values.subarray(units * p, units * (p + 1)).reduce((sum, value) => sum + Math.abs(value), 0);
  };
  let sum = 0;
  for (let p = 0; p < pixels; p++) {
    const weight = size(weights, p);
    if (weight !== 0) sum += weight * size(magnitudes, p);
  }
  return sum;
}

/** The weights of a mask that has been moved, as they meet the frame of one position. */
function shifted(array: NDArray, moves: NDArray | readonly number[], position: number): Float64Array {
  const units = dtypeInfo(array.dtype).kind === "c" ? 2 : 1;
  const [height, width] = array.shape as [number, number];
  const [dy, dx] = [0, 1].map((d) =>
    roundHalfEven(Number("data" in moves ? moves.data[2 * position + d] : moves[d]))
  ) as [
    number,
    number,
  ];
  const out = new Float64Array(units * height * width);
  for (let i = 0; i < height * width; i++) {
    const [y, x] = [Math.floor(i / width) - dy, i % width - dx];
    if (y < 0 || y >= height || x < 0 || x >= width) continue;
    for (let unit = 0; unit < units; unit++) {
      out[units * i + unit] = Number(array.data[units * (y * width + x) + unit]);
    }
  }
  return out;
}

/** The works. */
export const MASKS: readonly AnyWork[] = [["masks", SINGLE_MASKS], ["masks-double", DOUBLE_MASKS]].map(
  ([word, types]) => {
    return work<MaskParams>({
      word: word as string,
      covers: ["apply_masks"],
      params: (random, { data }) => maskParams(random, data, types as readonly DType[]),
      ours: async (opened, params) => await compute(opened, applyMasks(oursOf(params))),
      expect: (judged) => ({ intensity: maskErrors(judged) }),
    });
  },
);
