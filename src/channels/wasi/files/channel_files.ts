/**
 * Files by way of the calls of kernels. The memory of a program is its own and the host does not see it, so bytes go through a
 * buffer in the memory that both see, as much at a time as it holds.
 *
 * @module
 */

import type { NodeFacts, NodeTimes } from "../../backends/back_end.ts";
import { type FileCalls, NODE } from "../../files/calls.ts";
import { type ModeName, modeNumber, WHENCE } from "../../files/modes.ts";
import { readNode } from "../../files/nodes.ts";
import { STATUS } from "../../protocol/status.ts";
import type { ByteFiles, IoVectors } from "../common/descriptors.ts";

/** Fewest bytes of the buffer: a record of `stat`, and names of small directories. */
export const LEAST_BUFFER = 4096;

/** Nanoseconds. */
const SECOND = 1_000_000_000n;

/** Bytes of memory that the program and the host both see. */
export interface MemoryRange {
  /** Address of the first one. */
  readonly offset: number;
  /** How many. */
  readonly bytes: number;
}

/** The files of a host, in bytes whatever its elements are. */
export class ChannelFiles implements ByteFiles {
  readonly #open = new Set<number>();
  readonly #buffer: Uint8Array;
  readonly #record: DataView;

  // as the host answers them
  readonly size = (file: number): number => this.calls.size(file);
  readonly truncate = (file: number, bytes: number): number => this.calls.truncate(file, bytes);
  readonly flush = (file: number): number => this.calls.flush(file);
  readonly remove = this.#named("remove");
  readonly mkdir = this.#named("mkdir");
  readonly rename = this.#renamed("rename");
  readonly link = this.#renamed("link");
  readonly symlink = this.#renamed("symlink");

  /** Files by `calls` on a channel, through a buffer in `memory`. */
  constructor(
    private readonly calls: FileCalls,
    private readonly channel: number,
    memory: WebAssembly.Memory,
    private readonly place: MemoryRange,
  ) {
    this.#buffer = new Uint8Array(memory.buffer, place.offset, place.bytes);
    this.#record = new DataView(memory.buffer, place.offset, NODE.length);
  }

  /** See {@link ByteFiles.open}. */
  open(name: string, mode: ModeName): number {
    const file = this.calls.open(this.channel, modeNumber(mode), encode(name), 1);
    if (file > 0) this.#open.add(file);
    return file;
  }

  /** See {@link ByteFiles.read}. */
  read(file: number, pieces: IoVectors, position: number): number {
    return this.#inPieces(pieces, (count, done) => {
      const got = this.calls.read(file, this.place.offset, count, WHENCE.begin, position + done);
      if (got > 0) spread(this.#buffer.subarray(0, got), pieces, done);
      return got;
    });
  }

  /** See {@link ByteFiles.write}. */
  write(file: number, pieces: IoVectors, position: number): number {
    return this.#inPieces(pieces, (count, done) => {
      collect(this.#buffer.subarray(0, count), pieces, done);
      return this.calls.write(file, this.place.offset, count, WHENCE.begin, position + done);
    });
  }

  /** The sum of transfers that fit in the buffer, up to the first one that is cut short; an error counts if it comes first. */
  #inPieces(pieces: IoVectors, transfer: (count: number, done: number) => number): number {
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
    let done = 0;
    while (done < total) {
      const count = Math.min(total - done, this.#buffer.length);
      const moved = transfer(count, done);
      if (moved < 0) return done || moved;
      done += moved;
      if (moved < count) break;
    }
    return done;
  }

  /** See {@link ByteFiles.close}. */
  close(file: number): number {
    this.#open.delete(file);
    return this.calls.close(file);
  }

  /** See {@link ByteFiles.stat}. */
  stat(name: string, follow = true): NodeFacts | number {
    const status = this.calls.look(this.channel, encode(name), this.place.offset, follow ? 1 : 0);
    return status < 0 ? status : readNode(this.#record);
  }

  /** See {@link ByteFiles.setTimes}. */
  setTimes(name: string, { accessed, modified }: NodeTimes, follow: boolean): number {
    const split = (time: bigint): [number, number] => [Number(time / SECOND), Number(time % SECOND)];
    return this.calls.setTimes(
      this.channel,
      encode(name),
      follow ? 1 : 0,
      ...split(accessed),
      ...split(modified),
    );
  }

  /** See {@link ByteFiles.list}. A directory whose names do not fit in the buffer has the status `too-big`. */
  list(name: string): readonly string[] | number {
    const bytes = this.calls.list(this.channel, encode(name), this.place.offset, this.place.bytes);
    if (bytes < 0) return bytes;
    if (bytes > this.place.bytes) return -STATUS["too-big"];
    return new TextDecoder().decode(this.#buffer.slice(0, bytes)).split("\0").slice(0, -1);
  }

  /** See {@link ByteFiles.readLink}. */
  readLink(name: string): string | number {
    const bytes = this.calls.readLink(this.channel, encode(name), this.place.offset, this.place.bytes);
    if (bytes < 0) return bytes;
    return new TextDecoder().decode(this.#buffer.slice(0, bytes));
  }

  #named(call: "remove" | "mkdir") {
    return (name: string): number => this.calls[call](this.channel, encode(name));
  }

  #renamed(call: "rename" | "link" | "symlink") {
    return (from: string, to: string): number => this.calls[call](this.channel, encode(from), encode(to));
  }

  /** See {@link ByteFiles.closeAll}. */
  closeAll(): void {
    for (const file of this.#open) this.close(file);
  }
}

function encode(name: string): Uint8Array {
  return new TextEncoder().encode(name);
}

/** The parts of pieces that `count` bytes from byte `start` of all of them lie in, with their places among these bytes. */
function* parts(pieces: IoVectors, start: number, count: number): Generator<[part: Uint8Array, at: number]> {
  let first = -start;
  for (const piece of pieces) {
    const [from, to] = [Math.max(0, -first), Math.min(piece.length, count - first)];
    if (from < to) yield [piece.subarray(from, to), first + from];
    first += piece.length;
    if (first >= count) return;
  }
}

/** Copies bytes to the pieces, from byte `start` of them on. */
function spread(bytes: Uint8Array, pieces: IoVectors, start: number): void {
  for (const [part, at] of parts(pieces, start, bytes.length)) part.set(bytes.subarray(at, at + part.length));
}

/** Fills `bytes` from the pieces, from byte `start` of them on. */
function collect(bytes: Uint8Array, pieces: IoVectors, start: number): void {
  for (const [part, at] of parts(pieces, start, bytes.length)) bytes.set(part, at);
}
