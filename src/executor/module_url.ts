/**
 * URLs of modules that workers import.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../errors.ts";

/**
 * The URL of a module. Paths are refused, as they would be resolved against the modules of Tilewise.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(wholeUrl(new URL("file:///a.ts"), "run the job"), "file:///a.ts");
 * assertThrows(() => wholeUrl("./a.ts", "run the job"), Error, "workers need its whole URL");
 * ```
 */
export function wholeUrl(source: string | URL, verb: string, code: ErrorCode = "udf"): string {
  const module = String(source);
  if (/^[a-z][a-z0-9+.-]+:/i.test(module)) return module;
  const text =
    `Cannot ${verb} of "${module}": workers need its whole URL; write import.meta.resolve("${module}")`;
  throw new TilewiseError(code, text, { file: module, found: module });
}
