/**
 * Every promise of `docs/reliability.md` names the tests that cause its fault.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** The rows of all tables of faults, and of how much is tried; the tests are the last cell. */
function rows(): string[][] {
  const text = Deno.readTextFileSync(new URL("docs/reliability.md", ROOT));
  const tables = text.split(/\n\n/).filter((block) => /^\| (fault|what)\b/.test(block));
  return tables.flatMap((table) => table.trimEnd().split("\n").slice(2)).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
}

Deno.test("every promise names its tests, and they are there", () => {
  const all = rows();
  assert(all.length >= 50, `${all.length} rows`);
  const untested = all.filter((row) => !/`tests\/[^`]+\.ts`/.test(row.at(-1) ?? "")).map(([fault]) => fault);
  assertEquals(untested, []);
  const named = all.flatMap((row) => [...row.at(-1)!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!));
  const missing = named.filter((path) => !isFile(path));
  assertEquals(missing, []);
});

function isFile(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, ROOT)).isFile;
  } catch {
    return false;
  }
}
