import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** Counts samples at or above a threshold. */
export default function threshold({ least }: { readonly least: number }): Udf<Record<"count", DType>> {
  return {
    name: "threshold",
    buffers: { count: { kind: "nav", dtype: "int32" } },
    processFrame({ data }, { count }) {
      count[0] = Array.from(data as Float32Array).filter((value) => value >= least).length;
    },
  };
}

/** Fails at the first tile. */
export const failing: Udf<Record<"nothing", DType>> = {
  name: "failing",
  buffers: { nothing: { kind: "nav" } },
  processTile() {
    throw new RangeError("this cannot work");
  },
};

/** Never returns. */
export const endless: Udf<Record<"nothing", DType>> = {
  name: "endless",
  buffers: { nothing: { kind: "nav" } },
  processTile() {
    for (;;);
  },
};

/** Is no UDF. */
export const nonsense = 42;
