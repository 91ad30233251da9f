/**
 * Where the complete frames of a K2IS data set lie: the eight files begin and end at different blocks.
 *
 * ```
 * sector 1   ·BBBBB│BBBB BBBB BBBB│BB         · bytes before the first block
 * sector 2      BBB│BBBB BBBB BBBB│BBBB       │ first and last complete frame
 * …          BBBBBB│BBBB BBBB BBBB│
 * ```
 * The largest first block number of all sectors decides where to begin, the smallest last one where to end; both are
 * moved to the border of a frame.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { FileSpan } from "../../dataset/layout/layout.ts";
import {
  BLOCK_BYTES,
  BLOCK_HEADER,
  type BlockHeader,
  blockHeader,
  SECTOR_BLOCKS,
  SECTOR_BYTES,
} from "../../dataset/layout/sectors.ts";
import { cannot, type TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes, readUpTo } from "../../io/source/source.ts";
import type { OpenOptions } from "../common/options.ts";
import { findBlock } from "./format.ts";

/** Frames that all sectors have. */
export interface Synchronised {
  /** One file a sector; each has all images. */
  readonly files: readonly FileSpan[];
  /** Complete frames. */
  readonly images: number;
  /** Number of the first block of image 0. */
  readonly firstBlock: number;
  /** Number that the camera gave to image 0. */
  readonly firstFrame: number;
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** The blocks of one sector. */
interface Sector {
  readonly source: ByteSource;
  /** Byte of the first block. */
  readonly offset: number;
  /** Its number. */
  readonly first: number;
  /** Blocks that follow each other without a gap. */
  readonly blocks: number;
  readonly warnings: readonly string[];
}

/** Finds the frames that all of `sources` have. Errors: `malformed`, `truncated`. */
export async function synchronise(
  sources: readonly ByteSource[],
  options: OpenOptions,
): Promise<Synchronised> {
  const sectors: Sector[] = [];
  for (const source of sources) sectors.push(await sectorOf(source, options));
  const first = Math.max(...sectors.map((sector) => sector.first));
  const end = Math.min(...sectors.map((sector) => sector.first + sector.blocks));
  if (end - first < SECTOR_BLOCKS) throw noFrame(sectors);
  const begin = await headerOf(sectors[0]!, first, options);
  if (begin.place < 0) throw malformed(sectors[0]!, first, "the coordinates of the block are those of none");
  const start = begin.place === 0 ? first : first + SECTOR_BLOCKS - begin.place;
  const images = Math.floor((end - start) / SECTOR_BLOCKS);
  if (images < 1) throw noFrame(sectors);
  const firstFrame = await agreed(sectors, start, 0, options);
  await agreed(sectors, start + images * SECTOR_BLOCKS - 1, SECTOR_BLOCKS - 1, options);
  return {
    files: sectors.map((sector) => ({
      source: sector.source.describe(),
      start: 0,
      end: images,
      headerBytes: offsetOf(sector, start),
    })),
    images,
    firstBlock: start,
    firstFrame,
    warnings: sectors.flatMap(({ warnings }) => warnings),
  };
}

/** The first image that was taken with an open shutter; `undefined` if there is none. */
export async function firstExposed(
  source: ByteSource,
  { files, images }: Synchronised,
  signal?: AbortSignal,
): Promise<number | undefined> {
  for (let image = 0; image < images; image++) {
    const at = files[0]!.headerBytes + image * SECTOR_BYTES;
    if ((await readHeader(source, at, signal))?.shutter) return image;
  }
  return undefined;
}

async function sectorOf(source: ByteSource, { signal, allowTruncated }: OpenOptions): Promise<Sector> {
  const offset = findBlock(await readUpTo(source, 0, BLOCK_BYTES + BLOCK_HEADER, signal));
  const blocks = Math.floor((source.size - offset) / BLOCK_BYTES);
  if (offset < 0 || blocks < 1) {
    const text = `no block of K2IS begins in its first ${BLOCK_BYTES} bytes`;
    throw cannot("read", source.name, "malformed", text, { offset: 0, found: source.size });
  }
  const header = (block: number) => readHeader(source, offset + block * BLOCK_BYTES, signal);
  const first = (await header(0))!.count;
  const isRight = async (block: number) => (await header(block))?.count === first + block;
  if (await isRight(blocks - 1)) return { source, offset, first, blocks, warnings: [] };
  let [right, wrong] = [0, blocks - 1];
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (await isRight(middle)) right = middle;
    else wrong = middle;
  }
  const at = offset + wrong * BLOCK_BYTES;
  const found = (await header(wrong))?.count;
  const problem = `at byte ${at}, block ${first + wrong} is expected, ${
    found === undefined ? "but no block begins there" : `but block ${found} follows`
  }`;
  if (allowTruncated) {
    return { source, offset, first, blocks: wrong, warnings: [`${source.name}: ${problem}`] };
  }
  const text = `${problem}; allowTruncated reads what lies before`;
  throw cannot("read", source.name, "malformed", text, {
    offset: at,
    expected: first + wrong,
    ...defined({ found }),
    completeFrames: Math.floor(wrong / SECTOR_BLOCKS),
  });
}

/** The frame number of block `block`, which must have the same place and frame in all sectors. */
async function agreed(
  sectors: readonly Sector[],
  block: number,
  place: number,
  options: OpenOptions,
): Promise<number> {
  let frame: number | undefined;
  for (const sector of sectors) {
    const header = await headerOf(sector, block, options);
    if (header.place !== place) {
      throw malformed(sector, block, `the block has place ${header.place} in its sector, not ${place}`);
    }
    frame ??= header.frame;
    if (header.frame !== frame) {
      throw malformed(sector, block, `the block is of frame ${header.frame}, in other sectors of ${frame}`);
    }
  }
  return frame!;
}

async function headerOf(sector: Sector, block: number, { signal }: OpenOptions): Promise<BlockHeader> {
  const header = await readHeader(sector.source, offsetOf(sector, block), signal);
  if (!header) throw malformed(sector, block, "no block begins there");
  if (header.count === block) return header;
  throw malformed(sector, block, `the block has number ${header.count}, not ${block}`);
}

async function readHeader(source: ByteSource, at: number, signal?: AbortSignal) {
  const bytes = await readBytes(source, at, BLOCK_HEADER, signal);
  return blockHeader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
}

function offsetOf({ offset, first }: Sector, block: number): number {
  return offset + (block - first) * BLOCK_BYTES;
}

function malformed(sector: Sector, block: number, problem: string): TilewiseError {
  const file = sector.source.name;
  const offset = offsetOf(sector, block);
  return cannot("read", file, "malformed", `at byte ${offset}, ${problem}`, { offset });
}

function noFrame(sectors: readonly Sector[]): TilewiseError {
  const shortest = sectors.reduce((a, b) => b.first + b.blocks < a.first + a.blocks ? b : a);
  const file = shortest.source.name;
  const text = `its last block is ${shortest.first + shortest.blocks - 1}, and there is no frame ` +
    `of which all ${sectors.length} sectors have all ${SECTOR_BLOCKS} blocks`;
  return cannot("read", file, "truncated", text, { offset: shortest.source.size, completeFrames: 0 });
}
