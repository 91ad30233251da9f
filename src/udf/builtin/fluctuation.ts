/**
 * Fluctuation electron microscopy (FEM): how much the intensity varies along a ring in every frame.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import { checkRing, leastRingBytes, type Ring, ringRuns } from "../../masks/geometry.ts";
import { checkOptionNames } from "../../options.ts";
import type { Shape } from "../../space/shape.ts";
import { ANNULAR_OPTIONS, type AnnularDetectorOptions } from "./detectors.ts";
import { heightAndWidth, mustBeReal } from "./runs.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Standard deviation of every frame over the pixels with `ri < √(dy² + dx²) ≤ ro`; ring and defaults as for an annular
 * detector. Result `intensity`: float64, shape of the scan.
 *
 * @param options centre, inner and outer radius in pixels
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { fluctuation, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const frame = Uint8Array.of(0, 1, 0, 5, 9, 3, 0, 3, 0);
 * const scan = await open(frame, { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { fem } = await run(await plan(scan, { fem: fluctuation({ cy: 1, cx: 1, ri: 0.5, ro: 1 }) }));
 * assertEquals([...fem.intensity.data], [Math.SQRT2]);
 * ```
 * @category Analyses
 */
export function fluctuation(options: AnnularDetectorOptions = {}): UdfRef<{
  /** The standard deviation of the samples in the ring, per frame. */
  intensity: "float64";
}> {
  checkOptionNames("fluctuation()", options, ANNULAR_OPTIONS);
  return builtin("fluctuation", { ...options });
}

/** The UDF behind `fluctuation`. */
export function fluctuationUdf(
  options: AnnularDetectorOptions = {},
): Udf<{ intensity: "float64" }, { constants: { runs: Int32Array } }> {
  checkOptionNames("fluctuation()", options, ANNULAR_OPTIONS);
  return {
    name: "fluctuation",
    buffers: { intensity: { kind: "nav", dtype: "float64", values: "sums" } },
    inputDType: "native",
    raw: "kernels",
    kernels: ["deviation"],
    leastBytes: ({ sigShape }) => leastRingBytes(sizeFor(sigShape), ringOf(options, sizeFor(sigShape))),
    constants: ({ sigShape, nativeDType }) => {
      mustBeReal(nativeDType, "find the fluctuation of", "fluctuation");
      const size = sizeFor(sigShape);
      checkRing("a ring", sigShape, ringOf(options, size));
      return { runs: ringRuns(size, ringOf(options, size)) };
    },
    processFrame({ raw, rowLength }, { intensity }, { kernels, constants }) {
      const { byteOffset, length } = constants.runs;
      const deviation = kernel(kernels, "deviation", raw.dtype, raw.byteOrder);
      deviation(intensity.byteOffset, 8, raw.pointer, 1, raw.frameStride, rowLength, byteOffset, length / 3);
    },
  };
}

type Size = readonly [height: number, width: number];

function sizeFor(sigShape: Shape): Size {
  return heightAndWidth(sigShape, "find the fluctuation of");
}

function ringOf(options: AnnularDetectorOptions, [height, width]: Size): Ring {
  const { cy = height / 2, cx = width / 2, ro = Math.min(height, width) / 2 } = options;
  return { cy, cx, ro, ri: options.ri ?? 0.8 * ro };
}
