/** Answers have the bits of a plain run; the latest question wins; nothing is held afterwards. */

import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { isTilewiseError, open, read } from "../../../mod.ts";
import { openSession } from "../../../web/engine/open.ts";
import type { Opened } from "../../../web/engine/opened.ts";
import type { Answer, Question } from "../../../web/engine/session.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";
import { answerTo, arraysOf, ask, bitsOf, bytes, OPTIONS, plainResults, session } from "./sessions.ts";

const QUESTIONS: readonly Question[] = [
  ask("sum"),
  ask("sumsig"),
  ask("stddev"),
  ask("logsum"),
  ask("bf", { r: "4" }),
  ask("haadf", { r: "3" }),
  ask("disk", { cy: "7.5", cx: "8", r: "4.2" }),
  ask("ring", { ri: "3", ro: "7" }),
  ask("point", { cy: "3", cx: "4" }),
  ask("rectangle", { y: "2", x: "3", height: "5", width: "4" }),
  ask("mask", { make: "radialBins", bins: "4" }),
  ask("com", { r: "7", guess: "true" }),
  ask("com", { regression: "1" }),
  ask("radialfourier", { bins: "2", maxOrder: "3" }),
  ask("fem", { ri: "2", ro: "6" }),
  ask("cluster", { n: "3", features: "6" }),
  ask("fft"),
  ask("strainmap", { radius: "2", zero: "8:9", a: "0:5", b: "5:0" }),
  ask("expr", { value: "sum(x > t)", mean: "frames.mean(x)", t: "100" }),
  ask("sum", {}, { kind: "disk", cy: 5, cx: 4, r: 3 }),
  ask("disk", { r: "5" }, { kind: "rectangle", y: 2, x: 1, height: 4, width: 5 }),
  ask("com", { guess: "true" }, { kind: "ring", cy: 5.5, cx: 4.5, ri: 1, ro: 4 }),
  ask("sumsig", {}, { kind: "point", y: 11, x: 9 }),
];

for (const kept of [false, true]) {
  Deno.test(`answers have the bits of a plain run, ${kept ? "kept" : "read"}`, async () => {
    const opened = await session(kept);
    assertEquals(opened.keeping.state, kept ? "yes" : "no");
    for (const question of QUESTIONS) {
      const answer = await answerTo(opened, question);
      assertEquals(answer.state, "done", `${JSON.stringify(question)}: ${answer.error?.message}`);
      const expected = await plainResults(question);
      assertEquals(bitsOf(arraysOf(answer)), bitsOf(expected), JSON.stringify(question));
      assertEquals(answer.progress.done, answer.progress.frames);
    }
    await opened.settled();
    assertEquals(opened.held, 0);
    await opened.close();
  });
}

Deno.test("frames and their sum are those of the source, however they are asked for", async () => {
  for (const kept of [false, true]) {
    const opened = await session(kept);
    const scan = await open(bytes(), OPTIONS);
    for (const position of [[0, 0], [11, 9], [4, 3]] as const) {
      const { array, title } = await opened.frame(position);
      assertEquals([array.shape, title], [[16, 18], `Frame at ${position.join(", ")}`]);
      assertEquals(array.data, (await read(scan, [...position])).data);
    }
    const [one, two] = await Promise.all([opened.frame(undefined), opened.frame(undefined)]);
    assert(one === two, "the sum is computed once");
    assertEquals(bitsOf({ intensity: one.array }), bitsOf(await plainResults(ask("sum"))));
    await assertRejects(() => opened.frame(undefined, AbortSignal.abort()));
    await opened.close();
  }
});

Deno.test("what cannot be asked fails with a sentence, and the next question is answered", async () => {
  const opened = await session(true);
  const wrong: [Question, string, string?][] = [
    [ask("disks"), "unknown"],
    [ask("disk", { r: "many" }), "write a number", "r"],
    [ask("disk", { radius: "3" }), "it takes cy, cx, r", "radius"],
    [ask("com", { regression: "@none.npy" }), "none.npy is not open"],
    [ask("expr", { value: "sum(y)" }), "y"],
    [ask("expr", { value: "sum(" }), ""],
    [ask("expr", {}), "computes nothing"],
    [ask("strainmap", { zero: "1:1" }), "needs radius", "radius"],
    [ask("cluster", { n: "2" }, { kind: "point", y: 0, x: 0 }), "leave the option roi out"],
  ];
  for (const [question, text, parameter] of wrong) {
    const { state, error, results } = await answerTo(opened, question);
    assertEquals([state, results.length], ["failed", 0], JSON.stringify(question));
    assert(error!.message.includes(text), error!.message);
    assertEquals(error!.details.parameter, parameter, error!.message);
    if (question.roi) continue;
    assertEquals((await opened.check(question.analysis))?.message, error!.message);
  }
  assertEquals(await opened.check({ name: "expr", values: { value: "sum(x)" } }), undefined);
  assertEquals((await answerTo(opened, ask("sumsig"))).state, "done");
  await opened.close();
});

Deno.test("a file of the user is a value by its name, and a mask", async () => {
  const opened = await session(true);
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (16, 18), }".padEnd(117) + "\n";
  const weights = Float64Array.from({ length: 288 }, (_, i) => i % 5);
  const npy = new Blob([Uint8Array.of(0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0), header, weights]);
  opened.files.set("w.npy", npy);
  const byFile = await answerTo(opened, ask("mask", { file: "w.npy" }));
  const byExpression = await answerTo(opened, ask("expr", { value: "sum(x * w)", w: "@w.npy" }));
  assertEquals([byFile.state, byExpression.state], ["done", "done"], byFile.error?.message);
  byFile.results[0]!.array.data.forEach((value, i) =>
    assertAlmostEquals(Number(byExpression.results[0]!.array.data[i]), Number(value), 1)
  );
  await opened.close();
});

Deno.test("a newer question ends the one before at once, and answers come in the order of questions", async () => {
  const random = congruential(11);
  const pick = (n: number) => Math.floor(n * random.next().value!);
  for (const kept of [false, true]) {
    const opened = await session(kept);
    const heard: number[] = [];
    const ends = new Map<number, Answer[]>();
    const asked: Question[] = [];
    for (let i = 0; i < 50; i++) {
      const question = pick(6) === 0 ? ask("disk", { r: "x" }) : QUESTIONS[pick(QUESTIONS.length)]!;
      asked.push(question);
      ends.set(i, []);
      opened.ask(question, (answer) => {
        if (answer.state !== "cancelled") heard.push(i);
        if (answer.state !== "running") ends.get(i)!.push(answer);
      });
      if (pick(3) > 0) await new Promise((resolve) => setTimeout(resolve, pick(12)));
      if (pick(9) === 0) await opened.frame([pick(12), pick(10)]);
    }
    await opened.settled();
    assertEquals(heard, heard.toSorted((a, b) => a - b), "no answer comes after one to a newer question");
    for (const [i, answers] of ends) {
      assertEquals(answers.length, 1, `question ${i} has one end`);
      if (answers[0]!.state !== "done") continue;
      assertEquals(bitsOf(arraysOf(answers[0]!)), bitsOf(await plainResults(asked[i]!)), `question ${i}`);
    }
    assertEquals(ends.get(49)![0]!.state === "cancelled", false);
    assertEquals(opened.held, 0);
    await opened.close();
  }
});

Deno.test("closing at any time ends all work and gives all memory back", async () => {
  const random = congruential(5);
  for (let i = 0; i < 9; i++) {
    const opened = await openSession(bytes(), OPTIONS, undefined, { workers: i % 3 }) as Opened;
    const states: string[] = [];
    opened.ask(QUESTIONS[i]!, ({ state }) => states.push(state));
    const sum = opened.frame(undefined).then(() => "sum", (error) => isTilewiseError(error, "aborted"));
    await new Promise((resolve) => setTimeout(resolve, 30 * random.next().value!));
    opened.ask(QUESTIONS[i + 1]!, ({ state }) => states.push(state));
    await opened.close();
    assertEquals(opened.held, 0);
    assertEquals(states.filter((state) => state !== "running").length, 2, "both have an end");
    assert(await sum, "the sum is there, or aborted");
    const late: string[] = [];
    opened.ask(QUESTIONS[0]!, ({ state }) => late.push(state));
    assertEquals(late, ["cancelled"]);
  }
});

Deno.test("a source that changes makes questions fail, and the session stays usable", async () => {
  const path = await Deno.makeTempFile({ suffix: ".raw" });
  try {
    await Deno.writeFile(path, bytes());
    const settings = { budget: { samples: 0, runs: 2 ** 26 }, workers: 1 };
    const opened = await openSession(path, OPTIONS, undefined, settings) as Opened;
    assertEquals((await answerTo(opened, ask("sum"))).state, "done");
    await Deno.writeFile(path, new Uint8Array(100));
    const { state, error } = await answerTo(opened, ask("sumsig"));
    assertEquals([state, error?.code], ["failed", "changed"]);
    await Deno.remove(path);
    assertEquals((await answerTo(opened, ask("sumsig"))).state, "failed");
    await opened.settled();
    assertEquals(opened.held, 0);
    await opened.close();
  } finally {
    await Deno.remove(path).catch(() => {});
  }
});
