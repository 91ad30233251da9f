/**
 * The part of `@std/path` that Tilewise uses, over `node:path`, so that nothing outside npm is needed.
 * To use the original, point `@std/path` in `deno.json` at `jsr:@std/path@1`.
 *
 * @module
 */

export { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
export { fileURLToPath as fromFileUrl, pathToFileURL as toFileUrl } from "node:url";
