/** The time of a task begins when its worker has nothing before it. */

import { assertEquals } from "@std/assert";
import { Seat } from "../../../src/executor/pool/seat.ts";
import type { Remote } from "../../../src/executor/pool/slot.ts";

const remote: Remote = {
  ready: true,
  gone: Promise.resolve(true),
  beat: 0,
  activity: undefined,
  waited: 0,
  serves: () => true,
  post: () => {},
  stop: () => {},
  giveUp: () => {},
};

const MEMORY = new WebAssembly.Memory({ initial: 1 });

function seat(): Seat {
  return new Seat(remote, { run: 1, job: { name: "job" } as never, memory: MEMORY });
}

const task = (index: number) => ({ index, task: undefined, deaths: [] });

Deno.test("a worker gets the next task ahead if its last one was short, from when it was given", () => {
  let now = 5000;
  const real = performance.now;
  performance.now = () => now;
  try {
    const one = seat();
    one.give(task(0));
    now += 2;
    one.finish();
    one.give(task(1));
    assertEquals(one.hasty, true, "2 ms");
    now += 4;
    one.give(task(2)); // ahead: the time of the task before goes on
    now += 7;
    one.finish();
    assertEquals(one.hasty, false, "11 ms");
    now += 3;
    one.finish();
    one.give(task(3));
    assertEquals(one.hasty, true, "3 ms");
  } finally {
    performance.now = real;
  }
});

Deno.test("a worker is not silent for what it was before its task", () => {
  const one = seat();
  one.opened();
  one.give(task(0));
  assertEquals(one.hung(900, 900, 1000), false);
  one.finish();
  one.give(task(1));
  assertEquals(one.hung(900, 900, 1000), false);
  one.give(task(2)); // ahead: silence goes on
  assertEquals(one.hung(200, 200, 1000), true);
});
