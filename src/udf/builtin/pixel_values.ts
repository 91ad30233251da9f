/**
 * Single pixels of every frame.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { list, needed } from "../../options/rules.ts";
import { box } from "../../space/box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { ravel, type Shape, showShape } from "../../space/shape.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Parameters of {@link pixelValues}.
 * @category Analyses
 */
export interface PixelValuesOptions {
  /** The pixels, by their coordinates in a frame. */
  readonly at: readonly (readonly number[])[];
}

/** The names of the options. */
const PIXEL_OPTIONS: OptionNames<PixelValuesOptions> = { at: needed(list) };

/**
 * Some pixels of every frame. Result `intensity`: dtype of the data, shape (…scan, pixels). If the data set allows it,
 * only the rows with these pixels are read.
 *
 * @param options the pixels
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { open, pixelValues, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { right } = await run(await plan(scan, { right: pixelValues({ at: [[0, 1]] }) }));
 * assertEquals([...right.intensity.data], [2, 4]);
 * ```
 * @category Analyses
 */
export function pixelValues(options: PixelValuesOptions): UdfRef<{
  /** The samples at these pixels, per frame. */
  intensity: DType;
}> {
  checkOptionNames("pixelValues()", options, PIXEL_OPTIONS);
  return builtin("pixel_values", { ...options });
}

/** The UDF behind `pixelValues`. */
export function pixelValuesUdf(
  options: PixelValuesOptions,
): Udf<{ intensity: DType }, { constants: { at: Float64Array } }> {
  checkOptionNames("pixelValues()", options, PIXEL_OPTIONS);
  const { at } = options;
  return {
    name: "pixel_values",
    buffers: ({ nativeDType }) => ({
      intensity: {
        kind: "nav",
        dtype: nativeDType,
        extraShape: [at.length],
        values: "same",
        axes: [{ name: "pixel" }],
      },
    }),
    inputDType: "native",
    raw: true,
    tiling: { contiguous: true },
    pixels: ({ sigShape: [, ...rest] }) => {
      let [first, end] = [Infinity, 0];
      for (const [row = 0] of at) [first, end] = [Math.min(first, row), Math.max(end, row + 1)];
      return box([first, ...rest.map(() => 0)], [end - first, ...rest]);
    },
    constants: ({ sigShape }) => {
      checkPixels(at, sigShape);
      return { at: Float64Array.from(at, (pixel) => ravel(pixel, sigShape)) };
    },
    processTile({ raw, frames, box, pixels }, { intensity }, { constants, kernels, meta }) {
      const memory = new Uint8Array(kernels.memory.buffer);
      const { itemSize, unitSize } = dtypeInfo(raw.dtype);
      const flip = raw.byteOrder === "big" ? unitSize - 1 : 0; // in the other byte order, byte i of a unit is byte i ^ flip
      const first = ravel(box.origin, meta.sigShape);
      constants.at.forEach((pixel, k) => {
        if (pixel < first || pixel >= first + pixels) return;
        for (let f = 0; f < frames; f++) {
          const from = raw.pointer + f * raw.frameStride + (pixel - first) * itemSize;
          const to = intensity.byteOffset + (f * at.length + k) * itemSize;
          for (let i = 0; i < itemSize; i++) memory[to + i] = memory[from + (i ^ flip)]!;
        }
      });
    },
  };
}

function checkPixels(at: PixelValuesOptions["at"], sigShape: Shape): void {
  const isInside = (pixel: readonly number[]) =>
    pixel.length === sigShape.length &&
    pixel.every((c, d) => Number.isInteger(c) && c >= 0 && c < sigShape[d]!);
  const odd = Array.isArray(at) ? at.find((pixel) => !isInside(pixel)) : undefined;
  if (Array.isArray(at) && at.length > 0 && !odd) return;
  const what = odd ? `(${odd.join(", ")}) is not a pixel` : "there is none";
  throw new TilewiseError("invalid", `Cannot take pixels of frames of ${showShape(sigShape)}: ${what}`, {
    udf: "pixel_values",
    option: "at",
    expected: showShape(sigShape),
  });
}
