/**
 * The examples for pages, bundled as their users would do it.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { build } from "esbuild";
import config from "../../../deno.json" with { type: "json" };
import { linkPackages } from "../../../web/build/node_modules.ts";
import { output } from "../../runtimes/processes.ts";
import { toolPath } from "../../../assembly/tools.ts";
import { host } from "../setup/mod.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));

/** Entries of the library by the names that users import. */
const ENTRIES = Object.fromEntries(
  Object.entries(config.exports).map(([entry, path]) => [config.name + entry.slice(1), ROOT + path]),
);

/**
 * Bundles the script of `examples/web/NAME.html` and the worker, and hosts them with the page; its path on the server.
 */
export async function hostExample(name: string, packages: readonly string[]): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-example-" });
  try {
    const html = await Deno.readTextFile(`${ROOT}examples/web/${name}.html`);
    const nodePaths = packages.length > 0 ? [await linkPackages(folder, packages)] : [];
    const { outputFiles } = await build({
      entryPoints: { [name]: `${ROOT}examples/web/${name}.ts`, worker: `${ROOT}src/worker.ts` },
      outdir: join(folder, "out"),
      write: false,
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2022",
      alias: { ...ENTRIES, "@std/path": `${ROOT}tests/std/path.ts` },
      external: ["node:*", "assemblyscript", "binaryen", "child_process"],
      nodePaths,
      preserveSymlinks: true,
      logLevel: "silent",
    });
    for (const { path, contents } of outputFiles) host(`${name}/${path.replace(/^.*\/out\//, "")}`, contents);
    const style = await Deno.readFile(`${ROOT}examples/web/${name}.css`).catch(() => undefined);
    if (style) host(`${name}/${name}.css`, style);
    return host(`${name}/index.html`, new TextEncoder().encode(withIcon(html)));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Bundles `examples/web/NAME.html` with Vite as it stands, by the configuration beside it, and hosts it; its path on the server.
 * `modules`: a folder with further packages. The library is that of the checkout; `deno task proof` bundles the package.
 */
export async function hostWithVite(name: string, modules: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-example-" });
  try {
    const html = await Deno.readTextFile(`${ROOT}examples/web/${name}.html`);
    await Deno.writeTextFile(join(folder, "index.html"), withIcon(html));
    await Deno.symlink(modules, join(folder, "node_modules"));
    const entries = { ...ENTRIES, "@std/path": `${ROOT}tests/std/path.ts` };
    const alias = Object.entries(entries).map(([entry, path]) =>
      `{ find: /^${RegExp.escape(entry)}$/, replacement: "${path}" }`
    );
    const config = `import own from "${ROOT}examples/web/vite.config.mjs";\n` +
      `export default { ...own, base: "./", resolve: { alias: [${alias}] } };\n`;
    await Deno.writeTextFile(join(folder, "vite.config.mjs"), config);
    await output([await toolPath("node"), await toolPath("vite"), "build", "--logLevel", "error"], folder);
    for (
      const file of [
        "index.html",
        ...[...Deno.readDirSync(join(folder, "dist/assets"))].map(({ name }) => `assets/${name}`),
      ]
    ) {
      host(`${name}/${file}`, await Deno.readFile(join(folder, "dist", file)));
    }
    return host(`${name}/index.html`, await Deno.readFile(join(folder, "dist/index.html")));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The page with an icon, so that browsers ask for none. */
function withIcon(html: string): string {
  return html.replace("<title>", '<link rel="icon" href="data:,"><title>');
}
