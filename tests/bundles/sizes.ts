/**
 * Prints how much some pages load: `deno run -A tests/bundles/sizes.ts`.
 *
 * At once: what a browser has to have before the page's code begins. In all: what the page and its workers have loaded when
 * its code has ended.
 *
 * @module
 */

import { type Bundled, bundlePage, gzipBytes, install, loadedWith, runPage } from "./bundled.ts";
import { PAGE } from "./first_result.ts";

const TIFF = `
import { open } from "@tilewise/tilewise";
const head = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 8, 0];
const tags = [[256, 1], [257, 1], [258, 8], [259, 1], [262, 1], [273, 110], [278, 1], [279, 1]];
const rows = tags.flatMap(([tag, value]) => [tag & 255, tag >> 8, 4, 0, 1, 0, 0, 0, value, 0, 0, 0]);
console.log((await open(new Blob([Uint8Array.of(...head, ...rows, 0, 0, 0, 0, 7)]))).dtype);
`;

/** Pages by what they do. */
const PAGES: Readonly<Record<string, string>> = {
  "open raw, plan, run": PAGE,
  "open a TIFF": TIFF,
  "all of mod.ts": 'import * as all from "@tilewise/tilewise"; console.log(Object.keys(all).length);',
  "all of /kernels":
    'import * as all from "@tilewise/tilewise/unstable/kernels"; console.log(Object.keys(all).length);',
  "kernels of the core": `
import { instantiateKernels, loadKernels } from "@tilewise/tilewise/unstable/kernels";
await loadKernels(["core"]);
console.log(typeof instantiateKernels(new WebAssembly.Memory({ initial: 1 })).exports.sum_pixels_u16);
`,
};

function described(bundle: Bundled, loaded: readonly string[]): string {
  const first = loadedWith(bundle, "page.js");
  const kB = (names: readonly string[]) => (gzipBytes(bundle, names) / 1000).toFixed(1).padStart(6);
  return `${kB(first)} kB in ${first.length} files at once, ${kB(loaded)} kB in ${loaded.length} in all`;
}

for (const [what, page] of Object.entries(PAGES)) {
  const folder = await Deno.makeTempDir();
  try {
    await install(folder);
    const bundle = await bundlePage(page, folder);
    const { loaded } = await runPage(folder);
    console.log(`${what.padEnd(20)} ${described(bundle, loaded)}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
