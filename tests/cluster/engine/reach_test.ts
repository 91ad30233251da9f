/** Engines whose servers come later, in simulated time. */

import { assertEquals, assertMatch } from "@std/assert";
import { MemoryEngine } from "../memory/engine.ts";
import { reachEngine } from "../../../src/cluster/open_engine.ts";
import { type ErrorCode, TilewiseError } from "../../../src/errors.ts";
import { cli, withFolder, writeNpy } from "../../cli/harness.ts";
import { SimulatedClock } from "../simulation/clock.ts";

/** Waits for a server that is there after so many seconds; until then it fails with `code`. */
function reach(
  seconds: number,
  code: ErrorCode = "io",
  { unreachableTimeout = 600_000, cancel = Infinity } = {},
) {
  const clock = new SimulatedClock();
  const told: string[] = [];
  const stop = new AbortController();
  let attempts = 0;
  const engine = reachEngine("redis://lab", {
    signal: stop.signal,
    unreachableTimeout,
    waits: (message) => void told.push(message),
    clock,
    open() {
      attempts++;
      if (clock.now() >= 1000 * seconds) return Promise.resolve(new MemoryEngine({ clock }));
      if (clock.now() >= 1000 * cancel) stop.abort();
      return Promise.reject(new TilewiseError(code, "it is away."));
    },
  });
  const outcome = clock.run(engine).then((engine) => engine instanceof MemoryEngine, (error) => error.code);
  return outcome.then((outcome) => ({ outcome, told, attempts, seconds: clock.now() / 1000 }));
}

Deno.test("a server that comes later is waited for, with one message", async () => {
  assertEquals(await reach(0), { outcome: true, told: [], attempts: 1, seconds: 0 });
  const late = await reach(300);
  assertEquals([late.outcome, late.told], [true, ["it is away."]]);
  assertEquals([late.attempts < 200, late.seconds < 303], [true, true]);
});

Deno.test("waiting ends after `unreachableTimeout`, with Ctrl-C, and at once where time mends nothing", async () => {
  const late = await reach(900);
  assertEquals([late.outcome, Math.abs(late.seconds - 601) <= 2], ["io", true]);
  assertEquals((await reach(900, "io", { unreachableTimeout: Infinity })).outcome, true);
  const cancelled = await reach(900, "io", { cancel: 20 });
  assertEquals([cancelled.outcome, cancelled.seconds < 25], ["aborted", true]);
  for (const code of ["permission", "unsupported", "invalid"] as const) {
    const { outcome, told, seconds } = await reach(900, code);
    assertEquals([outcome, told, seconds], [code, [], 0]);
  }
});

Deno.test("a run and a worker without a server wait until they are interrupted", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.npy`;
    await writeNpy(scan, "|u1", [2, 2, 4, 4], new Uint8Array(64));
    for (const nowhere of ["redis://127.0.0.1:1", "postgres://127.0.0.1:1/db"]) {
      const run = ["run", "sumsig", scan, "-o", `${folder}/o.npy`, "--store", `${folder}/store`];
      for (const words of [["worker", nowhere], [...run, "--engine", nowhere]]) {
        const stop = new AbortController();
        const onErr = (text: string) => void (/Waiting for it/.test(text) && stop.abort());
        const { code, err } = await cli([...words, "--workers", "0"], { signal: stop.signal, onErr });
        assertEquals(code === 0, false);
        assertMatch(err, /127\.0\.0\.1:1.* cannot be reached .* Waiting for it/);
      }
    }
    assertEquals([...Deno.readDirSync(folder)].some(({ name }) => name === "o.npy"), false);
  });
});

Deno.test("a worker waits no longer than it may be idle", async () => {
  const nowhere = "redis://127.0.0.1:1";
  const idle = await cli(["worker", nowhere, "--workers", "0", "--idle", "0"]);
  assertEquals(idle.code, 1);
  assertMatch(idle.err, /\[io\].*cannot be reached/);
});
