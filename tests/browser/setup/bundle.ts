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
import { buildPage, BUILT } from "../../../web/build.ts";
import { linkPackages } from "../../../web/build/node_modules.ts";
import { isStale } from "../../../web/build/stale.ts";

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
export async function bundlePrograms(folder: string): Promise<void> {
  const packages = await linkPackages(folder, Object.values(PACKAGES));
  await build({
    entryPoints: { main: `${ROOT}tests/browser/programs/main.ts`, worker: `${ROOT}src/worker.ts` },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    alias: { ...ENTRIES, "@std/path": `${ROOT}src/std/path.ts` },
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

/** Puts the page of Tilewise at `folder`. */
export async function bundlePage(folder: string): Promise<void> {
  await buildOnce();
  await Deno.symlink(BUILT, folder);
}

let building: Promise<void> | undefined;

/** Builds the page where `tilewise view` finds it, if its code has changed since. */
export function buildOnce(): Promise<void> {
  return building ??= (async () => {
    if (await isStale(BUILT, ROOT)) await buildPage(BUILT, { compress: false });
  })();
}

/** A module of the checkout with all that it imports, as JavaScript. */
export async function bundleModule(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, path)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    alias: { ...ENTRIES, "@std/path": `${ROOT}src/std/path.ts` },
    external: ["node:*"],
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** Ends the bundler's process. */
export async function stopBundler(): Promise<void> {
  await stop();
}
