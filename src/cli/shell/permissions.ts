/**
 * What this process may do without a question to the user. What is only nice to have is left out where it may not.
 *
 * @module
 */

/** The value of an environment variable, where this process may read it. */
export function environment(variable: string): string | undefined {
  return isGranted({ name: "env", variable }) ? Deno.env.get(variable) : undefined;
}

/** Whether something may be done without a question. */
export function isGranted(what: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(what).state === "granted";
}
