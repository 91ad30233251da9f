/**
 * The seam of file kinds that frames are written to: what stands before the first frame, around each, and in files
 * beside.
 *
 * ```
 * head | header 0, samples 0, footer 0 | header 1, samples 1, footer 1 | …      any frame can be written by itself
 * ```
 * To add a kind: write a file with a {@link RowTarget}, and give it a row in the table of all files.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import type { Keeps } from "../losses.ts";
import type { FileTarget } from "../registry.ts";
import { type ArrayToWrite, scanDimensions } from "../array.ts";
import { checkedProduct, type Shape, showShape, sizeOf } from "../../space/shape.ts";

/** The frames to write. */
export interface FramesToWrite {
  /** Shape of the scan; one row of the selected frames, where a region was asked for. */
  readonly nav: Shape;
  /** Shape of a frame. */
  readonly sig: Shape;
  /** Type of their samples. */
  readonly dtype: DType;
  /** File name without folder and ending, for what names it. */
  readonly stem: string;
  /** Names, kinds, scales and units of all dimensions, if they are known. */
  readonly axes?: readonly AxisFacts[] | undefined;
  /** What the samples mean. Absent: what follows from their type. */
  readonly values?: ValueFacts;
  /** Whether the source says which dimensions are the scan. */
  readonly isSaid?: boolean;
}

/** An array as frames on a scan. */
export function framesOf(array: ArrayToWrite): FramesToWrite {
  const { shape, dtype, axes, values, stem } = array;
  const nav = scanDimensions(array);
  return {
    nav: shape.slice(0, nav),
    sig: shape.slice(nav),
    dtype,
    stem,
    axes,
    ...(values ? { values } : {}),
    isSaid: array.nav !== undefined,
  };
}

/** A file beside the frames. */
export interface SideFile {
  /** Ending of its name, with the dot; the rest is that of the file asked for. */
  readonly ending: string;
  /** What is in it. */
  readonly text: string;
}

/** How samples are stored. */
interface StoredSamples {
  /** Byte order of the samples in the file. */
  readonly byteOrder: ByteOrder;
  /** Whether the highest bit of each is inverted, which shifts integers by half of their range. */
  readonly isShifted?: boolean;
}

/** How frames lie in the file. */
export interface WrittenLayout extends StoredSamples {
  /** Everything before the first frame. */
  readonly head: Uint8Array;
  /** Bytes before the samples of every frame. */
  readonly headerBytes: number;
  /** Bytes behind the samples of every frame: zeros. */
  readonly footerBytes: number;
  /** The bytes before frame `i`, of `headerBytes`. Absent: there are none. */
  readonly header?: (i: number) => Uint8Array;
  /** Zeros behind the last frame. Absent: there are none. */
  readonly tailBytes?: number;
  /** Files beside it. */
  readonly beside: readonly SideFile[];
  /** How to open it, where the file does not say it itself: flags of the command line. */
  readonly openWith?: string;
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** A kind of file. */
export interface RowTarget extends FileTarget {
  /** Whether a mask of what is not valid lies beside whole numbers. */
  readonly hasMask?: true;
  /** Whether it holds arrays without samples. */
  readonly takesNothing?: true;
  /** What it keeps of the description of an array. */
  readonly keeps: Keeps;
  /** Where everything goes; `unsupported` for frames that it cannot hold. Pure: every worker asks by itself. */
  layout(frames: FramesToWrite): WrittenLayout;
  /** Of kinds that hold several arrays: what is in front of their samples, which begin at multiples of `unit` bytes. */
  readonly together?: { readonly unit: number; head(all: readonly FramesToWrite[]): Uint8Array };
}

/** Bytes from one frame to the next, and of the whole file. */
export function sizesOf(
  { sig, nav, dtype }: FramesToWrite,
  { head, headerBytes, footerBytes, tailBytes = 0 }: WrittenLayout,
): { readonly frame: number; readonly pitch: number; readonly total: number } {
  const frame = checkedProduct([...sig, dtypeInfo(dtype).itemSize], "a frame");
  const pitch = headerBytes + frame + footerBytes;
  return { frame, pitch, total: head.length + checkedProduct([sizeOf(nav), pitch], "a file") + tailBytes };
}

/** Samples one after another, without anything between them. */
export function plainLayout(head: Uint8Array = new Uint8Array()): WrittenLayout {
  return { byteOrder: "little", head, headerBytes: 0, footerBytes: 0, beside: [], warnings: [] };
}

/** Whether samples are in the file as they are in memory. */
export function isAsInMemory({ byteOrder, isShifted = false }: StoredSamples, dtype: DType): boolean {
  return !isShifted && (byteOrder === "little" || dtypeInfo(dtype).unitSize === 1);
}

/** The bytes of samples as they are in the file: those given, or others, in the memory that is given, which may be that of the samples, or in new memory. */
export function storedBytes<B extends ArrayBufferLike>(
  bytes: Uint8Array<B>,
  stored: StoredSamples,
  dtype: DType,
  given?: Uint8Array<ArrayBuffer>,
): Uint8Array<B | ArrayBuffer> {
  if (isAsInMemory(stored, dtype)) return bytes;
  const out = given ?? new Uint8Array(bytes.length);
  const { unitSize } = dtypeInfo(dtype), count = bytes.length % 4, words = bytes.length - count;
  storeWords(bytes.subarray(0, words), stored, unitSize, out);
  if (count > 0) {
    const last = new Uint8Array(4);
    last.set(bytes.subarray(words));
    storeWords(last, stored, unitSize, last);
    out.set(last.subarray(0, count), words);
  }
  return out;
}

/** Highest bits of all samples in a word, or in the second word of a sample, by the bytes of a sample. */
const HIGHEST: Readonly<Record<number, number>> = { 1: 0x80808080, 2: 0x80008000, 4: 2 ** 31, 8: 2 ** 31 };

/** The same of whole words of 4 bytes, without branches: several times as fast as byte by byte. */
function storeWords(bytes: Uint8Array, stored: StoredSamples, unit: number, out: Uint8Array): void {
  const isLittle = stored.byteOrder === "little" || unit === 1;
  const mask = stored.isShifted ? HIGHEST[unit]! : 0;
  const turn = unit === 2 && !isLittle ? 16 : 0; // a big word has the second sample first
  const lowAt = isLittle ? 0 : 4, highAt = 4 - lowAt;
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const to = new DataView(out.buffer, out.byteOffset, out.length);
  for (let at = 0; unit < 8 && at < bytes.length; at += 4) {
    const word = from.getInt32(at, true) ^ mask;
    to.setInt32(at, word << turn | word >>> turn, isLittle);
  }
  for (let at = 0; unit === 8 && at < bytes.length; at += 8) {
    const low = from.getInt32(at, true), high = from.getInt32(at + 4, true) ^ mask;
    to.setInt32(at + lowAt, low, isLittle);
    to.setInt32(at + highAt, high, isLittle);
  }
}

/** Refuses frames that a kind of file cannot hold. */
export function cannotHold({ dtype, sig }: FramesToWrite, title: string, needed: string): TilewiseError {
  const text = `Cannot write frames of ${
    showShape(sig)
  } ${dtype} as ${title}: it has ${needed}; .npy takes any`;
  return new TilewiseError("unsupported", text, { expected: needed, found: `${showShape(sig)} ${dtype}` });
}
