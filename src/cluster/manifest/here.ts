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

/** Files that other programs write when they only read. */
const LOCKS = /(^|\/)table\.lock$/;

/** The files of a folder and all below it, sorted, with their sizes and times, as text; `undefined` if there is no folder. */
export async function filesIn(
  folder: string,
): Promise<{ readonly bytes: number; readonly list: Uint8Array<ArrayBuffer> } | undefined> {
  const [{ readdir, stat }, { join, relative }] = await Promise.all([
    import("node:fs/promises"),
    import("node:path"),
  ]);
  const facts = await stat(folder).catch(() => undefined);
  if (!facts?.isDirectory()) return undefined;
  let bytes = 0;
  const lines: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = await stat(path);
    const name = relative(folder, path).replaceAll("\\", "/");
    if (entry.isDirectory() || LOCKS.test(name)) continue;
    bytes += size;
    lines.push(`${name} ${size} ${Math.floor(mtimeMs)}`);
  }
  return { bytes, list: new TextEncoder().encode(lines.sort().join("\n")) };
}

/** A path from the root; URLs as they are. */
export async function absolute(name: string): Promise<string> {
  return /^\w{2,}:/.test(name) ? name : (await import("node:path")).resolve(name);
}
