import { isMainThread } from "node:worker_threads";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { BREAKS, type Fault } from "./breaks.ts";

/** A fault of the thread that computes. */
export interface ThreadFault {
  /** What fails, of `BREAKS`. */
  readonly kind: string;
  /** Which call of each thread, counted from the first partition that it computes; 0: none. */
  readonly n: number;
}

/** Nothing fails. */
export const NONE: ThreadFault = { kind: "a memory", n: 0 };

/** The fault of this thread, and which one it is. */
let fault: Fault | undefined;
let current = "";

/** Counts frames; calls of the workers that it runs on fail, as the parameters say, until it runs with others. */
export default function breaking({ kind, n }: ThreadFault): Udf<{ count: "float64" }> {
  return {
    name: "breaking",
    buffers: { count: { kind: "nav", dtype: "float64" } },
    preprocess() {
      if (isMainThread || current === `${kind} ${n}`) return;
      current = `${kind} ${n}`;
      fault?.[Symbol.dispose]();
      fault = n === 0 ? undefined : BREAKS[kind]!(n) as Fault; // those of files that are written take a promise
    },
    processFrame(_tile, { count }) {
      count[0] = 1;
    },
  };
}
