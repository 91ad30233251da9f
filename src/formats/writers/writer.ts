/**
 * The seam of file kinds that frames are written to: what stands before the first frame, around each, and in files
 * beside.
 *
 * ```
 * head | header 0, samples 0, footer 0 | header 1, samples 1, footer 1 | …      any frame can be written by itself
 * ```
 * To add a kind: write a file with a {@link FrameWriter} and give it a line in `registry.ts`.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
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
}

/** A file beside the frames. */
export interface SideFile {
  /** Ending of its name, with the dot; the rest is that of the file asked for. */
  readonly ending: string;
  /** What is in it. */
  readonly text: string;
}

/** How frames lie in the file. */
export interface WrittenLayout {
  /** Byte order of the samples in the file. */
  readonly byteOrder: ByteOrder;
  /** Everything before the first frame. */
  readonly head: Uint8Array;
  /** Bytes before the samples of every frame. */
  readonly headerBytes: number;
  /** Bytes behind the samples of every frame: zeros. */
  readonly footerBytes: number;
  /** The bytes before frame `i`, of `headerBytes`. Absent: there are none. */
  readonly header?: (i: number) => Uint8Array;
  /** Files beside it. */
  readonly beside: readonly SideFile[];
  /** How to open it, where the file does not say it itself: flags of the command line. */
  readonly openWith?: string;
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** A kind of file. */
export interface FrameWriter {
  /** Short name. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Endings of names that ask for it, lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Ending of the file with the frames, with the dot, where it is another one than was asked for. */
  readonly ending?: string;
  /** Endings of all files that may be written beside it, with the dot. */
  readonly sides: readonly string[];
  /** Where everything goes; `unsupported` for frames that it cannot hold. Pure: every worker asks by itself. */
  layout(frames: FramesToWrite): WrittenLayout;
}

/** Bytes from one frame to the next, and of the whole file. */
export function sizesOf(
  { sig, nav, dtype }: FramesToWrite,
  { head, headerBytes, footerBytes }: WrittenLayout,
): { readonly frame: number; readonly pitch: number; readonly total: number } {
  const frame = checkedProduct([...sig, dtypeInfo(dtype).itemSize], "a frame");
  const pitch = headerBytes + frame + footerBytes;
  return { frame, pitch, total: head.length + checkedProduct([sizeOf(nav), pitch], "a file") };
}

/** Samples one after another, without anything between them. */
export function plainLayout(head: Uint8Array = new Uint8Array()): WrittenLayout {
  return { byteOrder: "little", head, headerBytes: 0, footerBytes: 0, beside: [], warnings: [] };
}

/** Refuses frames that a kind of file cannot hold. */
export function cannotHold({ dtype, sig }: FramesToWrite, title: string, needed: string): TilewiseError {
  const text = `Cannot write frames of ${
    showShape(sig)
  } ${dtype} as ${title}: it has ${needed}; .npy takes any`;
  return new TilewiseError("unsupported", text, { expected: needed, found: `${showShape(sig)} ${dtype}` });
}
