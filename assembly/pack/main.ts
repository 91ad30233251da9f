/**
 * Makes the package for npm: `deno task pack [-o FILE]`, by default `tilewise-VERSION.tgz` in the working folder.
 *
 * The modules become JavaScript with the same names in the same folders, beside their declarations; what no entry of
 * `deno.json` reaches stays out. The same sources give the same bytes.
 *
 * @module
 */

import { withCalls } from "./calls.ts";
import { parseArgs } from "node:util";
import config from "../../deno.json" with { type: "json" };
import { declarations } from "./declarations.ts";
import { emit } from "./emit.ts";
import { PACKAGES } from "../../src/packages.ts";
import { buildPage } from "../../web/build.ts";
import { packageImports } from "../../web/build/package_imports.ts";
import { withCores } from "./core.ts";
import {
  ADDED_WHEN_NEEDED,
  browserOf,
  COMMAND,
  hasEffects,
  IN_BROWSERS,
  LESS_IN_BROWSERS,
  manifest,
} from "./manifest.ts";
import { moduleFiles } from "./modules.ts";
import { type Entry, tarball } from "./tar.ts";

const ROOT = new URL("../../", import.meta.url);

/** What lies beside the code. */
const TEXTS = ["README.md", "CHANGELOG.md", "LICENSE"];

/** The command, which nothing else than `bin` of the package names. */
const COMMAND_CODE = `#!/usr/bin/env node
import { argv } from "node:process";
import { main } from "../src/cli/main.js";
import { exitProcess, hostIo } from "../src/cli/shell/host.js";

exitProcess(await main(argv.slice(2), hostIo()));
`;

/** The built page in one file, where `tilewise view` looks for it. */
const PAGE = "web/dist/page.json";

/** The scripts of the package by path. */
export async function scripts(): Promise<Map<string, string>> {
  const entries = [...Object.values(config.exports), ...LESS_IN_BROWSERS.map(browserOf)];
  const along = Object.keys(PACKAGES).filter((name) => !ADDED_WHEN_NEEDED.includes(name.split("/")[0]!));
  const given = { "src/import_package.js": packageImports(along) };
  const found = await emit(ROOT, entries, given);
  return withCores(await withCalls(found), {
    hasEffects: (path) => hasEffects(path.replace(/\.js$/, ".ts")),
    inBrowsers: IN_BROWSERS,
  });
}

/** `package.json` of the package. */
export function packageJson(): string {
  return JSON.stringify(manifest(config), null, 2) + "\n";
}

/** What takes long to make. */
export interface Made {
  /** Declarations by path. */
  readonly types?: ReadonlyMap<string, string>;
  /** The page in one file. */
  readonly page?: string;
}

/** The package as the bytes of a `.tgz`; what is made already can be given. */
export async function pack(made: Made = {}): Promise<Uint8Array<ArrayBuffer>> {
  const [code, types, page] = await Promise.all([
    scripts(),
    made.types ?? declarations(ROOT),
    made.page ?? builtPage(),
  ]);
  const files: Entry[] = [
    { path: "package.json", content: packageJson() },
    { path: COMMAND, content: COMMAND_CODE, runs: true },
    { path: PAGE, content: page },
    ...TEXTS.map((path) => ({ path, content: Deno.readTextFileSync(new URL(path, ROOT)) })),
    ...[...code, ...types].map(([path, content]) => ({ path, content })),
    ...await moduleFiles(),
  ];
  return await tarball("package", files);
}

async function builtPage(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-page-" });
  try {
    await buildPage(folder, { compress: false });
    return await Deno.readTextFile(`${folder}/page.json`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ args: Deno.args, options: { output: { type: "string", short: "o" } } });
  const path = values.output ?? `tilewise-${config.version}.tgz`;
  const bytes = await pack();
  await Deno.writeFile(path, bytes);
  console.log(`${path}: ${(bytes.length / 1e6).toFixed(2)} MB`);
}
