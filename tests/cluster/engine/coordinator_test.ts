/** The coordinator and the worker in simulated time: errors, refusals, and an engine that is away. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type ClusterProgress,
  coordinate,
  type CoordinatorOptions,
} from "../../../src/cluster/engine/coordinator.ts";
import type { Engine } from "../../../src/cluster/engine/engine.ts";
import { MemoryEngine } from "../memory/engine.ts";
import { serveJobs, type WorkerEvent } from "../../../src/cluster/engine/worker.ts";
import type { UnitControl } from "../../../src/cluster/engine/held_job.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { SimulatedClock } from "../simulation/clock.ts";

/** What a unit does; without it, a unit takes ten seconds. */
type Body = (unit: number, control: UnitControl, clock: SimulatedClock) => Promise<void>;

interface Played {
  readonly clock: SimulatedClock;
  readonly engine: MemoryEngine;
  readonly done: Uint8Array;
  readonly events: WorkerEvent[];
  readonly progress: ClusterProgress[];
  readonly calls: number[];
}

/** A run of `total` units on `workers` workers. */
async function play(
  total: number,
  workers: number,
  body: Body | undefined,
  more: {
    readonly open?: (name: string) => Promise<void>;
    readonly options?: CoordinatorOptions;
    readonly seen?: (engine: MemoryEngine) => Engine;
    readonly script?: (played: Played, stops: readonly AbortController[]) => Promise<void>;
    readonly stallTimeout?: number;
  } = {},
): Promise<Played & { readonly error: unknown }> {
  const clock = new SimulatedClock();
  const engine = new MemoryEngine({ clock });
  const played: Played = { clock, engine, done: new Uint8Array(total), events: [], progress: [], calls: [] };
  const stops = Array.from({ length: workers }, () => new AbortController());
  stops.forEach(({ signal }, number) => {
    const name = `w${number}`;
    void serveJobs(engine, clock, {
      name,
      tilewise: "0",
      signal,
      ...(more.stallTimeout === undefined ? {} : { stallTimeout: more.stallTimeout }),
      onEvent: (event) => played.events.push(event),
      open: async () => {
        await more.open?.(name);
        return {
          has: (unit) => Promise.resolve(played.done[unit] === 1),
          async compute(unit, control) {
            played.calls.push(unit);
            await (body ?? (() => clock.sleep(10_000)))(unit, control, clock);
            played.done[unit] = 1;
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
      },
    });
  });
  void more.script?.(played, stops);
  const run = {
    name: "r",
    title: "t",
    store: "memory:",
    manifest: "d",
    total,
    nameOf: (unit: number) => `0.${unit}`,
    whatOf: (unit: number) => `frame ${unit} of sum`,
    committed: () => Promise.resolve(played.done.slice()),
  };
  const options = {
    ...more.options,
    onProgress: (progress: ClusterProgress) => void played.progress.push(progress),
  };
  const error = await clock.run(
    coordinate(run, more.seen?.(engine) ?? engine, clock, options).then(() => undefined, (thrown) => thrown),
  );
  stops.forEach((stop) => stop.abort());
  return { ...played, error };
}

const failing = (code: "io" | "udf" | "worker", unit: number, times = Infinity): Body => {
  let left = times;
  return (now, _, clock) =>
    now === unit && left-- > 0 ? Promise.reject(new TilewiseError(code, "it broke")) : clock.sleep(1000);
};

Deno.test("an error of a UDF ends the run, and is not tried again", async () => {
  const { error, calls } = await play(20, 2, failing("udf", 3));
  assert(error instanceof TilewiseError && error.code === "udf", String(error));
  assert(error.message.includes("part 0.3 (frame 3 of sum) of run r: it broke"), error.message);
  assertEquals(calls.filter((unit) => unit === 3).length, 1);
});

Deno.test("an error of the storage is tried again, with longer and longer pauses", async () => {
  const { error, calls, done } = await play(5, 1, failing("io", 2, 4));
  assertEquals([error, done.every((one) => one === 1)], [undefined, true]);
  assertEquals(calls.filter((unit) => unit === 2).length, 5);
});

Deno.test("a part that fails for good is named, when all others are done", async () => {
  for (const code of ["io", "worker"] as const) {
    const { error, calls, done } = await play(6, 2, failing(code, 4));
    assert(error instanceof TilewiseError && error.code === code, String(error));
    assertEquals([error.details["parts"], [...done]], [["0.4"], [1, 1, 1, 1, 0, 1]]);
    assertEquals(calls.filter((unit) => unit === 4).length, code === "io" ? 8 : 5);
  }
});

Deno.test("a unit that hangs is given up, and the job of a hanging pool goes to another worker", async () => {
  let first = true;
  const { error, events, done } = await play(3, 2, async (unit, { signal }, clock) => {
    if (unit !== 0 || !first) return await clock.sleep(1000);
    first = false;
    await clock.sleep(1e9, signal);
    throw signal.reason;
  }, { stallTimeout: 60_000, options: { slowAfter: 1e9 } });
  assertEquals([error, [...done]], [undefined, [1, 1, 1]]);
  assert(events.some((event) => event.event === "again" && event.code === "timeout"));
});

Deno.test("the end of a short run is seen long before the interval is over", async () => {
  const { error, clock } = await play(1, 1, (_, __, clock) => clock.sleep(50), {
    options: { interval: 60_000 },
  });
  assertEquals(error, undefined);
  assert(clock.now() < 10_000, `it took ${clock.now()} ms`);
});

Deno.test("a long unit that makes progress keeps its job", async () => {
  const { error, calls } = await play(1, 2, async (_, { onProgress }, clock) => {
    for (let i = 1; i <= 100; i++) {
      await clock.sleep(5000);
      onProgress(i / 100);
    }
  }, { stallTimeout: 60_000, options: { slowAfter: 1e9 } });
  assertEquals([error, calls.length], [undefined, 1]);
});

Deno.test("a run that all workers refuse ends with their reason; one that some refuse does not", async () => {
  const open = (refusing: readonly string[]) => (name: string) =>
    refusing.includes(name)
      ? Promise.reject(new TilewiseError("unsupported", "here is another Tilewise"))
      : Promise.resolve();
  const all = await play(4, 2, undefined, { open: open(["w0", "w1"]) });
  assert(all.error instanceof TilewiseError && all.error.code === "unsupported", String(all.error));
  assert(all.error.message.includes("here is another Tilewise"), all.error.message);
  assertEquals(all.calls, []);
  const some = await play(4, 2, undefined, { open: open(["w0"]) });
  assertEquals([some.error, some.calls.length], [undefined, 4]);
  assert(some.progress.some(({ trouble }) => trouble?.includes("w0 refuses this run")));
});

Deno.test("a cancelled run ends its units, and says so", async () => {
  const { error, events, done } = await play(50, 2, async (_, { signal }, clock) => {
    await clock.sleep(10_000, signal);
    if (signal.aborted) throw signal.reason;
  }, {
    script: async ({ clock, engine }) => {
      await clock.sleep(25_000);
      assert(await engine.cancel("r"));
    },
  });
  assert(error instanceof TilewiseError && error.code === "aborted", String(error));
  assertEquals(done.reduce((sum, one) => sum + one, 0), 4);
  assertEquals(events.filter(({ event }) => event === "failed"), []);
});

Deno.test("a worker that is asked to end gives its job back, and the run goes on elsewhere", async () => {
  const { error, done, clock } = await play(4, 2, async (_, { signal }, clock) => {
    await clock.sleep(60_000, signal);
    if (signal.aborted) throw signal.reason;
  }, {
    script: async ({ clock }, [first]) => {
      await clock.sleep(5000);
      first!.abort();
    },
  });
  assertEquals([error, done.every((one) => one === 1)], [undefined, true]);
  assert(clock.now() < 300_000, "its lock need not expire");
});

Deno.test("the store tells how far a run is while the engine is away; after long, that is an error", async () => {
  const away = (from: number, to: number) => (engine: MemoryEngine): Engine =>
    new Proxy(engine, {
      get(target, name) {
        const member = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const now = clockOf(target).now();
        if (now < from || now > to) return member.bind(target);
        return () => Promise.reject(new TilewiseError("io", "the server is away"));
      },
    });
  const short = await play(6, 2, undefined, { seen: away(5000, 15_000) });
  assertEquals(short.error, undefined);
  assert(short.progress.some(({ trouble }) => trouble === "the server is away"));
  const long = await play(60, 1, undefined, {
    seen: away(5000, Infinity),
    options: { unreachableTimeout: 60_000 },
  });
  assert(long.error instanceof TilewiseError && long.error.code === "io", String(long.error));
  assert(long.clock.now() < 90_000);
});

/** The clock of an engine is its own; all engines here share one per run. */
function clockOf(engine: MemoryEngine): SimulatedClock {
  return engine.clock as SimulatedClock;
}

Deno.test("says that no worker is there", async () => {
  const controller = new AbortController();
  const { error, progress } = await play(2, 0, undefined, {
    options: { signal: controller.signal },
    script: async ({ clock }) => {
      await clock.sleep(20_000);
      controller.abort();
    },
  });
  assert(error instanceof TilewiseError && error.code === "aborted");
  assert(progress.at(-1)?.trouble?.startsWith("no worker is there"));
});

Deno.test("an error of the store ends the run", async () => {
  const clock = new SimulatedClock();
  const run = {
    name: "r",
    title: "t",
    store: "memory:",
    manifest: "d",
    total: 1,
    nameOf: String,
    whatOf: String,
    committed: () => Promise.reject(new TilewiseError("permission", "no")),
  };
  await assertRejects(
    () => clock.run(coordinate(run, new MemoryEngine({ clock }), clock)),
    TilewiseError,
    "no",
  );
});
