/**
 * Pages for those who come from another program: the program there has the numbers that the other one printed. `python_test.ts` runs
 * that one again.
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertSameNumbers, blocksOf, pagesIn } from "./blocks.ts";
import { runExample } from "./examples.ts";

/** What an example prints. */
async function printed(page: string, code: string): Promise<string> {
  const lines: string[] = [];
  const print = console.log;
  console.log = (...values) => void lines.push(values.join(" "));
  try {
    await runExample({ name: `${page}#1-1`, code });
  } finally {
    console.log = print;
  }
  return lines.join("\n");
}

for (const page of pagesIn("coming_from")) {
  Deno.test(`${page}: the program prints what the other one prints`, async () => {
    const [code, ...others] = blocksOf(page, "ts");
    assertEquals(others, []);
    const [expected] = blocksOf(page, "text");
    assert(expected!.trim().split(" ").length >= 4, "several numbers");
    assertSameNumbers(await printed(page, code!), expected!);
  });
}

Deno.test("another number, and one that is missing, are found", () => {
  assertSameNumbers("20590 0.73114462", "20590.0 0.7311446442614901\n");
  assertThrows(() => assertSameNumbers("20591 0.7311446", "20590.0 0.7311446"));
  assertThrows(() => assertSameNumbers("20590", "20590.0 0.7311446"));
});
