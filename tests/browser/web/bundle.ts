/**
 * The examples for pages, bundled as their users would do it.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { build } from "esbuild";
import config from "../../../deno.json" with { type: "json" };
import { linkPackages } from "../../../web/build/node_modules.ts";
import { host } from "../setup/mod.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));

/** Entries of the library by the names that users import. */
const ENTRIES = Object.fromEntries(
  Object.entries(config.exports).map(([entry, path]) => [config.name + entry.slice(1), ROOT + path]),
);

/**
 * Bundles `examples/web/NAME.html` with its script and the worker, and hosts them; its path on the server. `modules`: a folder
 * with further packages.
 */
export async function hostExample(
  name: string,
  packages: readonly string[],
  modules?: string,
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-example-" });
  try {
    const html = await Deno.readTextFile(`${ROOT}examples/web/${name}.html`);
    const { script, page } = split(html, name);
    const entry = script === undefined ? `${ROOT}examples/web/${name}.ts` : join(folder, `${name}.ts`);
    if (script !== undefined) await Deno.writeTextFile(entry, script);
    const nodePaths = modules ? [modules] : packages.length > 0 ? [await linkPackages(folder, packages)] : [];
    const { outputFiles } = await build({
      entryPoints: { [name]: entry, worker: `${ROOT}src/worker.ts` },
      outdir: join(folder, "out"),
      write: false,
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2022",
      alias: { ...ENTRIES, "@std/path": `${ROOT}src/std/path.ts` },
      external: ["node:*", "assemblyscript", "binaryen", "child_process"],
      nodePaths,
      preserveSymlinks: true,
      logLevel: "silent",
    });
    for (const { path, contents } of outputFiles) host(`${name}/${path.replace(/^.*\/out\//, "")}`, contents);
    const style = await Deno.readFile(`${ROOT}examples/web/${name}.css`).catch(() => undefined);
    if (style) host(`${name}/${name}.css`, style);
    return host(`${name}/index.html`, new TextEncoder().encode(page));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The inline script of a page, and the page with its bundle instead; an icon, so that browsers ask for none. */
function split(html: string, name: string): { readonly script: string | undefined; readonly page: string } {
  const inline = /<script type="module">([\s\S]*?)<\/script>/.exec(html);
  const bundled = `<script type="module" src="${name}.js"></script>`;
  const page = (inline ? html.replace(inline[0], bundled) : html).replace(
    "<title>",
    '<link rel="icon" href="data:,"><title>',
  );
  return { script: inline?.[1], page };
}
