/**
 * Object buffers: results of any form, one JSON value an entry, such as the peaks found in a frame.
 *
 * They are plain lists, not in the memory of the kernels, and travel with the result of a partition.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Window } from "./buffers.ts";
import type { Buffers } from "./udf.ts";

/** A value that JSON has a word for. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** One object buffer of one UDF, as plain data. */
export interface ObjectPlan {
  /** Its name. */
  readonly name: string;
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Values an entry. */
  readonly entry: number;
  /** Shape of one entry; empty for one value. */
  readonly extraShape: readonly number[];
  /** Whether it belongs to the results. */
  readonly visible: boolean;
  /** One row a selected frame in the result. */
  readonly compressed: boolean;
  /** Whether only `results` fills it. */
  readonly resultOnly: boolean;
  /** How partial results become one, where a rule says it. */
  readonly merge?: "concat";
}

/** The entries of an object buffer that one call may see; `null` where nothing was set. */
export class ObjectRows implements Iterable<JsonValue> {
  readonly #first: number;

  /** `length` entries of `values` from number `first`, each of `entry` values. */
  constructor(
    /** The values of the whole buffer. */
    readonly values: JsonValue[],
    first: number,
    /** Number of entries. */
    readonly length: number,
    /** Values an entry. */
    readonly entry: number = 1,
  ) {
    this.#first = first;
  }

  /** Value `i` of entry `row`. */
  get(row: number, i: number = 0): JsonValue {
    return this.values[this.#at(row, i)] ?? null;
  }

  /** Sets value `i` of entry `row`: `value` must be JSON, which is checked when the partition ends. */
  set(row: number, value: JsonValue, i: number = 0): void {
    this.values[this.#at(row, i)] = value;
  }

  /** Sets all values. */
  fill(value: JsonValue): void {
    this.values.fill(value, this.#first * this.entry, (this.#first + this.length) * this.entry);
  }

  /** The values of all entries. */
  [Symbol.iterator](): Iterator<JsonValue> {
    return this.values.slice(this.#first * this.entry, (this.#first + this.length) * this.entry).values();
  }

  /** `length` entries from number `first`. */
  view(first: number, length: number): ObjectRows {
    return new ObjectRows(this.values, this.#first + first, length, this.entry);
  }

  #at(row: number, i: number): number {
    if (row >= 0 && row < this.length && i >= 0 && i < this.entry) {
      return (this.#first + row) * this.entry + i;
    }
    const text = `No entry ${row}, ${i}: the call sees ${this.length} entries of ${this.entry} values`;
    throw new TilewiseError("udf", text, { expected: this.length, found: row });
  }
}

/** The object buffers of a UDF by name. */
export type ObjectBuffers = Readonly<Record<string, ObjectRows>>;

/** All buffers of one UDF. */
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

/** The values of object buffers as they travel: checked copies. */
export function exportObjects(udf: string, objects: ObjectBuffers): Record<string, JsonValue[]> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, { values }]) => [name, jsonCopies(udf, name, values)]),
  );
}

/** The buffers that {@link exportObjects} sent. */
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

/** Copies of `values`; an error names the first that is no JSON. */
export function jsonCopies(udf: string, buffer: string, values: readonly unknown[]): JsonValue[] {
  return values.map((value, i) => {
    const seen = new Set<object>();
    const fail = (what: string): never => {
      const text =
        `UDF "${udf}": value ${i} of the object buffer "${buffer}" is no JSON: ${what}; it may hold null, ` +
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
