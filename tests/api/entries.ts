/**
 * The entries of the package, and what `deno doc` knows of their exports.
 *
 * @module
 */

import config from "../../deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

/** The module of each entry, such as `./views`. */
export const ENTRIES: ReadonlyMap<string, URL> = new Map(
  Object.entries(config.exports).map(([entry, path]) => [entry, new URL(path, ROOT)]),
);

/** Entries that are programs: nobody imports from them. */
export const PROGRAMS: readonly string[] = ["./cli", "./offline", "./worker"];

/** What is promised of the names of an entry: `docs/decisions/0126-stable-and-unstable.md`. */
export function promiseOf(entry: string): "stable" | "unstable" | "programs" {
  if (PROGRAMS.includes(entry)) return "programs";
  return entry.startsWith("./unstable/") ? "unstable" : "stable";
}

/** The symbols of all stable or of all unstable entries by name. */
export async function namesOf(promise: "stable" | "unstable"): Promise<ReadonlyMap<string, Symbol>> {
  const found = [...await entryDocs()].filter(([entry]) => promiseOf(entry) === promise);
  return new Map(found.flatMap(([, symbols]) => symbols.map((symbol) => [symbol.name, symbol] as const)));
}

/** A comment of documentation. */
export interface JsDoc {
  /** Its text. */
  readonly doc?: string;
  /** What stands behind its tags. */
  readonly tags?: readonly { readonly kind: string; readonly name?: string; readonly doc?: string }[];
}

/** A parameter; `left` is what has a default, `arg` what takes the rest. */
export interface Param {
  readonly kind: string;
  readonly name?: string;
  readonly left?: Param;
  readonly arg?: Param;
  readonly tsType?: unknown;
}

/** Members and the like of a declaration. */
export interface Definition {
  readonly params?: readonly Param[];
  readonly elements?: readonly Symbol[];
  readonly [part: string]: unknown;
}

/** A declaration of a symbol. */
export interface Declaration {
  readonly kind: string;
  readonly declarationKind?: string;
  readonly location: { readonly filename: string; readonly line: number };
  readonly jsDoc?: JsDoc;
  readonly def?: Definition;
}

/** An exported symbol. */
export interface Symbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** What `deno doc --json` says of a module. */
export interface ModuleDoc {
  readonly module_doc?: JsDoc;
  readonly symbols: readonly Symbol[];
}

let modules: Promise<ReadonlyMap<string, ModuleDoc>> | undefined;

/** What is known of the module of each entry. */
export function entryModules(): Promise<ReadonlyMap<string, ModuleDoc>> {
  return modules ??= Promise.all(
    [...ENTRIES].map(async ([entry, url]) => [entry, await askDeno(url)] as const),
  )
    .then((found) => new Map(found));
}

/** The exports of each entry. */
export async function entryDocs(): Promise<ReadonlyMap<string, readonly Symbol[]>> {
  return new Map([...await entryModules()].map(([entry, { symbols }]) => [entry, symbols]));
}

/** One module at a time: of several, those that export the same have it once. */
async function askDeno(url: URL): Promise<ModuleDoc> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", decodeURIComponent(url.pathname)],
    env: { NO_COLOR: "1" },
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as { nodes: Record<string, ModuleDoc> };
  return nodes[url.href] ?? { symbols: [] };
}
