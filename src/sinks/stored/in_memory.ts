/**
 * Arrays in memory as one file of chunks, without a file system: what a page hands over to its user.
 *
 * @module
 */

import { encoderOf } from "../../codecs/encoders/registry.ts";
import { TilewiseError } from "../../errors.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { crc32 } from "../../space/crc32.ts";
import { zeros } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sizeOf } from "../../space/shape.ts";
import { isZero } from "../chunks/made.ts";
import { stemOfResult } from "../chunks/file.ts";
import type { ChunkTarget, PlacedBytes } from "../chunks/target.ts";
import { mustBeTarget } from "../registry.ts";
import { chunkKind } from "./registry.ts";

/** Browsers have no synchronous compression. */
const OPTIONS = { levels: 1, compression: "none" } as const;

/**
 * The bytes of the file `path` with an array, as pieces that follow each other: its ending says the format, such as `.ome.tif` or
 * `.ome.zarr.zip`. It has one level, and is not compressed.
 *
 * Errors: `unsupported` for folders, and for arrays that the format cannot hold.
 */
export async function storedPieces(array: NDArray, path: string): Promise<Uint8Array[]> {
  const file = chunkKind(mustBeTarget(path, "results"))?.file(path, OPTIONS);
  const target = file?.target({ ...array, ...file.chunked(array), stem: stemOfResult(path) });
  if (target?.kind === "file") return joined(await placed(array, target));
  throw new TilewiseError("unsupported", `Cannot store an array in memory as ${path}: it is not one file`);
}

/** All bytes at their places. */
async function placed(array: NDArray, target: ChunkTarget): Promise<PlacedBytes[]> {
  const all: PlacedBytes[] = [];
  const chunkAt = await chunksOf(array, target);
  const filled = {
    offsets: [] as number[],
    sizes: [] as number[],
    checksums: [] as number[],
    end: target.head,
  };
  const put = (bytes: Uint8Array) => {
    all.push({ position: filled.end, bytes });
    filled.end += bytes.length;
  };
  for (const place of target.places()) {
    const bytes = await chunkAt(place.index);
    const checksum = crc32(bytes);
    const head = bytes.length > 0 ? target.before?.(place, bytes.length, checksum) : undefined;
    if (head) put(head);
    filled.offsets[place.slot] = filled.end;
    filled.sizes[place.slot] = bytes.length;
    filled.checksums[place.slot] = checksum;
    put(bytes);
  }
  return [...all, ...target.around("", filled)];
}

/** Encodes the chunk at an index; empty, if it is left out. */
async function chunksOf({ data, dtype, shape }: NDArray, { chunk, steps, sparse }: ChunkTarget) {
  const encode = await encoderOf(steps);
  const samples = viewOf(data, dtype, shape);
  const corner = chunk.map(() => 0);
  return async (index: readonly number[]): Promise<Uint8Array> => {
    const plain = zeros(dtype, sizeOf(chunk));
    const origin = index.map((i, d) => i * chunk[d]!);
    const part = { origin, shape: origin.map((o, d) => Math.min(chunk[d]!, shape[d]! - o)) };
    copyBox(samples, part, viewOf(plain, dtype, chunk), corner);
    const bytes = new Uint8Array(plain.buffer as ArrayBuffer);
    return sparse && isZero(bytes) ? new Uint8Array(0) : await encode(bytes);
  };
}

/** Pieces in the order of their places, with zeros between those that do not touch. */
function joined(placed: readonly PlacedBytes[]): Uint8Array[] {
  let end = 0;
  return placed.toSorted((a, b) => a.position - b.position).flatMap(({ position, bytes }) => {
    const gap = position > end ? [new Uint8Array(position - end)] : [];
    end = position + bytes.length;
    return [...gap, bytes];
  });
}
