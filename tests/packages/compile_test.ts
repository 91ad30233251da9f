/** The program as one file: whatever is reached by a computed address must be named, as Deno sees only plain imports. */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { INCLUDED, TARGETS } from "../../assembly/compile.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** Never reached in such a program: it starts no processes, and pages and bundles have workers of their own. */
const ELSEWHERE = /^src\/(executor\/process\/|kernels\/wasm\.ts|entries\/)|\.browser\.ts$/;

async function graphOf(modules: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const module of modules) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", module],
      cwd: ROOT,
    }).output();
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: { specifier: string }[] };
    for (const { specifier } of modules) found.add(specifier);
  }
  return found;
}

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(ROOT + folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (path.endsWith(".ts")) yield path;
  }
}

function isFile(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch {
    return false;
  }
}

Deno.test("every module that is reached by its address is in the program", async () => {
  const graph = await graphOf(["src/cli/main.ts", ...INCLUDED.filter((path) => path.endsWith(".ts"))]);
  assert(graph.size > 500);
  const reached: string[] = [];
  for (const path of sources("src")) {
    const url = new URL(path, `file://${ROOT}`);
    if (!graph.has(url.href)) continue;
    const code = Deno.readTextFileSync(url).replace(/\/\*[\s\S]*?\*\//g, "");
    const named = code.matchAll(/(?:import\.meta\.resolve\(|new URL\()"(\.{1,2}\/[^"]+\.ts)"/g);
    const hrefs = [...named].map(([, name]) => new URL(name!, url));
    reached.push(...hrefs.filter(isFile).map(({ href }) => href)); // others are texts
  }
  assert(reached.length > 10, `${reached}`);
  const missing = reached.filter((href) => !graph.has(href)).map((href) =>
    fromFileUrl(href).slice(ROOT.length)
  );
  assertEquals(missing.filter((path) => !ELSEWHERE.test(path)), []);
  assert(INCLUDED.includes("web/dist/page.json") && Object.keys(TARGETS).length === 5);
});
