/**
 * `package.json` of the package for npm, from `deno.json`.
 *
 * @module
 */

import { CORES } from "./core.ts";
import { MODULES } from "./modules.ts";

/** The file that the command `tilewise` is. */
export const COMMAND = "bin/tilewise.js";

/** Packages that nothing of ours needs but the tests and the build. */
const FOR_DEVELOPERS = [
  "axe-core",
  "binaryen",
  "esbuild",
  "fast-check",
  "geotiff",
  "msgpackr-extract",
  "openseadragon",
  "playwright-core",
  "zarrita",
];

/** Packages that few need and that are large: who needs them adds them, as the error says that misses them. */
export const ADDED_WHEN_NEEDED: readonly string[] = ["assemblyscript", "bullmq", "ioredis", "pg"];

/** The part of `deno.json` that is used. */
export interface DenoConfig {
  /** Name of the package. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** Its licence. */
  readonly license: string;
  /** The modules that users import, by the paths that they write. */
  readonly exports: Readonly<Record<string, string>>;
  /** What stands for what in imports. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Modules that do something when they are loaded, such as saying where the worker is; `*`: any name. All others only declare,
 * so that bundlers leave out those of which nothing is used.
 */
const WITH_EFFECTS: readonly string[] = [
  "src/channel_images/mod.ts",
  "src/cli/main.ts",
  "src/cores/files.browser.ts",
  "src/cores/run.browser.ts",
  "src/dataset/storage/all_kinds.ts",
  "src/executor/process/thread.ts",
  "src/executor/worker.ts",
  "src/worker.ts",
];

/** Modules that tell others where something is when they are loaded, which may be at any time. */
const TELLING: readonly string[] = ["src/kernels/wasm.ts"];

/** Whether loading a module, by its path in the repository, does something that must not happen early. */
export function hasEffects(path: string): boolean {
  return WITH_EFFECTS.some((one) => one === path || one === path.replace(/[^/]+(?=\.ts$)/, "*"));
}

/** Modules that pages can do with less of: in bundles for browsers, `NAME.browser.ts` stands for `NAME.ts`. */
export const LESS_IN_BROWSERS: readonly string[] = [
  "src/executor/system_thread.ts",
  "src/io/source/permission.ts",
  "src/udf/results/console_line.ts",
];

/** What stands for such a module. */
export function browserOf(path: string): string {
  return path.replace(/\.ts$/, ".browser.ts");
}

/** The scripts that stand for others in bundles for browsers, by those others. */
export const IN_BROWSERS: ReadonlyMap<string, string> = new Map(
  LESS_IN_BROWSERS.map((path) => [scriptOf(path), scriptOf(browserOf(path))]),
);

/** The field `browser`: what bundlers take in the place of what. */
function forBrowsers(): Readonly<Record<string, string>> {
  const cores = Object.values(CORES).map(({ path, browser }) => [path, browser]);
  return Object.fromEntries(
    [...cores, ...IN_BROWSERS].map(([path, browser]) => [`./${path}`, `./${browser}`]),
  );
}

/** The same path, of the JavaScript that the module becomes. */
export function scriptOf(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/** `package.json`: the same entries, and the versions of packages to the digit. */
export function manifest({ name, version, license, exports, imports }: DenoConfig): object {
  const packages = packagesOf(imports);
  const isAdded = ([name]: readonly [string, string]) => ADDED_WHEN_NEEDED.includes(name);
  const added = packages.filter(isAdded);
  return {
    name,
    version,
    description: "Computes on arrays larger than memory, tile by tile, at the speed of the storage",
    license,
    type: "module",
    engines: { node: ">=20.16", bun: ">=1.4" },
    bin: { tilewise: COMMAND },
    browser: forBrowsers(),
    sideEffects: [COMMAND, ...[...WITH_EFFECTS, ...TELLING].map(scriptOf)].map((path) => `./${path}`),
    exports: {
      ...Object.fromEntries(Object.entries(exports).map(([entry, path]) => [entry, rowOf(path)])),
      [`./${MODULES}/*.wasm`]: `./${MODULES}/*.wasm`,
    },
    dependencies: Object.fromEntries(packages.filter((row) => !isAdded(row))),
    peerDependencies: Object.fromEntries(added),
    peerDependenciesMeta: Object.fromEntries(added.map(([name]) => [name, { optional: true }])),
  };
}

function rowOf(path: string): object {
  return { types: path.replace(/\.ts$/, ".d.ts"), default: scriptOf(path) };
}

/** Names and versions of `npm:name@version/path`, without those of developers. */
function packagesOf(imports: Readonly<Record<string, string>>): (readonly [string, string])[] {
  const found = Object.values(imports).flatMap((target): [string, string][] => {
    const [, name, version] = /^npm:(@?[^@]+)@([^/]+)/.exec(target) ?? [];
    return name && version && !FOR_DEVELOPERS.includes(name) ? [[name, version]] : [];
  });
  return [...new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))];
}
