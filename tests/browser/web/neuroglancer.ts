/**
 * neuroglancer as a page of the server of these tests: with images from Zarr, and nothing else.
 *
 * @module
 */

import { build, type Plugin } from "esbuild";
import { host } from "../setup/mod.ts";

/** Its scripts, by where they must lie: it looks for its threads beside the page, and for theirs in the folder above. */
const SCRIPTS = {
  "page/main": "main",
  "page/chunk_worker.bundle": "chunk_worker",
  "async_computation.bundle": "async_computation",
};

/** Which parts it has: its package selects them by these words. */
const PARTS = [
  "neuroglancer/datasource:none_by_default",
  "neuroglancer/datasource/zarr:enabled",
  "neuroglancer/kvstore:none_by_default",
  "neuroglancer/kvstore/http:enabled",
  "neuroglancer/layer:none_by_default",
  "neuroglancer/layer/image:enabled",
];

/** Icons, whose package is not at npm. */
const ICONS: Plugin = {
  name: "icons",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\.svg\?raw$/ }, ({ path }) => ({ path, namespace: "icon" }));
    onLoad({ filter: /./, namespace: "icon" }, () => ({ contents: "<svg/>", loader: "text" }));
  },
};

/** Bundles and hosts it; its path on the server. */
export async function hostNeuroglancer(modules: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(
      Object.entries(SCRIPTS).map(([out, name]) => [out, `${modules}/neuroglancer/lib/${name}.bundle.js`]),
    ),
    outdir: "/out",
    write: false,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: PARTS,
    loader: { ".wasm": "file" },
    plugins: [ICONS],
    logLevel: "silent",
  });
  for (const { path, contents } of outputFiles) host(path.replace(/^.*\/out\//, "neuroglancer/"), contents);
  const page = '<!doctype html><html lang="en"><title>neuroglancer</title><link rel="icon" href="data:,">' +
    '<link rel="stylesheet" href="main.css"><div id="neuroglancer-container" style="height:100vh"></div>' +
    '<script type="module" src="main.js"></script>';
  return host("neuroglancer/page/index.html", new TextEncoder().encode(page));
}
