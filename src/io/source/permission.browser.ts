/**
 * What stands for `permission.ts` in pages, where nothing asks for permissions of Deno.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type * as elsewhere from "./permission.ts";

/** Nothing is refused by Deno. */
export const isDenied: typeof elsewhere.isDenied = (_error): _error is Error => false;

/** No flag helps. */
export const missingFlag: typeof elsewhere.missingFlag = () => undefined;

/** Is not called, as nothing is refused. */
export const deniedError: typeof elsewhere.deniedError = (problem, cause, details) =>
  new TilewiseError("permission", `${problem}: ${cause.message}`, details, { cause });

/** Pages have no folders. */
export const folderOf: typeof elsewhere.folderOf = () => undefined;

/** There is nobody to ask. */
export const mayDo: typeof elsewhere.mayDo = () => true;

/** Pages have no such permissions. */
export const isGranted: typeof elsewhere.isGranted = () => true;
