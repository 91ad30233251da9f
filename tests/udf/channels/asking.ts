/** A UDF that asks a function of the host for every frame. */

import { hostCalls } from "../../../src/channels/launch/host_calls.ts";
import { remote } from "../../../src/channels/remote/function.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

export const functions = {
  weight: remote(["f64", "text"], "f64", async (position, unit) => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return unit === "half" ? position / 2 : position;
  }),
};

/** The first sample of each frame, weighted by what the host says. */
export function asking(): Udf {
  return {
    name: "asking",
    buffers: { weighted: { kind: "nav", dtype: "float64" } },
    inputDType: "float64",
    processFrame(frame, { weighted }, { files }) {
      const { channel, functions: host } = hostCalls<typeof functions>(files);
      weighted![0] = Number(frame.data[0]) * host.call(channel, "weight", frame.positions[0]!, "half");
    },
  };
}
