/**
 * Damaged bytes for the kernels that unpack: they must end as their plain twins do, and touch nothing outside.
 *
 * @module
 */

import { constants, deflateRawSync, zstdCompressSync } from "node:zlib";
import type { Sizes } from "../oracles/rows/common/describe.ts";
import { type KernelRow, kernelRows } from "../oracles/rows/catalogue.ts";
import { RESERVED } from "../../src/memory/arena.ts";
import { type Call, fill, layOut, mulberry32, outcome, sizes } from "../kernels/call.ts";
import { lookingKernels, runLooking } from "../kernels/looking.ts";
import { apply, mutations } from "./mutate.ts";
import type { Outcome } from "./attempt.ts";
import { measured } from "./clock.ts";

/** Kernels that unpack. */
export const UNPACKERS = [
  "lz4",
  "lzf",
  "bitshuffle_lz4",
  "inflate",
  "bzip2",
  "zstd",
  "lzw",
  "lzw_old",
  "packbits",
  "jpeg_scan",
  "jpeg_pass",
  "jpeg_lossless",
] as const;

const looking = lookingKernels(32);
const plain = new WebAssembly.Memory({ initial: 16 });
const ROWS = new Map<string, KernelRow>([...kernelRows()].map((row) => [row.family, row]));

type Run = (...args: readonly number[]) => void;

/** One call of a kernel with damaged input, by the seed; compared with the twin, byte by byte. */
export function attemptKernel(family: string, seed: number): Outcome {
  const row = ROWS.get(family)!;
  const spent = measured();
  const size = sizes({ rowLength: 1 + seed % 700, seed: 3 * seed }); // undamaged by the row itself
  const call = layOut(inputOf(row, size, seed), size, undefined, RESERVED);
  fill(plain, call, size);
  const problem = problemOf(row, call);
  const status = new DataView(looking.memory.buffer).getInt32(call.args[0]!, true);
  const { milliseconds } = spent();
  const end = status < 0 ? `code ${status}` : "read";
  return problem ? { end: "wrong", milliseconds, problem } : { end, milliseconds };
}

/** What kernel and twin do differently, or the kernel outside of its buffers. */
function problemOf(row: KernelRow, call: Call): string | undefined {
  try {
    runLooking(looking, row, call, plain);
  } catch (error) {
    return String(error);
  }
  (row.reference(plain) as Run)(...call.args);
  const [found, expected] = [outcome(looking.memory, call), outcome(plain, call)];
  const differs = ({ offset, bytes }: { offset: number; bytes: number }) => {
    const all = expected.subarray(offset, offset + bytes);
    return all.some((byte, i) => byte !== found[offset + i]);
  };
  const buffer = call.buffers.find(differs);
  return buffer && `it differs in ${buffer.parameter.name}`;
}

/** What earlier calls left in scratch memory; random numbers would take longer than the kernel. */
const LEFT_OVER: readonly number[] = Array.from(
  { length: 2 ** 16 },
  (_, i) => Math.imul(i, 2654435761) >>> 24,
);

/** The parameters of the row, with damage to what is unpacked. */
function inputOf(row: KernelRow, size: Sizes, seed: number): KernelRow["parameters"] {
  const source = row.parameters.find((one) => typeof one !== "function" && one.name === "src");
  if (typeof source !== "object" || typeof source.values !== "function") return row.parameters;
  const own = seed % 2 ? LIBRARIES[row.family] : undefined;
  const good = own ? own(seed) : Uint8Array.from(source.values(size));
  const damaged = apply(good, mutations(good.length, seed));
  const at = row.parameters.indexOf(source);
  return row.parameters.map((one, i) =>
    typeof one === "object" && one.role === "scratch"
      ? { ...one, values: () => LEFT_OVER }
      : i === at
      ? { ...source, bytes: () => damaged.length, values: () => [...damaged] }
      : i === at + 1
      ? () => damaged.length
      : one
  );
}

/** What libraries make, with codes of their own. */
const LIBRARIES: Readonly<Record<string, (seed: number) => Uint8Array>> = {
  inflate: (seed) => new Uint8Array(deflateRawSync(samples(seed), { level: 1 + seed % 9 })),
  zstd: (seed) => {
    const { ZSTD_c_compressionLevel: level, ZSTD_c_checksumFlag: sum } = constants;
    return new Uint8Array(
      zstdCompressSync(samples(seed), { params: { [level]: seed % 23 - 3, [sum]: seed & 1 } }),
    );
  },
};

/** Few different bytes, and some of them again. */
function samples(seed: number): Uint8Array {
  const random = mulberry32(seed);
  const levels = 2 ** (1 + seed % 8);
  const bytes = Uint8Array.from({ length: seed % 900 }, () => random() ** 2 * levels);
  if (seed % 3 === 0) bytes.copyWithin(bytes.length >> 1, bytes.length >> 3, bytes.length >> 1);
  return bytes;
}
