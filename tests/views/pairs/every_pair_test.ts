/** Every ordered pair of operations as a chain, again and again with other arrays: long, see `pairs_test.ts`. */

import "../../fences/mod.ts";
import { assert } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { comparePair, FIRST, SECOND } from "./pairs.ts";

/** The first round; ROUNDS=N draws others. */
const ROUND = Number(Deno.env.get("ROUNDS") ?? 1);

for (const [workers, times] of [[0, 8], [2, 1]] as const) {
  for (const round of [ROUND, ROUND + 1]) {
    Deno.test(`every pair of operations is one after the other, workers: ${workers}, round ${round}`, async () => {
      await using context = createContext({ workers });
      let same = 0;
      for (const [i, first] of FIRST.entries()) {
        for (const [j, second] of SECOND.entries()) {
          for (let k = 0; k < times; k++) {
            const seed = ((round * 64 + i) * 64 + j) * 16 + k;
            if (await comparePair([first, second], seed, context) === "same") same++;
          }
        }
      }
      assert(same > 0.95 * FIRST.length * SECOND.length * times);
    });
  }
}
