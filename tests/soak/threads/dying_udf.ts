import { endThread } from "../../../src/executor/exits.ts";
import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** Where a thread dies. */
export type Phase = "preprocess" | "processFrame" | "postprocess";

/** When which thread dies: in this phase of this partition, the first time; `folder` takes the marks of those that have. */
export interface Death {
  readonly phase: Phase;
  readonly partition: number;
  readonly folder: string;
}

/** Sums frames; its thread dies once, as the parameters say. */
export default function dying({ phase, partition, folder }: Death): Udf<Record<"sum", DType>> {
  let at = -1;
  const die = (now: Phase) => {
    if (now !== phase || at !== partition || !isFirst(`${folder}/${phase}-${partition}`)) return;
    endThread();
    throw new Error("a thread that has ended goes on");
  };
  return {
    name: "dying",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    preprocess(_buffers, { partition: { index } }) {
      at = index;
      die("preprocess");
    },
    processFrame({ data }, { sum }) {
      die("processFrame");
      let total = 0;
      for (const value of data) total += Number(value);
      sum[0] = total;
    },
    postprocess() {
      die("postprocess");
    },
  };
}

/** Whether nobody has made this mark before. */
function isFirst(mark: string): boolean {
  try {
    Deno.writeTextFileSync(mark, "", { createNew: true });
    return true;
  } catch {
    return false;
  }
}
