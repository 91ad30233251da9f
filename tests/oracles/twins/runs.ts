/**
 * Reference kernels over runs of pixels.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles } from "./samples.ts";

/** The addresses of the samples of `count` runs `(y, x0, x1)`, run by run. */
function places(
  memory: WebAssembly.Memory,
  { data, rowLength, itemSize, runs, count }: Record<
    "data" | "rowLength" | "itemSize" | "runs" | "count",
    number
  >,
): number[][] {
  const view = new DataView(memory.buffer);
  return Array.from({ length: count }, (_, r) => {
    const [y, x0, x1] = [0, 4, 8].map((field) => view.getInt32(runs + 12 * r + field, true));
    return Array.from({ length: x1! - x0! }, (_, i) => data + (y! * rowLength + x0! + i) * itemSize);
  });
}

/** Adds the values of all runs, value `i` of a run in lane `i mod lanes`; then adds the halves of the lanes, and so on. */
function inLanes(runs: readonly (readonly number[])[], lanes: number): number {
  const sums = new Float64Array(lanes);
  for (const run of runs) run.forEach((value, i) => sums[i % lanes]! += value);
  return lanes === 2 ? sums[0]! + sums[1]! : sums[0]! + sums[2]! + (sums[1]! + sums[3]!);
}

/** `out[f]` = standard deviation of the samples in the runs, from their mean. */
export function deviation(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["deviation"] {
  const read = reader(memory, dtype, order);
  const { set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (out, outStride, data, frames, frameStride, rowLength, runs, count) => {
    for (let f = 0; f < frames; f++) {
      const at = { data: data + f * frameStride, rowLength, itemSize, runs, count };
      const values = places(memory, at).map((run) => run.map(read));
      const n = values.reduce((sum, { length }) => sum + length, 0);
      const mean = inLanes(values, 4) / n;
      const squares = values.map((run) => run.map((value) => (value - mean) * (value - mean)));
      set(out + f * outStride, Math.sqrt(inLanes(squares, 4) / n));
    }
  };
}

/** `out[0] = Σ |z|` over the runs. */
export function magnitudes(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["magnitudes"] {
  const read = reader(memory, dtype);
  const { set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (out, data, rowLength, runs, count) => {
    const magnitude = (at: number) => Math.sqrt(read(at) ** 2 + read(at + itemSize) ** 2);
    const at = { data, rowLength, itemSize: 2 * itemSize, runs, count };
    set(out, inLanes(places(memory, at).map((run) => run.map(magnitude)), 2));
  };
}
