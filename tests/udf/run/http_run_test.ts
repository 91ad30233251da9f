/** Runs over HTTP, here and on workers: the patience of HTTP decides when a server is too slow, and says so. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import type { HttpOptions } from "../../../src/io/http/link.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { type Answer, type Question, rightAnswer, serve } from "../../io/range_server.ts";
import { pattern } from "../../io/pattern.ts";

const BYTES = pattern(4096);
const SHAPE = { format: "raw", dtype: "uint8", nav: [4], sig: [32, 32] } as const;
const PATIENCE: HttpOptions = { retry: { attempts: 2, firstPause: 1 }, stallTimeout: 2000 };
const SUMS = Array.from(
  { length: 4 },
  (_, f) => BYTES.subarray(1024 * f, 1024 * f + 1024).reduce((sum, value) => sum + value, 0),
);

/** The sums of a scan from a server that says `answer` once the run has begun. */
async function sums(
  workers: number,
  answer: (question: Question, right: Answer) => Answer,
  http: HttpOptions = PATIENCE,
): Promise<number[]> {
  let begun = false;
  await using server = serve((question) => {
    const right = rightAnswer(BYTES, question);
    return begun ? answer(question, right) : right;
  });
  await using context = createContext({ workers, memory: 2 ** 24 });
  const scan = await open(server.url, { ...SHAPE, http });
  const job = await plan(scan, { sum: sumPixels() }, { context });
  begun = true;
  const { sum } = await run(job, { stallTimeout: 250 });
  return Array.from(sum!.intensity!.data, Number);
}

async function* dripping(bytes: Uint8Array, piece: number, ms: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) {
    yield bytes.slice(at, at + piece);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** Cases that mostly wait: all of them at the same time. */
const CASES: Readonly<Record<string, (workers: number) => Promise<void>>> = {
  async "a silent server is a timeout that names the URL, not a lost worker"(workers) {
    const error = await assertRejects(
      () => sums(workers, (_, right) => ({ ...right, delay: 60_000 })),
      TilewiseError,
    );
    assertEquals([error.code, error.details.attempts], ["timeout", 2]);
    assertStringIncludes(error.message, "/scan.raw: the server sent no answer within 2 s");
  },

  async "a server that drips is a timeout with its rate"(workers) {
    const drip = (_: Question, right: Answer): Answer => ({
      ...right,
      body: dripping(right.body as Uint8Array, 10, 100),
    });
    const error = await assertRejects(() => sums(workers, drip), TilewiseError);
    assertEquals(error.code, "timeout");
    assert(
      /\/scan\.raw: the server sent \d+ B in 2 s \(\d+ B per second\); at least 1 KiB per second are expected/
        .test(error.message),
      error.message,
    );
  },

  async "a server that is slow is waited for, and the worker does not count as hung"(workers) {
    const slow = (_: Question, right: Answer): Answer => ({
      ...right,
      body: dripping(right.body as Uint8Array, 400, 150),
    });
    assertEquals(await sums(workers, slow, {}), SUMS); // which rates are too slow: tests/io/watch_test.ts
  },
};

Deno.test("servers that are silent, drip or are slow, here and on workers", async (test) => {
  const free = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false }; // those of other steps
  const steps = Object.entries(CASES).flatMap(([name, run]) =>
    [0, 1, 2].map((workers) =>
      test.step({ name: `${workers} workers: ${name}`, fn: () => run(workers), ...free })
    )
  );
  await Promise.all(steps);
});
