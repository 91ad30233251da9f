/**
 * The reference kernel of Zstandard: frames and their blocks.
 *
 * Source: RFC 8878, section 3.1.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Unpacking, unpackTwin } from "./unpacking.ts";
import { block, type Frame, MOST_OF_BLOCK } from "./zstd_blocks.ts";
import { xxh64 } from "./xxh64.ts";

const MAGIC = 0xfd2fb528;
/** A frame of other data: the lowest four bits are free. */
const SKIPPED = 0x184d2a50;

/** One frame or several. */
export function zstd(memory: WebAssembly.Memory): KernelFamilies["zstd"] {
  const unpack = unpackTwin(memory, (job) => {
    do frame(job); while (job.from < job.input.length);
  });
  return (status, dst, room, src, length, _tables, _spare, _spareBytes) =>
    unpack(status, dst, room, src, length);
}

/** The next bytes. */
function take(job: Unpacking, count: number): Uint8Array {
  if (count > job.input.length - job.from) job.stop("inputEnds");
  job.from += count;
  return job.input.subarray(job.from - count, job.from);
}

/** The next number of `count` bytes, the lowest one first. */
function number(job: Unpacking, count: number): number {
  return take(job, count).reduceRight((value, byte) => 256 * value + byte, 0);
}

function frame(job: Unpacking): void {
  job.start = job.from;
  const magic = number(job, 4);
  if ((magic & ~15) >>> 0 === SKIPPED) {
    take(job, number(job, 4));
    return;
  }
  if (magic !== MAGIC) job.stop("noCode");
  const flags = number(job, 1);
  if (flags & 8) job.stop("noCode");
  const isSingle = (flags & 32) !== 0;
  const sizes = [
    isSingle ? 0 : 1,
    [0, 1, 2, 4][flags & 3]!,
    [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!,
  ] as const;
  if (sizes[0] + sizes[1] + sizes[2] > job.input.length - job.from) job.stop("inputEnds");
  const [, dictionary, size] = sizes.map((bytes) => number(job, bytes));
  if (dictionary !== 0) job.stop("needsDictionary");
  const claimed = sizes[2] === 0 ? undefined : size! + (sizes[2] === 2 ? 256 : 0);
  if (claimed !== undefined && claimed > job.output.length - job.to) job.stop("noRoom");
  const own: Frame = { start: job.to, tables: [undefined, undefined, undefined], repeats: [1, 4, 8] };
  while (!isLastBlock(job, own));
  job.start = job.from;
  if (claimed !== undefined && claimed !== job.to - own.start) job.stop("wrongSize");
  if (!(flags & 4)) return;
  const sum = number(job, 4);
  if (Number(xxh64(job.output.subarray(own.start, job.to)) & 0xffffffffn) !== sum) job.stop("wrongSum");
}

/** Unpacks a block; whether it is the last one of the frame. */
function isLastBlock(job: Unpacking, frame: Frame): boolean {
  job.start = job.from;
  const head = number(job, 3);
  const [kind, size] = [head >> 1 & 3, head >> 3];
  if (kind === 3 || size > MOST_OF_BLOCK) job.stop("noCode");
  const bytes = take(job, kind === 1 ? 1 : size);
  if (kind < 2 && size > job.output.length - job.to) job.stop("noRoom");
  if (kind === 2) block(job, bytes, frame);
  else for (let i = 0; i < size; i++) job.put(bytes[kind === 0 ? i : 0]!);
  return (head & 1) === 1;
}
