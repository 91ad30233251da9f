/** Frames as sparse matrices in memory. */

import type { CooInput, CsrInput } from "../../../src/formats/memory/inputs.ts";
import type { TypedArray } from "../../../src/space/dtype.ts";
import { congruential } from "../blobfinder/frames.ts";

/** The samples that are not zero, row by row, and entry by entry in an order that has no meaning. */
export function toSparse(values: TypedArray, pixels: number): Pick<CsrInput, "csr"> & Pick<CooInput, "coo"> {
  const indptr = [0], indices: number[] = [], places: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if (Number(values[at]) !== 0) {
      indices.push(at % pixels);
      places.push(at);
    }
    if (at % pixels === pixels - 1) indptr.push(places.length);
  }
  const take = (order: readonly number[]) => {
    const data = values.slice(0, order.length) as TypedArray;
    order.forEach((at, e) => data[e] = values[at]!);
    return data;
  };
  const shuffled = [...places];
  const random = congruential(5);
  for (let e = shuffled.length - 1; e > 0; e--) {
    const other = Math.floor(random.next().value! * (e + 1));
    [shuffled[e], shuffled[other]] = [shuffled[other]!, shuffled[e]!];
  }
  return {
    csr: { indptr: Float64Array.from(indptr), indices: Int32Array.from(indices), data: take(places) },
    coo: {
      rows: Int32Array.from(shuffled, (at) => Math.floor(at / pixels)),
      columns: Uint16Array.from(shuffled, (at) => at % pixels),
      data: take(shuffled),
    },
  };
}
