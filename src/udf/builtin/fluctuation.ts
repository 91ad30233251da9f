/**
 * Fluctuation electron microscopy (FEM): how much the intensity varies along a ring in every frame.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import type { Udf } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";
import type { RingMask } from "./masks/mask.ts";
import { checkFinite, heightAndWidth, runsWhere } from "./runs.ts";

/**
 * Standard deviation of every frame over the pixels with `ri < √(dy² + dx²) ≤ ro`. Result `intensity`: float64, shape of
 * the scan; NaN where the ring has no pixel.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(0, 1, 0, 5, 9, 3, 0, 3, 0), { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { fem } = await run(await plan(scan, { fem: fluctuation({ cy: 1, cx: 1, ri: 0.5, ro: 1 }) }));
 * assertEquals([...fem!.intensity!.data], [Math.SQRT2]);
 * ```
 */
export function fluctuation({ cy, cx, ri, ro }: Required<RingMask>): UdfRef {
  return builtin("fem", { cy, cx, ri, ro });
}

/** The UDF behind {@link fluctuation}. */
export function fem(ring: Required<RingMask>): Udf<"intensity"> {
  checkFinite("fem", ring, ["cy", "cx", "ri", "ro"]);
  const { cy, cx, ri, ro } = ring;
  const inDisk = (square: number, r: number) => r >= 0 && square <= r * r;
  const inside = (y: number, x: number) => {
    const square = (y - cy) ** 2 + (x - cx) ** 2;
    return inDisk(square, ro) && !inDisk(square, ri);
  };
  return {
    name: "fem",
    buffers: { intensity: { kind: "nav", dtype: "float64" } },
    inputDType: "native",
    raw: true,
    constants: ({ sigShape }) => ({
      runs: runsWhere(...heightAndWidth(sigShape, "find the fluctuation of"), inside),
    }),
    processFrame({ raw, rowLength }, { intensity }, { kernels, constants }) {
      const { byteOffset, length } = constants.runs!;
      const deviation = kernel(kernels, "deviation", raw.dtype, raw.byteOrder);
      deviation(intensity.byteOffset, 8, raw.pointer, 1, raw.frameStride, rowLength, byteOffset, length / 3);
    },
  };
}
