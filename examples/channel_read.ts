/**
 * A kernel opens a file through a channel, reads it in dependent 8-byte steps, and writes a result.
 *
 * 100 walkers make 1000 steps each through 8 MiB of random positions: every position read says where to read
 * next. The reads are made twice: by a host runner that serves the channels (`rpc`), and by the worker of the
 * kernel itself (`direct`). Run it with
 *
 * ```sh
 * deno run -A examples/channel_read.ts [--workers N] [--steps N]
 * ```
 *
 * `--workers 0` runs on the main thread. What each walker found is compared with a walk in memory.
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import {
  type ChannelHost,
  type ChannelLayout,
  fileCalls,
  type NameAt,
  type Route,
  startHost,
  walkKernel,
  walkReference,
} from "@tilewise/tilewise/channels";
import type { JobHandler, WorkerContext } from "@tilewise/tilewise/run";

const WALKERS = 100, CELLS = 2 ** 20, WALKERS_A_TASK = 10;

/** What all walks of one job share. */
interface WalkJob {
  readonly layout: ChannelLayout;
  readonly route: Route;
  readonly from: NameAt;
  readonly to: NameAt;
  readonly steps: number;
}

/** The job: worker `i` walks through channel `i`. Tells how long each task took, in milliseconds. */
export function walkJob(
  { layout, route, from, to, steps }: WalkJob,
  { memory, index }: WorkerContext,
): JobHandler<number, number> {
  const calls = fileCalls(route, memory, layout);
  const walk = walkKernel(memory, layout, calls);
  return {
    run(first) {
      const start = performance.now();
      walk({ channel: index, from, to, first, count: WALKERS_A_TASK, steps });
      return performance.now() - start;
    },
    close: () => calls.closeAll(),
  };
}

/** Walks with both routes; throws unless each finds what the walk in memory finds. */
export async function main(args: readonly string[]): Promise<string> {
  const workers = option(args, "--workers", 2), steps = option(args, "--steps", 1000);
  const positions = randomPositions();
  const expected = BigInt64Array.from(walkReference(positions, WALKERS, steps));
  await using context = createContext({ memory: "1MiB", workers });
  const folder = await Deno.makeTempDir();
  const from = `${folder}/positions.bin`;
  try {
    await Deno.writeFile(from, new Uint8Array(positions.buffer));
    await using host = await startHost(context, {
      channels: Math.max(1, workers),
      bufferLength: 1,
      elementSize: 8,
    });
    let digest = "";
    for (const route of ["rpc", "direct"] as const) {
      const to = `${folder}/${route}.bin`;
      await Deno.writeFile(to, new Uint8Array());
      const perRead = await walkAll(host, route, from, to, steps);
      const found = new BigInt64Array((await Deno.readFile(to)).buffer);
      const wrong = expected.findIndex((position, w) => position !== found[w]);
      if (wrong >= 0) {
        throw new Error(`${route}: walker ${wrong} is at ${found[wrong]}, not ${expected[wrong]}`);
      }
      digest = await sha256(found);
      console.log(
        `${route}: ${WALKERS * steps} reads of 8 bytes, ${perRead.toFixed(2)} µs a read, all walkers right`,
      );
    }
    console.log(`${workers > 0 ? "workers" : "inline"}, ${Math.max(1, workers)} at a time, sha256 ${digest}`);
    return digest;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Microseconds of one read, as a worker sees it, in the fastest task. */
async function walkAll(
  host: ChannelHost,
  route: Route,
  from: string,
  to: string,
  steps: number,
): Promise<number> {
  const shared = { layout: host.layout, route, from: host.name(from), to: host.name(to), steps };
  const tasks = Array.from({ length: WALKERS / WALKERS_A_TASK }, (_, i) => i * WALKERS_A_TASK);
  const job = { module: import.meta.url, export: "walkJob", shared };
  const times = await host.launch<typeof walkJob>(job, tasks);
  return Math.min(...times) * 1000 / (WALKERS_A_TASK * steps);
}

function option(args: readonly string[], name: string, otherwise: number): number {
  return args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise;
}

/** The same random positions in every run. */
function randomPositions(): BigInt64Array<ArrayBuffer> {
  let state = 1n;
  return BigInt64Array.from({ length: CELLS }, () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return (state >> 40n) % BigInt(CELLS);
  });
}

async function sha256(data: BigInt64Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data)).toHex();
}

if (import.meta.main) await main(Deno.args);
