/**
 * JavaScript of all modules that the entries reach, one file each.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { build, type Plugin } from "esbuild";
import { scriptOf } from "./manifest.ts";

/** What runtimes and bundlers find modules by that are not imported: threads, and jobs that are known by URL. */
const BY_URL = /(new URL|import\.meta\.resolve)\("(\.[^"$]+)\.ts"/g;

/** JavaScript by path, of what `entries` import and start; what is `given` is taken as it is. */
export async function emit(
  root: URL,
  entries: readonly string[],
  given: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const written = new Map(Object.entries(given));
  let level = entries.map((path) => path.replace("./", ""));
  while (level.length > 0) {
    const { scripts, reached } = await emitAll(root, level);
    for (const [path, script] of scripts) written.set(path, script);
    level = reached.filter((path) => !written.has(scriptOf(path)));
  }
  return written;
}

/** JavaScript of `paths`, and the modules that they name. */
async function emitAll(root: URL, paths: readonly string[]) {
  const reached = new Set<string>();
  const { outputFiles } = await build({
    absWorkingDir: decodeURI(root.pathname),
    entryPoints: [...paths],
    outbase: ".",
    outdir: ".",
    write: false,
    bundle: true,
    treeShaking: false,
    format: "esm",
    target: "es2022", // `using` is written out: not every bundler reads it
    charset: "utf8",
    plugins: [namesOnly(root, reached)],
  });
  const scripts = new Map<string, string>();
  for (const { path, text } of outputFiles) {
    const name = path.slice(root.pathname.length);
    const here = new URL(name, root);
    scripts.set(
      name,
      text.replace(BY_URL, (words, call, at) => {
        const module = new URL(`${at}.ts`, here);
        if (!existsSync(module)) return words; // an example in a message
        reached.add(pathIn(root, module));
        return `${call}("${at}.js"`;
      }),
    );
  }
  return { scripts, reached: [...reached] };
}

/** Imports stay imports: of ours with the name of the script, of others as they are. */
function namesOnly(root: URL, reached: Set<string>): Plugin {
  return {
    name: "names-only",
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
        if (kind === "entry-point") return;
        if (path.startsWith(".")) reached.add(pathIn(root, new URL(path, new URL(importer, "file:///"))));
        return { path: path.startsWith(".") ? scriptOf(path) : path, external: true };
      });
    },
  };
}

function pathIn(root: URL, { href }: URL): string {
  if (!href.startsWith(root.href)) throw new Error(`${href} is not in the package`);
  return href.slice(root.href.length);
}
