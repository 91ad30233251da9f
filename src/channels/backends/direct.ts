/**
 * Whether the worker of a kernel may do the I/O of a file itself.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { wrongValue } from "../../options/rules.ts";
import { isErrno } from "./errors.ts";
import { isPermitted, systemFiles } from "./node.ts";
import { hasNodeFiles, nodePath } from "./platform.ts";
import { type FileStore, folders, storeRule, SYSTEM_FILES } from "./stores.ts";

/**
 * The files that {@link hasDirect} is about: as for a host.
 * @category Channels
 */
export interface DirectOptions {
  /** Where they are. Default: the operating system. */
  readonly backEnd?: FileStore;
  /** Folders below which they must lie. Default: anywhere. */
  readonly roots?: readonly string[];
}

const NAMES: OptionNames<DirectOptions> = { backEnd: storeRule, roots: folders };

/**
 * Whether the worker of a kernel may read the file `name` itself (the route `direct`): its store answers at once on every thread,
 * and the runtime lets this thread look at the file without asking anybody. A file that is missing may be made, if the mode and the
 * permission to write allow it; a directory and a name that leads out of the roots are never reached.
 *
 * @example
 * ```ts
 * import { memoryFiles } from "@tilewise/tilewise/channels";
 * import { hasDirect, httpFiles } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(await hasDirect("scan.raw", { backEnd: memoryFiles() }), true);
 * assertEquals(await hasDirect("scan.raw", { backEnd: httpFiles("https://example.org/") }), false);
 * ```
 * @category Channels
 */
export async function hasDirect(name: string, options: DirectOptions = {}): Promise<boolean> {
  checkOptionNames("hasDirect()", options, NAMES);
  if (typeof name !== "string" || name === "") {
    throw wrongValue("hasDirect()", "name", name, "the name of a file");
  }
  const { backEnd = SYSTEM_FILES, roots } = options;
  if ("module" in backEnd) {
    const { loadUserFiles } = await import("./user.ts");
    return (await loadUserFiles(backEnd)).synchronous;
  }
  if (backEnd.kind !== "system") return backEnd.kind === "memory";
  return hasNodeFiles() && isReachable(name, roots);
}

function isReachable(name: string, roots: readonly string[] | undefined): boolean {
  if (!isPermitted(roots && !nodePath().isAbsolute(name) ? nodePath().join(roots[0]!, name) : name)) {
    return false;
  }
  try {
    return systemFiles(roots).stat(name).kind === "file";
  } catch (error) {
    return isErrno(error, "ENOENT");
  }
}
