/**
 * The functions of a UDF, with a note of which one is about to be called. If it never returns, the watchdog of this
 * thread knows which function hangs. Each call is also a sign of life.
 *
 * @module
 */

import { type Activity, begin, end, isWatched } from "../../activity.ts";
import type { Udf } from "./udf.ts";

/** The functions that user code may provide. */
const HOOKS = [
  "buffers",
  "inputDType",
  "tiling",
  "method",
  "pixels",
  "backends",
  "kernels",
  "order",
  "explain",
  "constants",
  "scratch",
  "aux",
  "warnings",
  "taskData",
  "preprocess",
  "processTile",
  "processFrame",
  "processPartition",
  "postprocess",
  "cleanup",
  "merge",
  "mergeAll",
  "results",
] as const satisfies readonly (keyof Udf)[];

/** No function takes more than three arguments. */
type Hook = (a?: unknown, b?: unknown, c?: unknown) => unknown;

/**
 * The same UDF, whose functions leave a note when they are called, if the thread is watched. `ours`: they run no user
 * code.
 */
export function noted(udf: Udf, ours: boolean): Udf {
  if (!isWatched()) return udf;
  const given: Readonly<Partial<Record<typeof HOOKS[number], unknown>>> = udf;
  const hooks = HOOKS.filter((hook) => typeof given[hook] === "function").map((hook) => {
    const activity = activityOf(udf.name, hook, ours);
    const own = given[hook] as Hook;
    const call: Hook = (a, b, c) => {
      const before = begin(activity);
      try {
        return own.call(udf, a, b, c);
      } finally {
        end(before);
      }
    };
    return [hook, call] as const;
  });
  return Object.assign(likeness(udf), Object.fromEntries(hooks));
}

/** The activity of a thread that calls `hook` of a UDF. */
export function activityOf(udf: string, hook: string, ours: boolean): Activity {
  return { text: `${hook}() of UDF "${udf}"`, details: { udf, hook }, ours };
}

/** A copy whose functions can be replaced; a class instance keeps its class. */
function likeness(udf: Udf): Udf {
  return Object.getPrototypeOf(udf) === Object.prototype ? { ...udf } : Object.create(udf);
}
