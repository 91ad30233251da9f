import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** Sums frames; computes without end, once in every partition, after it has left a mark with its process in `folder`. */
export default function spinning({ folder }: { readonly folder: string }): Udf<Record<"sum", DType>> {
  let at = -1;
  return {
    name: "spinning",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    preprocess(_buffers, { partition: { index } }) {
      at = index;
    },
    processFrame({ data }, { sum }) {
      if (at >= 0 && isFirst(`${folder}/${at}`)) { for (;;); }
      let total = 0;
      for (const value of data) total += Number(value);
      sum[0] = total;
    },
  };
}

/** Whether nobody has made this mark before. */
function isFirst(mark: string): boolean {
  try {
    Deno.writeTextFileSync(mark, String(Deno.pid), { createNew: true });
    return true;
  } catch {
    return false;
  }
}
