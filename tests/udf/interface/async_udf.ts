/** A UDF of which one function is async; `member` says which. Written without types, which would refuse it. */

import type { Params } from "../../../src/udf/interface/udf_ref.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

const PLAIN = {
  name: "waits",
  buffers: { sum: { kind: "nav", dtype: "float64" }, all: { kind: "sig", dtype: "float64" } },
  processFrame: () => {},
  merge: () => {},
};

const DONE: Readonly<Record<string, () => Promise<unknown>>> = {
  buffers: () => Promise.resolve(PLAIN.buffers),
  tiling: () => Promise.resolve({ depth: 1 }),
  inputDType: () => Promise.resolve("float32"),
};

/** Makes it. What it waits for fails a little later, which must not end the process. */
export default function make({ member, fails, tree, hidden }: Params): Udf {
  const name = String(member);
  const waiting = async () => {
    await Promise.resolve();
    if (fails) throw new Error("late");
    return await DONE[name]?.();
  };
  const later = hidden ? () => waiting() : waiting;
  const others = name === "processTile" || name === "processPartition" ? { processFrame: undefined } : {};
  const order = tree ? { order: () => "tree" } : {};
  const merging = name === "mergeAll" ? { merge: undefined } : {};
  return { ...PLAIN, ...others, ...order, ...merging, [name]: later } as unknown as Udf;
}
