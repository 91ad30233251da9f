/**
 * Starts a process of Deno with no more permissions than it needs.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { deniedError, folderOf, isDenied } from "../../io/source/permission.ts";
import { reasonOf } from "../../reason.ts";
import type { Grants } from "./grants.ts";

/** How to start a process. */
export interface LaunchOptions {
  /** Its number. */
  readonly index: number;
  /** Its permissions. */
  readonly grants: Grants;
  /** The configuration of its modules; default: that of the main module of this process. */
  readonly configFile?: string;
  /** Most bytes of its heap. */
  readonly heap?: number;
}

/** Starts it; errors: `permission` where this process may not start others, `worker` where it cannot. */
export function launch({ index, grants, configFile, heap }: LaunchOptions): Deno.ChildProcess {
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    ...configFlags(configFile),
    ...(heap === undefined ? [] : [`--v8-flags=--max-old-space-size=${Math.floor(heap / 2 ** 20)}`]),
    ...grants.flags(),
    import.meta.resolve("./child.ts"),
    String(index),
  ];
  try {
    const command = new Deno.Command(Deno.execPath(), {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
    return command.spawn();
  } catch (error) {
    const problem = "Cannot start a worker process";
    if (isDenied(error)) throw deniedError(problem, error, { option: "executor" });
    throw new TilewiseError("worker", `${problem}: ${reasonOf(error)}`, {}, { cause: error });
  }
}

/** The configuration that this process has found for its main module, so that imports of users resolve in the same way. */
function configFlags(config: string | undefined): string[] {
  if (config !== undefined) return [`--config=${config}`];
  const found = configOf(Deno.mainModule);
  return found === undefined ? ["--no-config"] : [`--config=${found}`];
}

let known: { readonly main: string; readonly found: string | undefined } | undefined;

function configOf(main: string): string | undefined {
  if (known?.main !== main) known = { main, found: look(main) };
  return known.found;
}

function look(main: string): string | undefined {
  for (let folder = new URL("./", main), above; folder.href !== above?.href; folder = new URL("../", above)) {
    above = folder;
    for (const name of ["deno.json", "deno.jsonc"]) {
      const path = folderOf(new URL(name, folder));
      if (path !== undefined && isThere(path)) return path;
    }
  }
  return undefined;
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // or may not be looked at
  }
}
