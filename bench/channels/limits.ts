/**
 * The limits of channels on this machine: what a wake-up, a positional read and a copy cost without them.
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import { launch } from "@tilewise/tilewise/unstable/run";
import type { SectionRow } from "../sections/section.ts";
import { summarize } from "../timing.ts";
import type { limitJob, LimitResult, LimitTask } from "./limits_job.ts";
import { type Sizes, WORKS } from "./works.ts";

/** What to time as a limit. */
interface LimitWork {
  readonly name: string;
  readonly bytes: number;
  readonly calls: number;
  /** The first one is timed. */
  readonly tasks: readonly LimitTask[];
}

function worksOf({ wakes, walk, blocks, small }: Sizes): readonly LimitWork[] {
  const mib = 2 ** 20;
  const pings: LimitTask[] = [{ kind: "ping", count: wakes }, { kind: "pong", count: wakes }];
  return [
    { name: WORKS.wake, bytes: 0, calls: wakes, tasks: pings },
    { name: WORKS.walk, bytes: 8 * walk, calls: walk, tasks: [{ kind: "walk", count: walk }] },
    {
      name: WORKS.blocks,
      bytes: mib * blocks,
      calls: blocks,
      tasks: [{ kind: "read", bytes: mib, count: blocks }],
    },
    {
      name: WORKS.small,
      bytes: 16 * small,
      calls: small,
      tasks: [{ kind: "read", bytes: 16, count: small }],
    },
    {
      name: WORKS.copy,
      bytes: mib * blocks,
      calls: blocks,
      tasks: [{ kind: "copy", bytes: mib, count: blocks }],
    },
  ];
}

/** Where the reads of a limit ended, by work: kernels must find the same. */
export type Found = ReadonlyMap<string, bigint>;

/** A limit that can be timed once more, so that it takes turns with kernels. */
export interface Limit {
  /** Times it once. */
  once(): Promise<void>;
  /** What was timed. */
  row(): SectionRow;
  /** What it found. */
  readonly found: bigint;
}

/** The limits over the file of positions at `path`, each timed once to warm up; dispose of them at the end. */
export async function limitsOf(
  path: string,
  sizes: Sizes,
): Promise<AsyncDisposable & { readonly limits: readonly Limit[] }> {
  const context = createContext({ memory: "16MiB", workers: 2 });
  const run = async (tasks: readonly LimitTask[]): Promise<LimitResult> => {
    const shared = { path, words: new SharedArrayBuffer(8) };
    const job = { module: import.meta.resolve("./limits_job.ts"), export: "limitJob", shared };
    const [first] = await launch<typeof limitJob>(context, job, tasks);
    return first!;
  };
  const limits: Limit[] = [];
  for (const { tasks, ...work } of worksOf(sizes)) {
    const samples: number[] = [];
    const { found } = await run(tasks);
    limits.push({
      found,
      once: async () => void samples.push((await run(tasks)).seconds),
      row: () => ({ ...work, by: "limit", ...summarize(samples) }),
    });
  }
  return { limits, [Symbol.asyncDispose]: () => context[Symbol.asyncDispose]() };
}
