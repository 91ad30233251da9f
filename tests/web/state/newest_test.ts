/** Of several questions the newest is heard, whatever order answers come in. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { keptIn, Newest } from "../../../web/state/newest.ts";

Deno.test("answers and errors of older questions are not heard, in whatever order they come", async () => {
  const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
  for (const order of orders) {
    for (const failing of [[], [0], [1], [0, 1]]) {
      const newest = new Newest();
      const answers = [0, 1, 2].map(() => Promise.withResolvers<number>());
      const heard: number[] = [], failed: unknown[] = [], signals: AbortSignal[] = [];
      const begun = answers.map(({ promise }) =>
        newest.begin((signal) => {
          signals.push(signal);
          return promise;
        }, (n) =>
          heard.push(n), (error) =>
          failed.push(error))
      );
      for (const n of order) {
        if (failing.includes(n)) answers[n]!.reject(new Error(`${n}`));
        else answers[n]!.resolve(n);
        await begun[n];
      }
      assertEquals([heard, failed], [[2], []]);
      assertEquals(signals.map(({ aborted }) => aborted), [true, true, false]);
    }
  }
});

Deno.test("what is not wanted any more is not heard; an error of the newest is", async () => {
  const newest = new Newest();
  const heard: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<number>();
  const begun = newest.begin(() => promise, (n) => heard.push(n), (error) => heard.push(error));
  newest.stop();
  resolve(1);
  await begun;
  assertEquals(heard, []);
  const error = new Error("none");
  await newest.begin(() => Promise.reject(error), (n) => heard.push(n), (why) => heard.push(why));
  assertEquals(heard, [error]);
});

Deno.test("a promise is kept by its key, unless it fails", async () => {
  const known = new Map<string, Promise<number>>();
  let made = 0;
  const make = () => ++made === 1 ? Promise.reject(new Error("busy")) : Promise.resolve(made);
  await assertRejects(() => keptIn(known, "a", make));
  const found = keptIn(known, "a", make);
  assert(keptIn(known, "a", make) === found);
  assertEquals([await found, made], [2, 2]);
});
