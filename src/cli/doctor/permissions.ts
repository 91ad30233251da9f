/**
 * What Deno lets this program do, and the flags for the rest.
 *
 * @module
 */

import { isGranted } from "../shell/permissions.ts";
import { type Check, needed, optional } from "./check.ts";

/** The permissions; none where the runtime has none. */
export function permissionChecks(may: typeof isGranted = isGranted): Check[] {
  if (!("Deno" in globalThis)) return [];
  const here = (name: "read" | "write") => may({ name, path: "." });
  return [
    needed(
      "read",
      here("read"),
      said("this folder may be read", here("read")),
      "add --allow-read=FOLDER, that of your files",
    ),
    optional(
      "write",
      here("write"),
      said("this folder may be written to", here("write")),
      "to save results, add --allow-write=FOLDER, and --allow-read for the same folder",
    ),
    optional(
      "net",
      may({ name: "net" }),
      said("URLs may be opened", may({ name: "net" })),
      "add --allow-net, or --allow-net=HOST",
    ),
    optional(
      "env",
      may({ name: "env" }),
      said("environment variables may be read", may({ name: "env" })),
      "for colours and the cache of compiled kernels, add --allow-env",
    ),
  ];
}

function said(text: string, may: boolean): string {
  return may ? text : text.replace("may be", "may not be");
}
