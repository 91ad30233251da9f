/**
 * Builds the sandbox: the package, the page, the worker, and the entries whose files are those of a program.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { build, type Plugin } from "esbuild";
import { code } from "../../assembly/pack/main.ts";
import { inside, NODE } from "../../assembly/pack/packages.ts";
import type { Page } from "../build/reference.ts";
import { OWN } from "./client/program.ts";
import { sandboxExamples } from "./examples.ts";

const CLIENT = fromFileUrl(new URL("./client/", import.meta.url));
const PACKAGES = fromFileUrl(new URL("../generator/node_modules/", import.meta.url));

/** Stands for `src/import_package.ts`: packages are those inside of the package. */
const PACKAGES_BESIDE = `const FILES = ${
  JSON.stringify(Object.fromEntries(inside().map(({ name, file }) => [name, `../tilewise/${file}.js`])))
};
export const INSIDE = Object.keys(FILES);
export const importPackage = (specifier) => {
  const name = specifier.replace(/^npm:([^@]+)@[^/]+/, "$1");
  return import(FILES[name] ?? name);
};
`;

/** The package lies beside the sandbox, as it is published; files that programs write stay in memory. */
const BESIDE: Plugin = {
  name: "beside",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@tilewise\/tilewise/ }, ({ path }) => {
      const entry = path.slice("@tilewise/tilewise/".length).replaceAll("/", "-") || "mod";
      return { path: `../tilewise/${entry}.js`, external: true };
    });
    onResolve({ filter: /^\.\.\/tilewise\// }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /\/import_package\.ts$/ }, () => ({ contents: PACKAGES_BESIDE }));
    onResolve({ filter: /\/write\/write\.ts$/ }, () => ({ path: join(CLIENT, "written.ts") }));
  },
};

/** The page, in the form in which the generator reads it. */
export const SANDBOX: Page = {
  place: "sandbox.md",
  title: "Sandbox",
  text: `---
outline: false
aside: false
---

# Sandbox

Programs of the [gallery](./index.md), in this page: change a number, and run. \`Ctrl\`+\`Enter\` in the program
runs it as well. Nothing is sent anywhere: the package is loaded once, samples are made here, and what a program
saves stays in memory until you keep it. A program may import every entry of the [library](./reference/tilewise.md);
its files are those that it has saved, \`scan/scan.hdr\` and \`cells.ome.tif\`. \`open\` takes addresses as well,
where [their server allows it](./runtimes.md).

<div ref="place" class="sandbox"></div>

<script setup>
import { onBeforeUnmount, onMounted, ref } from "vue";
import { withBase } from "vitepress";
const place = ref();
let end = () => {};
onMounted(async () => {
  const { mount } = await import(/* @vite-ignore */ withBase("/sandbox/main.js"));
  if (place.value) end = await mount(place.value);
});
onBeforeUnmount(() => end());
</script>
`,
};

/** Writes the files that the page loads into \`folder\`, which the generator copies as it is. */
export async function buildSandbox(folder: string): Promise<void> {
  const sandbox = join(folder, "sandbox"), library = join(folder, "tilewise");
  await Deno.mkdir(sandbox, { recursive: true });
  await Deno.mkdir(library, { recursive: true });
  const shared = { bundle: true, format: "esm", target: "es2022", minify: true } as const;
  const stdin = { contents: `export { transform } from "sucrase";`, resolveDir: PACKAGES };
  await Promise.all([
    build({
      ...shared,
      entryPoints: [
        ...["main", "worker"].map((name) => ({ in: join(CLIENT, `${name}.ts`), out: name })),
        ...OWN.map((name) => ({ in: join(CLIENT, "entries", `${name}.ts`), out: `entry-${name}` })),
      ],
      outdir: sandbox,
      splitting: true,
      plugins: [BESIDE, NODE],
    }),
    build({ ...shared, stdin, nodePaths: [PACKAGES], outfile: join(sandbox, "typescript.js") }),
    Deno.copyFile(join(PACKAGES, "sucrase/LICENSE"), join(sandbox, "typescript-licence.txt")),
    Deno.writeTextFile(join(sandbox, "examples.json"), JSON.stringify(sandboxExamples())),
  ]);
  for (const [name, text] of await code()) await Deno.writeTextFile(join(library, name), text);
}
