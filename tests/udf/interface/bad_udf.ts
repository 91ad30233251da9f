/** UDFs that cannot be made, or fail in what they say before a run, or on workers only. */

import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

const good: Udf<Record<"x", DType>> = {
  name: "bad",
  buffers: { x: { kind: "nav" } },
  processFrame: () => {},
};

function fail(): never {
  throw new RangeError("no good");
}

/** Cannot be made. */
export function factory(): Udf {
  return fail();
}

/** Cannot be made, after a while. */
export function later(): Promise<Udf> {
  return Promise.reject(new RangeError("no good"));
}

/** What it declares fails. */
export const declares: Udf<Record<"x", DType>> = { ...good, buffers: fail };

/** Its constants fail. */
export const constant: Udf<Record<"x", DType>> = { ...good, constants: fail };

/** What it wants of tiles fails. */
export const tiles: Udf<Record<"x", DType>> = { ...good, tiling: fail };

/** What it says of pixels fails. */
export const part: Udf<Record<"x", DType>> = { ...good, pixels: fail };

/** Its scratch arrays fail. */
export const scratchy: Udf<Record<"x", DType>> = { ...good, scratch: fail };

/** Cannot be made on a worker. */
export function mainOnly(): Udf {
  return "WorkerGlobalScope" in globalThis ? fail() : good;
}

/** Fails where it gets ready for a partition. */
export const starting: Udf<Record<"x", DType>> = { ...good, taskData: fail };

/** Fails after the last tile. */
export const ending: Udf<Record<"x", DType>> = { ...good, postprocess: fail };

/** Fails where results are made. */
export const resulting: Udf<Record<"x", DType>> = { ...good, results: fail };

/** Fails where partial results are merged. */
export const merging: Udf<Record<"x" | "n", DType>> = {
  ...good,
  buffers: { x: { kind: "nav" }, n: { kind: "single" } },
  merge: fail,
};
