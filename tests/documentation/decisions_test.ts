/** Decisions: each is in the list, and those that are named exist. */

import { assertEquals } from "@std/assert";

const FOLDER = new URL("../../docs/decisions/", import.meta.url);
const read = (name: string) => Deno.readTextFileSync(new URL(name, FOLDER));
const NAMES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name !== "README.md")
  .toSorted();

/** The line of a decision in the list. */
function lineOf(name: string): string {
  const text = read(name);
  const [, number, title] = /^# (\d{4}) · (.*)\n/.exec(text)!;
  const old = text.includes("\n**Superseded in part**: ") ? " (superseded in part)" : "";
  return `- [${number}](${name}) ${title}${old}`;
}

Deno.test("the list of decisions has all of them, with their titles", () => {
  const [, ...listed] = read("README.md").replace(/\n {2}/g, " ").trimEnd().split(/\n+(?=- \[)/);
  assertEquals(listed, NAMES.map(lineOf));
});

Deno.test("decisions that others name are there", () => {
  const known = new Set(NAMES);
  const missing = NAMES.flatMap((name) =>
    [...read(name).matchAll(/\]\((\d{4}-[\w-]+\.md)/g)].flatMap(([, named]) =>
      known.has(named!) ? [] : [`${name}: ${named}`]
    )
  );
  assertEquals(missing, []);
});
