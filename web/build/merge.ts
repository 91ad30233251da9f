/**
 * Puts scripts that are always loaded together into one. A bundler that splits code makes a file of every set of modules that
 * two entries share, which are more than a hundred small ones: to ask for each takes longer than to load them all.
 *
 * Each root takes the scripts that it imports at once, and they in turn, unless a root before it has them. So scripts of a root
 * import only those of roots before it, and nothing is loaded that was not loaded anyway.
 *
 * @module
 */

import { build, type Metafile, type OnResolveArgs, type OnResolveResult, type Plugin } from "esbuild";
import type { BuiltFile } from "./files.ts";

/** The scripts of a root by their names, with what others can import from them; the first is the root. */
type Group = ReadonlyMap<string, readonly string[]>;

/** What a script becomes: its text, all scripts of its root, or the names of it that its root has. */
const [TEXT, WHOLE, NAMES] = ["text", "whole", "names"];

/** `files` with the scripts of each of `roots` in one; `roots` are paths of sources, such as `web/main.ts`. */
export async function mergeScripts(
  files: readonly BuiltFile[],
  meta: Metafile,
  roots: readonly string[],
  minify: boolean,
): Promise<BuiltFile[]> {
  const groups = groupsOf(meta, roots);
  const needed = files.filter(({ path }) => isNeeded(path, groups, meta));
  const scripts = needed.map(({ path }) => path).filter((path) => path.endsWith(".js"));
  const { outputFiles } = await build({
    entryPoints: scripts.map((name) => ({ in: name, out: name.slice(0, -".js".length) })),
    outdir: "out",
    write: false,
    bundle: true,
    minify,
    format: "esm",
    target: "es2022",
    plugins: [merging(files, groups)],
    logLevel: "silent",
  });
  const merged = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
  return needed.map(({ path, text }) => ({ path, text: merged.get(path) ?? text }));
}

/** The group of each script that is in one. */
function groupsOf({ outputs }: Metafile, roots: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const root of roots) {
    const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === root);
    if (!first) {
      throw new Error(`${root} is not an entry of the page, and nothing imports it when it is needed`);
    }
    const group = new Map<string, readonly string[]>();
    const visit = (path: string) => {
      if (groups.has(nameOf(path))) return;
      group.set(nameOf(path), outputs[path]?.exports ?? []);
      groups.set(nameOf(path), group);
      for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
        if (kind === "import-statement" && !external) visit(next);
      }
    };
    visit(first);
  }
  return groups;
}

/** Whether a file is still asked for: what is in a root is not, unless it is also imported when it is needed. */
function isNeeded(name: string, groups: ReadonlyMap<string, Group>, { outputs }: Metafile): boolean {
  const group = groups.get(name);
  if (!group || rootOf(group) === name) return true;
  return Object.values(outputs).some(({ imports }) =>
    imports.some(({ path, kind }) => kind === "dynamic-import" && nameOf(path) === name)
  );
}

/** Resolves imports between scripts: those of one root are put together, others stay imports. */
function merging(files: readonly BuiltFile[], groups: ReadonlyMap<string, Group>): Plugin {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return {
    name: "merge",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, (args) => resolve(args, groups));
      onLoad({ filter: /.*/, namespace: TEXT! }, ({ path }) => ({ contents: texts.get(path)! }));
      onLoad({ filter: /.*/, namespace: WHOLE! }, ({ path }) => ({ contents: whole(groups.get(path)!) }));
      onLoad(
        { filter: /.*/, namespace: NAMES! },
        ({ path }) => ({ contents: names(path, groups.get(path)!) }),
      );
    },
  };
}

function resolve({ path, importer, namespace, kind }: OnResolveArgs, groups: ReadonlyMap<string, Group>) {
  const name = nameOf(path);
  const group = groups.get(name);
  const as = (namespace: string | undefined): OnResolveResult => ({ path: name, namespace: namespace! });
  if (kind === "entry-point") return as(!group ? TEXT : rootOf(group) === name ? WHOLE : NAMES);
  if (namespace === WHOLE) return as(TEXT);
  if (!group || namespace === NAMES || kind !== "import-statement") return { path, external: true };
  return as(groups.get(importer) === group ? TEXT : NAMES);
}

/** All scripts of a root: its own names as they are, those of the others with a number. */
function whole(group: Group): string {
  const rows = [...group.keys()].map((name, i) =>
    i === 0 ? `export * from "./${name}";` : `export { ${renamed(group, name).join(", ")} } from "./${name}";`
  );
  return rows.join("\n");
}

/** A script of a root, as a list of what the root has of it. */
function names(name: string, group: Group): string {
  const back = renamed(group, name).map((pair) => pair.split(" as ").reverse().join(" as "));
  return `export { ${back.join(", ")} } from "./${rootOf(group)}";`;
}

/** `a as a_3` for each name of a script, the third of its root. */
function renamed(group: Group, name: string): string[] {
  const number = [...group.keys()].indexOf(name);
  return (group.get(name) ?? []).map((one) => `${one} as ${number === 0 ? one : `${one}_${number}`}`);
}

function rootOf(group: Group): string | undefined {
  return group.keys().next().value;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
