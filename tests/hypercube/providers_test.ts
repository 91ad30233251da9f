/** Providers: who supplies what, what they change, their life cycle, and every way in which they can fail. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { createContext } from "../../src/runner/context.ts";
import { fromArrays } from "../../src/hypercube/providers/arrays.ts";
import { cached } from "../../src/hypercube/providers/cached.ts";
import type { Provider, ProviderContext, Source } from "../../src/hypercube/providers/provider.ts";
import { toMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import type { CubeRunOptions } from "../../src/hypercube/run/run_cube.ts";
import { run as runCube } from "../../src/run.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { BYTES, CUBE, numbers, options, planIn, SCALED } from "./some_cube.ts";

/** Runs the cube inline; the numbers that come out. */
async function solved(some: Partial<CubeRunOptions> = {}): Promise<number[]> {
  await using context = createContext({ memory: BYTES, workers: 0 });
  const memory = toMemory("out");
  try {
    await runCube(planIn(context), { ...options({ sinks: [memory] }), ...some });
  } finally {
    await context.settled();
    assertEquals(context.used, 0);
  }
  return memory.names.length > 0 && !some.sinks ? [...memory.array("out", "float64").data] : [];
}

const failing = (some: Partial<CubeRunOptions>) => assertRejects(() => solved(some), TilewiseError);
const constant = (value: number): Source => ({ shape }) =>
  new Float64Array(shape[0]! * (shape[1] ?? 1)).fill(value);

Deno.test("later providers replace the sources of earlier ones, and an input without one has its default", async () => {
  assertEquals(await solved(), SCALED);
  const first: Provider = { name: "first", sources: { in: constant(7), table: constant(100) } };
  const second: Provider = { name: "second", sources: { table: constant(1) } };
  assertEquals(await solved({ sources: [first, { in: numbers }, second] }), SCALED.map((x) => x + 0.5));
  assertEquals(await solved({ sources: [second, first] }), SCALED.map(() => 114));
});

Deno.test("a source may call its argument anything, and a provider may have more sources than the cube has inputs", async () => {
  const sources: Provider = {
    name: "many",
    sources: { in: (ctx) => numbers(ctx), unused: () => new Float64Array(1) },
  };
  assertEquals(await solved({ sources: [sources] }), SCALED);
  const misspelt = await failing({ sources: { In: numbers, in: numbers } });
  assertStringIncludes(
    misspelt.message,
    "a source for In, which is not an input; inputs are table, in; did you mean in?",
  );
  const sinks = [{ name: "files", sinks: { outt: () => {} } }];
  assertStringIncludes((await failing({ sinks })).message, "a sink for outt, which is not an output");
});

Deno.test("a context says everything about its array, and who supplies it", async () => {
  const seen: ProviderContext[] = [];
  const spy: Source = (context) => {
    seen.push(context);
    return numbers(context);
  };
  await solved({ sources: [{ name: "sky", sources: { in: spy } }], config: { deep: true } });
  const { name, dtype, shape, extents, tile, strides, provider, config, cube } = seen[2]!;
  assertEquals({ name, dtype, shape, extents, tile, strides, provider, config }, {
    name: "in",
    dtype: "float64",
    shape: [8, 3],
    extents: [[16, 24], [0, 3]],
    tile: 2,
    strides: [["n", 8]],
    provider: "sky",
    config: { deep: true },
  });
  assertEquals(cube.dimension("n").lower, 16);
  assertEquals(
    seen[2]!.help(),
    [
      "in: float64 of [n 16 to 24 of 50 (numbers); m 0 to 3 of 3]: what is scaled, in Jy",
      "  abstract shape: n × m",
      "  global shape: 50 × 3",
      "  local shape: 8 × 3",
      "  lower extents: 16, 0",
      "  upper extents: 24, 3",
      "  iteration: n of 50 by 8",
      "  supplied by: sky",
    ].join("\n"),
  );
  assertStringIncludes(seen[2]!.help({ cube: true }), String(cube));
  assertThrows(() => seen[2]!.help({ cubes: true } as never), TilewiseError, 'did you mean "cube"?');
});

Deno.test("a source of wrong shape, dtype or null is refused with the help text", async () => {
  const wrong: [unknown, string][] = [
    [null, "null"],
    [undefined, "undefined"],
    [7, "7"],
    [new Float32Array(24), "Float32Array of 24"],
    [new Float64Array(23), "Float64Array of 23"],
    [new DataView(new ArrayBuffer(192)), "DataView"],
    [[1, 2], "an object"],
    [ndarray(new Float64Array(24), [3, 8], "float64"), "an array of 3 × 8 float64, stride 8, 1"],
    [ndarray(new Int32Array(24), [8, 3], "int32"), "an array of 8 × 3 int32"],
  ];
  for (const [value, words] of wrong) {
    const error = await failing({ sources: [{ name: "sky", sources: { in: () => value as never } }] });
    assertEquals(
      [error.code, error.details["array"], error.details["provider"]],
      ["invalid", "in", "sky"],
      words,
    );
    for (
      const part of [
        "8 × 3 samples of float64 for tile 0",
        words,
        "what is scaled, in Jy",
        "supplied by: sky",
      ]
    ) {
      assertStringIncludes(error.message, part);
    }
  }
});

Deno.test("what never resolves ends the run by a deadline: a source, a sink, a handler", async () => {
  const never = () => new Promise<never>(() => {});
  const log: string[] = [];
  const watch: Provider = {
    name: "watch",
    stop: () => void log.push("stop"),
    close: () => void log.push("close"),
  };
  const cases: [Partial<CubeRunOptions>, string][] = [
    [{ sources: [watch, { in: never }] }, "The source of in has not resolved for tile 0 within 0.02 s"],
    [{ sources: [watch, { in: numbers, table: never }] }, "The source of table has not resolved for tile -1"],
    [
      { sources: [watch, { in: numbers }, { name: "x", start: never }] },
      'start() of the provider "x" failed: it has not',
    ],
    [
      { sources: [watch, { in: numbers }, { name: "x", init: never }] },
      'init() of the provider "x" failed: it has not',
    ],
    [
      { sources: [watch, { in: numbers }, { name: "x", stop: never }] },
      'stop() of the provider "x" failed: it has not',
    ],
  ];
  for (const [some, text] of cases) {
    const error = await failing({ ...some, callTimeout: 20 });
    assertEquals([error.code, error.details.option], ["timeout", "callTimeout"], error.message);
    assertStringIncludes(error.message, text);
  }
  assertEquals(log.filter((what) => what === "close").length, 5);
  assertEquals(log.filter((what) => what === "stop").length, 4, "not where init failed");
  const held = Promise.withResolvers<void>();
  await using context = createContext({ memory: BYTES, workers: 0 });
  const late = runCube(planIn(context), options({ sinks: { out: () => held.promise }, callTimeout: 20 }));
  assertEquals((await assertRejects(() => late, TilewiseError)).code, "timeout");
  held.resolve(); // its memory waits for the sink
  await context.settled();
  assertEquals(context.used, 0);
});

/** A provider that writes down which of its handlers are called, and fails in some of them. */
function recorder(name: string, log: string[], fails: readonly string[] = []): Provider {
  const note = (handler: string) => (context: object) => {
    log.push(`${handler} ${name}${"error" in context ? " (failed)" : ""}`);
    if (fails.includes(handler)) throw new RangeError(`${handler} ${name}`);
  };
  return { name, init: note("init"), start: note("start"), stop: note("stop"), close: note("close") };
}

Deno.test("providers begin in their order and end in the opposite one, also when something fails", async () => {
  const run = async (fails: Record<string, string[]>, some: Partial<CubeRunOptions> = {}) => {
    const log: string[] = [];
    const [a, b] = ["a", "b"].map((name) => recorder(name, log, fails[name] ?? []));
    const error = await solved({ sources: [a!, { in: numbers }, b!], sinks: [a!], ...some }).then(
      () => "",
      String,
    );
    return [log.join(", "), error.split("\n")[0]!.replace("TilewiseError: ", "")];
  };
  const whole = "init a, init b, start a, start b, stop b, stop a, close b, close a";
  assertEquals(await run({}), [whole, ""]);
  assertEquals(await run({ b: ["init"] }), [
    "init a, init b, close b, close a",
    'init() of the provider "b" failed: init b',
  ]);
  const failed = whole.replace("stop b, stop a", "stop b (failed), stop a (failed)");
  assertEquals(await run({ a: ["start"] }), [
    "init a, init b, start a, stop a (failed), close b, close a",
    'start() of the provider "a" failed: start a',
  ]);
  const boom = () => Promise.reject(new Error("disk full"));
  const log: string[] = [];
  const provider = recorder("a", log, ["stop", "close"]);
  const error = await failing({ sources: [provider, { in: numbers }], sinks: { out: boom } });
  assertStringIncludes(error.message, "The sink of out failed for tile 0: disk full"); // not hidden by stop and close
  assertEquals(log, ["init a", "start a", "stop a (failed)", "close a"]);
  assertEquals(await run({ a: ["stop"], b: ["stop"] }), [whole, 'stop() of the provider "b" failed: stop b']);
  assertEquals(await run({ a: ["close"] }), [whole, 'close() of the provider "a" failed: close a']);
  const stop = new AbortController();
  const sink = { out: () => stop.abort() };
  const [cancelled, why] = await run({}, { signal: stop.signal, sinks: [sink] });
  assertEquals([cancelled, why!.includes("Cancelled")], [failed, true]);
});

Deno.test("providers change dimensions and arrays, and two that disagree are both named", async () => {
  await using context = createContext({ memory: BYTES * 4, workers: 0 });
  const memory = toMemory("out");
  const base = options({ sinks: [memory], plan: { context, tile: ["n"], inFlight: 3 } });
  const sized = (name: string, n: number): Provider => ({ name, dimensions: () => ({ n }) });
  const report = await runCube(CUBE, {
    ...base,
    sources: [sized("file", 10), { in: numbers }, sized("twin", 10)],
  });
  assertEquals(memory.array("out").shape, [10, 3]);
  assertEquals(report.plan.cube.dimension("n").size, 10);
  const refused = (sources: CubeRunOptions["sources"]) =>
    assertRejects(() => runCube(CUBE, { ...base, sources }), TilewiseError);
  const clash = await refused([sized("file", 10), sized("beam", 20), { in: numbers }]);
  assertEquals([clash.code, clash.message], [
    "invalid",
    'The providers "file" and "beam" disagree about the size of the dimension n: 10 and 20',
  ]);
  assertStringIncludes(
    (await refused([{ name: "x", dimensions: () => ({ nn: 1 }) }])).message,
    'did you mean "n"?',
  );
  assertStringIncludes((await refused([sized("x", -1), { in: numbers }])).message, 'what "x" changed');
  const narrow: Provider = {
    name: "narrow",
    arrays: () => [{ name: "table", shape: [2], dtype: "float64" }],
    sources: { table: () => Float64Array.of(0.5, 9) },
  };
  await runCube(CUBE, { ...base, sources: [narrow, { in: numbers }] });
  assertEquals([...memory.array("out", "float64").data], SCALED);
  const other: Provider = {
    ...narrow,
    name: "other",
    arrays: () => [{ name: "table", shape: [3], dtype: "float64" }],
  };
  assertStringIncludes(
    (await refused([narrow, other, { in: numbers }])).message,
    'The providers "narrow" and "other" disagree about the array table: 2 float64, input and 3 float64, input',
  );
});

Deno.test("a plan that does not know the changes of providers is refused, and a cube without a way to plan it", async () => {
  await using context = createContext({ memory: BYTES * 4, workers: 0 });
  const grown: Provider = { name: "file", dimensions: () => ({ n: 60 }) };
  const error = await failing({ sources: [grown, { in: numbers }] });
  assertStringIncludes(error.message, "n: 0 to 60 of 60 (numbers); give the cube and the option plan");
  assertEquals(
    (await solved({ sources: [{ name: "same", dimensions: () => ({ n: 50 }) }, { in: numbers }] })).length,
    150,
  );
  const bare = await assertRejects(() => runCube(CUBE, options()), TilewiseError);
  assertStringIncludes(bare.message, 'or a cube with the option plan, such as { plan: { tile: ["n"] } }');
  const both = () => runCube(planIn(context), options({ plan: { tile: ["n"] } }));
  assertStringIncludes((await assertRejects(both, TilewiseError)).message, "and options for another one");
});

Deno.test("several sinks of an output all get its tiles", async () => {
  const [a, b, c] = [[], [], []] as number[][];
  const into = (list: number[]) => ({ tile }: { tile: number }) => void list.push(tile);
  await solved({ sinks: [{ out: [into(a!), into(b!)] }, { name: "c", sinks: { out: into(c!) } }] });
  assertEquals([a, b, c], Array(3).fill([0, 1, 2, 3, 4, 5, 6]));
});

Deno.test("arrays in memory are cut by the extents, strided or not, and others are refused", async () => {
  const data = Float64Array.from({ length: 150 }, (_, i) => i);
  assertEquals(await solved({ sources: [fromArrays({ in: data })] }), SCALED);
  const turned = { data: new Float64Array(150), shape: [50, 3], stride: [1, 50], dtype: "float64" } as const;
  for (let n = 0; n < 50; n++) for (let m = 0; m < 3; m++) turned.data[n + 50 * m] = 3 * n + m;
  assertEquals(await solved({ sources: [fromArrays({ in: turned })] }), SCALED);
  const wrong: [Record<string, Float64Array | Float32Array>, string][] = [
    [{ in: new Float64Array(149) }, "in must be 50 × 3 samples of float64; it is a Float64Array of 149"],
    [{ in: new Float32Array(150) }, "a Float32Array of 150"],
    [{ inn: data }, 'there is no input "inn"; did you mean "in"?'],
  ];
  for (const [arrays, text] of wrong) {
    const error = await failing({ sources: [{ in: numbers }, fromArrays(arrays, { name: "mine" })] });
    assertEquals(error.code, "invalid");
    assertStringIncludes(error.message, 'start() of the provider "mine" failed');
    assertStringIncludes(error.message, text);
  }
});

Deno.test("a cache keeps what fits, forgets the oldest, and does not ask twice at the same time", async () => {
  let calls = 0;
  const reused = new Float64Array(24);
  const source: Source = async (context) => {
    calls++;
    await Promise.resolve();
    const samples = numbers(context) as Float64Array;
    if (samples.length < 24) return samples;
    reused.set(samples); // the same array again and again
    return reused;
  };
  const sky: Provider = { name: "sky", sources: { in: source } };
  const all = cached(sky, { bytes: 150 * 8 });
  for (let run = 0; run < 2; run++) assertEquals(await solved({ sources: [all] }), SCALED);
  assertEquals([calls, all.bytes, { ...all.counts }], [7, 1200, { hits: 7, misses: 7 }]);
  all.clear();
  assertEquals(all.bytes, 0);
  calls = 0;
  const some = cached(sky, { bytes: 2 * 192, clearOnStop: true });
  assertEquals(await solved({ sources: [some] }), SCALED);
  assertEquals([calls, some.bytes], [7, 0]);
  const misspelt = await failing({ sources: [cached(sky, { bytes: 0, arrays: ["inn"] })] });
  assertStringIncludes(misspelt.message, 'it has no source to cache for "inn"; did you mean "in"?');
});

Deno.test("cached sources work at the same time, one call serves all who wait, and errors are not kept", async () => {
  const waiting: (() => void)[] = [];
  let fails = true;
  const slow: Source = async (context) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (fails) throw new Error("first");
    return numbers(context);
  };
  const kept = cached({ name: "slow", sources: { in: slow } }, { bytes: "1MiB" });
  const context = (tile: number, signal = new AbortController().signal) => {
    const extents = [[8 * tile, 8 * tile + 8], [0, 3]] as const;
    const cube = CUBE, schema = CUBE.array("in");
    return {
      name: "in",
      dtype: "float64",
      shape: [8, 3],
      extents,
      cube,
      schema,
      tile,
      signal,
    } as never as ProviderContext;
  };
  const call = (tile: number, signal?: AbortSignal) =>
    Promise.resolve((kept.sources!["in"] as Source)(context(tile, signal)));
  const first = [call(0), call(0)];
  assertEquals(waiting.length, 1);
  waiting.pop()!();
  for (const one of first) await assertRejects(() => one, Error, "first");
  fails = false;
  const next = [call(0), call(1), call(0)];
  assertEquals(waiting.length, 2, "no call waits for that of another tile");
  while (waiting.length > 0) waiting.pop()!();
  assertEquals((await Promise.all(next)).map((data) => (data as Float64Array)[0]), [0, 24, 0]);
  assertEquals({ ...kept.counts }, { hits: 1, misses: 3 });
  // A run that is cancelled does not take another one with it.
  kept.clear();
  const stop = new AbortController();
  fails = true;
  const [gone, stays] = [call(0, stop.signal), call(0)];
  stop.abort();
  waiting.pop()!();
  await assertRejects(() => gone);
  fails = false;
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  waiting.pop()!();
  assertEquals(((await stays) as Float64Array).length, 24);
});

Deno.test("errors of sources keep their code and say who supplies the array", async () => {
  const denied = () => Promise.reject(new TilewiseError("permission", "may not read", { file: "a.ms" }));
  const error = await failing({ sources: [{ name: "ms", sources: { in: denied } }] });
  assert(isTilewiseError(error, "permission"));
  assertEquals([error.details["file"], error.details["provider"], error.details["tile"]], ["a.ms", "ms", 0]);
  assertStringIncludes(error.message, "supplied by: ms");
});

/** The timers of more than a minute that are set and not cleared while `work` runs. */
async function longTimers(work: () => Promise<void>): Promise<number> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const open = new Set<unknown>();
  globalThis.setTimeout = ((call: () => void, ms: number) => {
    const timer = set(call, ms);
    if (ms > 60_000) open.add(timer);
    return timer;
  }) as typeof set;
  globalThis.clearTimeout = (timer) => {
    open.delete(timer);
    clear(timer);
  };
  try {
    await work();
    return open.size;
  } finally {
    globalThis.setTimeout = set;
    globalThis.clearTimeout = clear;
    for (const timer of open) clear(timer as number);
  }
}

Deno.test("a run that has failed leaves no timer of a source that still hangs", async () => {
  const never = () => new Promise<never>(() => {});
  await using context = createContext({ memory: BYTES, workers: 0 });
  const hung = Promise.withResolvers<void>();
  const source: Source = (of) => {
    if (of.tile === 2) hung.resolve();
    return of.tile === 2 ? never() : numbers(of);
  };
  const boom = () => hung.promise.then(() => Promise.reject(new Error("disk full")));
  const left = await longTimers(async () => {
    const failed = runCube(planIn(context), options({ sources: { in: source }, sinks: { out: boom } }));
    assertStringIncludes((await assertRejects(() => failed, TilewiseError)).message, "disk full");
  });
  assertEquals(left, 0);
  await context.settled();
  assertEquals(context.used, 0);
});

Deno.test("the memory of a sink that is late is given to nobody before the sink has ended", async () => {
  await using context = createContext({ memory: BYTES, workers: 0 });
  const held = Promise.withResolvers<void>();
  const late = runCube(planIn(context), options({ sinks: { out: () => held.promise }, callTimeout: 20 }));
  assertEquals((await assertRejects(() => late, TilewiseError)).code, "timeout");
  assertEquals(context.used, BYTES);
  held.resolve();
  await context.settled();
  assertEquals(context.used, 0);
});
