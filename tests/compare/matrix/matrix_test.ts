/**
 * One array of every format × every target: what is read again is what was written, or the command has named the loss or refused.
 * Both lists are those of the registries, so that new formats and targets join by themselves. In `deno task test` each format goes to
 * half of the targets, and to those that have taken no other before.
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { FORMATS } from "../../../src/formats/registry.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { withFolder } from "../../cli/harness.ts";
import { cases } from "../../suite/cases.ts";
import { ENTRIES, needSamples } from "../../formats/conformance/samples.ts";
import { cellOf, subjectOf } from "./cells.ts";
import { firstOf, OWN_FILES, SAMPLE_FILES } from "./sources.ts";
import { TARGETS } from "./targets.ts";

needSamples("the matrix of formats and targets");

const taken = new Set<string>();

for (const [f, { id }] of FORMATS.entries()) {
  const files = [...OWN_FILES, ...SAMPLE_FILES].filter(({ formats }) => formats.includes(id));
  Deno.test({
    name: `${id} goes to targets, with all that it says or the loss named`,
    ignore: files.length === 0 && ENTRIES.length === 0,
    fn: () =>
      withFolder(async (folder) => {
        const source = await firstOf(files, id);
        assert(source, `there is no small file of ${id}: add one to sources.ts`);
        const subject = await subjectOf(source);
        const isLarge = sizeOf(subject.told.shape) > 2 ** 20; // goes to some of them
        for (const [n, ending] of TARGETS.entries()) {
          if (isLarge && n % 6 > 0 || taken.has(ending) && (n + f) % cases(2, 1) > 0) continue;
          await Deno.mkdir(`${folder}/${n}`);
          const cell = await cellOf(subject, `${folder}/${n}/made${ending}`);
          if (cell.end === "refused") continue;
          assertEquals(cell.problems, [], `${source.name} → ${ending}`);
          taken.add(ending);
        }
      }),
  });
}

Deno.test({
  name: "every target takes some of these arrays",
  ignore: ENTRIES.length === 0,
  fn: () => assertEquals(TARGETS.filter((ending) => !taken.has(ending)), []),
});
