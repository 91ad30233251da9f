/**
 * 100 walkers make 1000 steps each through a file of 8 MiB: every position that a kernel reads says where to read next, so
 * that the time is that of single reads of 8 bytes.
 *
 * The walk is made twice: through channels that a host answers (`rpc`), and with reads by the worker of the kernel (`direct`).
 * Both are compared with a walk in memory. Run it with
 *
 * ```sh
 * deno run -A examples/channels/walk.ts [--positions N] [--walkers N] [--steps N] [--workers N]
 * ```
 *
 * The kernel is `walk.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { type ChannelHost, launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";

const DEFAULTS = { positions: 2 ** 20, walkers: 100, steps: 1000, workers: 2 };

type Sizes = typeof DEFAULTS;

/** Walks by both routes; what it says. Throws unless each finds what the walk in memory finds. */
export async function main(args: readonly string[]): Promise<string> {
  const given = sizes(args, DEFAULTS);
  const positions = randomPositions(given.positions);
  const expected = walk(positions, given);
  const folder = await Deno.makeTempDir({ prefix: "tilewise-walk-" });
  try {
    await Deno.writeFile(`${folder}/positions.bin`, new Uint8Array(positions.buffer));
    await using context = createContext({ memory: "1MiB", workers: given.workers });
    const channels = Math.max(1, given.workers);
    await using host = await startHost(context, { channels, bufferLength: 1, type: "int64" });
    const lines: string[] = [];
    for (const route of ["rpc", "direct"] as const) {
      const perRead = await walkFile(host, route, folder, given);
      const found = new BigInt64Array((await Deno.readFile(`${folder}/${route}.bin`)).buffer);
      const wrong = expected.findIndex((position, w) => position !== found[w]);
      if (wrong >= 0) {
        throw new Error(`${route}: walker ${wrong} is at ${found[wrong]}, not ${expected[wrong]}`);
      }
      lines.push(`${route}: ${given.walkers * given.steps} reads of 8 bytes, all walkers right, ${perRead}`);
    }
    return lines.join("\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Walks through the file; the time of a read, as a worker sees it. */
async function walkFile(
  host: ChannelHost,
  route: "rpc" | "direct",
  folder: string,
  { walkers, steps, workers }: Sizes,
): Promise<string> {
  await Deno.writeFile(`${folder}/${route}.bin`, new Uint8Array());
  const kernel = { file: new URL("walk.as.ts", import.meta.url) };
  const groups = Math.max(1, workers);
  const files = [`${folder}/positions.bin`, `${folder}/${route}.bin`];
  const walkAll = async (count: number) => {
    const { status } = await launchKernel(host, kernel, { groups, route, args: [...files, walkers, count] });
    if (status !== 0) throw failure(status);
  };
  await walkAll(1); // compiles the kernel
  const start = performance.now();
  await walkAll(steps);
  const microseconds = (performance.now() - start) * 1000 * groups / (walkers * steps);
  return `${microseconds.toFixed(2)} µs per read`;
}

/** The walk in memory: where each walker ends. */
function walk(positions: BigInt64Array, { walkers, steps }: Sizes): bigint[] {
  return Array.from({ length: walkers }, (_, w) => {
    let position = BigInt(w * 7919 % positions.length);
    for (let s = 0; s < steps; s++) position = positions[Number(position)]!;
    return position;
  });
}

/** The same random positions in every run. */
function randomPositions(length: number): BigInt64Array<ArrayBuffer> {
  let state = 1n;
  return BigInt64Array.from({ length }, () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return (state >> 33n) % BigInt(length);
  });
}

/** What the kernel itself can return, and the statuses of its calls. */
function failure(status: number): Error {
  const own = ({ [-1001]: "A position led out of the file" } as Readonly<Record<number, string>>)[status];
  return own === undefined ? statusError(status, "walk") : new Error(own);
}

/** Numbers of the command line: `--name value` for each default. */
function sizes<T extends Record<string, number>>(args: readonly string[], defaults: T): T {
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: "string" as const }]),
  );
  const { values } = parseArgs({ args: [...args], options });
  const given = Object.entries(values).map(([name, value]) => [name, Number(value)] as const);
  return { ...defaults, ...Object.fromEntries(given) };
}

if (import.meta.main) console.log(await main(Deno.args));
