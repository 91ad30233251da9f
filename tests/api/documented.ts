/**
 * Whether every entry is documented: `deno doc --lint` finds nothing, each has a text and an example, each export, member,
 * field and property of a parameter has a description, each export a category. Prints what is missing, and how much there is.
 *
 * ```sh
 * deno run -A tests/api/documented.ts
 * ```
 *
 * @module
 */

import { ENTRIES, entryModules, type ModuleDoc, PROGRAMS, promiseOf } from "./entries.ts";
import { categoryOf, handedTypes, thingsOf } from "./walk.ts";
import { task } from "../../assembly/task.ts";

/** Entries whose functions get types that are in another one, to keep the first short. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  ".": ["./udf", "./run", "./arrays", "./formats", "./analyses"],
};

/** What was found. */
export interface Found {
  /** Descriptions that there should be. */
  readonly wanted: number;
  /** Where there is none, and what else is missing. */
  readonly missing: readonly string[];
}

/** Looks through all entries. */
export async function lookThrough(): Promise<Found> {
  const modules = await entryModules();
  const missing: string[] = [];
  let wanted = 0;
  for (const [entry, module] of modules) {
    missing.push(...ofModule(entry, module), ...ofCategories(entry, module), ...ofHanded(entry, modules));
    for (const { path, documented } of module.symbols.flatMap((symbol) => [...thingsOf(symbol)])) {
      wanted++;
      if (!documented) missing.push(`${entry}: ${path} has no description`);
    }
  }
  return { wanted, missing: [...new Set(missing)] };
}

function ofModule(entry: string, { module_doc: doc }: ModuleDoc): string[] {
  const missing = (doc?.doc ?? "").trim() === "" ? [`${entry}: the module has no description`] : [];
  const isShown = PROGRAMS.includes(entry) || doc?.tags?.some(({ kind }) => kind === "example");
  return isShown ? missing : [...missing, `${entry}: the module has no example`];
}

function ofCategories(entry: string, { symbols }: ModuleDoc): string[] {
  const without = symbols.filter((symbol) => categoryOf(symbol) === undefined);
  return without.map(({ name }) => `${entry}: ${name} has no category`);
}

/**
 * What a function of the user is given has a name that can be imported from where the function is handed over; if the name is
 * not stable, from some entry.
 */
function ofHanded(entry: string, modules: ReadonlyMap<string, ModuleDoc>): string[] {
  const others = [...modules.keys()].filter((other) =>
    promiseOf(other) === "unstable" || promiseOf(entry) === "unstable"
  );
  const places = [entry, ...others, ...ELSEWHERE[entry] ?? []];
  const names = new Set(places.flatMap((place) => modules.get(place)!.symbols.map(({ name }) => name)));
  const unknown = [...handedTypes(modules.get(entry)!)].filter(({ type }) => !names.has(type.split(".")[0]!));
  return unknown.map(({ path, type }) => `${entry}: ${path} is called with ${type}, which is not exported`);
}

/** What `deno doc --lint` says of all entries together: types of one may be in another. */
export async function lint(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--lint", ...[...ENTRIES.values()].map((url) => decodeURIComponent(url.pathname))],
    env: { NO_COLOR: "1" },
  }).output();
  return success ? "" : new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

if (import.meta.main) {
  await task("docs", {}, async () => {
    const [text, { wanted, missing }] = await Promise.all([lint(), lookThrough()]);
    if (text !== "") console.error(text);
    for (const line of missing) console.error(line);
    console.log(`${ENTRIES.size} entries, ${wanted} descriptions, ${missing.length} missing`);
    if (text !== "" || missing.length > 0) Deno.exit(1);
  });
}
