/** A UDF of a user whose loop is a kernel, in a file beside it. */

import { kernelUdf } from "@tilewise/tilewise/unstable/udf";

/** The sum of the samples of each frame that are at least `least`. */
export default function bright({ least = 1 }: { readonly least?: number } = {}) {
  return kernelUdf({
    name: "bright",
    file: new URL("./own_kernel.as.ts", import.meta.url),
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    params: { least },
  });
}
