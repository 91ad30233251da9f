/** The real coordinator, workers and engine in simulated time. More and larger scenes: `deno task simulate`. */

import { assert, assertEquals } from "@std/assert";
import { type Outcome, type Scene, simulate } from "./cluster.ts";
import { forecastOf, TEN_TERABYTES } from "./scenes.ts";

function nothingLostOrDouble({ units }: Scene, { committed }: Outcome): void {
  assertEquals(committed.length, units);
  assertEquals(committed.filter((times) => times !== 1).length, 0);
}

Deno.test("10 TB on 1000 workers, 5 % of them lost every minute: no lost or double part, within 15 % of the model", async () => {
  const scene = { ...TEN_TERABYTES, lostPerMinute: 0.05 };
  const outcome = await simulate(scene);
  nothingLostOrDouble(scene, outcome);
  assert(outcome.lost > 50, String(outcome.lost));
  const ratio = outcome.seconds / forecastOf(scene).seconds;
  assert(ratio > 0.85 && ratio < 1.15, String(ratio));
});

Deno.test("an engine that forgets everything, and a coordinator that is killed, cost time and nothing else", async () => {
  const scene = {
    ...TEN_TERABYTES,
    workers: 50,
    units: 1000,
    lostPerMinute: 0.2,
    wipes: [20, 21, 90],
    restarts: [30, 100],
    unitsPerJob: 3,
  };
  const outcome = await simulate(scene);
  nothingLostOrDouble(scene, outcome);
  assert(outcome.lost > 5, String(outcome.lost));
});

Deno.test("clocks that are up to an hour wrong change nothing: the same parts at the same times", async () => {
  const scene: Scene = {
    ...TEN_TERABYTES,
    workers: 40,
    units: 400,
    lostPerMinute: 0.5,
    restart: 10,
    wipes: [20],
    restarts: [30],
  };
  const outcome = await simulate({ ...scene, skewed: true });
  nothingLostOrDouble(scene, outcome);
  assert(outcome.lost > 5, String(outcome.lost));
  assertEquals(outcome, await simulate(scene));
});

Deno.test("any small cluster ends, with every part once", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const scene: Scene = {
      ...TEN_TERABYTES,
      workers: 1 + seed % 5,
      units: 1 + (seed * 37) % 60,
      unitsPerJob: 1 + seed % 4,
      lostPerMinute: seed % 3 === 0 ? 0 : 0.5,
      restart: 10,
      wipes: seed % 2 === 0 ? [seed * 3] : [],
      restarts: seed % 4 === 0 ? [seed * 2] : [],
      seed,
    };
    nothingLostOrDouble(scene, await simulate(scene));
  }
});
