/** Sketches of analyses: the results of a plain run over few frames, which nothing is read for. */

import { assertEquals } from "@std/assert";
import { open } from "../../../mod.ts";
import { openSession } from "../../../web/engine/open.ts";
import { arraysOf, ask, bitsOf, plainResults, session } from "./sessions.ts";

const NEVER = new AbortController().signal;

Deno.test("few frames in even rows and columns are computed; their results are those of a plain run", async () => {
  const [rows, columns, size] = [30, 41, 6];
  const data = Uint16Array.from(
    { length: rows * columns * size * size },
    (_, i) => Math.imul(i, 2654435761) >>> 20,
  );
  const settings = { budget: { samples: 2 ** 26, runs: 2 ** 26 }, workers: 2 };
  const whole = { data, shape: [rows, columns, size, size] };
  const opened = await openSession(whole, { nav: [rows, columns] }, undefined, settings);
  const every = (size: number, step: number) =>
    Array.from({ length: size }, (_, i) => i).filter((i) => i % step === step >> 1);
  const [ys, xs] = [every(rows, 3), every(columns, 4)]; // at most twelve
  const frames = ys.flatMap((y) =>
    xs.flatMap((x) => {
      const first = (y * columns + x) * size * size;
      return [...data.subarray(first, first + size * size)];
    })
  );
  const few = await open({ data: Uint16Array.from(frames), shape: [ys.length, xs.length, size, size] });
  const questions = [ask("disk", { r: "2" }), ask("com"), ask("sum"), ask("cluster_frames", { n: "2" })];
  for (const question of questions) {
    const results = await opened.sketch(question.analysis, NEVER);
    const expected = await plainResults(question, few);
    assertEquals(
      bitsOf(arraysOf({ results } as Parameters<typeof arraysOf>[0])),
      bitsOf(expected),
      question.analysis.name,
    );
  }
  await opened.close();
});

Deno.test("positions without an image add nothing to sketches", async () => {
  const settings = { budget: { samples: 2 ** 26, runs: 2 ** 26 }, workers: 0 };
  const numbers = Array.from({ length: 5 * 4 * 4 }, (_, i) => i);
  for (const data of [Float32Array.from(numbers), BigInt64Array.from(numbers, BigInt)]) {
    const open = { nav: [5], syncOffset: -2 };
    const opened = await openSession({ data, shape: [5, 4, 4] }, open, undefined, settings);
    const [sum] = await opened.sketch(ask("sum").analysis, NEVER);
    assertEquals(Array.from(sum!.array.data, Number), Array.from({ length: 16 }, (_, i) => 3 * i + 48));
    await opened.close();
  }
});

Deno.test("a scan that is not in memory has no sketches", async () => {
  const opened = await session(false);
  assertEquals(await opened.sketch({ name: "disk", values: {} }, NEVER), []);
  await opened.close();
});
