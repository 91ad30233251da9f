/**
 * Makes the package for npm: `deno task pack [-o FILE]`, by default `tilewise-VERSION.tgz` in the working folder.
 *
 * `dist/` has all modules in some hundred files, the same ones for Node, Deno, Bun and for bundlers of pages; `types/` has their
 * declarations. What no entry of `deno.json` reaches stays out. The same sources give the same bytes.
 *
 * @module
 */

import { join } from "@std/path";
import { withCalls } from "./calls.ts";
import config from "../../deno.json" with { type: "json" };
import { renewedPage } from "../../web/build.ts";
import { bundle } from "./bundle.ts";
import { declarations } from "./declarations.ts";
import { emit, fileOfThread, resolved, type Script, scriptOf } from "./emit.ts";
import { CODE, COMMAND, fileOfEntry, manifest, TYPES, WITH_EFFECTS } from "./manifest.ts";
import { inside, licences, packageFiles } from "./packages.ts";
import { packedPage, PAGE } from "./page.ts";
import { placesOf } from "./places.ts";
import { type Entry, tarball } from "./tar.ts";
import { makeFolderOf, task } from "../task.ts";

const ROOT = new URL("../../", import.meta.url);

/** What lies beside the code. */
const TEXTS = ["README.md", "CHANGELOG.md", "LICENSE"];

/** The command, which nothing else than `bin` of the package names; old versions of Node read this file, but not the others. */
const COMMAND_CODE = `#!/usr/bin/env node
if (process.getBuiltinModule) import("../${CODE}/command.js");
else {
  const { bun, node } = process.versions;
  console.error(\`tilewise: \${bun ? "Bun" : "Node"} \${bun || node} is too old: install Node 20.16, 22.3, Bun 1.4 or later\`);
  process.exitCode = 1;
}
`;

/** Packages inside. */
const PACKED = inside();

/** The thread of the command that watches over the main one. */
const WATCHDOG = "src/cli/shell/watchdog_thread.js";

/** Modules that the package has in the place of those of the same names. */
const given = (packages: typeof PACKED): Readonly<Record<string, string>> => ({
  "src/command.js": `import { main } from "./cli/main.js";
import { exitProcess, hostIo } from "./cli/shell/host.js";
import { system } from "./cli/shell/system.js";
main(system.args, hostIo()).then(exitProcess);
`,
  "src/import_package.js": `const PACKAGES = {
${packages.map(({ name, file }) => `  ${JSON.stringify(name)}: () => import("place:${file}"),\n`).join("")}};
export const INSIDE = Object.keys(PACKAGES);
// Deno asks for npm:name@version, which packages of npm may not do.
export function importPackage(specifier) {
  const name = specifier.replace(/^npm:([^@]+)@[^/]+/, "$1");
  return PACKAGES[name]?.() ?? import(name);
}
`,
  "src/offline.js": `import { importPackage } from "./import_package.js";
import { PACKAGES } from "./packages.js";
export const PACKAGES_AHEAD = Object.fromEntries(
  Object.keys(PACKAGES).map((name) => [name, () => importPackage(name)]),
);
`,
  "src/threads.js":
    `const here = import.meta.url; // bundlers bundle what the next line names, and nothing else
export const startBundled = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
export const threadCode = () => new URL("./worker.js", here);
`,
});

/** The files of `dist/` by name, with these packages inside. */
export async function code(packages: typeof PACKED = PACKED): Promise<Map<string, string>> {
  const entries = new Map([
    ...Object.entries(config.exports).map(([entry, path]): [string, string] => [
      scriptOf(path.replace("./", "")),
      fileOfEntry(entry),
    ]),
    ["src/command.js", "command"],
    [WATCHDOG, fileOfThread(WATCHDOG).replace(".js", "")],
  ]);
  const scripts = await withCalls(await emit(ROOT, Object.values(config.exports), given(packages)));
  const places = placesOf(scripts, entries).set("src/executor/worker.js", "worker");
  refuseLost(scripts, places);
  const [own, others] = await Promise.all([
    bundle({ scripts, places, entries: new Set(entries.keys()) }),
    packageFiles(packages),
  ]);
  return new Map([...own, ...others]);
}

/** Bundlers leave out files of which nothing is used, unless `package.json` says that they do something. */
function refuseLost(scripts: ReadonlyMap<string, Script>, places: ReadonlyMap<string, string>): void {
  for (const [path, { text }] of scripts) {
    for (const [, name] of text.matchAll(/^import "(\.[^"]+)";/gm)) {
      const file = places.get(resolved(path, name!))!;
      if (file !== places.get(path) && !WITH_EFFECTS.includes(file)) {
        throw new Error(`${path} imports ${name} for what it does: ${file} belongs to WITH_EFFECTS`);
      }
    }
  }
}

/** `package.json` of the package. */
export function packageJson(): string {
  return JSON.stringify(manifest(config), null, 2) + "\n";
}

/** The package as the bytes of a `.tgz`; declarations take the most time, and can be given. */
export async function pack(types?: ReadonlyMap<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const [scripts, typesOf, page] = await Promise.all([code(), types ?? declarations(ROOT), renewedPage()]);
  const files: Entry[] = [
    { path: "package.json", content: packageJson() },
    { path: COMMAND, content: COMMAND_CODE, runs: true },
    { path: PAGE, content: packedPage(page) },
    { path: "LICENCES.txt", content: await licences() },
    ...TEXTS.map((path) => ({ path, content: Deno.readTextFileSync(new URL(path, ROOT)) })),
    ...[...scripts].map(([path, content]) => ({ path: `${CODE}/${path}`, content })),
    ...[...typesOf].map(([path, content]) => ({ path: `${TYPES}/${path}`, content })),
  ];
  return await tarball("package", files);
}

if (import.meta.main) {
  await task("pack", { output: { type: "string", short: "o" } }, async ({ output }) => {
    const name = `tilewise-${config.version}.tgz`;
    const path = output === undefined ? name : /\.tgz$/.test(output) ? output : join(output, name);
    await makeFolderOf(path);
    const bytes = await pack();
    await Deno.writeFile(path, bytes);
    console.log(`${path}: ${(bytes.length / 1e6).toFixed(2)} MB`);
  });
}
