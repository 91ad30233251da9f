/**
 * Loads what a runner answers beside file calls: functions of users, and answers that come with Tilewise.
 *
 * Modules that come with Tilewise are known by name, because bundles have no modules at URLs.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { BackEnd } from "../backends/back_end.ts";
import type { Functions } from "../protocol/call.ts";
import { remoteAnswers } from "./answers.ts";
import { functionsOf } from "./table.ts";

/**
 * Where functions of users are: plain data that travels to the runners.
 * @category Channels
 */
export interface FunctionsSpec {
  /** URL of the module, as `import.meta.url` gives it. */
  readonly module: string;
  /** The export: a record of functions, or what returns one (also as a promise) when it gets `shared`. */
  readonly export: string;
  /** Data for that function; it must be structured-cloneable. */
  readonly shared?: unknown;
}

/** Answers that come with Tilewise: an export that makes them of {@link AnswerTools}. */
export interface AnswersSpec {
  /** URL of the module. */
  readonly module: string;
  /** Its name, for threads that have it built in. */
  readonly name: string;
  /** The export: an {@link AnswersFactory}. */
  readonly export: string;
}

/** What answers are made with. */
export interface AnswerTools {
  /** The files of the host. */
  readonly backEnd: BackEnd;
}

/** Makes answers. */
export type AnswersFactory = (tools: AnswerTools) => Functions;

/** Loads a module by a plain `import("…")`, which bundlers follow. */
export type LoadAnswers = () => Promise<object>;

const MODULES = new Map<string, LoadAnswers>();

/** Registers modules of answers on this thread, by name. */
export function registerAnswers(modules: Readonly<Record<string, LoadAnswers>>): void {
  for (const [name, load] of Object.entries(modules)) MODULES.set(name, load);
}

/** The functions of a user on this thread, as answers. Errors: `udf`. */
export async function loadFunctions(spec: FunctionsSpec): Promise<Functions> {
  const what = `the functions "${spec.export}" of ${spec.module}`;
  const exported = await exportOf(() => import(spec.module), spec.export, what);
  return remoteAnswers(await functionsOf(exported, spec.shared, what));
}

/** Answers that come with Tilewise, on this thread. */
export async function loadAnswers(spec: AnswersSpec, tools: AnswerTools): Promise<Functions> {
  const load = MODULES.get(spec.name) ?? (() => import(spec.module));
  const factory = await exportOf(load, spec.export, spec.name);
  return (factory as AnswersFactory)(tools);
}

async function exportOf(load: LoadAnswers, name: string, what: string): Promise<unknown> {
  let module: object;
  try {
    module = await load();
  } catch (error) {
    const text = `Cannot load ${what}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { found: name }, { cause: error });
  }
  if (Object.hasOwn(module, name)) return (module as Readonly<Record<string, unknown>>)[name];
  const has = Object.keys(module).join(", ") || "nothing";
  throw new TilewiseError("udf", `Cannot load ${what}: the module exports ${has}`, { found: name });
}
