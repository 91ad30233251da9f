/** UDFs that look up a side file per frame. */

import type { Udf } from "../../../src/udf/interface/udf.ts";

/** The weight of each frame lies in a file, at the position of the frame: the sum of the samples, weighted. */
export function weighted({ name, missing = -1 }: { readonly name: string; readonly missing?: number }): Udf {
  return {
    name: "weighted",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    inputDType: "float64",
    processFrame(frame, { sum }, { files }) {
      const position = frame.positions[0]!;
      using file = files.open(position === missing ? `${name}.missing` : name, "read_only", {
        elementSize: 8,
      });
      const weight = new Float64Array(1);
      file.read(weight, { from: "begin", offset: position });
      sum![0] = Array.from(frame.data, Number).reduce((total, value) => total + value, 0) * weight[0]!;
    },
  };
}
