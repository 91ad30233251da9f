/** A UDF that shows in which type it gets its samples. */

import type { DType } from "../../../src/space/dtype.ts";
import type { DTypeWish } from "../../../src/udf/interface/buffer_types.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** Copies one frame as complex numbers and notes the array it came in. */
export function typed({ wish }: { wish: DTypeWish }): Udf<Record<"values" | "width", DType>> {
  return {
    name: "typed",
    buffers: ({ pixels }) => ({
      values: { kind: "nav", dtype: "complex128", extraShape: [pixels] },
      width: { kind: "nav", dtype: "int32" },
    }),
    inputDType: () => wish,
    processFrame({ data, pixels }, { values, width }) {
      const units = data.length / pixels;
      width[0] = units === 2 ? -data.BYTES_PER_ELEMENT : data.BYTES_PER_ELEMENT;
      for (let p = 0; p < pixels; p++) {
        for (let u = 0; u < units; u++) values[2 * p + u] = Number(data[units * p + u]);
      }
    },
  };
}
