/**
 * Gzip files of one or several members, as `cat a.gz b.gz` and programs that pack in blocks make them.
 *
 * ```
 * member  1f 8b 08 flags₈ time₃₂ extra₈ system₈  [length₁₆ fields] [name 0] [comment 0] [check₁₆]  DEFLATE  crc₃₂ size₃₂
 * ```
 * Streams of the platform accept one member only, so the members are unpacked by a kernel of Tilewise. Source: RFC 1952.
 *
 * @module
 */

import { STOP_WORDS, STOPPED } from "../../kernels/families/unpack_stops.ts";
import { INFLATE_BYTES } from "../../kernels/families/filters.ts";
import { packsOf } from "../../kernels/pack_names.ts";
import { instantiateKernels, type Kernels, loadPacks } from "../../kernels/wasm.ts";
import { cannot, type TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { crc32 } from "../../space/crc32.ts";

const [FIELDS, NAME, COMMENT, CHECK] = [4, 8, 16, 2];
const PAGE = 65536;
/** Most bytes that DEFLATE makes of one byte. */
export const MOST_RATIO = 1032;
/** Where status, tables and the packed bytes begin in the memory. */
const [STATUS, TABLES, SOURCE] = [64, 128, Math.ceil((128 + INFLATE_BYTES) / PAGE) * PAGE];

/**
 * All members of a gzip file, unpacked; zeros behind the last one are padding. The file is read straight into the memory
 * that it is unpacked in, and the result lies there, shared where the platform has it: there is one copy of either.
 *
 * Errors: `malformed`, `unsupported` for what has more than `most` bytes; no more than those are ever in memory.
 */
export async function gunzip(source: ByteSource, most: number, signal?: AbortSignal): Promise<Uint8Array> {
  const { size } = source;
  await loadPacks(packsOf(["inflate"]));
  const unpacker = new Unpacker(size, most, source.name);
  await source.readInto(unpacker.packed, 0, signal);
  let at = 0;
  while (at < size && (at === 0 || unpacker.packed.subarray(at).some((byte) => byte !== 0))) {
    at = unpacker.member(at);
  }
  return unpacker.output();
}

/** The first unpacked bytes of a file, at most `length`, from its head; they end at damage. */
export async function gunzipStart(head: Uint8Array, length: number): Promise<Uint8Array> {
  await loadPacks(packsOf(["inflate"]));
  const unpacker = new Unpacker(head.length, 2 ** 24, "");
  unpacker.packed.set(head);
  let at = 0;
  try {
    while (at < head.length && unpacker.length < length) at = unpacker.member(at);
  } catch {
    return new Uint8Array([...unpacker.output(), ...await streamed(head.subarray(at), length)]); // goes on behind the head
  }
  return unpacker.output().slice();
}

class Unpacker {
  readonly #memory: WebAssembly.Memory;
  readonly #kernels: Kernels;
  readonly #target: number;
  /** Bytes unpacked so far. */
  length = 0;

  /** Unpacks `size` bytes, which belong into {@link packed}. */
  constructor(
    private readonly size: number,
    private readonly most: number,
    private readonly file: string,
  ) {
    this.#target = SOURCE + Math.ceil((size + 16) / PAGE) * PAGE;
    this.#memory = new WebAssembly.Memory({
      initial: this.#target / PAGE,
      maximum: Math.ceil((this.#target + most) / PAGE),
      shared: typeof SharedArrayBuffer !== "undefined",
    });
    this.#kernels = instantiateKernels(this.#memory);
  }

  /** The bytes of the file. */
  get packed(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, SOURCE, this.size);
  }

  /** Everything that was unpacked, in place. */
  output(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#target, this.length);
  }

  /** Unpacks the member at byte `at`; gives the byte behind it. */
  member(at: number): number {
    const { packed } = this;
    const start = bodyAt(packed, at) ?? this.#fail(at, "no gzip member begins there");
    const [written, taken] = this.#inflate(start);
    const end = start + taken;
    if (end + 8 > packed.length) this.#fail(end, "the checksum is missing");
    const view = new DataView(this.#memory.buffer, SOURCE + end, 8);
    const bytes = new Uint8Array(this.#memory.buffer, this.#target + this.length, written);
    if (view.getUint32(4, true) !== written % 2 ** 32) this.#fail(end + 4, `the size is not ${written}`);
    if (view.getUint32(0, true) !== crc32(bytes)) this.#fail(end, "the checksum is wrong");
    this.length += written;
    return end + 8;
  }

  /** Unpacks with room for the largest possible result: memory that is never written to costs nothing. */
  #inflate(start: number): readonly [written: number, taken: number] {
    const length = this.size - start;
    const room = Math.min(this.most - this.length, MOST_RATIO * length + PAGE);
    const target = this.#target + this.length;
    const missing = Math.ceil((target + room - this.#memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.#memory.grow(missing);
    this.#kernels.exports.inflate_u8(STATUS, target, room, SOURCE + start, length, TABLES);
    const [written = 0, taken = 0] = new Int32Array(this.#memory.buffer, STATUS, 2);
    if (written >= 0) return [written, taken];
    if (written !== STOPPED.noRoom) this.#fail(start + taken, STOP_WORDS[written] ?? "it makes no sense");
    throw this.#tooLarge();
  }

  #tooLarge(): TilewiseError {
    const text = `it unpacks to more than ${this.most} bytes; unpack it first`;
    return cannot("read", this.file, "unsupported", text, { expected: this.most });
  }

  #fail(offset: number, problem: string): never {
    const text = `its gzip stream is damaged: at byte ${offset}, ${problem}`;
    throw cannot("read", this.file, "malformed", text, { offset });
  }
}

/** Where the packed data of the member at byte `at` begin; `undefined` if no member begins there. */
function bodyAt(bytes: Uint8Array, at: number): number | undefined {
  const [a, b, method, flags = 0] = bytes.subarray(at, at + 4);
  if (a !== 0x1f || b !== 0x8b || method !== 8) return undefined;
  let body = at + 10;
  if (flags & FIELDS) body += 2 + (bytes[body] ?? 0) + 256 * (bytes[body + 1] ?? 0);
  for (const text of [NAME, COMMENT]) {
    if (!(flags & text)) continue;
    const end = bytes.indexOf(0, body);
    if (end < 0) return undefined;
    body = end + 1;
  }
  if (flags & CHECK) body += 2;
  return body < bytes.length ? body : undefined;
}

/** The unpacked bytes of a stream of which only the first bytes are given. */
async function streamed(head: Uint8Array, length: number): Promise<number[]> {
  const out: number[] = [];
  try {
    const stream = new Blob([head.slice()]).stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const part of stream) {
      out.push(...part.subarray(0, length - out.length));
      if (out.length >= length) break;
    }
  } catch {
    // the end is not there
  }
  return out;
}
