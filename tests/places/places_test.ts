/**
 * CONTRIBUTING.md names all places where one writes to add a format, a kernel, an executor and so on: those that a dummy of each needs.
 * `added_test.ts` adds the dummies to a copy of Tilewise.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { type Member, MEMBERS } from "./members.ts";

const ROOT = new URL("../../", import.meta.url);
const CONTRIBUTING = new URL("CONTRIBUTING.md", ROOT);

/** What there is of the table in CONTRIBUTING.md: for each word the places that its row names. */
function places(): Map<string, string[]> {
  const text = Deno.readTextFileSync(CONTRIBUTING);
  const [, table] = /## Where things are\n([\s\S]*?)\n## /.exec(text) ?? [];
  assert(table, "CONTRIBUTING.md says where things are");
  const rows = [...table.matchAll(/^\| ([a-zA-Z -]+?) *\|(.*)\|$/gm)];
  return new Map(rows.map(([, word, row]) => [word!, [...row!.matchAll(/`([^`]+)`/g)].map(([, at]) => at!)]));
}

/** Whether a row names the place: the file itself, or, if it is new, its folder. */
function names(row: readonly string[], file: string, isNew: boolean): boolean {
  return row.includes(file) || (isNew && row.some((at) => at.endsWith("/") && file.startsWith(at)));
}

/** The places that a member touches and the row of CONTRIBUTING.md does not name. */
function unnamed({ files, lines }: Member, row: readonly string[]): string[] {
  const touched = [...files.map((file) => [file, true]), ...lines.map(({ file }) => [file, false])] as const;
  return touched.flatMap(([file, isNew]) => names(row, `${file}`, isNew === true) ? [] : [`${file}`]);
}

Deno.test("CONTRIBUTING.md names all places where a member of a family is written", () => {
  const table = places();
  for (const member of MEMBERS) {
    const row = table.get(member.word);
    assert(row, `a row for ${member.word}`);
    assertEquals(unnamed(member, row), [], member.word);
  }
});

Deno.test("dummies import what is there", () => {
  const added = new Set(MEMBERS.flatMap(({ files }) => files));
  const missing: string[] = [];
  for (const file of added) {
    const text = Deno.readTextFileSync(new URL(`added/${file}.txt`, import.meta.url));
    for (const [, names, path] of text.matchAll(/import (?:type )?\{([^}]*)\} from "(\.[^"]+\.ts)"/g)) {
      const target = new URL(path!, new URL(file, ROOT));
      if (added.has(target.href.slice(ROOT.href.length))) continue;
      const lines = MEMBERS.flatMap((member) => member.lines).filter((line) =>
        new URL(line.file, ROOT).href === target.href
      );
      const found = `${readIfThere(target) ?? ""}\n${lines.map(({ line }) => line).join("")}`;
      const wanted = names!.split(",").map((name) => name.trim().replace(/^type | as .*$/g, "")).filter((
        name,
      ) => name !== "");
      const isThere = (name: string) => new RegExp(`^export [^;]*?\\b${name}\\b`, "m").test(found);
      missing.push(...wanted.filter((name) => !isThere(name)).map((name) => `${file}: ${name} of ${path}`));
    }
  }
  assertEquals(missing, []);
});

function readIfThere(file: URL): string | undefined {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
