/**
 * An image that has been opened: its size and samples are known, its rows are decoded on request.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";

/** What the samples of a pixel mean: gray or colours, then alpha if there is one more. */
export type Meaning = "gray" | "colours" | "white is zero" | "unknown";

/** Takes row `y`: pixels from left to right, the samples of a pixel together, little-endian. It is valid until the next one. */
export type PutRow = (y: number, row: Uint8Array) => void;

/** An image whose rows can be decoded once. */
export interface OpenImage {
  /** Pixels in a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Samples of a pixel. */
  readonly samples: number;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Bits of the largest value that a sample of whole numbers can have. */
  readonly bits: number;
  /** What they mean. */
  readonly meaning: Meaning;
  /** Gives every row to `put`, the first one is the top. */
  decode(put: PutRow): void | Promise<void>;
}

/** Bytes of a pixel. */
export function pixelSize({ samples, dtype }: Pick<OpenImage, "samples" | "dtype">): number {
  return samples * dtypeInfo(dtype).itemSize;
}

/** Most bytes of a file, and of the memory that one image is decoded in. */
const MOST_BYTES = 2 ** 30;

/** Refuses what needs more memory than {@link MOST_BYTES}. */
export function mustFit(bytes: number, what: string): void {
  if (bytes <= MOST_BYTES) return;
  const text = `Cannot decode ${what}: ${bytes} bytes are more than the ${MOST_BYTES} that an image may need`;
  throw new TilewiseError("over-budget", text, { expected: MOST_BYTES, found: bytes });
}
