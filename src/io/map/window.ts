/**
 * The window of one worker: shows ranges of files, one after another, without a copy.
 *
 * ```
 * file     ░░░░░░░░░░▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░
 *                    └─ mapped, from a page border on: as many bytes as the window has
 * memory             ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
 *                        └─┘ shown: made readable before
 * ```
 *
 * The window moves on when something else is asked for. What is written to it stays in this process, and is forgotten when the
 * window moves; what was shown already is mapped anew before it is shown again.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource, FileSpec } from "../source/source.ts";
import { addressOf, FAILED, LINUX, system } from "./system.ts";
import type { WindowPlace } from "./windows.ts";

/** Bytes of `struct stat`; its device, number and size are at 0, 8 and 48. */
const STAT_BYTES = 144;

/** An open file. */
interface OpenFile {
  readonly spec: FileSpec;
  readonly fd: number;
}

/** Shows ranges of files. */
export class FileWindow implements Disposable {
  readonly #page: number;
  readonly #address: bigint;
  readonly #count: Int32Array;
  #file: OpenFile | undefined;
  /** The range of the file that is mapped. */
  #from = 0;
  #to = 0;
  /** Where the last range that was shown began. */
  #shown = -1;

  /** The window at `place`; nothing is mapped yet. */
  constructor(memory: WebAssembly.Memory, private readonly place: WindowPlace) {
    this.#page = system().getpagesize();
    this.#address = addressOf(memory, place.offset);
    this.#count = new Int32Array(memory.buffer, place.faults, 1);
  }

  /** The address of `length` bytes at `at` of a file; `undefined` if they cannot be shown, and must be read. */
  show(source: ByteSource, at: number, length: number): number | undefined {
    const spec = source.describe();
    if (spec.kind !== "file" || at + length > spec.size) return undefined;
    const isThere = this.#file?.spec === spec && at > this.#shown && at >= this.#from &&
      at + length <= this.#to;
    if (!isThere && !this.#move(spec, at, length)) return undefined;
    if (!this.#populate(at, length)) return this.#forget();
    this.#shown = at;
    return this.place.offset + at - this.#from;
  }

  /** Throws `io` if pages were missing when they were needed: samples are wrong then, in all windows of the run. */
  check(): void {
    if (Atomics.load(this.#count, 0) === 0) return;
    const file = this.#file?.spec.path;
    const text = `Cannot read ${file ?? "a mapped file"}: pages of it went away or could not be read`;
    throw new TilewiseError("io", text, defined({ file }));
  }

  /** Closes the file. What is mapped stays until the window is returned. */
  [Symbol.dispose](): void {
    if (this.#file) system().close(this.#file.fd);
    this.#file = undefined;
  }

  /** Maps what begins in the page of byte `at`; whether the window has room for `length` bytes from there. */
  #move(spec: FileSpec, at: number, length: number): boolean {
    const from = at - at % this.#page;
    if (at + length > from + this.place.bytes) return false;
    const file = this.#file?.spec === spec ? this.#file : this.#open(spec);
    if (!file) return false;
    const to = Math.min(from + this.place.bytes, spec.size);
    const { PROT_READ_WRITE, MAP_PRIVATE, MAP_FIXED, MAP_NORESERVE } = LINUX;
    const flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    const place = Deno.UnsafePointer.create(this.#address);
    const mapped = system().mmap(place, BigInt(to - from), PROT_READ_WRITE, flags, file.fd, BigInt(from));
    if (BigInt(Deno.UnsafePointer.value(mapped)) === FAILED) return this.#forget() ?? false;
    this.#from = from;
    this.#to = to;
    return true;
  }

  /** Makes the pages of a range readable; whether all of them are. */
  #populate(at: number, length: number): boolean {
    const first = at - this.#from;
    const start = first - first % this.#page;
    const place = Deno.UnsafePointer.create(this.#address + BigInt(start));
    return system().madvise(place, BigInt(first + length - start), LINUX.MADV_POPULATE_READ) === 0;
  }

  #forget(): undefined {
    this.#to = this.#from = 0;
    this.#shown = -1;
  }

  /** Opens the file of this name if it is the one that `spec` describes. */
  #open(spec: FileSpec): OpenFile | undefined {
    this[Symbol.dispose]();
    this.#forget();
    const fd = system().open(new TextEncoder().encode(`${spec.path}\0`), LINUX.O_CLOEXEC);
    if (fd < 0) return undefined;
    if (isSame(fd, spec)) return this.#file = { spec, fd };
    system().close(fd);
    return undefined;
  }
}

/** Whether an open file has the number and the size of the one that was described. */
function isSame(fd: number, { id, size }: FileSpec): boolean {
  const facts = new BigInt64Array(STAT_BYTES / 8);
  if (system().fstat(fd, facts) !== 0) return false;
  return facts[6] === BigInt(size) && (id === undefined || id === `${facts[0]}:${facts[1]}`);
}
