/**
 * Declarations of all that users can name, as `deno pack` makes them from the types that are written out.
 *
 * That command is not used for more: modules that are started as threads keep names that end in `.ts`, and dependencies
 * have ranges.
 *
 * @module
 */

import { dirname, join, relative } from "@std/path";
import config from "../../deno.json" with { type: "json" };
import { readTarball } from "./tar.ts";

/** The file that declares what others name of the platform; all entries refer to it. */
const NAMED_PLATFORM = "platform.d.ts";

/** Names of the platform for programs without its declarations; where those are, they are the same interfaces. */
const PLATFORM = `/// <reference lib="esnext.disposable" />
/// <reference lib="esnext.float16" />
declare global {
${
  ["AbortController", "AbortSignal", "Blob", "RequestInit", "Response", "URL"].map((name) =>
    `  interface ${name} {}\n`
  ).join("")
}  namespace WebAssembly {
    interface Instance {}
    interface Memory {}
    interface Module {}
  }
}
export {};
`;

/** Declarations by path. */
export async function declarations(root: URL): Promise<Map<string, string>> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-declarations-" });
  try {
    await copyUnchecked(root, folder, ["deno.json", "deno.lock", "mod.ts", "src"]);
    const file = join(folder, "package.tgz");
    await denoPack(folder, file);
    const packed = await readTarball(await Deno.readFile(file));
    const all = [...packed].filter(([path]) => path.endsWith(".d.ts"));
    const found = new Map(all.map(([path, text]) => [path.replace("package/", ""), asModule(text)]));
    for (const path of Object.values(config.exports)) {
      const entry = path.replace("./", "").replace(/ts$/, "d.ts");
      const link = relative(dirname(entry), NAMED_PLATFORM).replace(/^(?!\.)/, "./");
      found.set(entry, `/// <reference path="${link}" />\n${found.get(entry)!}`);
    }
    return found.set(NAMED_PLATFORM, PLATFORM);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What keeps `deno pack` from a check of all types, which takes most of its time: `deno check` has done that. */
const UNCHECKED = "// @ts-nocheck\n";

/** Copies modules and settings of `root`; types of the copies are not checked. */
async function copyUnchecked(root: URL, folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const from = new URL(path, root), to = join(folder, path);
    if ((await Deno.stat(from)).isDirectory) {
      await Deno.mkdir(to);
      const below = [...Deno.readDirSync(from)].map(({ name }) => `${path}/${name}`);
      await copyUnchecked(root, folder, below);
    } else {
      const text = await Deno.readTextFile(from);
      await Deno.writeTextFile(to, path.endsWith(".ts") ? UNCHECKED + text : text);
    }
  }
}

async function denoPack(folder: string, file: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["pack", "--quiet", "--allow-dirty", "--no-source-maps", "--output", file],
    cwd: folder,
  }).output();
  if (!success) throw new Error(`deno pack failed: ${new TextDecoder().decode(stderr)}`);
}

/** A module that exports nothing is one only where that is said. */
function asModule(copied: string): string {
  const text = copied.replace(UNCHECKED, "");
  return /^(export|import)\b/m.test(text) ? text : `${text}\nexport {};\n`;
}
