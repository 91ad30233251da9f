/**
 * Functions of UDFs as the compiler sees them: async ones are refused, ordinary ones are taken in any form. There is
 * nothing to run: `deno check` is the test.
 */

import { mapFrames, udf } from "@tilewise/tilewise";
import { kernelUdf } from "@tilewise/tilewise/unstable/udf";
import type { DType } from "@tilewise/tilewise/arrays";
import type { Udf } from "@tilewise/tilewise/udf";

const head = { name: "x", buffers: { sum: { kind: "nav" } } } as const;
const frame = { processFrame: () => {} };

/** Ordinary functions. */
export const taken: readonly Udf<Record<"sum", DType>>[] = [
  { ...head, processFrame() {} },
  {
    ...head,
    processFrame({ data }, { sum }) {
      sum[0] = Number(data[0]);
    },
  },
  { ...head, processFrame: ({ data }, { sum }) => sum[0] = Number(data[0]) },
  { ...head, processTile: (_, { sum }) => sum.fill(1 as never) },
  { ...head, processTile: (_, { sum }) => void sum.fill(1 as never) },
  { ...head, processPartition: (_, { sum }) => sum[0]! > 1 && sum.set([1] as never) },
  { ...head, ...frame, taskData: () => new Map<string, number>() },
  { ...head, ...frame, taskData: () => undefined },
  { ...head, ...frame, merge: (into, from) => into.sum.forEach((_, i) => into.sum[i] = from.sum[i]!) },
  {
    ...head,
    ...frame,
    preprocess: ({ sum }) => sum.fill(-1 as never),
    postprocess: () => "done",
    cleanup: () => null,
  },
  { ...head, ...frame, results: ({ sum }) => ({ sum }) },
];

/** Those of a class. */
export class Counter implements Udf<Record<"sum", DType>> {
  /** Its name. */
  readonly name = "counter";
  /** Its buffers. */
  readonly buffers = head.buffers;
  /** A state of its own. */
  seen = 0;
  /** Counts. */
  processFrame(): void {
    this.seen++;
  }
}

/** Async functions. */
export const refused: readonly Udf<Record<"sum", DType>>[] = [
  // @ts-expect-error: async
  { ...head, async processFrame() {} },
  // @ts-expect-error: async
  { ...head, processFrame: async () => {} },
  // @ts-expect-error: async
  { ...head, processTile: async () => await Promise.resolve(1) },
  // @ts-expect-error: async
  { ...head, processPartition: () => Promise.resolve() },
  // @ts-expect-error: async
  { ...head, ...frame, taskData: async () => await import("./udf_functions.ts") },
  // @ts-expect-error: async
  { ...head, ...frame, preprocess: async () => {} },
  // @ts-expect-error: async
  { ...head, ...frame, postprocess: async () => {} },
  // @ts-expect-error: async
  { ...head, ...frame, cleanup: async () => {} },
  // @ts-expect-error: async
  { ...head, ...frame, merge: async () => {} },
  // @ts-expect-error: async
  { ...head, ...frame, mergeAll: async () => await Promise.resolve({}) },
  // @ts-expect-error: async
  { ...head, ...frame, results: async ({ sum }) => await Promise.resolve({ sum }) },
  // @ts-expect-error: async
  { ...head, ...frame, constants: async () => await Promise.resolve({}) },
  // @ts-expect-error: async
  { ...head, ...frame, scratch: async () => await Promise.resolve({}) },
  // @ts-expect-error: async
  { ...head, ...frame, aux: async () => await Promise.resolve({}) },
  // @ts-expect-error: async
  { ...head, ...frame, tiling: async () => await Promise.resolve({ depth: 1 }) },
  // @ts-expect-error: async
  { ...head, ...frame, method: async () => await Promise.resolve("frame" as const) },
  // @ts-expect-error: async
  { ...frame, name: "x", buffers: async () => await Promise.resolve(head.buffers) },
];

/** The same in the calls that take them. */
export const calls: readonly (() => unknown)[] = [
  // @ts-expect-error: async
  () => udf({ ...head, async processFrame() {} }),
  // @ts-expect-error: async
  () => mapFrames(async (data) => await Promise.resolve(data[0]!)),
  // @ts-expect-error: async
  () => kernelUdf({ source: "", buffers: head.buffers, twin: async () => {} }),
  () => udf({ ...head, processFrame: ({ data }, { sum }) => sum[0] = Number(data[0]) }),
  () => mapFrames((data) => data[0]!),
  () =>
    kernelUdf({ source: "", buffers: head.buffers, twin: ({ buffers }) => buffers.sum!.fill(0 as never) }),
];
