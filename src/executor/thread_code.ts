/**
 * Whether threads may load their code: in a checkout they read it from files, for which Deno needs a permission.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { codeFolder } from "../place.ts";
import { folderOf, mayDo } from "../io/source/permission.ts";

/** The folder with the code of threads, if it may not be read; `undefined` if threads can be started. */
export function unreadableCode(): string | undefined {
  const folder = folderOf(codeFolder())?.replace(/\/$/, "");
  return folder === undefined || mayDo({ name: "read", path: folder }) ? undefined : folder;
}

/** Throws if threads could not load their code. */
export function mustLoad(): void {
  const path = unreadableCode();
  if (path === undefined) return;
  const text = `Cannot start a worker: its code in ${path} may not be read; add --allow-read=${path}, ` +
    "or compute without (workers: 0)";
  throw new TilewiseError("permission", text, {
    file: path,
    expected: `--allow-read=${path}`,
    option: "workers",
  });
}
