/**
 * Damaged bytes for the kernels that unpack: they must end as their plain twins do, and write nothing outside.
 *
 * @module
 */

import { deflateRawSync } from "node:zlib";
import type { Sizes } from "../../src/kernels/describe.ts";
import { type KernelRow, kernelRows } from "../../src/kernels/registry.ts";
import { instantiateKernels } from "../../src/kernels/wasm.ts";
import { fill, layOut, mulberry32, outcome, sizes } from "../kernels/call.ts";
import { apply, mutations } from "./mutate.ts";
import type { Outcome } from "./attempt.ts";

/** Kernels that unpack. */
export const UNPACKERS = ["lz4", "lzf", "bitshuffle_lz4", "inflate", "bzip2"] as const;

const pages = { initial: 16, maximum: 16 };
const memory = new WebAssembly.Memory(pages);
const plain = new WebAssembly.Memory(pages);
const { exports } = instantiateKernels(memory);
const ROWS = new Map<string, KernelRow>([...kernelRows()].map((row) => [row.family, row]));

type Run = (...args: readonly number[]) => void;

/** One call of a kernel with damaged input, by the seed; compared with the twin, byte by byte. */
export function attemptKernel(family: string, seed: number): Outcome {
  const row = ROWS.get(family)!;
  const started = performance.now();
  const size = sizes({ rowLength: 1 + seed % 700, seed: 3 * seed }); // undamaged by the row itself
  const call = layOut(inputOf(row, size, seed), size);
  fill(memory, call, size);
  new Uint8Array(plain.buffer).set(new Uint8Array(memory.buffer, 0, call.end));
  (exports as unknown as Record<string, Run>)[row.name]!(...call.args);
  (row.reference(plain) as Run)(...call.args);
  const [found, expected] = [outcome(memory, call), outcome(plain, call)];
  const at = found.findIndex((byte, i) => byte !== expected[i]);
  const status = new Int32Array(memory.buffer.slice(call.args[0]!, call.args[0]! + 4))[0]!;
  const milliseconds = performance.now() - started;
  const end = status < 0 ? `code ${status}` : "read";
  return at < 0 ? { end, milliseconds } : { end: "wrong", milliseconds, problem: `it differs at byte ${at}` };
}

/** The parameters of the row, with damage to what is unpacked. */
function inputOf(row: KernelRow, size: Sizes, seed: number): KernelRow["parameters"] {
  const source = row.parameters.find((one) => typeof one !== "function" && one.name === "src");
  if (typeof source !== "object" || typeof source.values !== "function") return row.parameters;
  const good = row.family === "inflate" && seed % 2 ? deflated(seed) : Uint8Array.from(source.values(size));
  const damaged = apply(good, mutations(good.length, seed));
  const at = row.parameters.indexOf(source);
  return row.parameters.map((one, i) =>
    i === at
      ? { ...source, bytes: () => damaged.length, values: () => [...damaged] }
      : i === at + 1
      ? () => damaged.length
      : one
  );
}

/** What zlib makes, with codes of its own. */
function deflated(seed: number): Uint8Array {
  const random = mulberry32(seed);
  const levels = 2 ** (1 + seed % 8);
  const bytes = Uint8Array.from({ length: seed % 900 }, () => random() ** 2 * levels);
  return new Uint8Array(deflateRawSync(bytes, { level: 1 + seed % 9 }));
}
