/**
 * The header of MRC files: how many sections there are, and where their samples lie.
 *
 * @module
 */

import { frameBytes, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";
import { byteOrderOf, HEAD_BYTES, MODES } from "./format.ts";

/** The mode of bytes, which are signed unless IMOD says otherwise. */
const BYTES = 0;
/** The letters `IMOD` as a number, and the bits of its flags that say that bytes are signed, and that the origin has the usual sign. */
const IMOD = 1146047817, SIGNED = 1, USUAL_ORIGIN = 4;

/** Whether IMOD has written the file, with bytes from 0 to 255. */
function isUnsigned(head: Fields): boolean {
  return head.i32(152) === IMOD && (head.i32(156) & SIGNED) === 0;
}

/** Whether the origin is that of IMOD: what is added to a place to get one in samples. */
export function hasOtherSign(head: Fields): boolean {
  return head.i32(152) === IMOD && (head.i32(156) & USUAL_ORIGIN) === 0;
}

/** The mode of samples with four bits. */
const FOUR_BITS = 101;

/** What the header says. */
interface MrcHead {
  /** Its fields. */
  readonly head: Fields;
  /** Where the first section lies; further sections follow it. */
  readonly layout: FrameLayout;
  /** Sections that it promises. */
  readonly sections: number;
  /** Number of the sample type. */
  readonly mode: number;
}

/**
 * Reads and checks the header. Errors: `malformed`, `truncated`, `unsupported`.
 *
 * @param size bytes that the file may have, where `source` is its beginning
 */
export async function readMrcHead(
  source: ByteSource,
  signal?: AbortSignal,
  size: number = source.size,
): Promise<MrcHead> {
  const order = byteOrderOf(await readBytes(source, 0, Math.min(source.size, HEAD_BYTES), signal));
  const head = await Fields.read(source, 0, HEAD_BYTES, order, signal);
  const [nx, ny, nz, mode] = [0, 4, 8, 12].map((at) => head.i32(at)) as [number, number, number, number];
  const dtype = mode === BYTES && isUnsigned(head) ? "uint8" : MODES[mode];
  if (!dtype) {
    throw head.error(
      "unsupported",
      `mode ${mode} is unknown; known are ${Object.keys(MODES).join(", ")}`,
      12,
    );
  }
  head.within(nx, 1, MOST_PIXELS, "the width", 0);
  if (mode === FOUR_BITS && nx % 2 === 1) {
    throw head.error("unsupported", `rows of ${nx} samples of four bits end inside a byte`, 0);
  }
  head.within(ny, 1, MOST_PIXELS, "the height", 4);
  head.within(nz, 1, 2 ** 31, "the number of sections", 8);
  const extended = head.within(head.i32(92), 0, size, "the size of the extended header", 92);
  const layout = layoutOf(source, HEAD_BYTES + extended, [ny, nx], dtype, order, mode);
  return { head, layout, sections: nz, mode };
}

function layoutOf(
  source: ByteSource,
  headerBytes: number,
  sigShape: [number, number],
  dtype: DType,
  byteOrder: ByteOrder,
  mode: number,
): FrameLayout {
  const packed = mode === FOUR_BITS;
  const files = [{ source: source.describe(), start: 0, end: 1, headerBytes }];
  const storedBytes = packed ? sigShape[0] * sigShape[1] / 2 : frameBytes(sigShape, dtype);
  const codec = packed ? { id: "bits", params: { bits: 4, bitOrder: "lsb" } } : undefined;
  return frameLayout({ files, sigShape, dtype, byteOrder, storedBytes, storage: contiguous(codec) });
}
