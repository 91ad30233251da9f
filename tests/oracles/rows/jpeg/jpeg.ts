/**
 * Rows of the kernels that undo JPEG.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "../common/describe.ts";
import { JPEG_CODE_BYTES, JPEG_SPARE } from "../../../../src/kernels/families/filters.ts";
import { jpegCodes } from "../../twins/jpeg/codes.ts";
import { jpegLossless } from "../../twins/jpeg/lossless.ts";
import { jpegBetween, jpegDouble, jpegRgb, jpegThree, jpegWiden } from "../../twins/jpeg/pixels.ts";
import { jpegSamples } from "../../twins/jpeg/samples.ts";
import { jpegPass, jpegScan } from "../../twins/jpeg/scan.ts";
import { randomOf } from "../common/packed.ts";
import { list, numbers, pixels, rowLength, type Rows } from "../common/row.ts";
import { codeFor, type Kind, type Stream, streamOf } from "./streams.ts";

/** JPEG. */
export const JPEG: Rows<
  | "jpeg_codes"
  | "jpeg_scan"
  | "jpeg_pass"
  | "jpeg_lossless"
  | "jpeg_samples"
  | "jpeg_double"
  | "jpeg_widen"
  | "jpeg_between"
  | "jpeg_rgb"
  | "jpeg_three"
> = {
  jpeg_codes: {
    reference: jpegCodes,
    parameters: () => ({
      status: numbers("int32", () => 1),
      table: numbers("uint8", () => JPEG_CODE_BYTES),
      counts: numbers("uint8", () => 16, (sizes) => stored(sizes).counts),
      symbols: bytes((sizes) => stored(sizes).symbols),
      length: (sizes) => stored(sizes).symbols.length,
    }),
  },
  jpeg_scan: { reference: jpegScan, parameters: () => ({ ...scan("sequential"), ...blocks("sequential") }) },
  jpeg_pass: {
    reference: jpegPass,
    parameters: () => ({
      ...scan("pass"),
      ...blocks("pass"),
      first: of("pass", "first"),
      last: of("pass", "last"),
      high: of("pass", "high"),
      low: of("pass", "low"),
    }),
  },
  jpeg_lossless: {
    reference: jpegLossless,
    parameters: (dtype) => ({
      ...scan("lossless"),
      out: numbers(dtype, (sizes) => sizes.pixels * streamOf(sizes, "lossless").parts),
      rows: ({ rows }) => rows,
      width: rowLength,
      count: of("lossless", "parts"),
      predictor: ({ seed }) => seed % 8,
      bits: () => 8 * dtypeInfo(dtype).itemSize,
    }),
  },
  jpeg_samples: {
    reference: jpegSamples,
    parameters: (dtype) => {
      const stride = (sizes: Sizes) => sizes.rowLength * 8 * dtypeInfo(dtype).itemSize + sizes.gap;
      return {
        dst: {
          ...numbers("uint8", (sizes) => 8 * stride(sizes)),
          parts: (sizes) => ({ bytes: stride(sizes) - sizes.gap, stride: stride(sizes) }),
        },
        stride,
        blocks: coefficients,
        table: {
          ...numbers("uint16", () => 64),
          values: (sizes) =>
            Array.from({ length: 64 }, (_, i) => sizes.seed % 6 ? 1 + (i * sizes.seed) % 99 : 65535 - i),
        },
        columns: rowLength,
        spare: numbers("uint8", () => JPEG_SPARE),
      };
    },
  },
  jpeg_double: {
    reference: jpegDouble,
    parameters: (dtype) => ({ dst: row(dtype, 2), near: row(dtype), far: row(dtype), n: pixels }),
  },
  jpeg_widen: {
    reference: jpegWiden,
    parameters: (dtype) => ({ dst: row(dtype, 2), src: row(dtype), n: pixels }),
  },
  jpeg_between: {
    reference: jpegBetween,
    parameters: (dtype) => ({
      dst: row(dtype),
      near: row(dtype),
      far: row(dtype),
      n: pixels,
      bias: ({ seed }) => 1 + seed % 2,
    }),
  },
  jpeg_rgb: {
    reference: jpegRgb,
    parameters: (dtype) => ({
      dst: row(dtype, 3),
      luma: row(dtype),
      blue: row(dtype),
      red: row(dtype),
      n: pixels,
    }),
  },
  jpeg_three: {
    reference: jpegThree,
    parameters: (dtype) => ({
      dst: row(dtype, 3),
      first: row(dtype),
      second: row(dtype),
      third: row(dtype),
      n: pixels,
    }),
  },
};

/** Bytes of which a call has as many as it says. */
function bytes(values: (sizes: Sizes) => readonly number[]): BufferContents {
  return numbers("uint8", (sizes) => values(sizes).length, values);
}

function stored({ pixels, seed }: Sizes) {
  const random = randomOf(seed);
  const symbols = Array.from({ length: 2 + Math.min(200, pixels) }, () => random(256));
  const code = codeFor(symbols, random, seed % 3 > 0);
  if (seed % 5) return code;
  return { ...code, counts: code.counts.map((count) => random(9) ? count : random(256)) }; // too many
}

/** A field of the stream of a call. */
function of(
  kind: Kind,
  field: "parts" | "units" | "interval" | "first" | "last" | "high" | "low",
): NumberParameter {
  return (sizes) => streamOf(sizes, kind)[field];
}

function scan(kind: Kind) {
  const some = (field: "state" | "src" | "codes" | "plan") => (sizes: Sizes) =>
    (streamOf(sizes, kind) as Stream)[field];
  return {
    status: numbers("int32", () => 2),
    state: list(some("state")),
    src: bytes(some("src")),
    length: (sizes: Sizes) => streamOf(sizes, kind).src.length,
    codes: bytes(some("codes")),
    plan: list(some("plan")),
    parts: of(kind, "parts"),
    interval: of(kind, "interval"),
    spare: numbers("uint8", () => JPEG_SPARE),
  };
}

function blocks(kind: Kind) {
  const values = (sizes: Sizes) => {
    const random = randomOf(sizes.seed);
    return Array.from({ length: 64 * streamOf(sizes, kind).blocks }, () => random(3) ? 0 : random(33) - 16);
  };
  return {
    blocks: numbers("int16", (sizes) => 64 * streamOf(sizes, kind).blocks, values),
    units: of(kind, "units"),
  };
}

/** Blocks: flat ones, such as images have, and any numbers. */
const coefficients: BufferContents = numbers("int16", (sizes) => 64 * sizes.rowLength, (sizes) => {
  const random = randomOf(sizes.seed);
  const kinds = [
    () => random(65536) - 32768,
    (k: number) => k % 64 === 0 ? random(2048) - 1024 : 0,
    (k: number) => random(k % 64 + 2) ? 0 : random(201) - 100,
    () => random(4) ? 0 : [-32768, 32767][random(2)]!,
  ];
  return Array.from({ length: 64 * sizes.rowLength }, (_, k) => kinds[(sizes.seed + (k >> 6)) % 4]!(k));
});

/** `times` rows of samples of 8 or 12 bits. */
function row(dtype: DType, times: number = 1): BufferContents {
  const length = (sizes: Sizes) => times * sizes.pixels, most = dtype === "uint8" ? 256 : 4096;
  return numbers(dtype, length, (sizes) => {
    const random = randomOf(sizes.seed + times);
    return Array.from({ length: length(sizes) }, () => random(5) ? random(most) : [0, most - 1][random(2)]!);
  });
}
