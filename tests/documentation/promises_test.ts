/**
 * Every promise of `docs/reliability.md` names the tests that cause its fault.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

const PAGE = Deno.readTextFileSync(new URL("docs/reliability.md", ROOT));

/** The rows of all tables of faults, and of how much is tried; the tests are the last cell. */
function rows(): string[][] {
  const tables = PAGE.split(/\n\n/).filter((block) => /^\| (fault|what)\b/.test(block));
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

Deno.test("every limit that the page describes names its tests", () => {
  const limits = PAGE.split(/\n\n/).filter((block) => block.startsWith("**"));
  assert(limits.length >= 7, `${limits.length} limits`);
  const untested = limits.filter((text) => !/`tests\/[^`]+\.ts`/.test(text)).map((text) => text.slice(0, 40));
  assertEquals(untested, []);
});

Deno.test("every part of the soak test says how much it tries", async () => {
  const folder = new URL("tests/soak/", ROOT);
  const list = await Deno.readTextFile(new URL("parts.ts", folder));
  const files = [...list.matchAll(/from "\.\/(\w+\/\w+\.ts)"/g)].map(([, file]) => `tests/soak/${file}`);
  assert(files.length >= 20, `${files.length} files`);
  assertEquals(files.filter((file) => !PAGE.includes(`\`${file}\``)), []);
});

function isFile(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, ROOT)).isFile;
  } catch {
    return false;
  }
}
