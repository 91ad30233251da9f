import type { Udf } from "../../src/udf/udf.ts";

/** Takes 5 ms a frame, and marks it as seen. */
const slow: Udf<"seen"> = {
  name: "slow",
  buffers: { seen: { kind: "nav", dtype: "float64" } },
  processFrame(_frame, { seen }) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    seen[0] = 1;
  },
};

export default slow;
