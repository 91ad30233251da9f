/**
 * The UDF that finds the standard deviation in a ring.
 *
 * @module
 */

import { kernel } from "../../../kernels/registry.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Udf } from "../../interface/udf.ts";
import { checkOptionNames } from "../../../options.ts";
import { ANNULAR_OPTIONS, type AnnularDetectorOptions } from "../detectors.ts";
import { checkRing } from "../../../masks/ring_check.ts";
import { leastRingBytes, type Ring, ringRuns } from "../../../masks/ring_runs.ts";
import { heightAndWidth } from "../runs.ts";

/** The UDF behind `fluctuation`. */
export function fem(
  options: AnnularDetectorOptions = {},
): Udf<{ intensity: "float64" }, { constants: { runs: Int32Array } }> {
  checkOptionNames("fluctuation()", options, ANNULAR_OPTIONS);
  return {
    name: "fem",
    buffers: { intensity: { kind: "nav", dtype: "float64", values: "sums" } },
    inputDType: "native",
    raw: "kernels",
    kernels: ["deviation"],
    leastBytes: ({ sigShape }) => leastRingBytes(sizeFor(sigShape), ringOf(options, sizeFor(sigShape))),
    constants: ({ sigShape }) => {
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
