/**
 * JavaScript of all modules that the entries reach, one file each.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { build, type Plugin } from "esbuild";

/** A module as JavaScript. */
export interface Script {
  /** Its text. */
  readonly text: string;
  /** The modules that it imports at once. */
  readonly imports: readonly string[];
  /** Those that it imports when it needs them. */
  readonly parts: readonly string[];
}

/** Where modules say what a thread runs: a file of the package by itself. */
const THREAD = /new URL\("(\.[^"$]+)\.ts", import\.meta\.url\)/g;

/** Where jobs say what their module is: workers know those of Tilewise by their names, and have no modules at URLs. */
const JOB = /import\.meta\.resolve\("(\.[^"$]+)\.ts"\)|(?<=module: )import\.meta\.url/g;

/** `using` is written out: not every bundler reads it. */
const TARGET = "es2022";

/** JavaScript by path, of what `entries` import and start; what is `given` is taken as it is. */
export async function emit(
  root: URL,
  entries: readonly string[],
  given: Readonly<Record<string, string>>,
): Promise<Map<string, Script>> {
  const written = new Map(Object.entries(given)).set(HELPERS, await helpers(root));
  let level = entries.map((path) => path.replace("./", ""));
  while (level.length > 0) {
    const { scripts, reached } = await emitAll(root, level);
    for (const [path, script] of scripts) if (!Object.hasOwn(given, path)) written.set(path, script);
    level = reached.filter((path) => !written.has(scriptOf(path)));
  }
  return new Map([...written].sort().map(([path, text]) => [path, read(path, text)]));
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
    const isModule = (at: string) => existsSync(new URL(`${at}.ts`, here)); // others are examples in messages
    const thread = (words: string, at: string) => {
      if (!isModule(at)) return words;
      reached.add(pathIn(root, new URL(`${at}.ts`, here)));
      return `new URL("./${fileOfThread(at)}", import.meta.url)`;
    };
    const job = (words: string, at?: string) => {
      if (at !== undefined && !isModule(at)) return words;
      return JSON.stringify(
        `tilewise:code/${at === undefined ? name : pathIn(root, new URL(`${at}.js`, here))}`,
      );
    };
    scripts.set(name, sharingHelpers(name, text).replace(THREAD, thread).replace(JOB, job));
  }
  return { scripts, reached: [...reached] };
}

/** The file that a thread runs. */
export function fileOfThread(path: string): string {
  return `${path.replace(/^.*\/|\.[jt]s$/g, "")}.js`;
}

/** What a module names. */
export function read(path: string, text: string): Script {
  const named = (pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, name]) => resolved(path, name!))),
  ];
  return {
    text,
    imports: named(/^(?:import|export)\b[^;"]*?(?:from )?"(\.[^"]+)";/gm),
    parts: named(/\bimport\("(\.[^"]+)"\)/g),
  };
}

/** The path of the module that another one names. */
export function resolved(path: string, name: string): string {
  return new URL(name, `file:///${path}`).pathname.slice(1);
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

/** The same path, of the JavaScript that the module becomes. */
export function scriptOf(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

function pathIn(root: URL, { href }: URL): string {
  if (!href.startsWith(root.href)) throw new Error(`${href} is not in the package`);
  return href.slice(root.href.length);
}
