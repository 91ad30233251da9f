/**
 * Pages as they are published: bundled by a bundler, from the package.
 *
 * @module
 */

import { join } from "@std/path";
import { build, type BuildOptions, transform } from "esbuild";
import { output } from "./processes.ts";
import type { Room } from "./room.ts";
import { toolPath } from "../../assembly/tools.ts";

/** Bundles the page of a room; the folder of the page. */
export type Bundler = (room: Room) => Promise<string>;

/** Vite follows workers by itself. */
export async function byVite({ folder }: Room): Promise<string> {
  await output([await toolPath("node"), await toolPath("vite"), "build", "--logLevel", "error"], folder);
  await writeOwn(folder, join(folder, "vite"));
  return join(folder, "vite");
}

/** esbuild bundles the worker as an entry of its own. */
export async function byEsbuild({ folder }: Room): Promise<string> {
  const target = join(folder, "esbuild");
  const options: BuildOptions = {
    absWorkingDir: folder,
    entryPoints: { page: "./page_with_worker.ts", worker: "./worker.ts" },
    outdir: target,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    target: "esnext",
    external: ["node:*"],
    logLevel: "silent",
  };
  await build(options);
  await writePage(target);
  await writeOwn(folder, target);
  return target;
}

/** Deno bundles the worker as an entry of its own. */
export async function byDenoBundle({ folder }: Room): Promise<string> {
  const target = join(folder, "deno");
  const flags = ["--quiet", "--platform=browser", "--code-splitting", "--minify", "--outdir", target];
  await output([Deno.execPath(), "bundle", ...flags, "page_with_worker.ts", "worker.ts"], folder);
  await Deno.rename(join(target, "page_with_worker.js"), join(target, "page.js"));
  await writePage(target);
  await writeOwn(folder, target);
  return target;
}

async function writePage(target: string): Promise<void> {
  const page = '<!doctype html>\n<script type="module" src="./page.js"></script>\n';
  await Deno.writeTextFile(join(target, "index.html"), page);
}

/** The modules of a user, and a package, which workers import by their URLs: no part of any bundle. */
export async function writeOwn(folder: string, target: string): Promise<void> {
  for (const name of ["own_udf", "own_functions"]) {
    const source = await Deno.readTextFile(join(folder, `${name}.ts`));
    const { code } = await transform(source, { loader: "ts" });
    await Deno.writeTextFile(join(target, `${name}.js`), code);
  }
  const library = join(folder, "node_modules", "h5wasm", "dist", "esm");
  await Deno.mkdir(join(target, "h5wasm"), { recursive: true });
  for (const { name } of Deno.readDirSync(library)) {
    if (name.endsWith(".js")) await Deno.copyFile(join(library, name), join(target, "h5wasm", name));
  }
}
