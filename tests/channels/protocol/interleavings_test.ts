/**
 * Every order in which callers, runners, the end of a host and the end of threads can meet: no call is lost, none is answered
 * twice, nobody sleeps for ever or goes round in circles, and all channels come home. The steps are those of the product: see
 * `machine.ts`.
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { SCENARIOS } from "./scenarios.ts";
import { explore, type Scenario } from "./machine.ts";

for (const { name, make, least } of SCENARIOS) {
  Deno.test(`every order of ${name} ends well`, () => {
    const { problems, states, ends } = explore(make());
    if (Deno.env.get("SHOW")) console.log(name, states, ends);
    assertEquals(problems.map(({ text, way }) => `${text}: ${way.join(", ")}`), []);
    assert(states >= least && ends > 0, `${states} states, ${ends} ends`);
  });
}

/** A scenario of two threads with plain code, in which something is wrong. */
function faulty(first: (words: Int32Array) => void, second: (words: Int32Array) => void): Scenario {
  const words = new Int32Array(new SharedArrayBuffer(16));
  const actor = (name: string, run: (words: Int32Array) => void) => ({
    name,
    round: () => {
      run(words);
      return false;
    },
  });
  return {
    actors: [actor("first", first), actor("second", second)],
    regions: [{ words, at: [0, 1, 2] }],
    check: () => words[2] === 2 ? undefined : `counted ${words[2]}`,
  };
}

const add = (words: Int32Array) => {
  const seen = Atomics.load(words, 2);
  Atomics.store(words, 2, seen + 1);
};

Deno.test("the checker finds a count that is lost, a sign that comes too early, and threads that go round in circles", () => {
  const problems = (scenario: Scenario) => explore(scenario).problems.map(({ text }) => text);
  assert(problems(faulty(add, add)).includes("counted 1"));
  const waits = (words: Int32Array) => {
    if (Atomics.load(words, 0) === 0) Atomics.wait(words, 0, 0);
    Atomics.store(words, 2, 2);
  };
  assertEquals(problems(faulty(waits, (words) => void Atomics.notify(words, 0)))[0], "first sleeps for ever");
  const signs = (words: Int32Array) => {
    Atomics.store(words, 0, 1);
    Atomics.notify(words, 0);
  };
  assertEquals(problems(faulty(waits, signs)), []);
  const spins = { ...faulty(add, add), actors: [{ name: "spins", round: () => true }] };
  assertEquals(problems(spins), ["threads go round in circles"]);
});
