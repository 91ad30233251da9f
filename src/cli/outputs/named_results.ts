/**
 * The results of a run one by one, with the names that they have in tables and files.
 *
 * @module
 */

import type { NDArray } from "../../space/ndarray.ts";
import type { ObjectArray, Results } from "../../udf/interface/buffer_types.ts";
import { objectsOf } from "../../udf/buffers/object_results.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import { dryRun } from "../../udf/results/dry_run.ts";
import { runsUserScript } from "../../udf/interface/udf_ref.ts";

/** What a result is called. */
export interface ResultName {
  /** Key of its UDF. */
  readonly udf: string;
  /** Name of the buffer. */
  readonly result: string;
  /** Short name: the key, with the buffer where there are several. */
  readonly label: string;
  /** What a file name gets at its end to tell it from the others. */
  readonly suffix: string;
  /** Whether it consists of JSON values, not of numbers. */
  readonly isObject: boolean;
}

/** A result that is an array of numbers. */
export interface NamedArray extends ResultName {
  /** The array. */
  readonly array: NDArray;
}

/** A result whose entries are JSON values. */
export interface NamedObjects extends ResultName {
  /** The values. */
  readonly objects: ObjectArray;
}

/** The names of the results of each UDF. */
export type NamesByUdf = Readonly<
  Record<string, { readonly arrays: readonly string[]; readonly objects: readonly string[] }>
>;

/** The names in `results`. */
export function namesIn(results: Results): NamesByUdf {
  const entries = Object.entries(results).map(([udf, result]) =>
    [udf, { arrays: Object.keys(result), objects: Object.keys(objectsOf(result)) }] as const
  );
  return Object.fromEntries(entries);
}

/**
 * The names of the results of `plan`, before its run. UDFs of ours give what they declare; for code of users, results are made of
 * nothing, which says their names and finds what is wrong with `results()` before hours of computing.
 */
export function plannedNames(plan: UdfPlan): NamesByUdf {
  const declares = plan.udfs.every(({ ref, derivations }) =>
    !runsUserScript(ref) && derivations.length === 0
  );
  if (!declares) return namesIn(dryRun(plan));
  const namesOf = (plans: readonly { readonly name: string; readonly visible: boolean }[]) =>
    plans.filter(({ visible }) => visible).map(({ name }) => name);
  const { udfs, objects } = plan.set;
  const entries = plan.udfs.map(({ key }, u) =>
    [key, { arrays: namesOf(udfs[u]!), objects: namesOf(objects[u]!) }] as const
  );
  return Object.fromEntries(entries);
}

/** The names as they are shown. */
export function resultNames(names: NamesByUdf): ResultName[] {
  const isSingle = Object.keys(names).length === 1;
  return Object.entries(names).flatMap(([udf, { arrays, objects }]) =>
    [...arrays, ...objects].map((result, i) => {
      const label = arrays.length + objects.length === 1 ? udf : `${udf}-${result}`;
      return { udf, result, label, suffix: isSingle ? result : label, isObject: i >= arrays.length };
    })
  );
}

/** All results with their names. */
export function namedResults(results: Results): (NamedArray | NamedObjects)[] {
  return resultNames(namesIn(results)).map((name) => {
    const { udf, result, isObject } = name;
    return isObject
      ? { ...name, objects: objectsOf(results[udf]!)[result]! }
      : { ...name, array: results[udf]![result]! };
  });
}

/** Whether a result is an array of numbers. */
export function isArray(named: NamedArray | NamedObjects): named is NamedArray {
  return !named.isObject;
}
