/**
 * Shows the samples of a result in their order, while its chunks come in that of a file.
 *
 * ```
 * chunks of 2 × 512 × 512        rows of chunks come:  0–511 of images 0 and 1, 512–1023 of both, …
 *                                samples are shown:    image 0, then image 1, which waits in a file until then
 * ```
 *
 * @module
 */

import type { WriteAt } from "../../../io/write/part_file.ts";
import { partOf, rowsOf } from "../../../sinks/chunks/rows.ts";
import { isContiguous } from "../../../space/box.ts";
import { bytesOf } from "../../../space/bytes.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import type { Shape } from "../../../space/shape.ts";
import { Turns } from "../../../turns.ts";
import type { MapBlock } from "../../map/blocks.ts";
import { type SeeSamples, shown } from "../../map/sink.ts";

/** Bytes of a read. */
const PIECE = 2 ** 20;

/** A file for what comes too early. */
interface WaitingFile {
  readonly write: WriteAt;
  /** Fills `into` from byte `position`, or throws. */
  read(into: Uint8Array, position: number): void;
}

/** The samples of one result; each block begins where the one before it ends, along one dimension. */
export class SamplesInOrder {
  /** Bytes that have come. */
  #taken = 0;
  /** Bytes that have been shown. */
  #shown = 0;
  /** Bytes that had been shown when the file was empty: its first byte. */
  #first = 0;
  #waiting: WaitingFile | undefined;

  /** Nothing has come yet; `waiting` makes the file when it is needed. */
  constructor(
    private readonly array: { readonly shape: Shape; readonly dtype: DType },
    private readonly see: SeeSamples,
    private readonly waiting: () => Promise<WaitingFile>,
  ) {}

  /** Takes the next block. */
  async put({ origin, shape, data }: MapBlock): Promise<void> {
    const { array, see } = this, box = { origin, shape }, bytes = bytesOf(data);
    if (isContiguous(box, array.shape)) {
      await shown(bytes, see);
      this.#first = this.#shown = this.#taken += bytes.length;
      return;
    }
    const { write, read } = this.#waiting ??= await this.waiting();
    using _ = write.hold();
    let end = 0;
    for (const row of rowsOf(box, array.shape, dtypeInfo(array.dtype).itemSize)) {
      end = row.to + row.bytes;
      this.#taken += row.bytes;
      if (row.to === this.#shown) {
        await shown(partOf(bytes, row), see);
        this.#shown = end;
      } else write(partOf(bytes, row), row.to - this.#first);
    }
    if (end === this.#taken) await this.#showWaiting(read);
  }

  /** Shows what waits: nothing is missing before it. */
  async #showWaiting(read: WaitingFile["read"]): Promise<void> {
    const buffer = new Uint8Array(Math.min(PIECE, this.#taken - this.#shown));
    const turns = new Turns();
    while (this.#shown < this.#taken) {
      const piece = buffer.subarray(0, this.#taken - this.#shown);
      read(piece, this.#shown - this.#first);
      this.see(piece);
      this.#shown += piece.length;
      if (turns.due) await turns.give();
    }
    this.#first = this.#shown;
  }
}
