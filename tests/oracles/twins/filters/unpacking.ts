/**
 * Functions that the twins of all kernels that unpack share: they read and write byte by byte, and stop with a code.
 *
 * @module
 */

import { STOPPED } from "../../../../src/kernels/families/unpack_stops.ts";

/** Thrown inside of twins. */
class Stop {
  constructor(readonly code: number) {}
}

/** The bytes that a twin unpacks, and those that it has written. */
export class Unpacking {
  /** Index of the next byte of the input. */
  from = 0;
  /** Number of bytes written. */
  to = 0;
  /** Where the current part of the input began. */
  start = 0;

  /** From `input` to `output`. */
  constructor(readonly input: Uint8Array, readonly output: Uint8Array) {}

  /** The next byte of the input. */
  next(): number {
    if (this.from >= this.input.length) this.stop("inputEnds");
    return this.input[this.from++]!;
  }

  /** Writes a byte. */
  put(byte: number): void {
    if (this.to >= this.output.length) this.stop("noRoom");
    this.output[this.to++] = byte;
  }

  /** Copies `count` bytes of the input. */
  literals(count: number): void {
    if (count > this.input.length - this.from) this.stop("inputEnds");
    if (count > this.output.length - this.to) this.stop("noRoom");
    for (; count > 0; count--) this.put(this.next());
  }

  /** Copies `count` bytes from `offset` bytes back, one by one, as source and destination may overlap. */
  match(offset: number, count: number): void {
    if (offset === 0 || offset > this.to) this.stop("tooFarBack");
    if (count > this.output.length - this.to) this.stop("noRoom");
    for (; count > 0; count--) this.put(this.output[this.to - offset]!);
  }

  /**
   * Runs `work` from the next `input` bytes to exactly the next `output` bytes; places count from the start of this
   * input.
   */
  part(input: number, output: number, work: (part: Unpacking) => void): void {
    const { from, to } = this;
    const part = new Unpacking(
      this.input.subarray(from, from + input),
      this.output.subarray(to, to + output),
    );
    try {
      work(part);
    } catch (error) {
      this.start = from + part.start;
      throw error;
    }
    this.start = from;
    if (part.to !== output) this.stop("wrongSize");
    this.from += input;
    this.to += output;
  }

  /** Stops with a code. */
  stop(why: keyof typeof STOPPED): never {
    throw new Stop(STOPPED[why]);
  }
}

/** Runs a twin and writes `status`; see `filter_families.ts`. */
export function unpackTwin(memory: WebAssembly.Memory, work: (job: Unpacking) => void) {
  return (status: number, dst: number, room: number, src: number, length: number): void => {
    const output = new Uint8Array(memory.buffer, dst, room);
    const job = new Unpacking(new Uint8Array(memory.buffer, src, length), output);
    const report = (result: number, place: number) => {
      const view = new DataView(memory.buffer);
      view.setInt32(status, result, true);
      view.setInt32(status + 4, place, true);
    };
    try {
      work(job);
      output.fill(0, job.to);
      report(job.to, job.from);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      output.fill(0);
      report(error.code, job.start);
    }
  };
}
