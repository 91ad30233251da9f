/**
 * An open file of a kernel in TypeScript: the calls of kernels with views in place of addresses, and errors in place of
 * statuses.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { oneOf, whole } from "../../options/rules.ts";
import { STATUS, statusError } from "../protocol/status.ts";
import { type Batch, beginBatch, type KernelRoom, type Request } from "./batch_reads.ts";
import { fellShort } from "./calls.ts";
import { type ModeName, WHENCE } from "./modes.ts";

/**
 * Where a transfer starts: `offset` elements from the start of the file, its end, or the cursor. Default: at the cursor.
 * @category Channels
 */
export interface SeekPosition {
  /** What the offset counts from. Default `begin` if there is an offset. */
  readonly from?: "begin" | "end" | "current";
  /** Elements; they may be negative. Whole. Default 0. */
  readonly offset?: number;
}

/**
 * What every open file of a kernel has. Counts, offsets and sizes are in elements. Errors of all calls: those of
 * {@link KernelFiles}; `invalid` after it has been closed.
 * @category Channels
 */
export interface AnyKernelFile extends Disposable {
  /** The handle, as kernels in WebAssembly use it. */
  readonly handle: number;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** Whole elements in the file. */
  readonly size: number;
  /** Whole elements before the cursor. */
  readonly tell: number;
  /** Moves the cursor: whole elements before it. */
  seek(place: SeekPosition): number;
  /** Closes the file. */
  close(): void;
}

/**
 * A file that can be read.
 * @category Channels
 */
export interface ReadableKernelFile extends AnyKernelFile {
  /** Whether the latest read came to the end of the file. */
  readonly atEnd: boolean;
  /** Fills `view`: the elements read, fewer at the end of the file. What is behind them stays as it is. */
  read(view: ArrayBufferView, place?: SeekPosition): number;
  /** Reads `count` elements to the buffer of the channel, from its element `at` on. */
  readBuffer(at: number, count: number, place?: SeekPosition): number;
  /** Begins several reads with one call; the channel is taken until the batch is finished. Views lie in the memory of the kernel. */
  readMany(requests: readonly Request[]): Batch;
}

/**
 * A file that can be written.
 * @category Channels
 */
export interface WritableKernelFile extends AnyKernelFile {
  /** Writes all elements of `view`. Errors: `io` with `details.written`, if the device takes fewer. */
  write(view: ArrayBufferView, place?: SeekPosition): void;
  /** The same from the buffer of the channel, from its element `at` on. */
  writeBuffer(at: number, count: number, place?: SeekPosition): void;
  /** Makes sure that what was written would survive a loss of power. */
  flush(): void;
  /** Makes the file `count` elements long. */
  truncate(count: number): void;
}

/**
 * What a file opened in a mode can do.
 * @category Channels
 */
export type KernelFile<M extends ModeName> = M extends "read_only" ? ReadableKernelFile
  : M extends "write_only" | "append_only" ? WritableKernelFile
  : ReadableKernelFile & WritableKernelFile;

/** A file opened in any mode. */
export class OpenKernelFile implements ReadableKernelFile, WritableKernelFile {
  #atEnd = false;
  #closed = false;

  /** The file `name` with this handle. */
  constructor(
    private readonly room: KernelRoom,
    readonly handle: number,
    readonly name: string,
    readonly elementSize: number,
    private readonly together: boolean,
  ) {}

  get size(): number {
    return this.#checked(this.room.calls.size(this.handle), "ask for the size of");
  }

  get tell(): number {
    return this.seek({ from: "current" });
  }

  get atEnd(): boolean {
    return this.#atEnd;
  }

  seek(place: SeekPosition): number {
    return this.#checked(this.room.calls.seek(this.handle, ...placed(place)), "seek in");
  }

  close(): void {
    this.#closed = true;
    this.#checked(this.room.calls.close(this.handle), "close");
  }

  [Symbol.dispose](): void {
    if (!this.#closed) this.room.calls.close(this.handle);
    this.#closed = true;
  }

  read(view: ArrayBufferView, place?: SeekPosition): number {
    const count = this.#elements(view);
    const done = this.room.transfer(
      view,
      this.elementSize,
      (pointer, n, first) =>
        this.room.calls.read(this.handle, pointer, n, ...placed(first ? place : undefined)),
      "in",
    );
    this.#atEnd = this.#isShort(this.#checked(done, "read"), count);
    return done;
  }

  readBuffer(at: number, count: number, place?: SeekPosition): number {
    const done = this.#checked(this.room.calls.readBuffer(this.handle, at, count, ...placed(place)), "read");
    this.#atEnd = this.#isShort(done, count);
    return done;
  }

  readMany(requests: readonly Request[]): Batch {
    return beginBatch(this.room, this, requests);
  }

  write(view: ArrayBufferView, place?: SeekPosition): void {
    const count = this.#elements(view);
    const done = this.room.transfer(
      view,
      this.elementSize,
      (pointer, n, first) =>
        this.room.calls.write(this.handle, pointer, n, ...placed(first ? place : undefined)),
      "out",
    );
    this.#whole(done, count);
  }

  writeBuffer(at: number, count: number, place?: SeekPosition): void {
    this.#whole(this.room.calls.writeBuffer(this.handle, at, count, ...placed(place)), count);
  }

  flush(): void {
    this.#checked(this.room.calls.flush(this.handle), "flush");
  }

  truncate(count: number): void {
    this.#checked(this.room.calls.truncate(this.handle, count), "truncate");
  }

  /** Elements of a view. Errors: `invalid` if they are not whole, or not where all members of a group see them. */
  #elements(view: ArrayBufferView): number {
    if (this.together && view.buffer !== this.room.memory.buffer) {
      const text =
        `Cannot transfer ${this.name} together: the view is not in the memory that the group shares`;
      throw new TilewiseError("invalid", text, { file: this.name });
    }
    const count = view.byteLength / this.elementSize;
    if (Number.isInteger(count)) return count;
    const text =
      `Cannot transfer ${view.byteLength} bytes of ${this.name}: an element has ${this.elementSize}`;
    throw new TilewiseError("invalid", text, { file: this.name, found: view.byteLength });
  }

  /** Errors: why not all of `count` elements were written. */
  #whole(done: number, count: number): void {
    if (!this.#isShort(this.#checked(done, "write"), count)) return;
    const why = this.room.calls.trouble(this.handle) || -STATUS.io;
    const { code, message, details } = statusError(why, `write ${count} elements to ${this.name}`);
    const text = `${message}; ${done} were written`;
    throw new TilewiseError(code, text, { ...details, file: this.name, written: done });
  }

  #isShort(done: number, count: number): boolean {
    return fellShort(this.room.calls, this.handle, count, done);
  }

  #checked(result: number, verb: string): number {
    if (result >= 0) return result;
    const { code, message, details } = statusError(result, `${verb} ${this.name}`);
    throw new TilewiseError(code, message, { ...details, file: this.name });
  }
}

/** A place as numbers: what the offset counts from, and the offset. */
export function placed(place: SeekPosition = HERE): [number, number] {
  for (const key in place) if (key !== "offset" && key !== "from") checkOptionNames("place", place, PLACE);
  const { offset = 0, from = "begin" } = place;
  if (!Object.hasOwn(WHENCE, from)) oneOf(...Object.keys(WHENCE))("place", "from", from);
  return [WHENCE[from], offset];
}

const HERE: SeekPosition = { from: "current" };
const PLACE: OptionNames<SeekPosition> = { from: oneOf("begin", "end", "current"), offset: whole(-Infinity) };
