import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** The samples at or above a threshold, by their places, and how many there are. */
export default function peaks(
  { least }: { readonly least: number },
): Udf<Record<"count" | "peaks", DType | "object">> {
  return {
    name: "peaks",
    buffers: { count: { kind: "nav", dtype: "int32" }, peaks: { kind: "nav", dtype: "object" } },
    processFrame({ data }, { count }, { objects }) {
      const found = Array.from(data as Float32Array).flatMap((value, i) => value >= least ? [i] : []);
      count[0] = found.length;
      objects.peaks!.set(0, found);
    },
  };
}

/** The places alone. */
export const only: Udf<Record<"peaks", DType | "object">> = {
  name: "only",
  buffers: { peaks: { kind: "nav", dtype: "object" } },
  processFrame({ data }, _, { objects }) {
    objects.peaks!.set(0, Array.from(data as Float32Array).indexOf(0));
  },
};
