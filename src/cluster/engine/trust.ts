/**
 * Which code of others a worker runs: modules from folders and hosts that whoever started it has named, and no others. Those
 * of Tilewise are its own; their digests are compared afterwards, with those of all modules.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ModuleIdentity } from "../manifest/manifest.ts";
import { isOwn } from "../manifest/own.ts";

/**
 * Refuses modules that are not allowed. `allowed` has URLs of folders (`file:///lab/udfs/`), of hosts (`https://lab.org/`), and
 * specifiers of packages (`npm:simple-statistics@7.8.8`), each with all that lies below. Nothing is read or imported.
 *
 * Errors: `permission`, with the name of the module.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * mustAllow([{ url: "file:///lab/udfs/com.ts" }], ["file:///lab/udfs/"]);
 * assertThrows(() => mustAllow([{ url: "file:///lab/udfs/../secret.ts" }], ["file:///lab/udfs/"]), Error, "not allowed");
 * ```
 */
export function mustAllow(modules: readonly Pick<ModuleIdentity, "url">[], allowed: readonly string[]): void {
  const foreign = modules.filter((module) => !isOwn(module));
  const [other] = foreign.filter(({ url }) => !allowed.some((one) => isBelow(plain(url), one)));
  if (!other) return;
  const known = allowed.length > 0 ? `it allows ${allowed.join(", ")}` : "it allows none";
  const text =
    `This worker must not run the module ${other.url}: it is not allowed, ${known}. Start the worker with ` +
    `--allow-modules ${placeOf(other.url)} if you trust what lies there`;
  throw new TilewiseError("permission", text, { file: other.url, module: other.url });
}

/** What would allow a module: its folder, its host, or the package. */
function placeOf(url: string): string {
  if (!/^(file|https?):/.test(url)) return url;
  return new URL(url.startsWith("file:") ? "." : "/", url).href;
}

/** Without `..` and other detours. */
function plain(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function isBelow(url: string, allowed: string): boolean {
  const above = plain(allowed);
  if (url === above) return true;
  return url.startsWith(/[/@]$/.test(above) ? above : `${above}/`);
}
