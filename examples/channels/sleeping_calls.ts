/**
 * A kernel calls a function of its host ten times; each call sleeps for a second.
 *
 * Submitted calls overlap: functions that return promises on one runner, functions that block their thread on as many runners as there
 * are calls. Calls that the kernel waits for come one after the other. Run it with
 *
 * ```sh
 * deno run -A examples/channels/sleeping_calls.ts [--items N] [--seconds S]
 * ```
 *
 * The kernel is `sleeping_calls.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { remote, remoteNumbers, statusError } from "@tilewise/tilewise/unstable/channels";

const asleep = new Int32Array(new SharedArrayBuffer(4));

/** What the host does for the kernel: sleeps so many seconds, and returns the square of the item. */
export const functions = {
  nap: remote(["f64", "f64"], "f64", async (seconds, item) => {
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    return item * item;
  }),
  block: remote(["f64", "f64"], "f64", (seconds, item) => {
    Atomics.wait(asleep, 0, 0, 1000 * seconds);
    return item * item;
  }),
};

const numbers = remoteNumbers(functions);

/** One way to make the calls. */
interface Way {
  readonly name: string;
  /** The export of the kernel. */
  readonly kernel: "overlapped" | "oneByOne";
  readonly fn: number;
  /** Threads that answer. */
  readonly runners: number;
}

/** Makes the calls in three ways; what it says. Throws unless all results are right. */
export async function main(args: readonly string[]): Promise<string> {
  const options = {
    items: { type: "string", default: "10" },
    seconds: { type: "string", default: "1" },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const [items, seconds] = [Number(values.items), Number(values.seconds)];
  const ways: readonly Way[] = [
    { name: "submitted, promises on 1 runner", kernel: "overlapped", fn: numbers.nap, runners: 1 },
    {
      name: `submitted, blocking on ${items} runners`,
      kernel: "overlapped",
      fn: numbers.block,
      runners: items,
    },
    { name: "one by one", kernel: "oneByOne", fn: numbers.nap, runners: 1 },
  ];
  const lines: string[] = [];
  for (const way of ways) {
    const took = await makeCalls(way, items, seconds);
    lines.push(`${way.name}: ${items} calls of ${seconds} s, all right, in ${took.toFixed(2)} s`);
  }
  return lines.join("\n");
}

/** Makes all calls; how many seconds they took. */
async function makeCalls({ kernel, fn, runners }: Way, items: number, seconds: number): Promise<number> {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const source = { module: import.meta.url, export: "functions" };
  await using host = await startHost(context, {
    channels: items,
    bufferLength: 8,
    elementSize: 8,
    runners,
    functions: source,
  });
  const launch = (count: number, pause: number) => {
    const results = new Float64Array(count);
    const file = new URL("sleeping_calls.as.ts", import.meta.url);
    const args = [fn, pause, new Float64Array(2), results];
    return launchKernel(host, { file, export: kernel }, { args }).then(({ status }) => ({ status, results }));
  };
  await launch(1, 0); // compiles the kernel
  const start = performance.now();
  const { status, results } = await launch(items, seconds);
  const took = (performance.now() - start) / 1000;
  if (status !== 0) throw statusError(status, "call the function of the host");
  const wrong = results.findIndex((result, item) => result !== item * item);
  if (wrong >= 0) throw new Error(`Call ${wrong} returned ${results[wrong]}, not ${wrong * wrong}`);
  return took;
}

if (import.meta.main) console.log(await main(Deno.args));
