/**
 * The members of a UDF: which there are, what they must be (functions are neither async nor generators), and which other
 * names look as if they were meant.
 *
 * A UDF may have members of its own, as it may keep a state. Refused are names that differ from those of the interface in
 * capitals and underscores only, or, of functions, in a letter, and the names that LiberTEM has for the same.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, type OptionNames, slips } from "../../options.ts";
import { waited } from "./guard.ts";
import type { Udf } from "./udf.ts";

/** What a member may be, as `typeof` says. */
type Kinds = readonly ("string" | "boolean" | "object" | "function")[];

const FUNCTION: Kinds = ["function"];

/** What the members of a UDF may be. */
const MEMBERS: { readonly [K in keyof OptionNames<Udf>]: Kinds } = {
  name: ["string"],
  buffers: ["object", "function"],
  inputDType: ["string", "function"],
  tiling: ["object", "function"],
  method: FUNCTION,
  pixels: FUNCTION,
  raw: ["boolean", "string"],
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

/** Names that LiberTEM has for members with other names here. */
const LIBERTEM: Readonly<Record<string, keyof Udf>> = {
  get_result_buffers: "buffers",
  get_preferred_input_dtype: "inputDType",
  get_tiling_preferences: "tiling",
  get_method: "method",
  get_backends: "backends",
  get_task_data: "taskData",
  get_results: "results",
};

/** Refuses members of `udf` that are not what they must be, and names that are taken for one of them. */
export function checkMembers(udf: object, name: string): void {
  for (const [member, kinds] of Object.entries<Kinds>(MEMBERS)) {
    const value = (udf as Readonly<Record<string, unknown>>)[member];
    if (value === undefined) continue;
    const what = typeof value === "function" ? odd(value) : undefined;
    if (what) throw waited(name, `${member}()`, `is ${what}: nobody waits for what it does`, what);
    if (value !== null && kinds.includes(typeof value as Kinds[number])) continue;
    const expected = kinds.map((kind) => KINDS[kind]).join(" or ");
    const text = `UDF "${name}": its member "${member}" is ${inWords(value)}; it must be ${expected}`;
    throw new TilewiseError("udf", text, { udf: name, option: member, found: inWords(value), expected });
  }
  for (const [member, isFunction] of ownMembers(udf)) {
    const meant = meantBy(member, isFunction);
    if (!meant) continue;
    const text = `UDF "${name}" has a member "${member}", which nobody looks at; did you mean "${meant}"?`;
    throw new TilewiseError("udf", text, { udf: name, option: member, found: member, expected: meant });
  }
}

/** What a function is that gives something else than it returns; nothing for ordinary ones. */
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

/** The names of a UDF that are not of the interface, also those of its class, and whether they are functions. */
function* ownMembers(udf: object): Generator<readonly [name: string, isFunction: boolean]> {
  for (let level: object | null = udf; level && !isRoot(level); level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name === "constructor" || Object.hasOwn(MEMBERS, name)) continue;
      yield [name, typeof Object.getOwnPropertyDescriptor(level, name)!.value === "function"];
    }
  }
}

/** Whether it is the prototype of all objects, maybe that of another realm. */
function isRoot(level: object): boolean {
  return Object.getPrototypeOf(level) === null && Object.hasOwn(level, "hasOwnProperty");
}

/** Short names are a letter apart from too many others. */
const SHORTEST = 5;

/** The member that a name is taken for. */
function meantBy(name: string, isFunction: boolean): string | undefined {
  const foreign = Object.keys(LIBERTEM).find((other) => slips(name, other) === 0);
  if (foreign) return LIBERTEM[foreign];
  return Object.keys(MEMBERS).find((member) => {
    const apart = slips(name, member);
    return apart === 0 || apart === 1 && isFunction && member.length >= SHORTEST && !name.startsWith("_");
  });
}
