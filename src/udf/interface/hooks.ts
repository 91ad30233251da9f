/**
 * The functions of a UDF, with a note of which one is about to be called: if it never comes back, whoever watches this
 * thread knows which one it was. Each call is also a sign of life.
 *
 * @module
 */

import { type Activity, begin, end, isWatched } from "../../activity.ts";
import type { Udf } from "./udf.ts";

/** The functions that code of users may give. */
const HOOKS = [
  "buffers",
  "inputDType",
  "tiling",
  "method",
  "pixels",
  "backends",
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

/** None takes more than three arguments. */
type Hook = (a?: unknown, b?: unknown, c?: unknown) => unknown;

/** The same UDF; what calls its functions leaves a note, if anybody watches. `ours`: no code of users runs in them. */
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

/** What a thread does that calls `hook` of a UDF. */
export function activityOf(udf: string, hook: string, ours: boolean): Activity {
  return { text: `${hook}() of UDF "${udf}"`, details: { udf, hook }, ours };
}

/** A copy that may have other functions; a class instance stays one. */
function likeness(udf: Udf): Udf {
  return Object.getPrototypeOf(udf) === Object.prototype ? { ...udf } : Object.create(udf);
}
