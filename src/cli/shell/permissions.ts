/**
 * What this process may do without a question to the user. What is only nice to have is left out where it may not.
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
