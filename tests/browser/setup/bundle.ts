/**
 * What pages load: the programs of these tests with the library in one bundle, the page of Tilewise as `deno task web` builds
 * it, and single modules as users write them.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { build, type Plugin, stop } from "esbuild";
import config from "../../../deno.json" with { type: "json" };
import { PACKAGES } from "../../../src/packages.ts";
import { buildPage } from "../../../web/build.ts";
import { linkPackages } from "../../../web/build/node_modules.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));

/** Entries of the library by the names that users import. */
const ENTRIES = Object.fromEntries(
  Object.entries(config.exports).map(([entry, path]) => [config.name + entry.slice(1), ROOT + path]),
);

/** In the package for npm, packages are imported by plain imports, which bundlers follow. */
const PACKAGES_IN_BUNDLE: Plugin = {
  name: "packages",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/import_package\.ts$/ }, () => ({ contents: packageImports() }));
    onLoad({ filter: /\/tests\/fences\/mod\.ts$/ }, () => ({ contents: "" })); // they rewrite kernels
  },
};

function packageImports(): string {
  const cases = Object.keys(PACKAGES).map((name) => `case "${name}": return import("${name}");`);
  return `export function importPackage(name) { switch (name) { ${
    cases.join(" ")
  } } throw new Error(name); }`;
}

/** Bundles the programs of these tests, and the worker, to `folder`. */
async function bundlePrograms(folder: string): Promise<void> {
  const packages = await linkPackages(folder, Object.values(PACKAGES));
  await build({
    entryPoints: { main: `${ROOT}tests/browser/programs/main.ts`, worker: `${ROOT}src/worker.ts` },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    alias: { ...ENTRIES, "@std/path": `${ROOT}tests/std/path.ts` },
    external: ["node:*", "module", "fs", "path", "crypto", "url"],
    plugins: [PACKAGES_IN_BUNDLE],
    nodePaths: [packages],
    preserveSymlinks: true,
    logLevel: "silent",
  });
  await Deno.writeTextFile(
    join(folder, "index.html"),
    '<!doctype html><html lang="en"><title>Programs</title><link rel="icon" href="data:,"><input type="file" id="files" multiple>' +
      '<input type="file" id="folder" webkitdirectory><script type="module" src="main.js"></script>\n',
  );
}

/** Builds the page of Tilewise to `folder`. */
async function bundlePage(folder: string): Promise<void> {
  await buildPage(folder, { compress: false });
}

/** A module of the checkout with all that it imports, as JavaScript. */
export async function bundleModule(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, path)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    alias: { ...ENTRIES, "@std/path": `${ROOT}tests/std/path.ts` },
    external: ["node:*"],
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** Builds all that the servers of these tests serve: the programs to `lib`, the page of Tilewise to `page`. */
export async function buildPages(folder: string): Promise<void> {
  await Promise.all([bundlePrograms(join(folder, "lib")), bundlePage(join(folder, "page"))]);
}

/** Ends the bundler's process. */
export async function stopBundler(): Promise<void> {
  await stop();
}
