import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { TilewiseError } from "../../src/errors.ts";
import { openHttp } from "../../src/io/http/http.ts";
import { readBytes } from "../../src/io/source/source.ts";
import { pattern } from "./pattern.ts";
import { type Answer, rightAnswer, serve } from "./range_server.ts";

const BYTES = pattern(5000);
const RETRY = { firstPause: 1 };

const CUT_SHORT = (right: Answer): Answer => ({ ...right, body: (right.body as Uint8Array).subarray(1) });

/** Faults that pass: a read must survive up to four of them in a row. */
const PASSING: ((right: Answer) => Answer)[] = [
  () => ({ status: 500 }),
  () => ({ status: 502 }),
  () => ({ status: 503, headers: { "retry-after": "0" } }),
  () => ({ status: 429, headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" } }),
  (right) => ({ ...right, reset: true }),
  CUT_SHORT,
];

Deno.test("the n-th request fails, for every n and every passing fault: the bytes are right", async () => {
  for (const fault of PASSING) {
    for (let n = 0; n < 4; n++) {
      await using server = serve((question) => {
        const right = rightAnswer(BYTES, question);
        return question.n === n ? fault(right) : right;
      });
      await using source = await openHttp(server.url, { retry: RETRY });
      for (let at = 0; at < 3; at++) {
        assertEquals(await readBytes(source, at * 100, 100), BYTES.slice(at * 100, at * 100 + 100));
      }
      const unseen = n === 0 && fault === CUT_SHORT; // opening looks at the headers only
      assertEquals(server.questions.length, unseen ? 4 : 5);
    }
  }
});

Deno.test("with one fault in ten, 1000 reads of random parts are all right", async () => {
  const rolls = fc.sample(fc.tuple(fc.nat(9), fc.constantFrom(...PASSING)), { seed: 4, numRuns: 997 });
  await using server = serve((question) => {
    const right = rightAnswer(BYTES, question);
    const [roll, fault] = rolls[question.n % rolls.length]!;
    return roll === 0 ? fault(right) : right;
  });
  // More attempts than usual: which read meets which fault depends on the clock, five in a row must not fail the test.
  await using source = await openHttp(server.url, { retry: { ...RETRY, attempts: 9 } });
  const parts = fc.sample(fc.tuple(fc.nat(4000), fc.nat(1000)), { seed: 5, numRuns: 1000 });
  for (let i = 0; i < parts.length; i += 10) {
    await Promise.all(
      parts.slice(i, i + 10).map(async ([at, length]) => {
        assertEquals(await readBytes(source, at, length), BYTES.slice(at, at + length));
      }),
    );
  }
  assert(server.questions.length > 1050, "no fault was seen");
});

Deno.test("a file replaced between any two requests gives one version or an error, never both", async () => {
  const versions = [BYTES, BYTES.map((byte) => byte ^ 255)];
  for (let n = 1; n < 6; n++) {
    for (const honest of [true, false]) { // a server may ignore `If-Match`
      await using server = serve((question) => {
        const late = question.n >= n ? 1 : 0;
        if (!honest) question.headers.delete("if-match");
        return rightAnswer(versions[late]!, question, `"v${late}"`);
      });
      await using source = await openHttp(server.url, { retry: RETRY });
      const read = [];
      for (let at = 0; at < 5; at++) {
        read.push(await readBytes(source, at * 10, 10).catch((error: TilewiseError) => String(error.code)));
      }
      const right = Array.from({ length: 5 }, (_, at) => BYTES.slice(at * 10, at * 10 + 10));
      assertEquals(read, right.map((part, at) => at + 1 < n ? part : "changed"));
    }
  }
});
