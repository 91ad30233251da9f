/** The page of benchmarks says what the record says. */

import { assertEquals } from "@std/assert";
import { compared, records, report } from "../../bench/report.ts";

const DOCS = new URL("../../docs/", import.meta.url);

/** A page without what the formatter changes: ends of lines, and widths of tables. */
function words(page: string): string {
  return page.replace(/ *-{3,}(:?) */g, " ---$1 ").replace(/\s+/g, " ").trim();
}

Deno.test("the page of benchmarks and its plots are those of the record", () => {
  const { page, plots } = report(records());
  assertEquals(words(Deno.readTextFileSync(new URL("benchmarks.md", DOCS))), words(page));
  for (const [path, svg] of plots) assertEquals(Deno.readTextFileSync(new URL(path, DOCS)), svg);
});

Deno.test("a row is compared with the fastest peer that has as many cores, by what was done in a second", () => {
  const row = (by: string, workers: number, min: number, bytes = 100) => (
    { name: "sum", by, workers, min, p75: min, samples: [min], bytes }
  );
  const [one, two] = compared([
    row("simd", 1, 4),
    row("simd", 2, 2),
    row("libertem", 1, 6),
    row("libertem", 2, 1),
    row("numpy", 1, 1, 10), // a tenth of the work
    row("limit", 1, 0.1),
    row("tilewise plain", 1, 0.1),
  ]);
  assertEquals([one?.cores, one?.ratio, one?.peer.by], [1, 1.5, "libertem"]);
  assertEquals([two?.cores, two?.ratio, two?.peer.by], [2, 0.5, "libertem"]);
});
