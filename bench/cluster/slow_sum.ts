/** The sum of a frame, slowly: a thread sleeps `ms` milliseconds per frame. */

import { defineUdf } from "../../mod.ts";

export default function ({ ms = 0 }: { readonly ms?: number } = {}) {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  return defineUdf({
    name: "slow-sum",
    buffers: { per: { kind: "nav", dtype: "float64" } },
    processFrame({ data }, { per }) {
      if (ms > 0) Atomics.wait(asleep, 0, 0, ms);
      let sum = 0;
      for (let i = 0; i < data.length; i++) sum += data[i]!;
      per[0] = sum;
    },
  });
}
