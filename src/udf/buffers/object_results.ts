/**
 * The results of object buffers: they are stored beside the arrays of a UDF.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, isNamed } from "../../options.ts";
import { type ObjectResults, OBJECTS, type UdfResult, type WithObjects } from "../interface/buffer_types.ts";

/** `result` with `objects` attached, under a key that loops over its arrays do not see. */
export function withObjects(result: UdfResult, objects: ObjectResults): UdfResult {
  return Object.defineProperty(result, OBJECTS, { value: objects });
}

/**
 * The results of dtype `object` of one UDF.
 *
 * @param result the results of a UDF
 * @returns values by the names of their buffers
 *
 * @example The positions of bright samples, as many as there are
 * ```ts
 * import { open, plan, run, udf } from "@tilewise/tilewise";
 * import { objectsOf } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const peaks = udf({
 *   name: "peaks",
 *   buffers: { peaks: { kind: "nav", dtype: "object" } },
 *   processFrame({ data }, _, { objects }) {
 *     objects.peaks.set(0, [...data].flatMap((value, i) => value > 2 ? [i] : []));
 *   },
 * });
 * const scan = await open(Uint8Array.of(1, 9, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { it } = await run(await plan(scan, { it: peaks }));
 * assertEquals(objectsOf(it).peaks.data, [[1], [0, 1]]);
 * ```
 * @category Results
 */
export function objectsOf<O = ObjectResults>(result: WithObjects<O>): O {
  const objects = result?.[OBJECTS];
  if (objects) return objects;
  const isAll = isNamed(result) &&
    Object.values(result).some((one: unknown) => typeof one === "object" && one !== null && OBJECTS in one);
  if (isNamed(result) && !isAll) return {} as O;
  const found = isAll ? "those of all UDFs: take one of them, as in objectsOf(results.it)" : inWords(result);
  throw new TilewiseError("invalid", `objectsOf() takes the results of one UDF; it was given ${found}`, {
    found,
  });
}
