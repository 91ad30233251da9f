/**
 * The programs as plain JavaScript: for runtimes that read no types, and for pages without a bundler.
 *
 * @module
 */

import { join } from "@std/path";
import { transform } from "esbuild";
import { writeOwn } from "./bundles.ts";
import type { Room } from "./room.ts";

/** A page without a bundler: modules as they are in `node_modules`, found by an import map. The folder of the page. */
export async function byImportMap(room: Room): Promise<string> {
  const { folder } = room;
  await plainPrograms(room);
  const imports = Object.fromEntries(
    (await Promise.all(PACKAGES.map((name) => addressesOf(folder, name)))).flat(),
  );
  const page = `<!doctype html>\n<script type="importmap">${JSON.stringify({ imports })}</script>\n` +
    '<script type="module" src="/plain/page.js"></script>\n';
  await writeOwn(folder, folder);
  await Deno.writeTextFile(join(folder, "plain.html"), page);
  return folder;
}

/** Packages that the page uses, by itself or by way of the first one. */
const PACKAGES = ["@tilewise/tilewise", "h5wasm"];

/** A part of `exports` of a package: a file, or what it depends on. */
type Target = string | { readonly [condition: string]: Target };

/** What a package has, by the names that programs write. */
async function addressesOf(folder: string, name: string): Promise<(readonly [string, string])[]> {
  const text = await Deno.readTextFile(join(folder, "node_modules", name, "package.json"));
  const { exports, module, main } = JSON.parse(text);
  const rows: [string, Target][] = Object.entries(exports ?? { ".": module ?? main });
  return rows.flatMap(([entry, target]) => {
    const file = fileOf(target);
    if (!file?.endsWith("js")) return [];
    return [[entry.replace(".", name), `/node_modules/${name}/${file.replace(/^\.\//, "")}`]];
  });
}

/** The file that a page takes. */
function fileOf(target: Target): string | undefined {
  if (typeof target === "string") return target;
  const { browser, import: module, default: other } = target;
  const found = [browser, module, other].find((one) => one !== undefined);
  return found === undefined ? undefined : fileOf(found);
}

/** Where modules of users name others of theirs. */
const OURS = /(["'])(\.\/\w+)\.ts\1/g;

/** Writes all programs of a room to a folder in it, as modules of JavaScript; the folder. */
export async function plainPrograms({ folder }: Room): Promise<string> {
  const target = join(folder, "plain");
  await Deno.mkdir(target, { recursive: true });
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".as.ts")) await Deno.copyFile(join(folder, name), join(target, name));
    if (!/^\w+\.ts$/.test(name)) continue;
    const { code } = await transform(await Deno.readTextFile(join(folder, name)), {
      loader: "ts",
      target: "es2022",
    });
    await Deno.writeTextFile(join(target, name.replace(/ts$/, "js")), code.replace(OURS, "$1$2.js$1"));
  }
  return target;
}
