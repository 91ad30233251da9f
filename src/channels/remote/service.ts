/**
 * The service of users' functions: what a runner loads to answer remote calls.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { OptionNames, OptionRule } from "../../options.ts";
import { inner, needed, text } from "../../options/rules.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { usersCodeComes } from "../../executor/exits.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Functions } from "../protocol/call.ts";
import { remoteAnswers } from "./answers.ts";
import { functionsOf } from "./table.ts";

/**
 * Where functions of users are: plain data that travels to the runners.
 * @category Channels
 */
export interface FunctionsSpec {
  /** URL of the module, as `import.meta.url` or `import.meta.resolve` gives it. */
  readonly module: string;
  /** The export: a record of functions, or what returns one (also as a promise) when it gets `shared`. */
  readonly export: string;
  /** Data for that function; it must be structured-cloneable. */
  readonly shared?: unknown;
}

// deno-fmt-ignore: written by `deno task build`
const FUNCTIONS_NAMES: OptionNames<FunctionsSpec> = {
  module: needed(text), export: needed(text), shared: true,
};

/** The rule for the option `functions`. */
export const functionsRule: OptionRule<FunctionsSpec> = inner(FUNCTIONS_NAMES);

const NAME = "tilewise:channel-functions";

registerJobs({ [NAME]: () => Promise.resolve({ functionsService }) });

/** Where runners find the service for the functions of `spec`. */
export function functionsSource(spec: FunctionsSpec): {
  readonly name: string;
  readonly module: string;
  readonly export: string;
  readonly shared: FunctionsSpec;
} {
  return {
    name: NAME,
    module: import.meta.resolve("./service.ts"),
    export: "functionsService",
    shared: { ...spec, module: wholeUrl(spec.module, "use the functions") },
  };
}

/** The functions of a user on this thread. Errors: `udf`. */
export async function functionsService(spec: FunctionsSpec): Promise<{ readonly functions: Functions }> {
  const what = `the functions "${spec.export}" of ${spec.module}`;
  const exported = await exportOf(spec, what);
  try {
    return { functions: remoteAnswers(await functionsOf(exported, spec.shared, what)) };
  } catch (error) {
    if (error instanceof TilewiseError) throw error;
    const message = `Cannot serve ${what}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", message, { file: spec.module }, { cause: error });
  }
}

async function exportOf({ module: url, export: name }: FunctionsSpec, what: string): Promise<unknown> {
  usersCodeComes();
  let module: object;
  try {
    module = await import(url);
  } catch (error) {
    const text = `Cannot load ${what}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { file: url }, { cause: error });
  }
  if (Object.hasOwn(module, name)) return (module as Readonly<Record<string, unknown>>)[name];
  const has = Object.keys(module).join(", ") || "nothing";
  const text = `Cannot load ${what}: the module exports ${has}`;
  throw new TilewiseError("udf", text, { file: url, found: name });
}
