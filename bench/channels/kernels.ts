/**
 * The works of the bench as kernels do them: by the runner of a host (`rpc`), by the same into the buffer of the channel
 * (`pinned`), and by the worker of the kernel (`direct`).
 *
 * @module
 */

import { type ChannelHost, launchKernel } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";
import type { SectionRow } from "../sections/section.ts";
import { summarize } from "../timing.ts";
import { type Sizes, WORKS } from "./works.ts";

/** Who does the reads, and where they go. */
const WAYS = [
  { by: "tilewise rpc", route: "rpc", how: 0 },
  { by: "tilewise pinned", route: "rpc", how: 1 },
  { by: "tilewise direct", route: "direct", how: 0 },
] as const;

/** What a kernel found and how long it took. */
interface Told {
  readonly found: bigint;
  readonly seconds: number;
}

/** A work of one way, which can be timed once more. */
export interface KernelWork {
  readonly name: string;
  readonly by: string;
  /** Does it with all results looked at: the sum of what is read, or where a walk ends. */
  check(): Promise<bigint>;
  /** Times it once. */
  once(): Promise<void>;
  /** What was timed. */
  row(): SectionRow;
}

const MIB = 2 ** 20;

/** All works over the file of positions at `path`. */
export function kernelWorks(host: ChannelHost, path: string, sizes: Sizes): KernelWork[] {
  const { walk, blocks, small } = sizes;
  const run = async (route: "rpc" | "direct", name: string, ...numbers: number[]): Promise<Told> => {
    const kernel = { file: new URL("reads.as.ts", import.meta.url), export: name };
    const told = new BigInt64Array(2);
    const { status } = await launchKernel(host, kernel, { route, args: [path, told, ...numbers] });
    if (status !== 0) throw statusError(status, `read by ${name}`);
    const [found, nanoseconds] = told;
    return { found: found!, seconds: Number(nanoseconds) / 1e9 };
  };
  return WAYS.flatMap(({ by, route, how }) => {
    const consecutive = (name: string, bytes: number, calls: number) => {
      const read = (check: number) => run(route, "blocks", bytes / 8, calls, how, check);
      return timed({ name, by, bytes: bytes * calls, calls }, () => read(1), () => read(0));
    };
    const step = () => run(route, "walk", walk, how);
    return [
      timed({ name: WORKS.walk, by, bytes: 8 * walk, calls: walk }, step, step),
      consecutive(WORKS.blocks, MIB, blocks),
      consecutive(WORKS.small, 16, small),
    ];
  });
}

function timed(
  work: { readonly name: string; readonly by: string; readonly bytes: number; readonly calls: number },
  check: () => Promise<Told>,
  once: () => Promise<Told>,
): KernelWork {
  const samples: number[] = [];
  return {
    ...work,
    check: async () => (await check()).found,
    once: async () => void samples.push((await once()).seconds),
    row: () => ({ ...work, ...summarize(samples) }),
  };
}
