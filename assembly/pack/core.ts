/**
 * Keeps bundles for browsers in few files.
 *
 * Bundlers such as esbuild cut a bundle into one file per set of entries and parts that share modules. Tilewise has more than
 * two hundred parts that are loaded when they are needed, and each of them shares some other modules with the rest: a page that
 * loads a run would fetch a hundred small files, which compress badly. A page with a run needs its core in any case. So in
 * bundles for browsers every part imports a whole core, `src/cores/run.browser.js`, and all of it becomes one file. Parts that
 * read files and no more, which pages without a run load as well, import what readers share, `src/cores/files.browser.js`. Elsewhere
 * empty modules stand in the places of both: there, threads load only what they need.
 *
 * @module
 */

/** A module that parts import, and the one that takes its place in browsers. */
export interface Core {
  readonly path: string;
  readonly browser: string;
}

/** What parts import that read files, and what all others import. */
export const CORES = {
  files: { path: "src/cores/files.js", browser: "src/cores/files.browser.js" },
  run: { path: "src/cores/run.js", browser: "src/cores/run.browser.js" },
} as const satisfies Record<string, Core>;

/** What a page starts from to open a file. */
const FILES = ["src/formats/open.js"];

/** What a page with a run starts from, and what its first run loads: all that these import is the core of runs. */
const RUN = [
  ...FILES,
  "src/udf/run/plan.js",
  "src/run.js",
  "src/worker.js",
  "src/udf/worker/job.js",
  "src/formats/raw/reader.js",
  "src/dataset/storage/contiguous/reader.js",
  "src/udf/builtin/detectors.call.js",
  "src/udf/builtin/detectors.js",
  "src/udf/builtin/sum_frames.js",
];

/** Modules of the core that importers name: that they import the core as well brings all of it into one file. */
const HEADS = ["src/udf/run/plan.js", "src/run.js", "src/worker.js"];

/** Parts that need nothing of a core. */
const APART = /^src\/(kernels\/packs|cli)\//;

/** Parts that read files. */
const READING = /^src\/(formats|codecs|dataset|io|kernels)\//;

/** Modules by path. */
type Scripts = ReadonlyMap<string, string>;

/** What the manifest says about modules. */
export interface Facts {
  /** Whether a module must not be loaded early. */
  readonly hasEffects: (path: string) => boolean;
  /** What stands for modules in browsers. */
  readonly inBrowsers: ReadonlyMap<string, string>;
}

/** The scripts of the package, where parts import a core. */
export function withCores(scripts: Scripts, { hasEffects, inBrowsers }: Facts): Map<string, string> {
  const gone = [...RUN, ...HEADS].filter((path) => !scripts.has(path));
  if (gone.length > 0) throw new Error(`The core starts from modules that do not exist: ${gone.join(", ")}`);
  const parts = partsOf(scripts).filter((path) => !APART.test(path));
  const run = reachedFrom(RUN, scripts, inBrowsers);
  const reading = parts.filter((path) => READING.test(path));
  const read = reachedFrom([...FILES, ...reading], scripts, inBrowsers);
  refuseShared(parts, run, scripts);
  const all = new Map(scripts);
  for (const path of new Set([...HEADS, ...parts])) {
    const { path: core } = READING.test(path) ? CORES.files : CORES.run;
    all.set(path, `import "${between(path, core)}";\n${scripts.get(path)}`);
  }
  const members = { files: run.filter((path) => read.includes(path)), run };
  for (const name of ["files", "run"] as const) {
    const { path, browser } = CORES[name];
    all.set(path, "export {};\n").set(
      browser,
      importing(browser, members[name].filter((one) => !hasEffects(one))),
    );
  }
  return all;
}

/** A script that loads modules; bundlers keep what it names. */
function importing(path: string, modules: readonly string[]): string {
  const imports = modules.map((module, i) => `import * as m${i} from "${between(path, module)}";\n`);
  return `${imports.join("")}export {};\n`;
}

/** A part that the core imports cannot import the core, and without that it would be cut in two. */
function refuseShared(parts: readonly string[], core: readonly string[], scripts: Scripts): void {
  const inside = new Set(core.flatMap((path) => imported(path, scripts.get(path)!)));
  const shared = parts.filter((path) => inside.has(path));
  if (shared.length === 0) return;
  throw new Error(`Modules that are loaded on demand are imported by the core as well: ${shared.join(", ")}`);
}

/** The modules that `starts` import in a browser, in order of their names. */
function reachedFrom(starts: readonly string[], scripts: Scripts, inBrowsers: Facts["inBrowsers"]): string[] {
  const found = new Set<string>();
  const add = (named: string) => {
    const path = inBrowsers.get(named) ?? named;
    if (found.has(path) || !scripts.has(path)) return;
    found.add(path);
    imported(path, scripts.get(path)!).forEach(add);
  };
  starts.forEach(add);
  return [...found].sort();
}

/** The modules that some module loads when it needs them. */
function partsOf(scripts: Scripts): string[] {
  const found = [...scripts].flatMap(([path, script]) => named(path, script, /\bimport\("(\.[^"]+)"\)/g));
  return [...new Set(found)].filter((path) => scripts.has(path)).sort();
}

/** The modules that a script imports. */
function imported(path: string, script: string): string[] {
  return named(path, script, /^(?:import|export)\b[^;"]*?(?:from )?"(\.[^"]+)";/gm);
}

function named(path: string, script: string, pattern: RegExp): string[] {
  return [...script.matchAll(pattern)].map(([, name]) => new URL(name!, `file:///${path}`).pathname.slice(1));
}

/** How the module `from` names the module `to`. */
function between(from: string, to: string): string {
  const up = from.split("/").length - 1;
  return `${up === 0 ? "./" : "../".repeat(up)}${to}`;
}
