/**
 * Files in shared memory: every thread of a host sees the same ones, without calls to other threads.
 *
 * @module
 */

import {
  fileError,
  type FileFacts,
  folderAndName,
  type OpenFlags,
  partsOf,
  type SynchronousBackEnd,
} from "./back_end.ts";
import { BLOCK, KIND, type MemoryRegion, MemoryTables, NAME_BYTES } from "./memory_tables.ts";

const ROOT = "the memory of the host";

interface OpenFile {
  readonly name: string;
  readonly node: number;
  readonly generation: number;
  /** Its blocks in order, as far as this thread has followed them. */
  blocks: number[];
  /** Blocks were given back this often when they were followed. */
  cuts: number;
}

/** The files of a region, on this thread. The region ends with the host: what a file held is lost then. */
export class MemoryFiles implements SynchronousBackEnd {
  /** See {@link SynchronousBackEnd.synchronous}. */
  readonly synchronous = true;
  readonly #tables: MemoryTables;
  readonly #open = new Map<number, OpenFile>();
  #last = 0;

  /** The files in `region`, which must be formatted. */
  constructor(memory: WebAssembly.Memory, region: MemoryRegion) {
    this.#tables = new MemoryTables(memory, region);
  }

  /** See {@link SynchronousBackEnd.open}. */
  open(name: string, flags: OpenFlags): number {
    const parts = partsOf(name, ROOT);
    folderAndName(parts, ROOT);
    return this.#tables.lock.hold(() => {
      const node = this.#nodeFor(name, parts, flags);
      const generation = this.#tables.generation(node);
      const file: OpenFile = { name, node, generation, blocks: [], cuts: this.#tables.cuts(node) };
      if (flags.startsWith("w")) this.#resize(file, 0);
      this.#open.set(++this.#last, file);
      return this.#last;
    });
  }

  #nodeFor(name: string, parts: readonly string[], flags: OpenFlags): number {
    if (!flags.startsWith("r") && this.#tables.find(keyOf(parts)) < 0) {
      return this.#add(name, parts, KIND.file);
    }
    const node = this.#existing("open", name, parts);
    if (this.#tables.kind(node) === KIND.file) return node;
    throw fileError("EISDIR", `Cannot open ${name}: it is a directory`, { file: name });
  }

  #add(name: string, parts: readonly string[], kind: number): number {
    const key = keyOf(parts);
    if (key.length > NAME_BYTES) throw fileError("EINVAL", `Cannot make ${name}: its name is too long`);
    this.#mustBeFolder("make", name, parts.slice(0, -1));
    const node = this.#tables.add(key, kind);
    if (node >= 0) return node;
    const { names } = this.#tables.region;
    throw fileError("ENOSPC", `Cannot make ${name}: there is room for ${names} names; raise names`);
  }

  #mustBeFolder(verb: string, name: string, parts: readonly string[]): void {
    if (parts.length === 0) return;
    const node = this.#tables.find(keyOf(parts));
    if (node < 0) throw missing(verb, name);
    if (this.#tables.kind(node) === KIND.directory) return;
    throw fileError("ENOTDIR", `Cannot ${verb} ${name}: ${parts.join("/")} is not a directory`, {
      file: name,
    });
  }

  /** See {@link SynchronousBackEnd.close}. */
  close(file: number): void {
    if (!this.#open.delete(file)) throw closed();
  }

  /** See {@link SynchronousBackEnd.size}. */
  size(file: number): number {
    return this.#tables.lock.hold(() => this.#tables.size(this.#found(file).node));
  }

  /** See {@link SynchronousBackEnd.read}. */
  read(file: number, bytes: Uint8Array, at: number, length: number, position: number): number {
    return this.#tables.lock.hold(() => {
      const open = this.#found(file);
      const count = Math.max(0, Math.min(length, this.#tables.size(open.node) - position));
      this.#runs(open, position, count, (address, done, run) => {
        bytes.set(this.#tables.bytes.subarray(address, address + run), at + done);
      });
      return count;
    });
  }

  /** See {@link SynchronousBackEnd.write}. */
  write(file: number, bytes: Uint8Array, at: number, length: number, position: number | null): number {
    return this.#tables.lock.hold(() => {
      const open = this.#found(file);
      const size = this.#tables.size(open.node);
      const start = position ?? size;
      if (length === 0) return 0;
      const stop = Math.min(start + length, this.#most(open));
      if (stop <= start) throw full(open.name);
      this.#reserve(open, stop);
      if (start > size) this.#zero(open, size, start);
      this.#runs(open, start, stop - start, (address, done, run) => {
        this.#tables.bytes.set(bytes.subarray(at + done, at + done + run), address);
      });
      this.#tables.setSize(open.node, Math.max(size, stop));
      return stop - start;
    });
  }

  /** See {@link SynchronousBackEnd.flush}: memory survives nothing. */
  flush(file: number): void {
    this.size(file);
  }

  /** See {@link SynchronousBackEnd.truncate}. */
  truncate(file: number, bytes: number): void {
    this.#tables.lock.hold(() => this.#resize(this.#found(file), bytes));
  }

  #resize(open: OpenFile, bytes: number): void {
    const tables = this.#tables;
    const size = tables.size(open.node);
    if (bytes > this.#most(open)) throw full(open.name);
    if (bytes > size) {
      this.#reserve(open, bytes);
      this.#zero(open, size, bytes);
    }
    tables.setSize(open.node, bytes);
    this.#follow(open);
    tables.cut(open.node, open.blocks, Math.ceil(bytes / BLOCK));
  }

  /** See {@link SynchronousBackEnd.stat}. */
  stat(name: string): FileFacts {
    const parts = partsOf(name, ROOT);
    if (parts.length === 0) return { bytes: 0, kind: "directory" };
    return this.#tables.lock.hold(() => {
      const node = this.#existing("stat", name, parts);
      const kind = this.#tables.kind(node) === KIND.file ? "file" : "directory";
      return { bytes: this.#tables.size(node), kind, modified: this.#tables.modified(node) };
    });
  }

  /** See {@link SynchronousBackEnd.list}. */
  list(name: string): readonly string[] {
    const parts = partsOf(name, ROOT);
    return this.#tables.lock.hold(() => {
      this.#mustBeFolder("list", name, parts);
      return this.#inside(parts);
    });
  }

  #inside(parts: readonly string[]): string[] {
    const start = parts.map((part) => `${part}/`).join("");
    const below = this.#tables.names().filter((name) => name.startsWith(start));
    return below.map((name) => name.slice(start.length)).filter((name) => !name.includes("/")).sort();
  }

  /** See {@link SynchronousBackEnd.remove}. */
  remove(name: string): void {
    const parts = partsOf(name, ROOT);
    folderAndName(parts, ROOT);
    this.#tables.lock.hold(() => {
      const node = this.#existing("remove", name, parts);
      if (this.#tables.kind(node) === KIND.directory && this.#inside(parts).length > 0) {
        throw fileError("ENOTEMPTY", `Cannot remove ${name}: the directory has names in it`, { file: name });
      }
      this.#tables.drop(node);
    });
  }

  /** See {@link SynchronousBackEnd.mkdir}. */
  mkdir(name: string): void {
    const parts = partsOf(name, ROOT);
    this.#tables.lock.hold(() => {
      if (parts.length > 0 && this.#tables.find(keyOf(parts)) < 0) this.#add(name, parts, KIND.directory);
      else throw fileError("EEXIST", `Cannot make ${name}: the name is taken`, { file: name });
    });
  }

  #existing(verb: string, name: string, parts: readonly string[]): number {
    const node = this.#tables.find(keyOf(parts));
    if (node >= 0) return node;
    this.#mustBeFolder(verb, name, parts.slice(0, -1));
    throw missing(verb, name);
  }

  #found(file: number): OpenFile {
    const open = this.#open.get(file);
    if (!open) throw closed();
    if (this.#tables.generation(open.node) === open.generation) return open;
    throw fileError("ENOENT", `Cannot use ${open.name}: it was removed while it was open`);
  }

  #follow(open: OpenFile): void {
    const cuts = this.#tables.cuts(open.node);
    if (cuts !== open.cuts) Object.assign(open, { blocks: [], cuts });
    this.#tables.follow(open.node, open.blocks);
  }

  /** The largest size that the file can have now. */
  #most(open: OpenFile): number {
    this.#follow(open);
    return (open.blocks.length + this.#tables.free) * BLOCK;
  }

  #reserve(open: OpenFile, bytes: number): void {
    this.#follow(open);
    while (open.blocks.length * BLOCK < bytes) this.#tables.grow(open.node, open.blocks);
  }

  #zero(open: OpenFile, start: number, stop: number): void {
    this.#runs(open, start, stop - start, (address, _, run) => {
      this.#tables.bytes.fill(0, address, address + run);
    });
  }

  /** Calls `work` with the address, the place and the bytes of every run of blocks that lie side by side. */
  #runs(
    open: OpenFile,
    at: number,
    length: number,
    work: (address: number, done: number, run: number) => void,
  ) {
    if (length > 0) this.#follow(open);
    for (let done = 0; done < length;) {
      const index = Math.floor((at + done) / BLOCK), inner = (at + done) % BLOCK;
      let run = BLOCK - inner, next = index + 1;
      while (run < length - done && open.blocks[next] === open.blocks[next - 1]! + 1) (run += BLOCK, next++);
      run = Math.min(run, length - done);
      work(this.#tables.data + open.blocks[index]! * BLOCK + inner, done, run);
      done += run;
    }
  }
}

function keyOf(parts: readonly string[]): Uint8Array {
  return new TextEncoder().encode(parts.join("/"));
}

function missing(verb: string, name: string) {
  return fileError("ENOENT", `Cannot ${verb} ${name}: there is no such file in ${ROOT}`, { file: name });
}

function full(name: string) {
  return fileError("ENOSPC", `Cannot write ${name}: ${ROOT} is full; give it more bytes`, { file: name });
}

function closed() {
  return fileError("EBADF", "Cannot use a file in memory: it has been closed");
}
