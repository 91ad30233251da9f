/**
 * URLs of the modules that are named on the command line.
 *
 * @module
 */

import { pathToFileURL } from "node:url";

/** The URL of a module, which was typed as a path or as a URL. */
export function moduleUrl(module: string): string {
  return /^\w+:\/\//.test(module) ? module : pathToFileURL(module).href;
}
