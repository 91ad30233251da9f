/**
 * Exports of the modules of users.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { usersCodeComes } from "../executor/exits.ts";
import { deniedError, isDenied } from "../io/source/permission.ts";
import { reasonOf } from "../reason.ts";

/** An export of the module with this URL; `what` names it in messages, such as a mask function. */
export async function importExport(module: string, name: string, what: string): Promise<unknown> {
  return exportOf(await importModule(module, what), module, name, what);
}

/** The export `name` of a module that has been imported. */
export function exportOf(exports: object, module: string, name: string, what: string): unknown {
  const value = Object.hasOwn(exports, name) ? (exports as Record<string, unknown>)[name] : undefined;
  if (value !== undefined) return value;
  const has = Object.keys(exports).join(", ") || "nothing";
  throw new TilewiseError("udf", `Cannot load ${what}: ${module} has no export "${name}", it has ${has}`);
}

async function importModule(module: string, what: string): Promise<object> {
  usersCodeComes();
  try {
    return await import(module);
  } catch (error) {
    const problem = `Cannot import the ${what} module ${module}`;
    if (isDenied(error)) throw deniedError(problem, error, { file: module });
    const text = `${problem}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { file: module }, { cause: error });
  }
}
