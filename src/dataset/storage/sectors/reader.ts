/**
 * Reads frames of which every file has one sector, and decodes the rows that are wanted.
 *
 * Upper and lower halves are fetched when a part needs them, and stay: parts of the same frames are decoded one after
 * another without reading again. The header of every block is checked, so that a frame in which a block is missing is
 * an error rather than a picture of two frames.
 *
 * @module
 */

import { throwIfAborted } from "../../../errors.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { Slab } from "../../../memory/slab.ts";
import type { Box } from "../../../space/box.ts";
import { type FramePart, framePart } from "../../layout/frame_part.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { SectorStorage } from "../../layout/storage.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { Pending } from "../../layout/pending.ts";
import { type MakeReader, neededKernels } from "../common/block_reader.ts";
import { gathered } from "../common/gathered.ts";
import { anyBuffers, halfSectorOf, PADDING, ROW_BYTES } from "./tiling.ts";
import { checkBlocks, HALF_BYTES, HalfSectorReader, offsetOfHalf } from "./half_reader.ts";
import {
  BLOCK_BYTES,
  BLOCK_HEADER,
  BLOCK_ROW_BYTES,
  BLOCK_ROWS,
  BLOCKS_ACROSS,
  SECTOR_BYTES,
  SECTORS,
} from "../../layout/sectors.ts";

const BOTH = [0, 1] as const;

/** A reader of frames in sectors: of parts in one half of a sector each, or of any. */
export const makeReader: MakeReader<SectorStorage> = ({ layout, files, box, options }) => {
  const tools = { slab: options.slab, kernels: neededKernels(options, "sectors") };
  const Reader = halfSectorOf(box, layout.sigShape) ? HalfSectorReader : SectorReader;
  return gathered(new Reader(layout, files, tools, options.maxFrames, box), "little");
};

/** Reads parts of such frames into one buffer, dense. */
class SectorReader {
  readonly #raw: number;
  readonly #frames: number;
  readonly #capacity: number;
  readonly #memory: WebAssembly.Memory;
  /** The frames whose bytes are there, and which halves of them. */
  #images: readonly number[] = [];
  #halves = [false, false];
  /** Frame numbers of the camera, found in the first block of each of them. */
  #numbers: (number | undefined)[] = [];

  /** A reader of up to `maxFrames` frames of `largest` or smaller parts; takes its memory from `slab`. */
  constructor(
    private readonly layout: FrameLayout<SectorStorage>,
    private readonly files: OpenFiles,
    private readonly options: { readonly slab: Slab; readonly kernels: Kernels },
    private readonly maxFrames: number,
    largest: Box,
  ) {
    const [raw, frames] = anyBuffers(layout, maxFrames, largest);
    this.#memory = options.slab.memory;
    this.#raw = options.slab.take(raw!, "blocks of sectors");
    this.#frames = options.slab.take(frames!, "frames");
    this.#capacity = frames!;
  }

  /** Whether blocks of `box` fit. */
  fits(box: Box): boolean {
    const part = framePart(this.layout, box);
    const [first, end] = rowsOf(part);
    return (this.maxFrames - 1) * this.strideOf(part) + (end - first) * ROW_BYTES <= this.#capacity;
  }

  /** Bytes from one frame in memory to the next. */
  strideOf({ bytes }: FramePart): number {
    return bytes + (this.maxFrames > 1 ? PADDING : 0);
  }

  /** Reads the part `box` of `images`; the address of the first. */
  async read(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<number> {
    const part = framePart(this.layout, box);
    if (part.bytes === 0) return this.#frames;
    const [first, end] = rowsOf(part);
    const needed = BOTH.map((half) => first < (half + 1) * BLOCK_ROWS && end > half * BLOCK_ROWS);
    await this.#fetch(images, needed, signal);
    for (let i = 0; i < images.length; i++) {
      const to = this.#frames + i * this.strideOf(part);
      this.#decode(i, first, end, to);
      this.#gather(part, first * ROW_BYTES, to);
    }
    return this.#frames;
  }

  /** Reads the `needed` halves of `images`, unless they are in memory. */
  async #fetch(images: ArrayLike<number>, needed: readonly boolean[], signal?: AbortSignal): Promise<void> {
    if (images.length !== this.#images.length || this.#images.some((image, i) => image !== images[i])) {
      this.#images = Array.from(images);
      this.#halves = [false, false];
      this.#numbers = this.#images.map(() => undefined);
    }
    const halves = BOTH.filter((half) => needed[half] && !this.#halves[half]);
    if (halves.length === 0) return;
    throwIfAborted(signal);
    for (let sector = 0; sector < SECTORS; sector++) {
      if (!this.files.get(sector)) await this.files.open(sector); // no read may be pending meanwhile
    }
    await this.#readAll(halves, signal);
    for (const half of halves) this.#check(half);
    for (const half of halves) this.#halves[half] = true;
  }

  /** Reads all sectors concurrently. */
  #readAll(halves: readonly number[], signal?: AbortSignal): void | Promise<void> {
    const pending = new Pending();
    try {
      for (let sector = 0; sector < SECTORS; sector++) {
        for (const [slot, half, bytes] of runsOf(this.#images, halves)) {
          const target = new Uint8Array(this.#memory.buffer, this.#addressOf(sector, slot, half), bytes);
          const at = offsetOfHalf(this.layout, sector, this.#images[slot]!, half);
          pending.add(this.files.get(sector)!.readInto(target, at, signal));
        }
      }
    } catch (error) {
      pending.fail(error);
    }
    return pending.settled();
  }

  /** Refuses blocks that do not belong here; after that no frame counts as read. */
  #check(half: number): void {
    const view = new DataView(this.#memory.buffer);
    try {
      this.#images.forEach((image, slot) => {
        for (let sector = 0; sector < SECTORS; sector++) {
          const loaded = { image, sector, half, address: this.#addressOf(sector, slot, half) };
          this.#numbers[slot] = checkBlocks(view, loaded, this.layout, this.files, this.#numbers[slot]);
        }
      });
    } catch (error) {
      this.#images = [];
      throw error;
    }
  }

  /** Decodes rows `first` to `end − 1` of the frame in `slot` to `to`. */
  #decode(slot: number, first: number, end: number, to: number): void {
    const unpack = kernel(this.options.kernels, "k2is_rows", "uint16");
    for (const half of BOTH) {
      const from = Math.max(first, half * BLOCK_ROWS);
      const rows = Math.min(end, (half + 1) * BLOCK_ROWS) - from;
      if (rows <= 0) continue;
      const skipped = BLOCK_HEADER + (from - half * BLOCK_ROWS) * BLOCK_ROW_BYTES;
      for (let sector = 0; sector < SECTORS; sector++) {
        const target = to + (from - first) * ROW_BYTES + sector * BLOCKS_ACROSS * 32;
        const source = this.#addressOf(sector, slot, half) + skipped;
        unpack(target, ROW_BYTES, source, BLOCK_BYTES, BLOCKS_ACROSS, rows);
      }
    }
  }

  /** Moves the runs of a part together, in place; `origin` is the byte of the frame that lies at `to`. */
  #gather({ starts, runBytes }: FramePart, origin: number, to: number): void {
    if (starts.length === 1 && starts[0] === origin) return;
    const memory = new Uint8Array(this.#memory.buffer);
    starts.forEach((start, r) => {
      const from = to + start - origin;
      memory.copyWithin(to + r * runBytes, from, from + runBytes);
    });
  }

  /** Where a half of a sector lies in memory. */
  #addressOf(sector: number, slot: number, half: number): number {
    return this.#raw + (sector * this.maxFrames + slot) * SECTOR_BYTES + half * HALF_BYTES;
  }
}

/** The rows of the frame that a part touches: the first, and one past the last. */
function rowsOf({ starts, runBytes }: FramePart): [number, number] {
  return [
    Math.floor((starts[0] ?? 0) / ROW_BYTES),
    Math.ceil(((starts.at(-1) ?? 0) + runBytes) / ROW_BYTES),
  ];
}

/** What is one read in a file: slot, half, bytes. Whole frames that follow each other are one. */
function* runsOf(
  images: readonly number[],
  halves: readonly number[],
): IterableIterator<[slot: number, half: number, bytes: number]> {
  if (halves.length < 2) {
    for (let slot = 0; slot < images.length; slot++) yield [slot, halves[0]!, HALF_BYTES];
    return;
  }
  for (let slot = 0; slot < images.length;) {
    let next = slot + 1;
    while (next < images.length && images[next] === images[next - 1]! + 1) next++;
    yield [slot, 0, (next - slot) * SECTOR_BYTES];
    slot = next;
  }
}
