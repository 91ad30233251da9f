/** Pairs of operations as chains: each operation first and second several times, on this thread and on workers. */

import "../../fences/mod.ts";
import { assert } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { cases } from "../../suite/cases.ts";
import { comparePair, FIRST, SECOND } from "./pairs.ts";

/** Every operation with `count` others, which are other ones for each seed. */
function some(count: number, seed: number) {
  return FIRST.flatMap((first, i) =>
    Array.from({ length: count }, (_, k) => {
      return [first, SECOND[(i * 7 + k * 11 + seed) % SECOND.length]!] as const;
    })
  );
}

for (const [workers, count, seed] of [[0, cases(4, 8), 1], [2, cases(2, 3), 5]] as const) {
  Deno.test(`a pair of operations is one after the other: ${count} for each, workers: ${workers}`, async () => {
    await using context = createContext({ workers });
    const outcomes: string[] = [];
    for (const [n, pair] of some(count, seed).entries()) {
      outcomes.push(await comparePair(pair, 1000 * n + seed, context));
    }
    assert(outcomes.filter((outcome) => outcome === "same").length > 0.95 * outcomes.length);
  });
}
