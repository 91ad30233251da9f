/** Functions that give the same bits everywhere: near those of `Math`, whatever the argument. */

import { assert, assertEquals } from "@std/assert";
import { angleOf, cosine, exponential, logarithm, sine } from "../../src/space/functions/functions.ts";

/** Units in the last place between two numbers; 0 for the same number or none twice. */
function units(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const gap = Math.max(Math.abs(b) * 2 ** -53, Number.MIN_VALUE);
  return Math.abs(a - b) / gap / 2;
}

/** Numbers of all sizes up to 2^`most`, and some special ones. */
function* numbers(count: number, least: number, most: number): Generator<number> {
  yield* [0, -0, 1, -1, Math.PI, Math.PI / 2, -Math.PI / 4, Math.SQRT2, Math.SQRT1_2, 2, 0.5, NaN];
  yield* [Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 1e-310, 709, -708, 710, 2 ** 20, 2 ** 53];
  let state = 7;
  const next = () => (state = Math.imul(state, 1103515245) + 12345 | 0) >>> 0;
  for (let i = 0; i < count; i++) {
    const sign = next() % 2 === 0 ? 1 : -1;
    yield sign * (1 + next() / 2 ** 32) * 2 ** (least + Math.floor((most - least) * next() / 2 ** 32));
  }
}

const ROWS = {
  sine: [sine, Math.sin, -40, 20],
  cosine: [cosine, Math.cos, -40, 20],
  "sine of large angles": [sine, Math.sin, 20, 1023],
  "cosine of large angles": [cosine, Math.cos, 20, 1023],
  logarithm: [(x: number) => logarithm(Math.abs(x)), (x: number) => Math.log(Math.abs(x)), -1074, 1023],
  "logarithm near 1": [(x: number) => logarithm(1 + x), (x: number) => Math.log(1 + x), -30, -1],
  exponential: [exponential, Math.exp, -40, 10],
} as const;

for (const [name, [own, theirs, least, most]] of Object.entries(ROWS)) {
  Deno.test(`${name} is that of Math but for the last bit`, () => {
    for (const x of numbers(100_000, least, most)) {
      assert(units(own(x), theirs(x)) <= 2, `${name}(${x}) is ${own(x)}, Math has ${theirs(x)}`);
    }
  });
}

Deno.test("the angle of a point is that of Math but for the last bit, in all quadrants and of all sizes", () => {
  for (const [least, most] of [[-3, 4], [-1070, -900], [-20, 20], [900, 1023]] as const) {
    const ys = [...numbers(30_000, least, most)];
    ys.forEach((y, i) => {
      const x = ys[(i * 7 + 3) % ys.length]!;
      assert(units(angleOf(y, x), Math.atan2(y, x)) <= 2, `${y}, ${x}: ${angleOf(y, x)}`);
      assertEquals(angleOf(-y, x), -angleOf(y, x));
    });
  }
});

Deno.test("turns of a quarter are exact, and bits are those that were once found", async () => {
  const quarters = [0, 1, 2, 3].map((q) => angleOf(Math.sin(q * Math.PI / 2), Math.cos(q * Math.PI / 2)));
  assert(quarters.every((angle, q) => Math.abs(Math.abs(angle) - [0, 1, 2, 1][q]! * Math.PI / 2) < 1e-15));
  const xs = [...numbers(1000, -20, 9)];
  const found = Float64Array.from(
    xs,
    (x, i) => sine(x) + angleOf(x, xs[i + 1] ?? 1) + logarithm(Math.abs(x) + 1) + exponential(-Math.abs(x)),
  );
  found.forEach((x, i) => {
    if (Number.isNaN(x)) found[i] = 0;
  });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", found)).toHex();
  assertEquals(digest.slice(0, 16), "ddb7bacc775928fa");
});
