/**
 * Cubes under stress: sources, sinks, merges, kernels and handlers that fail, hang or are slow, runs that are cancelled, several
 * runs in one context. Each run gives the right results or a typed error that explains itself, every handler that was
 * begun is ended, and all memory comes home.
 *
 * @module
 */

import { isTilewiseError } from "../../../src/errors.ts";
import { hypercube } from "../../../src/hypercube/cube/cube.ts";
import { cached } from "../../../src/hypercube/providers/cached.ts";
import type { Provider, Source } from "../../../src/hypercube/providers/provider.ts";
import { workerSource } from "../../../src/hypercube/providers/worker_source.ts";
import { toMemory } from "../../../src/hypercube/providers/sinks/memory.ts";
import { cubeFunction } from "../../../src/hypercube/run/kernels/function.ts";
import { run } from "../../../src/run.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { type Part, Tally, within } from "../part.ts";
import type { Faults } from "./functions.ts";

const MODULE = import.meta.resolve("./functions.ts");
const TYPES = { in: "float64", out: "float64", total: "float64" } as const;

/** Milliseconds for one case. */
const LIMIT = 30_000;

/** The part. */
export const CUBES: Part = {
  name: "cubes",
  help:
    "cubes whose sources, kernels, sinks and handlers fail, hang or are cancelled: right results or a typed error",
  run: async ({ seed, quick }) => {
    const tally = new Tally();
    const each = quick ? 6 : 250;
    for (const workers of quick ? [0, 2] : [0, 1, 2, 4]) {
      await using context = createContext({ memory: "24KiB", workers });
      for (let n = 0; n < each; n += 2) {
        const numbers = [n, n + 1].map((one) => seed * 1_000_003 + workers * 1009 + one);
        await tally.add(`${workers} workers, cases ${n} and ${n + 1}`, async () => {
          const both = Promise.all(numbers.map((number) => oneCase(number, context)));
          const found = await within(LIMIT, both);
          return found === "late" ? `they did not end within ${LIMIT / 1000} s` : found.find((text) => text);
        });
      }
      await context.settled();
      if (context.used > 0) {
        tally.findings.push({ at: `${workers} workers`, text: `${context.used} bytes are not home` });
      }
    }
    return tally;
  },
};

/** What goes wrong in a case. */
type Fault = "none" | "source" | "hang" | "kernel" | "sink" | "start" | "stop" | "cancel" | "worker source";
const FAULTS: readonly Fault[] = [
  "none",
  "source",
  "hang",
  "kernel",
  "sink",
  "start",
  "stop",
  "cancel",
  "worker source",
];

async function oneCase(seed: number, context: Context): Promise<string | undefined> {
  const random = mulberry32(seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const [rows, cols] = [whole(0, 300), whole(1, 9)];
  const fault = random() < 0.4 ? "none" : FAULTS[whole(1, FAULTS.length - 1)]!;
  const at = whole(0, 4);
  const stop = new AbortController();
  const broken = () => {
    throw new RangeError("broken");
  };
  const source: Source = async ({ extents, shape: [n = 0, m = 0], tile }) => {
    const [row = 0, col = 0] = extents.map(([lower]) => lower);
    if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve, whole(0, 2)));
    if (tile === at && fault === "source") broken();
    if (tile === at && fault === "hang") await new Promise(() => {});
    if (tile === at && fault === "cancel") stop.abort();
    return Float64Array.from({ length: n * m }, (_, i) => (row + Math.floor(i / m)) * cols + col + i % m);
  };
  const handlers: string[] = [];
  const note = (name: string, fails: boolean) => () => {
    handlers.push(name);
    if (fails) broken();
  };
  const provider: Provider = {
    name: "soak",
    sources: {
      in: fault === "worker source" || random() < 0.3
        ? workerSource(MODULE, { export: "ramp", params: faults() })
        : source,
    },
    init: note("init", false),
    start: note("start", fault === "start"),
    stop: note("stop", fault === "stop"),
    close: note("close", false),
  };
  function faults(): Faults & Record<string, unknown> {
    return { at: fault === "kernel" || fault === "worker source" ? at : -1 };
  }
  const cube = hypercube({
    dimensions: { row: rows, col: cols },
    arrays: [
      { name: "in", shape: ["row", "col"], dtype: "float64" },
      { name: "out", shape: ["row", "col"], dtype: "float64", role: "output" },
      { name: "total", shape: ["col"], dtype: "float64", role: "output" },
    ],
  });
  const memory = toMemory("out", "total");
  const sink = ({ tile }: { tile: number }) => tile === at && fault === "sink" ? broken() : undefined;
  const params = { at: fault === "kernel" ? at : -1 };
  const kernel = random() < 0.2
    ? cubeFunction((tile) => import("./functions.ts").then(({ add }) => add({ ...tile, params } as never)))
    : cubeFunction(MODULE, { export: "add", arrays: TYPES, params });
  let error: unknown;
  try {
    await run(cube, {
      kernel,
      sources: [random() < 0.3 ? cached(provider, { bytes: whole(0, 4000) }) : provider],
      sinks: [memory, { out: sink }],
      merge: { total: "sum" },
      ordered: random() < 0.6,
      callTimeout: fault === "hang" ? 30 : 20_000,
      signal: stop.signal,
      plan: { context, tile: random() < 0.5 ? ["row"] : ["col", "row"], inFlight: whole(1, 9) },
    });
  } catch (thrown) {
    error = thrown;
  }
  const ended = handlers.join() === "init,start,stop,close";
  if (!ended) return `the handlers were ${handlers} (${fault})`;
  if (error !== undefined) return fault === "none" ? `it failed: ${error}` : strange(error, fault);
  return wrong(memory, rows, cols);
}

/** What is wrong with an error of a case with a fault. */
function strange(error: unknown, fault: Fault): string | undefined {
  const code = { hang: "timeout", cancel: "aborted" }[fault as string] ?? "udf";
  if (isTilewiseError(error, code as "udf")) return undefined;
  return `an error that ${fault} does not explain: ${error}`;
}

/** What is wrong with the results. */
function wrong(memory: ReturnType<typeof toMemory>, rows: number, cols: number): string | undefined {
  const { data: out } = memory.array("out", "float64"), { data: total } = memory.array("total", "float64");
  const at = out.findIndex((value, i) => value !== 2 * i);
  if (at >= 0) return `sample ${at} is ${out[at]}`;
  const sum = (c: number) => Array.from({ length: rows }, (_, r) => r * cols + c).reduce((a, b) => a + b, 0);
  const bad = rows === 0 ? -1 : total.findIndex((value, c) => value !== sum(c));
  return bad < 0 ? undefined : `the total of column ${bad} is ${total[bad]}, not ${sum(bad)}`;
}
