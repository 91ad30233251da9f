/**
 * What this process is: its runtime, and absolute names for what a user named from the current folder.
 *
 * @module
 */

/** Name and version of the runtime: `deno 2.9.6`. */
export function runtimeHere(): string {
  const { Deno: deno, process } = globalThis as {
    Deno?: { readonly version: { readonly deno: string } };
    process?: { readonly versions?: Readonly<Record<string, string>> };
  };
  if (deno) return `deno ${deno.version.deno}`;
  const { bun, node } = process?.versions ?? {};
  return bun ? `bun ${bun}` : node ? `node ${node}` : "unknown";
}

/** A path from the root; URLs as they are. */
export async function absolute(name: string): Promise<string> {
  return /^\w{2,}:/.test(name) ? name : (await import("node:path")).resolve(name);
}
