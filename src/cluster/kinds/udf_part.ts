/**
 * Parts of runs of UDFs: the merged buffers, and rows per position, as arrays with names.
 *
 * ```
 * merged/0/intensity      UDF 0: its buffer "intensity", merged over the node
 * 3/1/shift               piece 3 (one partition), UDF 1: rows of its nav buffer "shift"
 * ```
 *
 * @module
 */

import type { TypedArray } from "../../space/dtype.ts";
import type { AllBuffers } from "../../udf/buffers/object_buffers.ts";
import { type JsonValue, ObjectRows } from "../../udf/interface/objects.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { Partial, PartitionBuffers } from "../../udf/run/partial.ts";
import { nodeName } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import { type Content, misfit } from "./parted.ts";

/** Object buffers as JSON. */
type Objects = Readonly<Record<string, readonly JsonValue[]>>;

/** What a part says beside arrays. */
interface Values {
  readonly partitions: readonly (Pick<PartitionBuffers, "partition" | "start" | "stop"> & {
    readonly objects: readonly Objects[];
  })[];
  readonly merged: readonly Objects[];
}

/** What is in a part with these results. */
export function contentOf({ partitions, merged }: Partial): Content {
  const arrays: Record<string, TypedArray> = {};
  const add = (prefix: string, udfs: readonly AllBuffers[]) => {
    for (const [u, { buffers }] of udfs.entries()) {
      for (const [name, array] of Object.entries(buffers)) arrays[`${prefix}/${u}/${name}`] = array;
    }
  };
  partitions.forEach(({ udfs }, i) => add(String(i), udfs));
  add("merged", merged);
  const values: Values = {
    partitions: partitions.map(({ partition, start, stop, udfs }) => ({
      partition,
      start,
      stop,
      objects: udfs.map(objectsIn),
    })),
    merged: merged.map(objectsIn),
  };
  return { arrays, values };
}

function objectsIn({ objects }: AllBuffers): Objects {
  return Object.fromEntries(Object.entries(objects).map(([name, { values }]) => [name, values]));
}

/** The results in a part. Errors: `malformed` for a part that does not fit the plan. */
export function partialOf(part: Part, plan: UdfPlan): Partial {
  const { partitions, merged } = part.values as Values;
  if (!Array.isArray(partitions) || !Array.isArray(merged)) {
    throw misfit(nodeName(part.node), "it has no partitions");
  }
  const read = (prefix: string, objects: readonly Objects[]): AllBuffers[] =>
    objects.map((values, u) => ({
      buffers: arraysUnder(part, `${prefix}/${u}/`),
      objects: rowsOf(values, plan, u),
    }));
  for (const objects of [merged, ...partitions.map((one) => one.objects)]) {
    const wanted = plan.udfs.length;
    if (objects.length !== 0 && objects.length !== wanted) {
      throw misfit(nodeName(part.node), `it has ${objects.length} UDFs`);
    }
  }
  return {
    partitions: partitions.map(({ partition, start, stop, objects }, i) => ({
      partition,
      start,
      stop,
      udfs: read(String(i), objects),
    })),
    merged: read("merged", merged),
  };
}

function arraysUnder({ arrays }: Part, prefix: string): Record<string, TypedArray> {
  const own = Object.entries(arrays).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, array]) => [name.slice(prefix.length), array]));
}

function rowsOf(objects: Objects, { set }: UdfPlan, u: number): AllBuffers["objects"] {
  const plans = set.objects[u] ?? [];
  return Object.fromEntries(
    Object.entries(objects).map(([name, list]) => {
      const entry = plans.find((plan) => plan.name === name)?.entry ?? 1;
      return [name, new ObjectRows([...list], 0, list.length / entry, entry)];
    }),
  );
}
