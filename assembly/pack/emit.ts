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

/** `using` is written out: not every bundler reads it. */
const TARGET = "es2022";

/** JavaScript by path, of what `entries` import and start; what is `given` is taken as it is. */
export async function emit(
  root: URL,
  entries: readonly string[],
  given: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const written = new Map(Object.entries(given)).set(HELPERS, await helpers(root));
  let level = entries.map((path) => path.replace("./", ""));
  while (level.length > 0) {
    const { scripts, reached } = await emitAll(root, level);
    for (const [path, script] of scripts) written.set(path, script);
    level = reached.filter((path) => !written.has(scriptOf(path)));
  }
  return written;
}

/** The module of what `using` becomes. */
const HELPERS = "src/using.js";

/** What stands before the first module in a file, when `using` has been written out. */
const WRITTEN_OUT = /^var __knownSymbol = [^]*?(?=\n\/\/ )/;

/** What `using` becomes: as esbuild writes it into each file. */
async function helpers(root: URL): Promise<string> {
  const { outputFiles: [file] } = await build({
    absWorkingDir: decodeURI(root.pathname),
    stdin: { contents: "{ using one = null; }", sourcefile: "one.js" },
    write: false,
    bundle: true,
    format: "esm",
    target: TARGET,
    charset: "utf8",
  });
  const [text] = WRITTEN_OUT.exec(file!.text) ?? [];
  if (text === undefined) throw new Error("esbuild writes `using` in another way now");
  return `${text}\nexport { __callDispose, __using };\n`;
}

/** A script that imports what `using` becomes: each file having its own would be a tenth of what pages load. */
function sharingHelpers(name: string, text: string): string {
  const up = "../".repeat(name.split("/").length - 1);
  const from = `${up === "" ? "./" : up}${HELPERS}`;
  return text.replace(WRITTEN_OUT, `import { __callDispose, __using } from "${from}";`);
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
    target: TARGET,
    charset: "utf8",
    plugins: [namesOnly(root, reached)],
  });
  const scripts = new Map<string, string>();
  for (const { path, text } of outputFiles) {
    const name = path.slice(root.pathname.length);
    const here = new URL(name, root);
    scripts.set(
      name,
      sharingHelpers(name, text).replace(BY_URL, (words, call, at) => {
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
