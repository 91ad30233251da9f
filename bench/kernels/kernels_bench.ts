/**
 * Speed of every kernel of the registry: the machine's limit (a copy of the same bytes), the twin that is obviously
 * right, the best plain TypeScript where there is one, the kernel.
 *
 * `deno run -A bench/kernels/kernels_bench.ts --filter sum_frames --sizes L2` prints a table; `--json` prints data.
 * Results are compared before they are timed. GB/s count the bytes of the samples (`data` or `src`), at the
 * fastest of the samples; p75 says how much slower three quarters of the samples were at most.
 *
 * @module
 */

import { dtypeInfo, typedArray } from "../../src/space/dtype.ts";
import type { Sizes } from "../../tests/oracles/rows/common/describe.ts";
import { type KernelRow, kernelRows } from "../../tests/oracles/rows/catalogue.ts";
import { instantiateKernels, type Kernels, loadKernels } from "../../src/kernels/wasm.ts";
import { fill, layOut, outcome, sizes } from "../../tests/kernels/call.ts";
import { plainKernel } from "./plain_kernels.ts";
import { type BenchRow, print } from "../timing.ts";

await loadKernels();

/** How large a tile is: it fits the first cache, the second, or neither. */
export type Level = "L1" | "L2" | "memory";

const BYTES: Readonly<Record<Level, number>> = { L1: 16 << 10, L2: 512 << 10, memory: 64 << 20 };

/** What to measure. */
export interface KernelBenchOptions {
  /** Kernels whose name contains this (or one of several, separated by commas); all when absent. */
  readonly filter?: string;
  /** Sizes of tiles. Default: L2. */
  readonly levels?: readonly Level[];
  /** Masks for the families that have masks. Default 16. */
  readonly masks?: number;
  /** Frames in a tile. Default 16. */
  readonly frames?: number;
  /** Time for each measurement, in milliseconds. Default 60. */
  readonly milliseconds?: number;
}

/** One measured kernel. */
export interface KernelBenchResult {
  /** The kernel. */
  readonly name: string;
  /** The size of its tile. */
  readonly level: Level;
  /** Bytes of the tile. */
  readonly bytes: number;
  /** GB/s of a copy of as many bytes. */
  readonly limit: number;
  /** GB/s of the twin; not for the largest tile, where it takes minutes and does not differ. */
  readonly reference?: number;
  /** GB/s of plain TypeScript, where there is a fast one. */
  readonly plain?: number;
  /** GB/s of the kernel: its best sample. */
  readonly simd: number;
  /** GB/s at the 75th percentile of the samples. */
  readonly p75: number;
}

/** Measures kernels; compares each with its twin first. */
export function* kernelBench(options: KernelBenchOptions = {}): Generator<KernelBenchResult> {
  const wanted = options.filter?.split(",");
  const pages = options.levels?.includes("memory") ? 12288 : 1024;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const kernels = instantiateKernels(memory);
  for (const level of options.levels ?? ["L2"]) {
    for (const row of kernelRows()) {
      if (wanted && !wanted.some((part) => row.name.includes(part))) continue;
      yield measure(row, level, kernels, options);
    }
  }
}

function measure(
  row: KernelRow,
  level: Level,
  kernels: Kernels,
  options: KernelBenchOptions,
): KernelBenchResult {
  const { memory } = kernels;
  const sizes = tile(row, level, options);
  const call = layOut(row.parameters, sizes);
  type Run = (...args: readonly number[]) => void;
  const simd = (kernels.exports as unknown as Record<string, Run>)[row.name]!;
  const reference = row.reference(memory) as Run;
  const plain = plainKernel(row, memory);
  check(row, kernels, options);
  comparePlain(row, kernels);
  fill(memory, call, sizes, true);
  const budget = options.milliseconds ?? 60;
  const samples = call.buffers.find(({ parameter }) => ["data", "src"].includes(parameter.name));
  const bytes = (samples ?? call.buffers.at(-1)!).bytes;
  const half = new Uint8Array(memory.buffer, call.end, bytes);
  const source = new Uint8Array(memory.buffer, call.buffers[0]!.offset, bytes);
  const limit = time(() => half.set(source), budget);
  const fast = time(() => simd(...call.args), budget);
  const ordinary = plain && time(() => plain(...call.args), budget);
  const slow = level === "memory" ? undefined : time(() => reference(...call.args), budget / 2);
  const speed = (milliseconds: number) => bytes / milliseconds / 1e6;
  return {
    name: row.name,
    level,
    bytes,
    limit: speed(limit.min),
    ...(slow ? { reference: speed(slow.min) } : {}),
    ...(ordinary ? { plain: speed(ordinary.min) } : {}),
    simd: speed(fast.min),
    p75: speed(fast.p75),
  };
}

/** Kernel and twin give the same on a small tile. */
function check(row: KernelRow, kernels: Kernels, options: KernelBenchOptions): void {
  const small = sizes({ frames: 5, rows: 3, rowLength: 203, masks: options.masks ?? 16, seed: 3 });
  const call = layOut(row.parameters, small);
  type Run = (...args: readonly number[]) => void;
  fill(kernels.memory, call, small);
  (row.reference(kernels.memory) as Run)(...call.args);
  const expected = outcome(kernels.memory, call);
  fill(kernels.memory, call, small);
  (kernels.exports as unknown as Record<string, Run>)[row.name]!(...call.args);
  if (!same(outcome(kernels.memory, call), expected)) throw new Error(`${row.name} differs from its twin`);
}

/** Compares a kernel with its plain TypeScript, if there is one. */
export function comparePlain(row: KernelRow, { memory, exports }: Kernels): void {
  const plain = plainKernel(row, memory);
  const simd = (exports as unknown as Record<string, (...args: readonly number[]) => void>)[row.name]!;
  if (plain) checkPlain(row, tile(row, "L1", {}), { simd, plain, memory });
}

/** Kernel and plain TypeScript give the same but for rounding. */
function checkPlain(
  { name, parameters }: KernelRow,
  sizes: Sizes,
  { memory, simd, plain }: Record<"simd" | "plain", (...args: readonly number[]) => void> & {
    readonly memory: WebAssembly.Memory;
  },
): void {
  const call = layOut(parameters, sizes);
  const [expected, found] = [simd, plain].map((work) => {
    fill(memory, call, sizes, true);
    work(...call.args);
    return call.buffers.filter(({ parameter }) => parameter.role !== "in" && parameter.role !== "scratch")
      .flatMap(({ parameter: { dtype }, offset, bytes }) => {
        const length = bytes / dtypeInfo(dtype).itemSize;
        return [Array.from(typedArray(dtype, memory.buffer, offset, length) as ArrayLike<number>, Number)];
      });
  }) as [number[][], number[][]];
  expected.forEach((values, b) => {
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const odd = values.findIndex((value, i) => !(Math.abs(value - found[b]![i]!) <= 1e-5 * largest));
    if (odd < 0) return;
    throw new Error(`${name}: plain gives ${found[b]![odd]} at ${odd}, the kernel ${values[odd]}`);
  });
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** A tile of about the bytes of `level`, in frames of rows of 256 samples. */
function tile(row: KernelRow, level: Level, { frames = 16, masks = 16 }: KernelBenchOptions): Sizes {
  const samples = BYTES[level] / dtypeInfo(row.dtype).itemSize;
  const depth = level === "memory" ? 4 * frames : frames;
  const rowLength = Math.min(256, samples / depth);
  const seed = row.family.startsWith("bits_") ? 8 : 5; // 12 bits a value where they fit
  return sizes({ frames: depth, rows: Math.max(1, samples / depth / rowLength), rowLength, masks, seed });
}

interface Timing {
  readonly min: number;
  readonly p75: number;
}

/** Milliseconds of one call; calls of less than a tenth of a millisecond are timed in groups. */
function time(run: () => void, budget: number): Timing {
  let repeat = 1;
  for (let spent = 0; spent < 0.1 && repeat < 1e6;) {
    const start = performance.now();
    for (let i = 0; i < repeat; i++) run();
    spent = performance.now() - start;
    if (spent < 0.1) repeat *= 2;
  }
  const samples: number[] = [];
  for (const end = performance.now() + budget; performance.now() < end || samples.length < 3;) {
    const start = performance.now();
    for (let i = 0; i < repeat; i++) run();
    samples.push((performance.now() - start) / repeat);
  }
  samples.sort((a, b) => a - b);
  return { min: samples[0]!, p75: samples[Math.floor(samples.length * 0.75)]! };
}

/** A result as rows of the record: one for each who did it. */
export function kernelBenchRows({ name, level, bytes, p75, ...speeds }: KernelBenchResult): BenchRow[] {
  const seconds = (gbps: number) => bytes / gbps / 1e9;
  return Object.entries(speeds).map(([by, speed]) => {
    const min = seconds(speed);
    return {
      name: `${name}, ${level}`,
      by,
      bytes,
      min,
      p75: by === "simd" ? seconds(p75) : min,
      samples: [],
    };
  });
}

/** The head of the table. */
export const KERNEL_HEAD: string = "GB/s".padEnd(31) +
  ["limit", "reference", "plain", "simd", "p75"].map((word) => word.padStart(10)).join("");

/** A result as a line of the table. */
export function kernelLine({ name, level, limit, reference, plain, simd, p75 }: KernelBenchResult): string {
  const cell = (n: number | undefined) => (n?.toFixed(2) ?? "").padStart(10);
  return name.padEnd(24) + level.padEnd(7) + [limit, reference, plain, simd, p75].map(cell).join("");
}

function main(args: readonly string[]): void {
  const option = (name: string) => args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const filter = option("--filter"), levels = option("--sizes")?.split(",") as Level[] | undefined;
  const results = kernelBench({
    ...(filter ? { filter } : {}),
    ...(levels ? { levels } : {}),
    masks: Number(option("--masks") ?? 16),
    frames: Number(option("--frames") ?? 16),
    milliseconds: Number(option("--ms") ?? 60),
  });
  if (args.includes("--json")) return print(JSON.stringify([...results], null, 2));
  print(KERNEL_HEAD);
  for (const result of results) print(kernelLine(result));
}

if (import.meta.main) main(Deno.args);
