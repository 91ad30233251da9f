/**
 * What this process may do without asking the user. Optional features are left out if they are not permitted.
 *
 * @module
 */

import { system } from "./system.ts";

/** The value of an environment variable, where this process may read it. */
export function environment(variable: string): string | undefined {
  return isGranted({ name: "env", variable }) ? system.environment(variable) : undefined;
}

/** Whether something may be done without a question; where there are no permissions, anything. */
export function isGranted(what: Deno.PermissionDescriptor): boolean {
  return !("Deno" in globalThis) || Deno.permissions.querySync(what).state === "granted";
}
