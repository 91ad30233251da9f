/**
 * Exports of the modules of users.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { usersCodeComes } from "../executor/exits.ts";
import { deniedError, isDenied } from "../io/source/permission.ts";
import { reasonOf, withoutColours } from "../reason.ts";

/** An export of the module with this URL; `what` names it in messages, such as a mask function. */
export async function importExport(module: string, name: string, what: string): Promise<unknown> {
  return exportOf(await importModule(module, what), module, name, what);
}

/** Where a function of a user is: in this program, or the export of a module. */
interface FunctionPlace<F> {
  readonly module?: string;
  readonly export: string;
  readonly function?: F;
}

/** The function of a user that is there; `what` names it in messages, `use` says what for, such as `as a border`. */
export async function functionAt<F>(
  { module, export: name, function: own }: FunctionPlace<F>,
  what: string,
  use: string,
): Promise<F> {
  if (own) return own;
  if (module === undefined) throw new TilewiseError("corrupt", `The ${what} "${name}" is nowhere`);
  const found = await importExport(module, name, what);
  if (typeof found === "function") return found as F;
  const text = `Cannot use "${name}" of ${module} ${use}: it is not a function, but ${typeof found}`;
  throw new TilewiseError("udf", text, { file: module, found: typeof found });
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
    const text = `${problem}: ${withoutColours(reasonOf(error))}`; // runtimes colour what they say of a module
    throw new TilewiseError("udf", text, { file: module }, { cause: error });
  }
}
