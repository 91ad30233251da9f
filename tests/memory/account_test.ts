/** The account of a run's memory: the sum, what fits, and the words. */

import { assertEquals } from "@std/assert";
import { account, accountWith, fits, overBudget, showAccount } from "../../src/memory/account.ts";

const HELD = account([
  { what: "tiles", each: 1024, count: 3 },
  { what: "copies", each: 512, count: 0 },
  { what: "results", each: 2048, count: 1, onHeap: true },
]);

Deno.test("an account is the sum of what is held; what has no bytes is left out", () => {
  assertEquals([HELD.total, HELD.leased], [5120, 3072]);
  assertEquals(HELD.holdings.map(({ what }) => what), ["tiles", "results"]);
  const more = accountWith(HELD, { what: "copies", each: 512, count: 2 });
  assertEquals([more.total, more.leased, more.holdings.length], [6144, 4096, 3]);
  assertEquals(account([]), { holdings: [], total: 0, leased: 0 });
});

Deno.test("all of it must fit the memory, what is leased the arena", () => {
  assertEquals(fits(HELD, { memory: 5120, arenaBudget: 3072 }), true);
  assertEquals(fits(HELD, { memory: 5119, arenaBudget: 3072 }), false);
  assertEquals(fits(HELD, { memory: 5120, arenaBudget: 3071 }), false);
});

Deno.test("words name every holding, and the limit that counts", () => {
  const limits = { memory: 4096, arenaBudget: 2048 };
  const sum = "5 KiB = 3 × 1 KiB for tiles + 2 KiB for results";
  assertEquals(showAccount(HELD, limits), `${sum}, of a budget of 4 KiB`);
  assertEquals(showAccount(account([]), limits), "0 B, of a budget of 2 KiB");
  const leased = account([{ what: "tiles", each: 1024, count: 3 }]);
  assertEquals(showAccount(leased, limits), "3 KiB = 3 × 1 KiB for tiles, of a budget of 2 KiB");
  const error = overBudget("Cannot run", HELD, limits, "smaller tiles, or ", { file: "a.raw" });
  assertEquals(
    error.message,
    `Cannot run in 4 KiB: it needs ${sum}; use smaller tiles, or a context with more memory`,
  );
  assertEquals(
    [error.code, error.details],
    ["over-budget", { option: "memory", expected: 5120, found: 4096, file: "a.raw" }],
  );
});
