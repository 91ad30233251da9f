import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** Takes 5 ms per frame, and marks it as seen. Writes the file `marker` once the first partitions are done. */
export default function slow({ marker }: { marker?: string }): Udf<Record<"seen", DType>> {
  const still = new Int32Array(new SharedArrayBuffer(4));
  return {
    name: "slow",
    buffers: { seen: { kind: "nav", dtype: "float64" } },
    preprocess(_buffers, { partition }) {
      if (marker && partition.index === 6) Deno.writeTextFileSync(marker, "6");
    },
    processFrame(_frame, { seen }) {
      Atomics.wait(still, 0, 0, 5); // takes no time of the processor
      seen[0] = 1;
    },
  };
}
