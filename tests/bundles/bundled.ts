/**
 * A page as a bundler makes it from the package: which files it has, what each of them loads, and what lies in them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { build, type Metafile } from "esbuild";
import { gzipSync } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { code, packageJson } from "../../assembly/pack/main.ts";

/** Puts the package for npm where bundlers look for it. */
export async function install(folder: string): Promise<void> {
  const home = `${folder}/node_modules/${config.name}`;
  await Deno.mkdir(`${home}/dist`, { recursive: true });
  await Deno.writeTextFile(`${home}/package.json`, packageJson());
  for (const [path, text] of await code()) await Deno.writeTextFile(`${home}/dist/${path}`, text);
}

/** A file of a bundle. */
export interface BundledFile {
  /** Its name. */
  readonly name: string;
  /** Its bytes as servers send them. */
  readonly gzip: number;
  /** Bytes of each module in it, by its path in the repository. */
  readonly modules: ReadonlyMap<string, number>;
  /** The files that are loaded with it. */
  readonly imports: readonly string[];
}

/** The bundle of a page. */
export interface Bundled {
  /** Its files by name; `page.js` and `worker.js` are those that are loaded first. */
  readonly files: ReadonlyMap<string, BundledFile>;
}

/** Each file says on the standard error that it has been loaded. */
const SAYS = "console.error(`loaded ${import.meta.url}`);";

/**
 * Bundles `code` and the worker to `folder`, where the package is installed, small as for production. The sizes are those of
 * the files without the line by which they say that they are loaded.
 */
export async function bundlePage(code: string, folder: string): Promise<Bundled> {
  const page = `${folder}/page.js`;
  await Deno.writeTextFile(page, code);
  const out = `${folder}/out`;
  const { errors, warnings, outputFiles, metafile } = await build({
    entryPoints: { page, worker: `${config.name}/worker` },
    outdir: out,
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    target: "esnext",
    chunkNames: "[name]-[hash]",
    platform: "browser",
    banner: { js: SAYS },
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  assertEquals([...errors, ...warnings], []);
  await Deno.mkdir(out);
  for (const { path, contents } of outputFiles) await Deno.writeFile(path, contents);
  const bytes = new Map(outputFiles.map(({ path, text }) => [nameOf(path), gzipOf(text)]));
  const files = Object.entries(metafile.outputs).map(([path, output]) =>
    fileOf(nameOf(path), bytes.get(nameOf(path))!, output)
  );
  return { files: new Map(files.map((file) => [file.name, file])) };
}

function gzipOf(text: string): number {
  return gzipSync(new TextEncoder().encode(text.replace(SAYS, ""))).length;
}

function fileOf(name: string, gzip: number, output: Metafile["outputs"][string]): BundledFile {
  const modules = Object.entries(output.inputs).map(([path, { bytesInOutput }]) =>
    [path, bytesInOutput] as const
  );
  const imports = output.imports.filter(({ kind, external }) => kind === "import-statement" && !external);
  return { name, gzip, modules: new Map(modules), imports: imports.map(({ path }) => nameOf(path)) };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What happened when a page ran. */
export interface PageRun {
  /** What it has printed. */
  readonly output: string;
  /** The files that it and its workers have loaded. */
  readonly loaded: string[];
  /** Those of them that were loaded after it has said that a run has ended. */
  readonly later: string[];
}

/** Runs the page. */
export async function runPage(folder: string): Promise<PageRun> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-config", `${folder}/out/page.js`],
  }).output();
  const said = new TextDecoder().decode(stderr);
  assertEquals(code, 0, said);
  const [first, ...after] = said.split("a run has ended").map(namesLoaded);
  const loaded = new Set([...first!, ...after.flat()]);
  return {
    output: new TextDecoder().decode(stdout).trim(),
    loaded: [...loaded].sort(),
    later: after.flat().filter((name) => !first!.includes(name)),
  };
}

function namesLoaded(said: string): string[] {
  return [...said.matchAll(/^loaded (.*)$/gm)].map(([, url]) => nameOf(url!));
}

/** The files that are loaded with `first` before anything runs. */
export function loadedWith({ files }: Bundled, first: string): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    files.get(name)!.imports.forEach(add);
  };
  add(first);
  return [...found].sort();
}

/** Bytes of files as servers send them. */
export function gzipBytes({ files }: Bundled, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + files.get(name)!.gzip, 0);
}

/** What lies in files: bytes per file of the package before compression, the largest first. */
export function partsIn({ files }: Bundled, names: readonly string[]): [part: string, bytes: number][] {
  const parts = names.flatMap((name) => [...files.get(name)!.modules]);
  return parts.map(([path, bytes]): [string, number] => [nameOf(path), bytes]).filter(([, bytes]) =>
    bytes > 0
  )
    .sort(([, a], [, b]) => b - a);
}
