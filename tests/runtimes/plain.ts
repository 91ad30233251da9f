/**
 * The programs as plain JavaScript: for runtimes that read no types, and for pages without a bundler.
 *
 * @module
 */

import { join } from "@std/path";
import { transform } from "esbuild";
import type { Room } from "./room.ts";

/** Where modules of users name others of theirs. */
const OURS = /(["'])(\.\/\w+)\.ts\1/g;

/** Writes all programs of a room to a folder in it, as modules of JavaScript; the folder. */
export async function plainPrograms({ folder }: Room): Promise<string> {
  const target = join(folder, "plain");
  await Deno.mkdir(target, { recursive: true });
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".ts") || name === "vite.config.ts") continue;
    const { code } = await transform(await Deno.readTextFile(join(folder, name)), {
      loader: "ts",
      target: "es2022",
    });
    await Deno.writeTextFile(join(target, name.replace(/ts$/, "js")), code.replace(OURS, "$1$2.js$1"));
  }
  return target;
}
