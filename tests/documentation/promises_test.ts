/**
 * Every promise of `docs/reliability.md` names the tests that cause its fault.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** The rows of all tables of faults: fault, promise, tests. */
function rows(): string[][] {
  const text = Deno.readTextFileSync(new URL("docs/reliability.md", ROOT));
  const tables = text.split(/\n\n/).filter((block) => /^\| fault\b/.test(block));
  return tables.flatMap((table) => table.trimEnd().split("\n").slice(2)).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
}

Deno.test("every promise names its tests, and they are there", () => {
  const all = rows();
  assert(all.length >= 50, `${all.length} rows`);
  const untested = all.filter(([, , tests]) => !/`tests\/[^`]+\.ts`/.test(tests ?? "")).map(([fault]) =>
    fault
  );
  assertEquals(untested, []);
  const named = all.flatMap(([, , tests]) => [...tests!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!));
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
