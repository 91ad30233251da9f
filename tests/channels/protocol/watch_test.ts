/** How long a thread watches a word before it sleeps. */

import { assertEquals } from "@std/assert";
import { Watch } from "../../../src/channels/protocol/sleep.ts";

/** Calls `body` with an `Atomics` whose loads are counted; the word changes at load number `changesAt()`. */
function counted(changesAt: () => number, body: (loads: () => number) => void): void {
  const real = globalThis.Atomics;
  let loads = 0;
  const load = () => ++loads % changesAt() === 0 ? 1 : 0;
  globalThis.Atomics = Object.assign(Object.create(real), { load, pause: () => {} });
  try {
    body(() => {
      const found = loads;
      loads = 0;
      return found;
    });
  } finally {
    globalThis.Atomics = real;
  }
}

const words = new Int32Array(new SharedArrayBuffer(4));

Deno.test("watches become short when they are in vain, and long again when they pay", () => {
  let changes = Infinity;
  counted(() => changes, (loads) => {
    const watch = new Watch();
    const one = () => {
      const changed = watch.changes(words, 0, 0);
      if (!changed) watch.woke();
      return [changed, loads()] as const;
    };
    const vain = Array.from({ length: 20 }, () => one()[1]);
    assertEquals([vain[0], vain[1], vain.at(-1)], [12_000, 6000, 16]);
    const all = Array.from({ length: 40 * 32 }, () => one()[1]);
    assertEquals([Math.max(...all), all.filter((turns) => turns > 16).length < 60], [12_000, true]);
    changes = 500;
    const found = Array.from({ length: 20 * 32 }, one);
    assertEquals(found.findIndex(([changed]) => changed) >= 0, true);
    assertEquals(found.slice(-100).every(([changed, turns]) => changed && turns === 500), true);
  });
});

Deno.test("a long sleep after a watch does not make the next one shorter", () => {
  counted(() => Infinity, (loads) => {
    const watch = new Watch();
    for (let i = 0; i < 3; i++) {
      assertEquals([watch.changes(words, 0, 0), loads()], [false, 12_000]);
      const until = performance.now() + 3;
      while (performance.now() < until);
      watch.woke();
    }
  });
});

Deno.test("nothing is watched where the platform cannot pause", () => {
  const real = globalThis.Atomics;
  globalThis.Atomics = Object.assign(Object.create(real), { pause: undefined });
  try {
    assertEquals(new Watch().changes(words, 0, 1), false); // the word is another one, but nobody looks
  } finally {
    globalThis.Atomics = real;
  }
});
