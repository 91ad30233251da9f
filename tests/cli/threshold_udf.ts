import type { Udf } from "../../src/udf/udf.ts";

/** Counts samples at or above a threshold. */
export default function threshold({ least }: { readonly least: number }): Udf<"count"> {
  return {
    name: "threshold",
    buffers: { count: { kind: "nav", dtype: "int32" } },
    processFrame({ data }, { count }) {
      count[0] = Array.from(data as Float32Array).filter((value) => value >= least).length;
    },
  };
}

/** Fails at the first tile. */
export const failing: Udf<"nothing"> = {
  name: "failing",
  buffers: { nothing: { kind: "nav" } },
  processTile() {
    throw new RangeError("this cannot work");
  },
};

/** Never returns. */
export const endless: Udf<"nothing"> = {
  name: "endless",
  buffers: { nothing: { kind: "nav" } },
  processTile() {
    for (;;);
  },
};

/** Is no UDF. */
export const nonsense = 42;
