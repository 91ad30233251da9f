import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { retryAfter } from "../../src/io/http/exchange.ts";
import { pauseAfter, TransientError, withRetries } from "../../src/io/source/watch.ts";

const quick = { firstPause: 1 };

/** Work that fails `failures` times, then gives the number of its calls. */
function flaky(failures: number, error: Error = new TransientError("io", "no")): () => Promise<number> {
  let calls = 0;
  return () => ++calls > failures ? Promise.resolve(calls) : Promise.reject(error);
}

Deno.test("work is tried again until it succeeds or has had its attempts", async () => {
  for (let failures = 0; failures < 5; failures++) {
    assertEquals(await withRetries(flaky(failures), quick), failures + 1);
  }
  const error = await assertRejects(() => withRetries(flaky(5), quick), TilewiseError, "5 attempts");
  assertEquals([error.code, error.details.attempts], ["io", 5]);
  await assertRejects(() => withRetries(flaky(1), { ...quick, attempts: 1 }), TilewiseError, "1 attempt)");
});

Deno.test("what is not a passing failure is not tried again", async () => {
  const error = new TilewiseError("not-found", "no");
  assertEquals(await assertRejects(() => withRetries(flaky(1, error), quick)), error);
});

Deno.test("pauses lie between nothing and a bound that doubles, and honour what the server asks for", () => {
  for (let attempt = 0; attempt < 12; attempt++) {
    const bound = Math.min(5000, 100 * 2 ** attempt);
    assertEquals(pauseAfter(attempt, { random: () => 0 }), 0);
    assert(pauseAfter(attempt, { random: () => 1 - 2 ** -53 }) <= bound);
    assertEquals(pauseAfter(attempt, { random: () => 0.25 }), bound / 4);
    assertEquals(pauseAfter(attempt, { random: () => 0.25 }, 30_000), 30_000);
  }
});

Deno.test("Retry-After has seconds or a date", () => {
  const now = Date.parse("Sat, 21 Nov 2026 00:00:00 GMT");
  assertEquals(retryAfter("2", now), 2000);
  assertEquals(retryAfter("Sat, 21 Nov 2026 00:00:03 GMT", now), 3000);
  for (const nothing of [null, "", "soon", "-5", "Fri, 20 Nov 2026 00:00:00 GMT"]) {
    assertEquals(retryAfter(nothing, now), 0);
  }
});
