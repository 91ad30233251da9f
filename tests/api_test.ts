/** The public surface as text: a change of an entry is a change of its file in `api/`. */

import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { type Declaration, ENTRIES, entryDocs, entryModules, promiseOf } from "./api/entries.ts";

const FOLDER = new URL("./api/", import.meta.url);

/** Most names of the entry that one reads on the first day. */
const MOST_NAMES = 45;

function parameters({ kind, def }: Declaration): string {
  if (kind !== "function") return "";
  const names = (def?.params ?? []).map(({ name, left, arg }) =>
    name ?? left?.name ?? (arg?.name ? `...${arg.name}` : "{}")
  );
  return `(${names.join(", ")})`;
}

/** Every export of an entry with its kind and, for functions, its parameters. */
async function surface(entry: string): Promise<string> {
  const lines = (await entryDocs()).get(entry)!.flatMap(({ name, declarations }) =>
    declarations.map((declaration) => `${declaration.kind} ${name}${parameters(declaration)}`)
  );
  return [...new Set(lines)].sort().join("\n") + "\n";
}

/** The file that has the surface of an entry. */
function fileOf(entry: string): URL {
  return new URL(`${promiseOf(entry)}/${entry === "." ? "tilewise" : entry.split("/").at(-1)}.txt`, FOLDER);
}

/** Names that an entry had and has no more. */
function removed(before: string, found: string): string[] {
  const names = (text: string) => [...text.matchAll(/^\w+ (\w+)/gm)].map(([, name]) => name!);
  return names(before).filter((name) => !names(found).includes(name));
}

/** What to do about names that stable entries have no more. */
const BREAKS =
  "programs of users that import these break: keep the names, or raise the major version (0.x: the minor one), say it in CHANGELOG.md, and write the list anew with UPDATE=removed";

for (const entry of ENTRIES.keys()) {
  Deno.test(`the public surface of ${entry} is the one in api/`, async () => {
    const found = await surface(entry);
    const update = Deno.env.get("UPDATE");
    const before = await Deno.readTextFile(fileOf(entry)).catch(() => "");
    if (promiseOf(entry) === "stable" && update !== "removed") {
      assertEquals(removed(before, found), [], BREAKS);
    }
    if (update) await Deno.writeTextFile(fileOf(entry), found);
    assertEquals(
      found,
      update ? found : before,
      "UPDATE=1 deno test -A tests/api_test.ts writes it anew",
    );
  });
}

Deno.test("every file of api/ belongs to an entry", () => {
  const files = ["programs", "stable", "unstable"].flatMap((promise) =>
    [...Deno.readDirSync(new URL(promise, FOLDER))].map(({ name }) => `${promise}/${name}`)
  );
  const expected = [...ENTRIES.keys()].map((entry) => fileOf(entry).pathname.split("/").slice(-2).join("/"));
  assertEquals(files.sort(), expected.sort());
});

Deno.test("the first entry has no more names than one can learn on the first day", async () => {
  const names = new Set((await entryDocs()).get(".")!.map(({ name }) => name));
  assert(names.size <= MOST_NAMES, `${names.size} names: ${[...names].join(" ")}`);
});

Deno.test("the first module names every entry", async () => {
  const { module_doc: doc } = (await entryModules()).get(".")!;
  const names = Object.keys(config.exports).map((entry) => entry.slice(1)).filter((entry) => entry !== "");
  assertEquals(names.filter((entry) => !doc!.doc!.includes(`\`${entry}\``)), []);
});

Deno.test("examples in the repository find every entry by its name, and the documentation lists it", () => {
  const mapped = Object.entries(config.imports).filter(([name]) => name.startsWith(config.name));
  const expected = Object.entries(config.exports).map((
    [entry, path],
  ) => [config.name + entry.slice(1), path]);
  assertEquals(mapped, expected);
  const pages = ["docs/typescript.md", "docs/command_line.md", "docs/runtimes.md", "README.md"];
  const page = pages.map((name) => Deno.readTextFileSync(new URL(`../${name}`, import.meta.url))).join();
  const left = Object.keys(config.exports).map((entry) => entry.slice(1)).filter((entry) =>
    entry !== "" && !page.includes(`\`${entry}\``) && !page.includes(`${config.name}${entry}`)
  );
  assertEquals(left, []);
});
