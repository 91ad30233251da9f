/**
 * Reads parts of frames that lie in one half of one sector each: the blocks of many frames stay in the caches until all
 * parts of them have been decoded.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { throwIfAborted, TilewiseError } from "../../../errors.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Slab } from "../../../memory/slab.ts";
import type { Box } from "../../../space/box.ts";
import type { FramePart } from "../../layout/frame_part.ts";
import { type FrameLayout, imageCount } from "../../layout/layout.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { Pending } from "../../layout/pending.ts";
import {
  BLOCK_BYTES,
  BLOCK_HEADER,
  BLOCK_ROW_BYTES,
  BLOCK_ROWS,
  blockHeader,
  BLOCKS_ACROSS,
  SECTOR_BLOCKS,
  SECTOR_BYTES,
} from "../../layout/sectors.ts";
import type { SectorStorage } from "../../layout/storage.ts";
import { HALF_PADDING, HALF_ROW_BYTES, halfBuffers, halfSectorOf } from "./tiling.ts";

// Checks the headers of blocks: a frame with a missing block is an error, never a mixture of two frames.

/** Bytes of a half of a sector. */
export const HALF_BYTES: number = SECTOR_BYTES / 2;

/** Half of a sector of one frame, in memory. */
interface LoadedHalf {
  /** Its image. */
  readonly image: number;
  /** Its sector. */
  readonly sector: number;
  /** Upper (0) or lower (1). */
  readonly half: number;
  /** Where it lies. */
  readonly address: number;
}

/** Where a half of a sector lies in its file. */
export function offsetOfHalf(
  { files }: FrameLayout<SectorStorage>,
  sector: number,
  image: number,
  half: number,
): number {
  return files[sector]!.headerBytes + image * SECTOR_BYTES + half * HALF_BYTES;
}

/**
 * Refuses blocks that do not belong here: those of another place, of another frame than `frame`, if that is known. Gives
 * the number of the frame.
 */
export function checkBlocks(
  view: DataView,
  { image, sector, half, address }: LoadedHalf,
  layout: FrameLayout<SectorStorage>,
  files: OpenFiles,
  frame: number | undefined,
): number {
  const wrong = (place: number, problem: string, expected?: number, found?: number) => {
    const file = files.get(sector)?.name ?? `the file of sector ${sector + 1}`;
    const offset = offsetOfHalf(layout, sector, image, half) + (place % BLOCKS_ACROSS) * BLOCK_BYTES;
    const text =
      `Cannot read image ${image} of ${imageCount(layout)}: block ${place} of sector ${sector + 1}, ` +
      `at byte ${offset} of ${file}: ${problem}`;
    const numbers = defined({ expected, found });
    return new TilewiseError("malformed", text, { file, offset, image, block: place, ...numbers });
  };
  for (let b = 0; b < BLOCKS_ACROSS; b++) {
    const place = half * BLOCKS_ACROSS + b;
    const count = layout.storage.firstBlock + image * SECTOR_BLOCKS + place;
    const header = blockHeader(view, address + b * BLOCK_BYTES);
    if (!header) throw wrong(place, "no block begins there");
    if (header.count !== count) {
      const text = `the block has number ${header.count}, ${count} should follow: blocks are missing`;
      throw wrong(place, text, count, header.count);
    }
    if (header.place !== place) throw wrong(place, `the block belongs to place ${header.place} of a sector`);
    frame ??= header.frame;
    if (header.frame === frame) continue;
    const text = `the block is of frame number ${header.frame}, others of frame number ${frame}`;
    throw wrong(place, text, frame, header.frame);
  }
  return frame!;
}

/** Reads such parts into one buffer, dense. */
export class HalfSectorReader {
  readonly #raw: number;
  readonly #frames: number;
  readonly #capacity: number;
  readonly #memory: WebAssembly.Memory;
  readonly #unpack: Kernels["exports"]["k2is_rows_u16"];
  /** The images whose blocks are there, and of which half of which sector (none: −1). */
  #images: readonly number[] = [];
  #sector = -1;
  #half = -1;
  /** Frame numbers of the camera, found in the first block of each image. */
  #numbers: (number | undefined)[] = [];

  /** A reader of up to `maxFrames` frames of parts as large as `largest`; takes its memory from `slab`. */
  constructor(
    private readonly layout: FrameLayout<SectorStorage>,
    private readonly files: OpenFiles,
    { slab, kernels }: { readonly slab: Slab; readonly kernels: Kernels },
    private readonly maxFrames: number,
    largest: Box,
  ) {
    const [raw, frames] = halfBuffers(maxFrames, largest);
    this.#memory = slab.memory;
    this.#unpack = kernel(kernels, "k2is_rows", "uint16");
    this.#raw = slab.take(raw!, "blocks of sectors");
    this.#frames = slab.take(frames!, "frames");
    this.#capacity = frames!;
  }

  /** Whether parts of `box` can be read. */
  fits(box: Box): boolean {
    const bytes = this.maxFrames * (box.shape[0]! * HALF_ROW_BYTES + HALF_PADDING);
    return bytes <= this.#capacity && halfSectorOf(box, this.layout.sigShape) !== undefined;
  }

  /** Bytes from one frame in memory to the next. */
  strideOf({ bytes }: Pick<FramePart, "bytes">): number {
    return bytes + HALF_PADDING;
  }

  /** Reads the part `box` of `images`; the address of the first. */
  async read(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<number> {
    const { sector, half } = halfSectorOf(box, this.layout.sigShape)!;
    const waiting = this.#fetch(images, sector, half, signal);
    if (waiting) await waiting;
    const [rows] = box.shape as [number];
    const skipped = BLOCK_HEADER + (box.origin[0]! - half * BLOCK_ROWS) * BLOCK_ROW_BYTES;
    const stride = this.strideOf({ bytes: rows * HALF_ROW_BYTES });
    for (let i = 0; i < images.length; i++) {
      const from = this.#raw + i * HALF_BYTES + skipped;
      this.#unpack(this.#frames + i * stride, HALF_ROW_BYTES, from, BLOCK_BYTES, BLOCKS_ACROSS, rows);
    }
    return this.#frames;
  }

  /** Reads the blocks of a half of a sector, unless they are in memory. */
  #fetch(
    images: ArrayLike<number>,
    sector: number,
    half: number,
    signal?: AbortSignal,
  ): Promise<void> | undefined {
    const same = images.length === this.#images.length &&
      this.#images.every((image, i) => image === images[i]);
    if (same && sector === this.#sector && half === this.#half) return undefined;
    if (!same) {
      this.#images = Array.from(images);
      this.#numbers = this.#images.map(() => undefined);
    }
    return this.#readBlocks(sector, half, signal);
  }

  async #readBlocks(sector: number, half: number, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    this.#sector = -1; // a failed read leaves no blocks
    if (!this.files.get(sector)) await this.files.open(sector); // no read may be pending meanwhile
    const pending = new Pending();
    try {
      this.#images.forEach((image, slot) => {
        const target = new Uint8Array(this.#memory.buffer, this.#raw + slot * HALF_BYTES, HALF_BYTES);
        const at = offsetOfHalf(this.layout, sector, image, half);
        pending.add(this.files.get(sector)!.readInto(target, at, signal));
      });
    } catch (error) {
      pending.fail(error);
    }
    const settled = pending.settled();
    if (settled) await settled;
    const view = new DataView(this.#memory.buffer);
    this.#images.forEach((image, slot) => {
      const loaded = { image, sector, half, address: this.#raw + slot * HALF_BYTES };
      this.#numbers[slot] = checkBlocks(view, loaded, this.layout, this.files, this.#numbers[slot]);
    });
    [this.#sector, this.#half] = [sector, half];
  }
}
