/**
 * Filters of Zarr arrays that change numbers: differences, scale and offset, another type, packed booleans. Numbers are in
 * little-endian order. A type is two values: its bytes, and its kind as its place in {@link KINDS}.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo, typedArray } from "../../space/dtype.ts";
import { type ChunkFilter, copyPlain, filterError, type FilterStep } from "./common/filter.ts";

/** Kinds of numbers, as NumPy calls them: unsigned, signed, float, boolean. */
const KINDS = ["u", "i", "f", "b"] as const;

const TYPES: Readonly<Record<string, DType>> = {
  u1: "uint8",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  i1: "int8",
  i2: "int16",
  i4: "int32",
  i8: "int64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
  b1: "uint8",
};

function typeOf(filter: string, size: number | undefined, kind: number | undefined): DType {
  const dtype = TYPES[`${KINDS[kind ?? -1]}${size}`];
  if (!dtype) {
    throw new TilewiseError("unsupported", `Cannot undo the filter ${filter} of type ${kind}, ${size} bytes`);
  }
  return dtype;
}

/** Sums up differences from the number before; values: the type. */
export const delta: ChunkFilter = (job) => {
  const { kernels: { exports }, input, output, values: [size = 1, kind = 0] } = job;
  const dtype = typeOf("delta", size, kind);
  const count = countOf("delta", job, size, size);
  const [dst, src] = [output.byteOffset, input.byteOffset];
  if (KINDS[kind] === "f") {
    return converted(job, dtype, dtype, count, () => {
      let sum = 0;
      return (value) => sum = rounded(dtype, sum + value);
    });
  }
  const sum = { 1: exports.sum_rows_u8, 2: exports.sum_rows_u16, 4: exports.sum_rows_u32 }[size] ??
    exports.sum_rows_u64;
  sum(dst, src, 1, count, 1);
  return count * size;
};

/** `stored / scale + offset`; values: offset, scale, the stored type, the type that comes out. */
export const fixedScaleOffset: ChunkFilter = (job) => {
  const [offset = 0, scale = 1, fromSize = 1, fromKind, toSize = 1, toKind] = job.values;
  const from = typeOf("fixed-scale-offset", fromSize, fromKind);
  const to = typeOf("fixed-scale-offset", toSize, toKind);
  const count = countOf("fixed-scale-offset", job, fromSize, toSize);
  return converted(
    job,
    from,
    to,
    count,
    () => (value) => rounded(from, rounded(from, value / scale) + offset),
  );
};

/** Numbers of one type as numbers of another; values: the stored type, the type that comes out. */
export const astype: ChunkFilter = (job) => {
  const [fromSize = 1, fromKind, toSize = 1, toKind] = job.values;
  const [from, to] = [typeOf("astype", fromSize, fromKind), typeOf("astype", toSize, toKind)];
  const count = countOf("astype", job, fromSize, toSize);
  if (from === to) return copyPlain("astype", job);
  return converted(job, from, to, count);
};

/** Floats that were rounded stay as they are; values: as for {@link astype}. */
export const quantize: ChunkFilter = (job) =>
  job.values.length < 4 ? copyPlain("quantize", job) : astype(job);

/** Booleans, one byte each, from bits; the first byte says how many bits of the last one are not used. */
export const packbitsBool: ChunkFilter = ({ kernels: { exports }, input, output }) => {
  const [unused = 0] = input;
  const count = 8 * (input.length - 1) - unused;
  if (unused > 7 || count < 0 || count > output.length) {
    throw filterError("packbits-bool", `${count} booleans do not fit ${output.length} bytes`, { place: 0 });
  }
  exports.bits_msb_u8(output.byteOffset, input.byteOffset + 1, 0, count, 1);
  return count;
};

/** Numbers of the input, all of which fit the output. */
function countOf(filter: string, { input, output }: FilterStep, from: number, to: number): number {
  const count = input.length / from;
  if (Number.isInteger(count) && count * to <= output.length) return count;
  throw filterError(
    filter,
    `${input.length} bytes are not numbers of ${from} bytes that fit ${output.length}`,
  );
}

/** What comes of arithmetic in the type: floats of 16 and 32 bits are rounded, integers become floats of 64 bits. */
function rounded(dtype: DType, value: number): number {
  return dtype === "float32" ? Math.fround(value) : dtype === "float16" ? Math.f16round(value) : value;
}

/** Changes each number, in float64; without a change, 64-bit integers stay exact. */
function converted(
  { input, output }: FilterStep,
  from: DType,
  to: DType,
  count: number,
  change?: () => (value: number) => number,
): number {
  const toSize = dtypeInfo(to).itemSize;
  const source = typedArray(from, input.slice().buffer, 0, count) as unknown as ArrayLike<number | bigint>;
  const own = new ArrayBuffer(count * toSize);
  const target = typedArray(to, own, 0, count) as unknown as Record<number, number | bigint>;
  const one = change?.() ?? ((value: number) => value);
  const isBig = to === "int64" || to === "uint64";
  for (let i = 0; i < count; i++) {
    const value = source[i]!;
    if (isBig && !change && typeof value === "bigint") target[i] = value;
    else {
      const result = one(Number(value));
      target[i] = isBig ? BigInt(Math.trunc(result) || 0) : result;
    }
  }
  output.set(new Uint8Array(own));
  return count * toSize;
}
