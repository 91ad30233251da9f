/**
 * Samples as they are: for conversions between formats.
 *
 * @module
 */

import { copyView } from "../../memory/copy_box.ts";
import { stridedView } from "../../memory/strided.ts";
import type { DType } from "../../space/dtype.ts";
import { type OperationEntry, operationOf, type ViewOperation } from "./operation.ts";

/** See {@link copySamples}. */
export const COPY_SAMPLES: OperationEntry<object, never> = {
  name: "copySamples",
  params: {},
  kernels: [],
  usualRadius: 0,
  radius: () => 0,
  result: (dtype) => dtype,
  values: () => "same",
  scratch: () => ({}),
  start({ kernels: { memory }, dtype }) {
    return (view, out) => {
      const at = ({ pointer, strides }: typeof view) =>
        stridedView(memory.buffer, pointer, dtype, out.shape, strides);
      copyView(at(view), at(out));
    };
  },
};

/**
 * The samples as they are, of any type: to write an array or a data set to a sink.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { copySamples } from "@tilewise/tilewise/unstable/views";
 * import { fileSink, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(5, 3, 9, 7), { format: "raw", dtype: "uint8", nav: [], sig: [2, 2] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * await mapViews(image, copySamples(), { sink: fileSink(`${folder}/image.npy`), context });
 * assertEquals((await open(`${folder}/image.npy`)).shape, [2, 2]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function copySamples(): ViewOperation<DType> {
  return operationOf(COPY_SAMPLES, {});
}
