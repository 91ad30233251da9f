/**
 * How chunks become bytes of files: cut out of arrays, encoded, and laid one behind the other, with what comes around them.
 *
 * @module
 */

import { encoderOf } from "../../codecs/encoders/registry.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { type DType, zeros } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sameShape, type Shape, sizeOf } from "../../space/shape.ts";
import { isZero } from "./made.ts";
import { partOf } from "./rows.ts";
import type { ChunkPlace, ChunkTarget, FilledFile, PlacedBytes, PlacedRow } from "./target.ts";

/** Samples of an array: dense, from `origin` on. */
export interface PlacedTile {
  /** The first sample. */
  readonly origin: Shape;
  /** The samples; their memory may be reused when they are written. */
  readonly data: NDArray;
}

/** Makes the bytes of the chunk with an index, which lies in `tile`; none: it is left out. Valid until the next one is asked for. */
type EncodeChunk = (tile: PlacedTile, index: Shape) => Promise<Uint8Array | undefined>;

/** Encodes the chunks of an array one by one; those at its ends are filled up with zeros. */
export async function chunkEncoder(
  { dtype, chunk, steps, sparse }: Pick<ChunkTarget, "chunk" | "steps" | "sparse"> & {
    readonly dtype: DType;
  },
): Promise<EncodeChunk> {
  const encode = await encoderOf(steps);
  const samples = zeros(dtype, sizeOf(chunk)), view = viewOf(samples, dtype, chunk);
  const bytes = new Uint8Array(samples.buffer as ArrayBuffer), corner = chunk.map(() => 0);
  return async ({ origin, data: { data, shape } }, index) => {
    const from = index.map((i, d) => i * chunk[d]! - origin[d]!);
    const part = { origin: from, shape: from.map((n, d) => Math.min(chunk[d]!, shape[d]! - n)) };
    if (!sameShape(part.shape, chunk)) bytes.fill(0);
    copyBox(viewOf(data, dtype, shape), part, view, corner);
    return sparse && isZero(bytes) ? undefined : await encode(bytes);
  };
}

/** The chunks of one file, in their order. */
export class FileOfChunks implements FilledFile {
  readonly offsets: number[] = [];
  readonly sizes: number[] = [];
  readonly checksums: number[] = [];
  /** Where the next chunk goes. */
  end: number;

  /** A file without chunks, by its name in the result. */
  constructor(
    private readonly target: Pick<ChunkTarget, "head" | "before" | "around">,
    readonly name: string,
  ) {
    this.end = target.head;
  }

  /** What is written for the next chunk, of so many bytes if it is there already, and for a complete file what comes around its chunks. */
  *put(place: ChunkPlace, bytes: Uint8Array | number, checksum: number): Generator<PlacedBytes> {
    const size = typeof bytes === "number" ? bytes : bytes.length, { slot } = place;
    const head = this.headOf(place, size, checksum);
    if (head.length > 0) yield { position: this.end, bytes: head };
    this.end += head.length;
    if (typeof bytes !== "number") {
      for (const row of this.rowsOf(place, size)) yield { position: row.to, bytes: partOf(bytes, row) };
    }
    this.offsets[slot] = this.end;
    this.sizes[slot] = size;
    this.checksums[slot] = checksum;
    this.end += size;
    if (place.last) yield* this.target.around(this.name, this);
  }

  /** What lies before the bytes of a chunk. */
  headOf(place: ChunkPlace, bytes: number, checksum: number): Uint8Array {
    return bytes > 0 && this.target.before?.(place, bytes, checksum) || new Uint8Array(0);
  }

  /** Where the bytes of the next chunk lie, behind `head` bytes. */
  rowsOf({ rows }: ChunkPlace, bytes: number, head: number = 0): Iterable<PlacedRow> {
    return rows?.() ?? (bytes > 0 ? [{ from: 0, to: this.end + head, bytes }] : []);
  }
}
