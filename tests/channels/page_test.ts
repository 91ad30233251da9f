/** The tables of `docs/channels.md`: every row about a fault or a difference names tests that are there. */

import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** Tests that a line of a table names: their file, and their name or a part of it. */
function testsOf(line: string): { readonly file: string; readonly name: string }[] {
  const found = line.matchAll(/`(tests\/[^`]+)`: (.+?)(?=; `tests\/|\s*\|\s*$)/g);
  return [...found].map(([, file, name]) => ({ file: file!, name: name!.replaceAll("\\|", "|") }));
}

/** The rows of the tables whose last column is called test. */
function rowsOf(page: string): string[] {
  const tables = page.split(/\n{2,}/).filter((block) => /^\|.*\| *test *\|\n/.test(block));
  return tables.flatMap((table) => table.split("\n").slice(2)).filter((line) => line.startsWith("|"));
}

Deno.test("every row of the tables of faults and of differences names tests that are there", async () => {
  const rows = rowsOf(await Deno.readTextFile(new URL("docs/channels.md", ROOT)));
  assert(rows.length > 40, `${rows.length} rows`);
  const missing: string[] = [];
  for (const row of rows) {
    const tests = testsOf(row);
    if (tests.length === 0) missing.push(`no test: ${row}`);
    for (const { file, name } of tests) {
      const text = await Deno.readTextFile(new URL(file, ROOT)).catch(() => "");
      if (!text.includes(name)) missing.push(`${file}: ${name}`);
    }
  }
  assertEquals(missing, []);
});
