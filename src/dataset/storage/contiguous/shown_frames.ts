/**
 * Frames that are not read: their files are mapped, and the block is where they lie. Loaded where files are mapped.
 *
 * @module
 */

import { FileWindow } from "../../../io/map/window.ts";
import type { WindowPlace } from "../../../io/map/windows.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import type { FramePart } from "../../layout/frame_part.ts";
import { type FrameLayout, framePitch, isStoredAs } from "../../layout/layout.ts";
import type { ReadBlock, ShowsFrames } from "../common/block_reader.ts";

/** Shows frames that follow each other, through the window of one worker. */
export class ShownFrames implements ShowsFrames {
  readonly #window: FileWindow;
  readonly #pitch: number;
  /** Typed arrays of samples begin at multiples of it; codecs take any bytes. */
  readonly #unit: number;

  /** Shows frames of `layout` at `place`. */
  constructor(layout: FrameLayout, memory: WebAssembly.Memory, place: WindowPlace) {
    this.#window = new FileWindow(memory, place);
    this.#pitch = framePitch(layout);
    const isEncoded = isStoredAs(layout, "contiguous") && layout.storage.codec !== undefined;
    this.#unit = isEncoded ? 1 : dtypeInfo(layout.dtype).unitSize;
  }

  show(
    source: ByteSource,
    at: number,
    images: ArrayLike<number>,
    { starts, runBytes }: FramePart,
    block: { -readonly [K in keyof ReadBlock]: ReadBlock[K] },
  ): boolean {
    const last = images.length - 1;
    const isRun = starts.length === 1 && images[last]! - images[0]! === last;
    if (!isRun || at % this.#unit > 0 || last > 0 && this.#pitch % this.#unit > 0) return false;
    const pointer = this.#window.show(source, at, last * this.#pitch + runBytes);
    if (pointer === undefined) return false;
    block.pointer = pointer;
    block.frameStride = this.#pitch;
    return true;
  }

  /** Throws `io` if pages went away while they were shown. */
  check(): void {
    this.#window.check();
  }

  /** Closes the file. */
  close(): void {
    this.#window[Symbol.dispose]();
  }
}
