/**
 * Builds the page into a folder of static files: `deno task web [-o FOLDER]`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { fromFileUrl, join } from "@std/path";
import { build } from "esbuild";
import config from "../deno.json" with { type: "json" };

const ROOT = fromFileUrl(new URL("../", import.meta.url));

/** Where the page is built if nothing else is said. */
export const BUILT: string = join(ROOT, "web", "dist");

/** Bundles the page and the worker into `folder`. */
export async function buildPage(folder: string): Promise<void> {
  const entries = Object.entries(config.exports).map((
    [entry, path],
  ) => [config.name + entry.slice(1), ROOT + path]);
  await build({
    entryPoints: { main: `${ROOT}web/main.ts`, worker: `${ROOT}src/worker.ts` },
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    alias: { ...Object.fromEntries(entries), "@std/path": `${ROOT}src/std/path.ts` },
    external: ["node:*", "assemblyscript", "binaryen"],
    nodePaths: [`${ROOT}node_modules`],
    logLevel: "silent",
  });
  for (
    const [from, to] of [["index.html", "index.html"], ["icon.svg", "icon.svg"], [
      "style/page.css",
      "page.css",
    ]]
  ) {
    await Deno.copyFile(`${ROOT}web/${from}`, join(folder, to!));
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ args: Deno.args, options: { output: { type: "string", short: "o" } } });
  await buildPage(values.output ?? BUILT);
}
