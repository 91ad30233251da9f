/**
 * Whether the page has to be built again: whether a file that it was built from has changed since.
 *
 * @module
 */

import { join } from "@std/path";
import type { Metafile } from "esbuild";

/** Names the files that the page was built from. */
const INPUTS = "inputs.json";

/** Files that no bundle names. */
const MORE = [
  "web/index.html",
  "web/icon.svg",
  "web/build.ts",
  "web/build/files.ts",
  "web/build/index_html.ts",
  "web/build/merge.ts",
];

/** Notes which files below `root` the page in `folder` was built from. */
export async function writeInputs(folder: string, root: string, metas: readonly Metafile[]): Promise<void> {
  const paths = metas.flatMap(({ inputs }) => Object.keys(inputs)).filter((path) =>
    !path.includes("node_modules/")
  );
  const own = [...new Set([...paths, ...MORE])].filter((path) => isThere(join(root, path))).sort();
  await Deno.writeTextFile(join(folder, INPUTS), JSON.stringify(own));
}

/** Whether the page in `folder` is missing, or older than a file that it was built from. */
export async function isStale(folder: string, root: string): Promise<boolean> {
  try {
    const note = join(folder, INPUTS);
    const built = (await Deno.stat(note)).mtime?.getTime() ?? 0;
    const paths: readonly string[] = JSON.parse(await Deno.readTextFile(note));
    const times = await Promise.all(paths.map(async (path) => (await Deno.stat(join(root, path))).mtime));
    return times.some((time) => (time?.getTime() ?? Infinity) > built);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true; // nothing was built, or a file is gone
    throw error;
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // a module that a plugin made
  }
}
