/**
 * The members of a UDF: their names, their types (functions must be neither async nor generators), and names that were
 * probably meant for one of them.
 *
 * A UDF may have further members, for example to keep a state. Refused are names that differ from a member of the
 * interface only in capitals and underscores, functions whose name differs in one letter, and the names of LiberTEM for
 * such members.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, type OptionNames, slips } from "../../options.ts";
import { waited } from "./guard.ts";
import type { Udf } from "./udf.ts";

/** The types that a member may have, as given by `typeof`. */
type Kinds = readonly ("string" | "boolean" | "object" | "function")[];

const FUNCTION: Kinds = ["function"];

/** The types of the members of a UDF. */
const MEMBERS: { readonly [K in keyof OptionNames<Udf>]: Kinds } = {
  name: ["string"],
  buffers: ["object", "function"],
  inputDType: ["string", "function"],
  tiling: ["object", "function"],
  method: FUNCTION,
  pixels: FUNCTION,
  raw: ["boolean", "string"],
  kernels: ["object", "function"],
  writesTile: ["boolean"],
  backends: ["object", "function"],
  order: FUNCTION,
  explain: FUNCTION,
  leastBytes: FUNCTION,
  constants: FUNCTION,
  scratch: FUNCTION,
  aux: FUNCTION,
  warnings: FUNCTION,
  taskData: FUNCTION,
  preprocess: FUNCTION,
  processTile: FUNCTION,
  processFrame: FUNCTION,
  processPartition: FUNCTION,
  postprocess: FUNCTION,
  cleanup: FUNCTION,
  merge: FUNCTION,
  mergeAll: FUNCTION,
  results: FUNCTION,
};

/** Members that have other names in LiberTEM. */
const LIBERTEM: Readonly<Record<string, keyof Udf>> = {
  get_result_buffers: "buffers",
  get_preferred_input_dtype: "inputDType",
  get_tiling_preferences: "tiling",
  get_method: "method",
  get_backends: "backends",
  get_task_data: "taskData",
  get_results: "results",
};

/** Refuses members of `udf` of the wrong type, and names that were probably meant for a member of the interface. */
export function checkMembers(udf: object, name: string): void {
  for (const [member, kinds] of Object.entries<Kinds>(MEMBERS)) {
    const value = (udf as Readonly<Record<string, unknown>>)[member];
    if (value === undefined) continue;
    const what = typeof value === "function" ? odd(value) : undefined;
    if (what) throw waited(name, `${member}()`, `is ${what}, whose work is not awaited`, what);
    if (value !== null && kinds.includes(typeof value as Kinds[number])) continue;
    const expected = kinds.map((kind) => KINDS[kind]).join(" or ");
    const text = `UDF "${name}": its member "${member}" is ${inWords(value)}; it must be ${expected}`;
    throw new TilewiseError("udf", text, { udf: name, option: member, found: inWords(value), expected });
  }
  for (const [member, isFunction] of ownMembers(udf)) {
    const meant = meantBy(member, isFunction);
    if (!meant) continue;
    const text = `UDF "${name}" has a member "${member}", which is unknown; did you mean "${meant}"?`;
    throw new TilewiseError("udf", text, { udf: name, option: member, found: member, expected: meant });
  }
}

/** Describes a function that is async or a generator; undefined for ordinary functions. */
function odd(value: object): string | undefined {
  const tag = (value as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag];
  if (tag === "GeneratorFunction") return "a generator function";
  return tag?.startsWith("Async") ? "an async function" : undefined;
}

const KINDS = {
  string: "a text",
  boolean: "true or false",
  object: "an object",
  function: "a function",
} as const;

/** The names of a UDF outside of the interface, including those of its class, and whether they are functions. */
function* ownMembers(udf: object): Generator<readonly [name: string, isFunction: boolean]> {
  for (let level: object | null = udf; level && !isRoot(level); level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name === "constructor" || Object.hasOwn(MEMBERS, name)) continue;
      yield [name, typeof Object.getOwnPropertyDescriptor(level, name)!.value === "function"];
    }
  }
}

/** Whether `level` is the prototype of all objects, maybe of another realm. */
function isRoot(level: object): boolean {
  return Object.getPrototypeOf(level) === null && Object.hasOwn(level, "hasOwnProperty");
}

/** Shorter names are not compared letter by letter: too many names are one letter apart. */
const SHORTEST = 5;

/** The member that a name was probably meant for. */
function meantBy(name: string, isFunction: boolean): string | undefined {
  const foreign = Object.keys(LIBERTEM).find((other) => slips(name, other) === 0);
  if (foreign) return LIBERTEM[foreign];
  return Object.keys(MEMBERS).find((member) => {
    const apart = slips(name, member);
    return apart === 0 || apart === 1 && isFunction && member.length >= SHORTEST && !name.startsWith("_");
  });
}
