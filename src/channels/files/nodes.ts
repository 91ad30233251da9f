/**
 * The calls that are about links and times: `look`, `setTimes`, `link`, `symlink`, `readLink`.
 *
 * @module
 */

import type { Awaitable, BackEnd, FileFacts, NodeFacts } from "../backends/back_end.ts";
import { STATUS } from "../protocol/status.ts";
import { after, NODE, type SplitTimes, STAT } from "./calls.ts";
import { type KernelBytes, named, nameList } from "./kernel_bytes.ts";

/** What a name stands for; a back end without links knows less. */
export function lookAt(files: BackEnd, name: string, follow: boolean): Awaitable<NodeFacts> {
  return files.look ? files.look(name, follow) : after(files.stat(name), withoutLinks);
}

function withoutLinks(facts: FileFacts): NodeFacts {
  const modified = BigInt(Math.round(facts.modified ?? 0)) * 1_000_000n;
  return { ...facts, number: 0n, links: 1, times: { accessed: modified, modified, changed: modified } };
}

/** Links and times of one back end, for kernels in one memory. */
export class Nodes {
  /** Answers are written to `kernel`. */
  constructor(readonly files: BackEnd, readonly kernel: KernelBytes) {}

  /** See `FileCallsOf.look`. */
  look(name: Uint8Array, pointer: number, follow: number): Awaitable<number> {
    if (!this.kernel.has(pointer, NODE.length)) return -STATUS.invalid;
    return named(name, (text) =>
      after(lookAt(this.files, text, follow === 1), (facts) => {
        const { buffer, byteOffset } = this.kernel.all;
        writeNode(new DataView(buffer, byteOffset + pointer, NODE.length), facts);
        return 0;
      }));
  }

  /** See `FileCallsOf.setTimes`. */
  setTimes(
    name: Uint8Array,
    follow: number,
    [accessed, aRest, modified, mRest]: SplitTimes,
  ): Awaitable<number> {
    if (!this.files.setTimes) return -STATUS.unsupported;
    if (![accessed, aRest, modified, mRest].every((n) => Number.isSafeInteger(n) && n >= 0)) {
      return -STATUS.invalid;
    }
    const times = { accessed: nanoseconds(accessed, aRest), modified: nanoseconds(modified, mRest) };
    return named(name, (text) => after(this.files.setTimes!(text, times, follow === 1), () => 0));
  }

  /** See `FileCallsOf.link`. */
  link(name: Uint8Array, to: Uint8Array): Awaitable<number> {
    if (!this.files.link) return -STATUS.unsupported;
    return named(name, (from) => named(to, (target) => after(this.files.link!(from, target), () => 0)));
  }

  /** See `FileCallsOf.symlink`. */
  symlink(text: Uint8Array, name: Uint8Array): Awaitable<number> {
    if (!this.files.symlink) return -STATUS.unsupported;
    return named(text, (text) => named(name, (own) => after(this.files.symlink!(text, own), () => 0)));
  }

  /** See `FileCallsOf.readLink`. */
  readLink(name: Uint8Array, pointer: number, capacity: number): Awaitable<number> {
    if (!this.kernel.has(pointer, capacity)) return -STATUS.invalid;
    if (!this.files.readLink) return -STATUS.invalid; // it is not a link
    return named(name, (own) =>
      after(this.files.readLink!(own), (text) => {
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

/** What {@link Nodes.look} has written. */
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

// The calls that are about a name, not about an open file: `stat`, `list`, `remove`, `mkdir`, `rename`.

/** Names of one back end, for kernels in one memory. */
export class Folders {
  /** Answers are written to `kernel`. */
  constructor(readonly files: BackEnd, readonly kernel: KernelBytes) {}

  /** See `FileCallsOf.stat`. */
  stat(name: Uint8Array, pointer: number): Awaitable<number> {
    if (!this.kernel.has(pointer, STAT.length)) return -STATUS.invalid;
    return named(name, (text) => after(this.files.stat(text), (facts) => this.#writeFacts(pointer, facts)));
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
  list(name: Uint8Array, pointer: number, capacity: number): Awaitable<number> {
    if (!this.kernel.has(pointer, capacity)) return -STATUS.invalid;
    return named(name, (text) =>
      after(this.files.list(text), (names) => {
        const bytes = nameList(names);
        if (bytes.length <= capacity) this.kernel.all.set(bytes, pointer);
        return bytes.length;
      }));
  }

  /** See `FileCallsOf.remove`. */
  remove(name: Uint8Array): Awaitable<number> {
    return named(name, (text) => after(this.files.remove(text), () => 0));
  }

  /** See `FileCallsOf.mkdir`. */
  mkdir(name: Uint8Array): Awaitable<number> {
    return named(name, (text) => after(this.files.mkdir(text), () => 0));
  }

  /** See `FileCallsOf.rename`. */
  rename(name: Uint8Array, to: Uint8Array): Awaitable<number> {
    if (!this.files.rename) return -STATUS.unsupported;
    return named(name, (from) => named(to, (target) => after(this.files.rename!(from, target), () => 0)));
  }
}
