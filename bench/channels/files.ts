/**
 * What a file call costs a kernel, by each way, beside the plain positional read of the runtime in the same run: blocks of
 * 1 MiB from the page cache, dependent reads of 8 bytes, and 250 000 reads of 16 bytes. Contents are compared before
 * anything is timed.
 *
 * ```sh
 * deno run -A bench/channels/files.ts [--repeats N]
 * ```
 *
 * @module
 */

import { openSync, readSync } from "node:fs";
import { RunContext } from "../../src/runner/context.ts";
import { startHost } from "@tilewise/tilewise/channels";
import { fileCalls } from "../../src/channels/host/route.ts";
import { insideOfHost } from "../../src/channels/host/inside.ts";
import { IMPORT_MODULE } from "../../src/channels/files/import_table.ts";
import { fileImports } from "../../src/channels/files/imports.ts";
import { channelLibrary } from "../../src/channels/files/library_text.ts";
import { compileKernel } from "../../src/user_kernels/compile.ts";
import { instantiate, type KernelFunction } from "../../src/user_kernels/instance.ts";

const BLOCK = 2 ** 20, BLOCKS = 64, STEPS = 50_000, READS = 250_000, BATCH = 1000;

/** Elements of the file are 64-bit positions. */
const KERNEL = `
import { batch, open, Mode, read, transfer, Whence } from "tilewise/channels";
import { insideOfHost } from "../../src/channels/host/inside.ts";

export function blocks(name: usize, length: i32, to: usize, count: i32, bytes: i32): i64 {
  const file = open(0, Mode.READ_ONLY, name, length);
  let sum: i64 = 0;
  for (let i = 0; i < count; i++) {
    if (read(file, to, bytes / 8, Whence.BEGIN, <f64>i * (bytes / 8)) != bytes / 8) return -1;
    sum += load<i64>(to) + load<i64>(to + bytes - 8);
  }
  return sum;
}
export function walk(name: usize, length: i32, to: usize, steps: i32): i64 {
  const file = open(0, Mode.READ_ONLY, name, length);
  for (let i = 0; i < steps; i++) if (read(file, to, 1, Whence.BEGIN, <f64>load<i64>(to)) != 1) return -1;
  return load<i64>(to);
}
/** Element i * 7919 mod cells, and the one after it, and so on. */
export function small(name: usize, length: i32, to: usize, reads: i32, cells: i32): i64 {
  const file = open(0, Mode.READ_ONLY, name, length);
  let sum: i64 = 0;
  for (let i = 0; i < reads; i++) {
    if (read(file, to, 2, Whence.BEGIN, <f64>(<i64>i * 7919 % cells)) != 2) return -1;
    sum += load<i64>(to) + load<i64>(to + 8);
  }
  return sum;
}
export function batched(name: usize, length: i32, to: usize, reads: i32, cells: i32, size: i32): i64 {
  const file = open(0, Mode.READ_ONLY, name, length);
  const list = to + 16 * size;
  let sum: i64 = 0;
  for (let i = 0; i < reads; i += size) {
    for (let k = 0; k < size; k++) transfer(list, k).read(file, to + 16 * k, 2, Whence.BEGIN, <i64>(i + k) * 7919 % cells);
    if (batch(0, list, size) != size) return -1;
    for (let k = 0; k < 2 * size; k++) sum += load<i64>(to + 8 * k);
  }
  return sum;
}`;

type Kernel = Readonly<Record<string, KernelFunction>>;

/** One line of the table: what ran, and what it must give. */
interface Work {
  readonly name: string;
  readonly by: string;
  readonly units: number;
  readonly bytes?: number;
  readonly run: () => bigint;
}

async function main(repeats: number): Promise<void> {
  await using context = new RunContext({ memory: "8MiB" });
  await using host = await startHost(context, { channels: 1, bufferLength: BLOCK / 8, elementSize: 8 });
  const { memory } = context.arena, path = await Deno.makeTempFile();
  const cells = BLOCK * BLOCKS / 8, positions = new BigInt64Array(cells);
  for (let i = 0; i < cells; i++) positions[i] = BigInt((i * 48271 + 11) % cells);
  await Deno.writeFile(path, new Uint8Array(positions.buffer));
  using room = context.arena.lease(BLOCK, "room");
  const compiled = await compileKernel({
    name: "files",
    file: "files.ts",
    text: KERNEL,
    library: channelLibrary(),
  });
  const works: Work[] = plainWorks(path, memory, room.offset, cells);
  for (const route of ["rpc", "direct"] as const) {
    const imports = {
      [IMPORT_MODULE]: {
        ...fileImports(
          memory,
          insideOfHost(host)!.layout,
          fileCalls(route, memory, insideOfHost(host)!.layout),
        ),
      },
    };
    const options = { name: "files", statics: 0, calls: imports };
    const names = [...KERNEL.matchAll(/export function (\w+)/g)].map(([, name]) => name!);
    const kernel: Kernel = Object.fromEntries(
      names.map((name) => [name, instantiate(compiled, name, memory, options)]),
    );
    works.push(...kernelWorks(route, kernel, host.name(path), memory, room.offset, cells));
  }
  report(works, repeats);
  await Deno.remove(path);
}

function kernelWorks(
  by: string,
  kernel: Kernel,
  name: { offset: number; byteLength: number },
  memory: WebAssembly.Memory,
  to: number,
  cells: number,
): Work[] {
  const call = (fn: string, ...more: number[]) => {
    new BigInt64Array(memory.buffer, to, 1)[0] = 0n; // where a walk begins
    return kernel[fn]!(name.offset, name.byteLength, to, ...more) as bigint;
  };
  return [
    { name: "blocks of 1 MiB", by, units: BLOCKS, bytes: BLOCK, run: () => call("blocks", BLOCKS, BLOCK) },
    { name: "dependent 8 bytes", by, units: STEPS, run: () => call("walk", STEPS) },
    { name: "16 bytes", by, units: READS, run: () => call("small", READS, cells - 1) },
    {
      name: "16 bytes",
      by: `${by}, batches`,
      units: READS,
      run: () => call("batched", READS, cells - 1, BATCH),
    },
  ];
}

/** The same reads without a kernel: the positional read of the runtime, to the same memory. */
function plainWorks(path: string, memory: WebAssembly.Memory, to: number, cells: number): Work[] {
  const file = openSync(path, "r"), bytes = new Uint8Array(memory.buffer), by = "plain read";
  const values = new BigInt64Array(memory.buffer, to, BLOCK / 8);
  const blocks = () => {
    let sum = 0n;
    for (let i = 0; i < BLOCKS; i++) {
      readSync(file, bytes, to, BLOCK, i * BLOCK);
      sum += values[0]! + values.at(-1)!;
    }
    return sum;
  };
  const walk = () => {
    values[0] = 0n;
    for (let i = 0; i < STEPS; i++) readSync(file, bytes, to, 8, Number(values[0]) * 8);
    return values[0];
  };
  const small = () => {
    let sum = 0n;
    for (let i = 0; i < READS; i++) {
      readSync(file, bytes, to, 16, i * 7919 % (cells - 1) * 8);
      sum += values[0]! + values[1]!;
    }
    return sum;
  };
  return [
    { name: "blocks of 1 MiB", by, units: BLOCKS, bytes: BLOCK, run: blocks },
    { name: "dependent 8 bytes", by, units: STEPS, run: walk },
    { name: "16 bytes", by, units: READS, run: small },
  ];
}

function report(works: readonly Work[], repeats: number): void {
  const expected = new Map<string, bigint>();
  for (const { name, by, run } of works) {
    const found = run(), wanted = expected.get(name) ?? found;
    expected.set(name, wanted);
    if (found !== wanted || found < 0n) throw new Error(`${name}, ${by}: ${found}, not ${wanted}`);
  }
  const best = works.map(() => Infinity);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [i, { run }] of works.entries()) {
      const start = performance.now();
      run();
      best[i] = Math.min(best[i]!, performance.now() - start);
    }
  }
  for (const [i, { name, by, units, bytes }] of works.entries()) {
    const each = `${(best[i]! / units * 1000).toFixed(2).padStart(8)} µs each`;
    const rate = bytes
      ? `${(bytes * units / best[i]! / 1e6).toFixed(1)} GB/s`
      : `${(best[i]! / 1000).toFixed(3)} s`;
    const plain = best[works.findIndex((work) => work.name === name)]!;
    print(
      `${name.padEnd(18)} ${by.padEnd(16)} ${each} ${rate.padStart(10)} ${
        (100 * plain / best[i]!).toFixed(0).padStart(5)
      } %`,
    );
  }
}

function print(text: string): void {
  // deno-lint-ignore no-console -- output for people is this program's business
  console.log(text);
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--repeats");
  await main(at < 0 ? 5 : Number(Deno.args[at + 1]));
}
