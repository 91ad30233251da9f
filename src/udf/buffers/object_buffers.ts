/**
 * Object buffers of a run: how they are made, cut for calls, copied, checked and sent.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ObjectPlan, Window } from "../interface/buffer_plan.ts";
import type { Buffers, ObjectBuffers } from "../interface/buffer_types.ts";
import { type JsonValue, ObjectRows } from "../interface/objects.ts";

/**
 * All buffers of one UDF.
 * @category User-defined functions
 */
export interface AllBuffers {
  /** Those of numbers. */
  readonly buffers: Buffers;
  /** Those of JSON values. */
  readonly objects: ObjectBuffers;
}

/** Empty buffers with room for `frames` frames and `pixels` pixels. */
export function emptyObjects(plans: readonly ObjectPlan[], frames: number, pixels: number): ObjectBuffers {
  const held = plans.filter(({ resultOnly }) => !resultOnly);
  return Object.fromEntries(held.map(({ name, kind, entry }) => {
    const rows = { nav: frames, sig: pixels, single: 1 }[kind];
    return [name, new ObjectRows(new Array<JsonValue>(rows * entry).fill(null), 0, rows, entry)];
  }));
}

/** The parts of `objects` inside `window`. */
export function viewObjects(
  plans: readonly ObjectPlan[],
  objects: ObjectBuffers,
  window: Window,
): ObjectBuffers {
  const views: Record<string, ObjectRows> = {};
  for (const { name, kind } of plans) {
    const whole = objects[name];
    if (!whole) continue;
    if (kind === "single") views[name] = whole;
    else if (kind === "nav") views[name] = whole.view(window.frame, window.frames);
    else views[name] = whole.view(window.pixel, window.pixels);
  }
  return views;
}

/** Copies that share nothing with `objects`. */
export function copyObjects(objects: ObjectBuffers): ObjectBuffers {
  return Object.fromEntries(
    Object.entries(objects).map(([name, { values, length, entry }]) =>
      [name, new ObjectRows(structuredClone(values), 0, length, entry)] as const
    ),
  );
}

/** The values of object buffers for sending: checked copies. */
export function exportObjects(udf: string, objects: ObjectBuffers): Record<string, JsonValue[]> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, { values }]) => [name, jsonCopies(udf, name, values)]),
  );
}

/** The buffers from what {@link exportObjects} sent. */
export function importObjects(
  plans: readonly ObjectPlan[],
  values: Readonly<Record<string, JsonValue[]>>,
): ObjectBuffers {
  const held = plans.filter(({ resultOnly }) => !resultOnly);
  return Object.fromEntries(
    held.map(({ name, entry }) => {
      const list = values[name]!;
      return [name, new ObjectRows(list, 0, list.length / entry, entry)];
    }),
  );
}

/** Copies of `values`; an error names the first one that is not JSON. */
export function jsonCopies(udf: string, buffer: string, values: readonly unknown[]): JsonValue[] {
  return values.map((value, i) => {
    const seen = new Set<object>();
    const fail = (what: string): never => {
      const text =
        `UDF "${udf}": value ${i} of the object buffer "${buffer}" is not JSON: ${what}; it may hold null, ` +
        `truth values, finite numbers, strings, lists and plain objects`;
      throw new TilewiseError("udf", text, { udf, found: what });
    };
    return jsonCopy(value, seen, fail);
  });
}

function jsonCopy(value: unknown, above: Set<object>, fail: (what: string) => never): JsonValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : fail(`the number ${value}`);
  if (typeof value !== "object") return fail(`a value of type ${typeof value}`);
  if (above.has(value)) return fail("a list or object that holds itself");
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return fail(`an object of class ${value.constructor?.name}`);
  }
  above.add(value);
  const copy = Array.isArray(value)
    ? Array.from(value, (item) => jsonCopy(item, above, fail))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonCopy(item, above, fail)]));
  above.delete(value);
  return copy;
}
