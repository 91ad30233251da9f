/**
 * Builds the page into a folder of static files: `deno task web [-o FOLDER]`.
 *
 * All that may change with the code lies in a folder whose name is a digest of it, so that browsers keep it for good;
 * `index.html` names that folder. `page.json` has the same files in one, for `tilewise view`.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { build, type Metafile, type Plugin } from "esbuild";
import config from "../deno.json" with { type: "json" };
import { PACKAGES } from "../src/packages.ts";
import { type BuiltFile, writeFiles, writePage } from "./build/files.ts";
import { indexHtml } from "./build/index_html.ts";
import { mergeScripts } from "./build/merge.ts";
import { linkPackages } from "./build/node_modules.ts";
import { packageImports } from "./build/package_imports.ts";
import { isStale, writeInputs } from "./build/stale.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));

/** Where the page is built if nothing else is said. */
export const BUILT: string = join(ROOT, "web", "dist");

/** How it is built. */
export interface BuildOptions {
  /** Whether files are also written compressed, for servers that send such. Default true. */
  readonly compress?: boolean;
  /** Whether code is made short. Default true. */
  readonly minify?: boolean;
}

/** Scripts of the page that load at once all that they import; the first ones first. */
const PAGE_ROOTS = [
  "web/main.ts",
  "web/panels/library.ts",
  "web/panels/explore.ts",
  "src/formats/recognise.ts",
];

/** Those of workers. */
const WORKER_ROOTS = ["src/worker.ts", "src/udf/worker/job.ts"];

/** Bundles the page and the worker into `folder`, which it replaces. */
export async function buildPage(folder: string, options: BuildOptions = {}): Promise<void> {
  const place = await Deno.makeTempDir({ prefix: "tilewise-page-" });
  const modules = await linkPackages(place, BUNDLED.map((name) => PACKAGES[name]));
  const [page, worker, packages] = await Promise.all([
    bundle(
      {
        main: `${ROOT}web/main.ts`,
        elements: `${ROOT}web/elements.ts`,
        page: `${ROOT}web/style/page.css`,
      },
      PAGE_ROOTS,
      modules,
      options,
    ),
    bundle({ worker: `${ROOT}src/worker.ts` }, WORKER_ROOTS, modules, options),
    bundle(Object.fromEntries(BUNDLED.map((name) => [scriptOf(name), name])), [], modules, options),
  ]).finally(() => Deno.remove(place, { recursive: true }));
  const assets = [...page.files, ...worker.files, ...packages.files];
  const home = `p-${await digestOf(assets)}`;
  const read = (name: string) => Deno.readTextFileSync(`${ROOT}web/${name}`);
  const files: BuiltFile[] = [
    { path: "index.html", text: indexHtml(read("index.html"), home) },
    { path: "icon.svg", text: read("icon.svg") },
    { path: "elements.js", text: `export * from "./${home}/elements.js";\n` }, // for pages of others: a name that stays
    ...assets.map(({ path, text }) => ({ path: `${home}/${path}`, text })),
  ];
  await writeFiles(folder, files, options.compress ?? true);
  await writePage(folder, files);
  await writeInputs(folder, ROOT, [page.meta, worker.meta]); // packages are those of deno.lock
}

/** The page in one file, at its place: built where it is missing, or its code has changed. */
export async function renewedPage(): Promise<string> {
  if (await isStale(BUILT, ROOT)) await buildPage(BUILT, { compress: false });
  return await Deno.readTextFile(join(BUILT, "page.json"));
}

interface Bundle {
  readonly files: readonly BuiltFile[];
  readonly meta: Metafile;
}

/** The packages that the page can load; the compiler of kernels is too large for what few do in a page. */
const BUNDLED = (Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]).filter((name) =>
  name !== "assemblyscript/asc"
);

/** The name of the script that a package is, beside all others. */
function scriptOf(name: string): string {
  return `package-${name.replace("/", "-")}`;
}

/** Each package is a script that page and worker load when they need it. */
const PACKAGES_APART: Plugin = {
  name: "packages-apart",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]src[\\/]import_package\.ts$/ }, () => ({ contents: packageImports(BUNDLED) }));
    onResolve({ filter: /^[a-z]/ }, ({ path, importer }) => {
      const name = BUNDLED.find((one) => one === path);
      return name && /import_package\.ts$/.test(importer)
        ? { path: `./${scriptOf(name)}.js`, external: true }
        : undefined;
    });
  },
};

/** One entry has chunks of its own: shared ones would be many and small. */
async function bundle(
  entryPoints: Record<string, string>,
  roots: readonly string[],
  modules: string,
  { minify = true }: BuildOptions,
): Promise<Bundle> {
  const entries = Object.entries(config.exports).map(([entry, path]) => [
    config.name + entry.slice(1),
    ROOT + path,
  ]);
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: "out",
    write: false,
    metafile: true,
    bundle: true,
    minify,
    splitting: true,
    format: "esm",
    target: "es2022",
    alias: { ...Object.fromEntries(entries), "@std/path": `${ROOT}tests/std/path.ts` },
    external: ["node:*", "module", "fs", "path", "crypto", "url", "assemblyscript", "binaryen"],
    nodePaths: [modules],
    preserveSymlinks: true,
    plugins: [PACKAGES_APART],
    logLevel: "silent",
  });
  const files = outputFiles.map(({ path, text }) => ({ path: path.slice(join(ROOT, "out/").length), text }));
  return { files: await mergeScripts(files, metafile, roots, minify), meta: metafile };
}

/** 16 digits that identify the contents of files. */
async function digestOf(files: readonly BuiltFile[]): Promise<string> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const text = JSON.stringify(sorted.map(({ path, text }) => [path, text]));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest, 0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
