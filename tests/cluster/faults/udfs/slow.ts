/**
 * Sums of square roots, slowly: a thread sleeps `ms` milliseconds per frame. At the marked frame it may throw (`at=throw`) or end
 * its process (`at=die`).
 */

import { defineUdf } from "@tilewise/tilewise";

/** The first sample of the marked frame. */
const MARK = 60_000;

export default function ({ ms = 0, at = "" }: { readonly ms?: number; readonly at?: string } = {}) {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  return defineUdf({
    name: "slow",
    buffers: {
      per: { kind: "nav", dtype: "float32" },
      all: { kind: "sig", dtype: "float32", merge: "sum" },
    },
    processFrame({ data }, { per, all }) {
      if (ms > 0) Atomics.wait(asleep, 0, 0, ms);
      if (at === "throw" && data[0] === MARK) throw new RangeError("this frame is not to my liking");
      if (at === "die" && data[0] === MARK) Deno.kill(Deno.pid, "SIGKILL");
      let sum = 0;
      data.forEach((value, i) => {
        sum += Math.sqrt(value);
        all[i] = all[i]! + Math.sqrt(value);
      });
      per[0] = sum;
    },
  });
}
