/**
 * Zarr stores of the reports give the right values, which zarr-python or the specification say.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { cli } from "../../cli/harness.ts";
import { type ReportCase, reportCases, reportPath } from "../conformance/reports.ts";

/** Cases that read Zarr stores. */
const CASES = reportCases("bio").filter(({ files }) => /\.zarr$/.test(files[0]!));

/** What the command of a case says, line by line. */
async function answers({ command }: ReportCase): Promise<Record<string, unknown>[]> {
  const words = command.split(" ").map((word) => word.startsWith("in/") ? reportPath(`bio/${word}`) : word);
  const { code, err, json } = await cli([...words, "-q"]);
  assertEquals(code, 0, err);
  return json();
}

const CHECKS: Readonly<Record<string, (case_: ReportCase) => Promise<void>>> = {
  pick: async (one) => assertEquals((await answers(one))[0]!["values"], one.expected["values"]),
  stats: async (one) => {
    const [{ shape, dtype, sha256 }] = await answers(one) as [Record<string, unknown>];
    const { expected } = one;
    assertEquals([shape, dtype, sha256], [expected["shape"], expected["dtype"], expected["sha256"]]);
  },
  all_arrays: async (one) => {
    const lines = await answers(one);
    const { names, sha256 } = one.expected;
    assertEquals(lines.map(({ array }) => array), names);
    assertEquals([...new Set(lines.map((line) => line["sha256"]))], [sha256]);
  },
};

for (const one of CASES) {
  const check = CHECKS[one.expected.check];
  Deno.test(`report: ${one.id}`, async () => {
    assert(check, `nothing checks "${one.expected.check}"`);
    await check(one);
  });
}
