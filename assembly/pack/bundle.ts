/**
 * Puts modules together into the files of the package.
 *
 * A file exports what modules in other files import of its own, by short names, and the modules that are loaded on demand, each
 * under one name. What is at its place here is the same for every runtime and for pages: no file imports a module of Node,
 * which bundlers for pages do not know; Node, Deno and Bun are asked for them.
 *
 * @module
 */

import { build, type OnLoadResult, type OnResolveArgs, type Plugin } from "esbuild";
import { resolved, type Script } from "./emit.ts";
import { NODE, SMALL } from "./packages.ts";

/** Imports of names from another module, as esbuild writes them. */
const NAMED = /^(import|export) \{([^}]*)\} from "(\.[^"]+)";/gm;

/** Exports of all that another module has. */
const ALL = /^export \* from "(\.[^"]+)";/gm;

/** Imports of a module as an object. */
const OBJECT = /^import \* as (\w+) from "(\.[^"]+)";/gm;

const PART = /\bimport\("(\.[^"]+)"\)/g;

/** What is bundled. */
export interface Modules {
  /** The modules by path. */
  readonly scripts: ReadonlyMap<string, Script>;
  /** The file of each of them, without its ending. */
  readonly places: ReadonlyMap<string, string>;
  /** The modules that are entries: their files export what they do. */
  readonly entries: ReadonlySet<string>;
}

/** The files by name. */
export async function bundle(modules: Modules): Promise<Map<string, string>> {
  const names = new Names(modules), imported = importsOfFiles(modules);
  refuseCycles(imported);
  const { outputFiles } = await build({
    entryPoints: [...new Set(modules.places.values())].sort(),
    ...SMALL,
    plugins: [NODE, intoFiles(modules, names, imported)],
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(1), text.replace(USERS, LEFT)]));
}

/** Imports of modules of users, by addresses that nobody knows before. */
const USERS = /\bimport\((?=[^"'`)\s])/g;

/** Bundlers leave such imports as they are; esbuild drops these words where it makes code short. */
const LEFT = "import(/* webpackIgnore: true *//* turbopackIgnore: true *//* @vite-ignore */";

/** By file, those that it imports, each with an import for which it does. */
type FileImports = ReadonlyMap<string, ReadonlyMap<string, string>>;

function importsOfFiles({ scripts, places }: Modules): FileImports {
  const edges = new Map<string, Map<string, string>>();
  for (const [path, { imports }] of scripts) {
    const from = places.get(path)!, row = edges.get(from) ?? new Map<string, string>();
    edges.set(from, row);
    for (const one of imports) {
      if (places.get(one) !== from) row.set(places.get(one)!, `${path} imports ${one}`);
    }
  }
  return edges;
}

/** Files import others one way only: a name that both wait for would be there for none of them. */
function refuseCycles(edges: FileImports): void {
  const done = new Set<string>();
  const visit = (file: string, above: readonly string[]) => {
    if (above.includes(file)) {
      const circle = [...above.slice(above.indexOf(file)), file];
      const why = circle.slice(1).map((to, i) => edges.get(circle[i]!)!.get(to));
      throw new Error(
        `Files of the package import each other, see places.ts: ${circle.join(" → ")}\n${why.join("\n")}`,
      );
    }
    if (done.has(file)) return;
    for (const to of edges.get(file)?.keys() ?? []) visit(to, [...above, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
}

/** The names by which files have what lies in others. */
class Names {
  /** By module, the name in its file of each name that it exports and that other files import. */
  readonly #shared = new Map<string, Map<string, string>>();
  /** By module that is loaded on demand, or imported as an object, its name in its file. */
  readonly parts = new Map<string, string>();
  #count = 0;

  constructor({ scripts, places }: Modules) {
    const all = (path: string) => exportsOf(path, scripts).forEach((name) => this.#share(path, name));
    for (const [path, { text, parts }] of scripts) {
      const isApart = (name: string) => places.get(resolved(path, name)) !== places.get(path);
      for (const [, , list, from] of text.matchAll(NAMED)) {
        if (!isApart(from!)) continue;
        for (const name of listed(list!)) this.#share(resolved(path, from!), name);
      }
      for (const [, from] of text.matchAll(ALL)) if (isApart(from!)) all(resolved(path, from!));
      const objects = [...text.matchAll(OBJECT)].filter(([, , from]) => isApart(from!));
      for (const part of [...parts, ...objects.map(([, , from]) => resolved(path, from!))]) {
        if (!this.parts.has(part)) this.parts.set(part, this.#next());
      }
    }
  }

  of(path: string): ReadonlyMap<string, string> {
    return this.#shared.get(path) ?? new Map();
  }

  #share(path: string, name: string): void {
    const names = this.#shared.get(path) ?? new Map<string, string>();
    this.#shared.set(path, names);
    if (!names.has(name)) names.set(name, this.#next());
  }

  #next(): string {
    return `_${(this.#count++).toString(36)}`;
  }
}

/** The names before `as` in a list such as `a, b as c`. */
function listed(list: string): string[] {
  return list.split(",").map((one) => one.trim().split(" ")[0]!).filter((name) => name !== "");
}

/** The names that a module exports. */
function exportsOf(path: string, scripts: ReadonlyMap<string, Script>): string[] {
  const { text } = scripts.get(path)!;
  const lists = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.split(",").map((one) => one.trim().replace(/^.* as /, "")).filter((name) => name !== "")
  );
  const others = [...text.matchAll(ALL)].flatMap(([, from]) =>
    exportsOf(resolved(path, from!), scripts).filter((name) => name !== "default")
  );
  return [...new Set([...lists, ...others])];
}

const [FILE, TEXT, ABROAD] = ["whole", "text", "abroad"];

function intoFiles(modules: Modules, names: Names, imported: FileImports): Plugin {
  const { scripts, places } = modules;
  const loaded: Readonly<Record<string, (path: string) => OnLoadResult>> = {
    [FILE!]: (file) => ({ contents: wholeFile(file, modules, names) }),
    [TEXT!]: (path) => ({ contents: withParts(path, modules, names, imported) }),
    [ABROAD!]: (path) => ({ contents: abroad(path, modules, names) }),
  };
  const resolve = ({ path, importer, namespace, kind }: OnResolveArgs) => {
    if (kind === "entry-point") return { path, namespace: FILE! };
    if (path.startsWith("place:")) return { path: `./${path.slice("place:".length)}.js`, external: true };
    if (!path.startsWith(".")) return { path, external: true };
    const module = namespace === FILE ? path.slice(2) : resolved(importer, path);
    if (!scripts.has(module)) throw new Error(`${importer} imports ${module}, which is no module`);
    const isHere = namespace === FILE || places.get(module) === places.get(importer);
    return { path: module, namespace: isHere ? TEXT! : ABROAD! };
  };
  return {
    name: "into-files",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, resolve);
      for (const [namespace, load] of Object.entries(loaded)) {
        onLoad({ filter: /.*/, namespace }, ({ path }) => load(path));
      }
    },
  };
}

/** A file: all its modules, what others have of them, and what the entry that it is exports. */
function wholeFile(file: string, { scripts, places, entries }: Modules, names: Names): string {
  const rows = [...scripts.keys()].filter((path) => places.get(path) === file).map((path) => {
    const shared = [...names.of(path)].map(([name, short]) => `${name} as ${short}`);
    const part = names.parts.get(path);
    return [
      shared.length > 0 ? `export { ${shared.join(", ")} } from "./${path}";` : `import "./${path}";`,
      part === undefined ? "" : `export * as ${part} from "./${path}";`,
      entries.has(path) ? `export * from "./${path}";` : "",
    ].join("\n");
  });
  return rows.join("\n");
}

/**
 * The text of a module, where what is loaded on demand is a name of a file; in this one, and in those that it imports, it is there
 * already: bundlers make a file more of what is both imported and loaded.
 */
function withParts(path: string, { scripts, places }: Modules, names: Names, imported: FileImports): string {
  const here = new Set<string>(), own = places.get(path)!;
  const text = scripts.get(path)!.text.replace(PART, (_, name) => {
    const part = resolved(path, name), short = names.parts.get(part), file = places.get(part)!;
    if (file !== own && !imported.get(own)?.has(file)) {
      return `import("place:${file}").then((file) => file.${short})`;
    }
    here.add(
      file === own
        ? `import * as part${short} from "${name}";\n`
        : `import { ${short} as part${short} } from "place:${file}";\n`,
    );
    return `Promise.resolve().then(() => part${short})`;
  });
  return [...here].join("") + text.replace(OBJECT, (whole, name, from) => {
    const part = resolved(path, from), file = places.get(part);
    return file === places.get(path)
      ? whole
      : `import { ${names.parts.get(part)} as ${name} } from "place:${file}";`;
  });
}

/** A module in another file, as the names that this one has of it. */
function abroad(path: string, { places }: Modules, names: Names): string {
  const list = [...names.of(path)].map(([name, short]) => `${short} as ${name}`);
  return `export { ${list.join(", ")} } from "place:${places.get(path)}";`;
}
