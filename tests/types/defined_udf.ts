/** A UDF in a module of its own, as users write one: nothing but `defineUdf` says a type. */

import { defineUdf } from "@tilewise/tilewise";

/** Parameters. */
export interface Params {
  /** Samples below it do not count. */
  readonly least?: number;
}

/** How many samples are bright, and the sums of them per pixel. */
export default function bright({ least = 1 }: Params = {}) {
  return defineUdf({
    name: "bright",
    buffers: {
      count: { kind: "nav", dtype: "int32" },
      sum: { kind: "sig", dtype: "float64", merge: "sum" },
      steps: { kind: "single", dtype: "uint8", merge: "max", use: "private" },
      places: { kind: "nav", dtype: "object" },
    },
    taskData: () => new Set<number>(),
    processFrame({ data }, { count, sum, steps }, { objects, taskData: seen }) {
      const places: number[] = [];
      data.forEach((value, p) => {
        if (value < least) return;
        places.push(p);
        seen.add(p);
        sum[p] = value + (sum[p] ?? 0);
      });
      count[0] = places.length;
      steps[0] = seen.size;
      objects.places.set(0, places);
    },
  });
}

/** The same as a value. */
export const total = defineUdf({
  name: "total",
  buffers: { total: { kind: "nav", dtype: "float64" } },
  processFrame({ data }, { total }) {
    total[0] = data.reduce((sum, value) => sum + value);
  },
});
