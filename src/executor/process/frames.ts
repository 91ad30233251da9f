/**
 * Messages between processes: frames over a pipe.
 *
 * ```
 * "TWF1" │ bytes of the message (4) │ bytes behind it (8) │ message, as node:v8 writes it │ bytes as they are
 * ```
 *
 * Bytes of the memory of a run follow the message. They are written directly from that memory and read directly into it,
 * without a copy in between. Anything that is not a frame is an error: its writer cannot be trusted any more.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { nodeModule } from "../../portable.ts";
import { reasonOf } from "../../reason.ts";
import { nonsense } from "../copies.ts";

const MAGIC = 0x31465754; // "TWF1", little-endian
const HEADER = 16;

/** Most bytes of a message; a longer one is invalid. */
const MOST_MESSAGE = 2 ** 31;

/** Most bytes per write. */
const PIECE = 2 ** 20;

/** Smaller pieces are gathered up to this many bytes. */
const GATHERED = 2 ** 14;

/** Not imported by name, as bundlers for pages do not know this name. */
function serializer() {
  return nodeModule("node:v8")!;
}

/** Writes frames, one after another. */
export class FrameWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #turn: Promise<void> = Promise.resolve();
  #over = false;

  /** Frames go to `stream`. */
  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
  }

  /** Resolves when all frames have been written, or when the reader has gone. */
  get written(): Promise<void> {
    return this.#turn;
  }

  /**
   * Writes a message, followed by the bytes `behind`, which must not change before they are written. Throws if the message
   * cannot be sent.
   */
  send(message: unknown, behind: readonly Uint8Array[] = []): void {
    const body = encoded(message);
    const bytes = behind.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const frame = new Uint8Array(HEADER + body.length);
    const head = new DataView(frame.buffer);
    head.setUint32(0, MAGIC, true);
    head.setUint32(4, body.length, true);
    head.setBigUint64(8, BigInt(bytes), true);
    frame.set(body, HEADER);
    this.#turn = this.#turn.then(() => this.#write([frame, ...behind])).catch(() => this.stop());
  }

  /** Stops writing; frames that wait are dropped. */
  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#writer.abort().catch(() => {}); // the other end is gone
  }

  async #write(pieces: readonly Uint8Array[]): Promise<void> {
    for (const bytes of gathered(pieces)) {
      for (let at = 0; at < bytes.length && !this.#over; at += PIECE) {
        await this.#writer.write(bytes.subarray(at, at + PIECE));
      }
    }
  }
}

/** Small pieces, joined: one write call takes longer than copying them. */
function* gathered(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  const room = new Uint8Array(GATHERED);
  let filled = 0;
  for (const piece of pieces) {
    if (filled + piece.length > room.length) {
      if (filled > 0) yield room.slice(0, filled);
      filled = 0;
    }
    if (piece.length > room.length) yield piece;
    else {
      room.set(piece, filled);
      filled += piece.length;
    }
  }
  if (filled > 0) yield room.subarray(0, filled);
}

/** A frame whose message has been read. */
export interface Frame {
  /** The message. */
  readonly message: unknown;
  /** How many bytes lie behind it. */
  readonly bytes: number;
}

/** Reads frames, one after another. */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #behind = 0;

  /** Frames come from `stream`. */
  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** The next frame; `undefined` at the end. Skips unread bytes of the last one. Errors: `worker` for bytes that are not a frame. */
  async next(): Promise<Frame | undefined> {
    while (this.#behind > 0) await this.#piece();
    if (!await this.#more()) return undefined;
    const head = await this.#exactly(HEADER);
    const view = new DataView(head.buffer, head.byteOffset);
    const [magic, length, bytes] = [
      view.getUint32(0, true),
      view.getUint32(4, true),
      Number(view.getBigUint64(8, true)),
    ];
    if (magic !== MAGIC || length > MOST_MESSAGE || !Number.isSafeInteger(bytes)) {
      throw nonsense(`no message, but "${readable(head, this.#rest)}"`);
    }
    const message = decoded(await this.#exactly(length));
    this.#behind = bytes;
    return { message, bytes };
  }

  /** Fills `into` with bytes behind the last message. Stops and returns false when `goesOn` does; the rest of `into` stays. */
  async read(into: Uint8Array, goesOn: () => boolean): Promise<boolean> {
    for (let at = 0; at < into.length;) {
      const piece = await this.#piece(into.length - at);
      if (!goesOn()) return false;
      into.set(piece, at);
      at += piece.length;
    }
    return true;
  }

  /** At most `most` bytes behind the last message. */
  async #piece(most: number = Infinity): Promise<Uint8Array> {
    if (this.#behind === 0) throw nonsense("fewer bytes than its message says");
    if (!await this.#more()) throw nonsense("a part of a message");
    const piece = this.#rest.subarray(0, Math.min(most, this.#behind));
    this.#rest = this.#rest.subarray(piece.length);
    this.#behind -= piece.length;
    return piece;
  }

  /** Stops reading. */
  stop(): void {
    this.#reader.cancel().catch(() => {}); // it has ended
  }

  async #exactly(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count;) {
      if (!await this.#more()) throw nonsense("a part of a message");
      const piece = this.#rest.subarray(0, count - at);
      bytes.set(piece, at);
      at += piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return bytes;
  }

  /** Whether there is at least one byte more. */
  async #more(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }
}

function encoded(message: unknown): Uint8Array {
  try {
    return serializer().serialize(message);
  } catch (cause) {
    // That of Deno says of a compiled module that it has "no transfer id".
    if (!/SharedArrayBuffer|wasm_module/.test(reasonOf(cause))) throw cause;
    const text =
      "Cannot send to a worker process what threads share, such as memory, channels in it or compiled kernels; " +
      "use workerPool() or inlineExecutor(), or send bytes";
    throw new TilewiseError("unsupported", text, { option: "executor", found: "processes" }, { cause });
  }
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return serializer().deserialize(bytes);
  } catch (error) {
    throw nonsense(`a message that cannot be read: ${reasonOf(error)}`);
  }
}

function readable(...parts: readonly Uint8Array[]): string {
  const text = parts.map((bytes) => new TextDecoder("latin1").decode(bytes.subarray(0, 60))).join("");
  return text.slice(0, 60).replace(/[^\x20-\x7e]/g, "·");
}
