/** Positions that no image was taken for, in the results of every UDF: not valid, and NaN where a type has it. */

import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { asNumbers } from "../../../src/space/numbers.ts";
import { ALL, countsAs, NAV } from "./every_builtin.ts";

const FRAMES = NAV[0] * NAV[1];
const AT = [296, 297, 298, 299]; // the last three have no image

Deno.test("blank positions never look measured, in no result of any UDF, picked or where they are", async () => {
  await using context = createContext({ memory: 256 * 2 ** 20, workers: 0 });
  const roi = AT.map((at) => [Math.floor(at / NAV[1]), at % NAV[1]]);
  const scan = countsAs("float32", { syncOffset: 3 });
  let looked = 0;
  for (const [key, results] of Object.entries(await run(await plan(scan, ALL, { context, roi })))) {
    for (const [name, { data, dtype, shape, valid }] of Object.entries(results)) {
      const isPicked = shape[0] === AT.length;
      if (!isPicked && (shape[0] !== NAV[0] || shape[1] !== NAV[1])) continue; // it is of all frames
      const rows = isPicked ? AT.length : FRAMES;
      const numbers = asNumbers(data);
      const [each, marks] = [numbers.length / rows, valid!.length / rows];
      for (const at of AT.slice(1)) {
        const row = isPicked ? at - AT[0]! : at;
        assert(
          !valid!.subarray(row * marks, (row + 1) * marks).includes(1),
          `${key} ${name} is marked as valid`,
        );
        const none = /float|complex/.test(dtype) ? NaN : 0;
        for (let i = row * each; i < (row + 1) * each; i++) assertEquals(numbers[i], none, `${key} ${name}`);
      }
      looked++;
    }
  }
  assert(looked > Object.keys(ALL).length / 2, `only ${looked} results`);
});
