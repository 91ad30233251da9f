/** A short soak: every part finds nothing, and finds what is wrong when something is. */

import "../fences/mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { helpOf, readOptions } from "./options.ts";
import { type Part, Tally } from "./part.ts";
import { PARTS } from "./parts.ts";
import { complaints, tableOf } from "./report.ts";

for (const part of PARTS) {
  const ignore = part.needs?.isThere() === false;
  Deno.test({ name: `soak: ${part.help}`, ignore, fn: () => findsNothing(part) });
}

async function findsNothing(part: Part): Promise<void> {
  const { cases, findings } = await part.run({ seed: 1, quick: true });
  assertEquals(findings, []);
  assert(cases > 0);
}

Deno.test("what a case says or throws is a finding, with the command that shows it again", async () => {
  const tally = new Tally();
  await tally.add("fine", () => Promise.resolve(undefined));
  await tally.add("wrong", () => Promise.resolve("7 is not 8"));
  await tally.add("broken", () => Promise.reject(new RangeError("off")));
  assertEquals([tally.cases, tally.findings.map(({ at }) => at)], [3, ["wrong", "broken"]]);
  const row = { part: "servers", seconds: 2, cases: tally.cases, findings: tally.findings };
  assertMatch(tableOf([row]), /part +cases +findings +seconds\nservers +3 +2 +2\.0/);
  const [first] = complaints(row, 5);
  assertEquals(first, "servers, wrong: 7 is not 8\n  deno task soak --only servers --seed 5");
});

Deno.test("the command says which parts there are, and what it cannot use", () => {
  const parts: Part[] = [...PARTS];
  for (const { name } of parts) assert(helpOf(parts).includes(`\n  ${name} `), name);
  assertEquals(readOptions(["--seed", "7", "--quick"], parts), {
    seed: 7,
    quick: true,
    json: false,
    help: false,
  });
  for (
    const [words, text] of [[["--only", "x"], "no part"], [["--seed", "x"], "whole"], [
      ["x"],
      "--help",
    ]] as const
  ) {
    let message = "";
    try {
      readOptions(words, parts);
    } catch (error) {
      message = String(error);
    }
    assertMatch(message, new RegExp(text));
  }
});
