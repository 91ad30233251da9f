/**
 * The calls that are about a name, not about an open file: `stat`, `list`, `remove`, `mkdir`, `rename`, and those about links
 * and times: `look`, `setTimes`, `link`, `symlink`, `readLink`.
 *
 * @module
 */

import type { Awaitable, BackEnd, FileFacts, NodeFacts } from "../backends/back_end.ts";
import { STATUS } from "../protocol/status.ts";
import { after, type CallsOfForm, type FileCallsOf, NODE, type SplitTimes, STAT } from "./calls.ts";
import { KernelBytes, named, nameList } from "./kernel_bytes.ts";

/** What a name stands for; a back end without links knows less. */
export function lookAt(files: BackEnd, name: string, follow: boolean): Awaitable<NodeFacts> {
  return files.look ? files.look(name, follow) : after(files.stat(name), withoutLinks);
}

function withoutLinks(facts: FileFacts): NodeFacts {
  const modified = BigInt(Math.round(facts.modified ?? 0)) * 1_000_000n;
  return { ...facts, number: 0n, links: 1, times: { accessed: modified, modified, changed: modified } };
}

/** The calls that are about a name, not about an open file. */
export class NameCalls
  implements Pick<FileCallsOf<Awaitable<number>>, Exclude<CallsOfForm<"name" | "names">, "open">> {
  /** Bytes of the memory that answers are written to. */
  protected readonly kernel: KernelBytes;

  /** Names of `backEnd`, for kernels in `memory`. */
  constructor(readonly memory: WebAssembly.Memory, readonly backEnd: BackEnd) {
    this.kernel = new KernelBytes(memory);
  }

  /** See `FileCallsOf.stat`. */
  stat(_channel: number, name: Uint8Array, pointer: number): Awaitable<number> {
    if (!this.kernel.has(pointer, STAT.length)) return -STATUS.invalid;
    return named(name, (text) => after(this.backEnd.stat(text), (facts) => this.#writeFacts(pointer, facts)));
  }

  #writeFacts(pointer: number, { bytes, kind, modified }: FileFacts): number {
    const { buffer, byteOffset } = this.kernel.all;
    const record = new DataView(buffer, byteOffset + pointer, STAT.length);
    record.setFloat64(STAT.bytes, bytes, true);
    record.setFloat64(STAT.modified, modified ?? NaN, true);
    record.setFloat64(STAT.kind, 0, true);
    record.setInt32(STAT.kind, kind === "file" ? STAT.file : STAT.directory, true);
    return 0;
  }

  /** See `FileCallsOf.list`. */
  list(_channel: number, name: Uint8Array, pointer: number, capacity: number): Awaitable<number> {
    if (!this.kernel.has(pointer, capacity)) return -STATUS.invalid;
    return named(name, (text) =>
      after(this.backEnd.list(text), (names) => {
        const bytes = nameList(names);
        if (bytes.length <= capacity) this.kernel.all.set(bytes, pointer);
        return bytes.length;
      }));
  }

  /** See `FileCallsOf.remove`. */
  remove(_channel: number, name: Uint8Array): Awaitable<number> {
    return named(name, (text) => after(this.backEnd.remove(text), () => 0));
  }

  /** See `FileCallsOf.mkdir`. */
  mkdir(_channel: number, name: Uint8Array): Awaitable<number> {
    return named(name, (text) => after(this.backEnd.mkdir(text), () => 0));
  }

  /** See `FileCallsOf.rename`. */
  rename(_channel: number, name: Uint8Array, to: Uint8Array): Awaitable<number> {
    if (!this.backEnd.rename) return -STATUS.unsupported;
    return named(name, (from) => named(to, (target) => after(this.backEnd.rename!(from, target), () => 0)));
  }

  /** See `FileCallsOf.look`. */
  look(_channel: number, name: Uint8Array, pointer: number, follow: number): Awaitable<number> {
    if (!this.kernel.has(pointer, NODE.length)) return -STATUS.invalid;
    return named(name, (text) =>
      after(lookAt(this.backEnd, text, follow === 1), (facts) => {
        const { buffer, byteOffset } = this.kernel.all;
        writeNode(new DataView(buffer, byteOffset + pointer, NODE.length), facts);
        return 0;
      }));
  }

  /** See `FileCallsOf.setTimes`. */
  setTimes(_channel: number, name: Uint8Array, follow: number, ...split: SplitTimes): Awaitable<number> {
    const [accessed, aRest, modified, mRest] = split;
    if (!this.backEnd.setTimes) return -STATUS.unsupported;
    if (!split.every((n) => Number.isSafeInteger(n) && n >= 0)) {
      return -STATUS.invalid;
    }
    const times = { accessed: nanoseconds(accessed, aRest), modified: nanoseconds(modified, mRest) };
    return named(name, (text) => after(this.backEnd.setTimes!(text, times, follow === 1), () => 0));
  }

  /** See `FileCallsOf.link`. */
  link(_channel: number, name: Uint8Array, to: Uint8Array): Awaitable<number> {
    if (!this.backEnd.link) return -STATUS.unsupported;
    return named(name, (from) => named(to, (target) => after(this.backEnd.link!(from, target), () => 0)));
  }

  /** See `FileCallsOf.symlink`. */
  symlink(_channel: number, text: Uint8Array, name: Uint8Array): Awaitable<number> {
    if (!this.backEnd.symlink) return -STATUS.unsupported;
    return named(text, (text) => named(name, (own) => after(this.backEnd.symlink!(text, own), () => 0)));
  }

  /** See `FileCallsOf.readLink`. */
  readLink(_channel: number, name: Uint8Array, pointer: number, capacity: number): Awaitable<number> {
    if (!this.kernel.has(pointer, capacity)) return -STATUS.invalid;
    if (!this.backEnd.readLink) return -STATUS.invalid; // it is not a link
    return named(name, (own) =>
      after(this.backEnd.readLink!(own), (text) => {
        const bytes = new TextEncoder().encode(text);
        if (bytes.length <= capacity) this.kernel.all.set(bytes, pointer);
        return bytes.length;
      }));
  }
}

function nanoseconds(seconds: number, rest: number): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}

const KINDS = { file: NODE.file, directory: NODE.directory, link: NODE.link } as const;

function writeNode(record: DataView, { bytes, modified, kind, links, number, times }: NodeFacts): void {
  record.setFloat64(NODE.bytes, bytes, true);
  record.setFloat64(NODE.modified, modified ?? NaN, true);
  record.setInt32(NODE.kind, KINDS[kind], true);
  record.setInt32(NODE.links, links, true);
  record.setBigUint64(NODE.number, number, true);
  record.setBigInt64(NODE.accessed, times.accessed, true);
  record.setBigInt64(NODE.written, times.modified, true);
  record.setBigInt64(NODE.changed, times.changed, true);
}

/** What {@link NameCalls.look} has written. */
export function readNode(record: DataView): NodeFacts {
  const kind = record.getInt32(NODE.kind, true);
  return {
    bytes: record.getFloat64(NODE.bytes, true),
    modified: record.getFloat64(NODE.modified, true),
    kind: kind === NODE.link ? "link" : kind === NODE.directory ? "directory" : "file",
    links: record.getInt32(NODE.links, true),
    number: record.getBigUint64(NODE.number, true),
    times: {
      accessed: record.getBigInt64(NODE.accessed, true),
      modified: record.getBigInt64(NODE.written, true),
      changed: record.getBigInt64(NODE.changed, true),
    },
  };
}
