/**
 * Keeps bundles for browsers in few files.
 *
 * Bundlers such as esbuild cut a bundle into one file per set of entries and parts that share modules. Tilewise has more than
 * a hundred parts that are loaded when they are needed, and each of them shares some other modules with the rest: a page that
 * loads a run would fetch a hundred small files, which compress badly. A page with a run needs its core in any case. So in
 * bundles for browsers every part imports the whole core, `src/core.browser.js`, and all of it becomes one file. Elsewhere
 * `src/core.js` stands in its place, which is empty: there, threads load only what they need.
 *
 * @module
 */

/** What a page with a run starts from; all that these import is the core. */
const STARTS = [
  "src/formats/face.js",
  "src/udf/plan/face.js",
  "src/run.js",
  "src/udf/worker/job.js",
  "src/executor/handler.js",
];

/** The module that parts import, and the one that takes its place in browsers. */
export const CORE = { path: "src/core.js", browser: "src/core.browser.js" } as const;

/** Parts that pages may use without a run. */
const APART = /^src\/(kernels|cli)\//;

/** The scripts of the package, where parts import the core; `effects`: modules that must not be loaded early. */
export function withCore(
  scripts: ReadonlyMap<string, string>,
  hasEffects: (path: string) => boolean,
): Map<string, string> {
  const core = coreOf(scripts).filter((path) => !hasEffects(path));
  const within = new Set(core.flatMap((path) => imported(path, scripts.get(path)!)));
  const parts = partsOf(scripts).filter((path) => !within.has(path) && !APART.test(path));
  const all = new Map(scripts);
  for (const path of parts) all.set(path, `import "${between(path, CORE.path)}";\n${scripts.get(path)}`);
  const imports = core.map((path, i) => `import * as m${i} from "${between(CORE.browser, path)}";\n`);
  return all.set(CORE.path, "export {};\n").set(CORE.browser, `${imports.join("")}export {};\n`);
}

/** The modules that the starts import, in order of their names. */
function coreOf(scripts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path) || !scripts.has(path)) return;
    found.add(path);
    imported(path, scripts.get(path)!).forEach(add);
  };
  STARTS.forEach(add);
  return [...found].sort();
}

/** The modules that some module loads when it needs them. */
function partsOf(scripts: ReadonlyMap<string, string>): string[] {
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
