/**
 * Whether threads may load their code: in a checkout they read it from files, for which Deno wants a permission.
 *
 * @module
 */

import { folderOf, mayDo } from "../io/source/permission.ts";

/** The folder that threads load their code from, where it may not be read; nothing where they can be started. */
export function unreadableCode(): string | undefined {
  const folder = folderOf(new URL("../", import.meta.url))?.replace(/\/$/, "");
  return folder === undefined || mayDo({ name: "read", path: folder }) ? undefined : folder;
}
