/**
 * A bundle of a program computes what the program computes, inline and on workers: jobs, UDFs and kernels are found by
 * bundlers, which follow plain `import("…")` only.
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { build } from "esbuild";
import config from "../../deno.json" with { type: "json" };

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** Where the entries are, as an installed package has them. */
const ENTRIES = Object.fromEntries(
  Object.entries(config.exports).map(([entry, path]) => [config.name + entry.slice(1), `${ROOT}${path}`]),
);

/** Bundles the page and the worker to `folder`, as for production. */
async function bundle(folder: string): Promise<void> {
  const { errors, warnings } = await build({
    entryPoints: { page: `${ROOT}tests/bundles/page.ts`, worker: `${ROOT}src/worker.ts` },
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    target: "esnext",
    alias: { ...ENTRIES, "@std/path": `${ROOT}tests/std/path.ts` },
    external: ["node:*", "fflate", "h5wasm", "numcodecs", "smol-toml", "assemblyscript", "binaryen"],
    logLevel: "silent",
  });
  assertEquals([...errors, ...warnings], []);
}

async function output(script: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-config", script],
  }).output();
  assert(code === 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** The sum over all frames at one pixel. */
function sumAt(pixel: number): number {
  return Array.from({ length: 256 }, (_, f) => (64 * f + pixel) % 251).reduce((a, b) => a + b);
}

Deno.test("a bundle computes inline and on workers what the program computes", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await bundle(folder);
    const [inline, onWorkers, filtered, filteredOnWorkers, ...sums] = JSON.parse(
      await output(`${folder}/page.js`),
    );
    assertEquals(sums, [4950, 4950, 4950], "hosts of channels, whoever answers");
    assertEquals(onWorkers, inline);
    assertEquals(filteredOnWorkers, filtered);
    assertEquals(inline.slice(0, 3), [0, 1, 2].map(sumAt));
    assertEquals(inline.at(-1), 63);
    assertEquals(inline.at(-2), Math.max(...Array.from({ length: 64 }, (_, p) => (255 * 64 + p) % 251)));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the entry of workers knows every job by its name", () => {
  const namesIn = (file: string) =>
    [...Deno.readTextFileSync(`${ROOT}src/${file}`).matchAll(/"(tilewise:[a-z-]+)"/g)].map(([, name]) =>
      name!
    );
  const makers = [
    "udf/run/execution.ts",
    "views/map/run.ts",
    "views/sinks/chunks/making.ts",
    "views/tiles/crew.ts",
    "hypercube/run/run_cube.ts",
    "hypercube/run/kernels/assembly.ts",
    "hypercube/run/kernels/expression.ts",
    "hypercube/run/kernels/function.ts",
    "rime/phase.ts",
    "rime/image/run.ts",
    "rime/terms/gradient/kernel.ts",
    "rime/equation/kernel.ts",
    "rime/predict/kernel.ts",
    "channels/host/runners.ts",
    "channels/host/file_service.ts",
    "channels/remote/service.ts",
    "channel_images/mod.ts",
    "channels/launch/grid_run.ts",
    "channels/wasi/run.ts",
  ];
  assertEquals(namesIn("worker.ts").toSorted(), [...new Set(makers.flatMap(namesIn))].toSorted());
  const others = [...Deno.readTextFileSync(`${ROOT}src/worker.ts`).matchAll(/import\("\.\/([^"]+)"\)/g)];
  assertEquals(others.length, makers.length);
});
