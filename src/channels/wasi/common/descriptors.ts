/**
 * The descriptors of a program: small numbers for streams, files and directories, and what each of them allows.
 *
 * @module
 */

import type { NodeFacts, NodeTimes } from "../../backends/back_end.ts";
import type { ModeName } from "../../files/modes.ts";
import { ERRNO, refuse } from "./codes.ts";
import type { GuestMemory } from "./guest_memory.ts";

/** Most descriptors of one program. */
const MOST = 1024;

/** Standard input: bytes that are given before the program starts. */
export interface InputStream {
  readonly kind: "input";
  readonly bytes: Uint8Array;
  /** How many of them have been read. */
  at: number;
}

/** Standard output or standard error. */
export interface OutputStream {
  readonly kind: "output";
  /** Takes all bytes of the pieces. */
  put(pieces: IoVectors): void;
}

/** A file. */
export interface OpenFile {
  readonly kind: "file";
  /** Its name for the host. */
  readonly name: string;
  /** Its number for the host. It changes when the file is to append no longer. */
  file: number;
  /** Whether `file` was opened to append, so that the host finds the end itself. */
  appends: boolean;
  /** The byte where the next read or write begins. */
  cursor: number;
}

/** A directory. */
export interface OpenDirectory {
  readonly kind: "directory";
  /** Its name for the host. */
  readonly name: string;
  /** Its name for the program, if it was open from the start. */
  readonly preopen?: string;
  /** The names in it as they were when the program last began to read them. */
  entries?: readonly string[];
}

/** What a descriptor stands for. */
export type Node = InputStream | OutputStream | OpenFile | OpenDirectory;

/** A descriptor. */
export interface Descriptor<N extends Node = Node> {
  readonly node: N;
  /** Bits of what it allows. */
  base: number;
  /** Bits of what descriptors may allow that are opened from it. */
  inheriting: number;
  /** Flags, such as whether writes go to the end. */
  flags: number;
}

/** All descriptors of a program. */
export class Descriptors {
  readonly #all: (Descriptor | undefined)[];

  /** The descriptors that are open when the program starts, from 0 on. */
  constructor(first: readonly Descriptor[]) {
    this.#all = [...first];
  }

  /** The descriptor `fd`; ends the call with `badf` if it is not open, with `notcapable` if it lacks one of the `rights`. */
  get(fd: number, rights = 0): Descriptor {
    const found = this.#all[fd >>> 0] ?? refuse(ERRNO.badf);
    if ((found.base & rights) !== rights) refuse(ERRNO.notcapable);
    return found;
  }

  /** As {@link get}, for a directory; `notdir` otherwise. */
  directory(fd: number, rights = 0): Descriptor<OpenDirectory> {
    const found = this.get(fd);
    if (!is(found, "directory")) refuse(ERRNO.notdir);
    this.get(fd, rights);
    return found as Descriptor<OpenDirectory>;
  }

  /** The lowest number that is free gets a descriptor. */
  add(descriptor: Descriptor): number {
    const free = this.free();
    this.#all[free] = descriptor;
    return free;
  }

  /** The number that the next descriptor gets; ends the call with `mfile` if there is none. */
  free(): number {
    const gap = this.#all.findIndex((descriptor) => descriptor === undefined);
    const free = gap < 0 ? this.#all.length : gap;
    return free < MOST ? free : refuse(ERRNO.mfile);
  }

  /** Takes a descriptor out. */
  remove(fd: number): void {
    this.#all[fd >>> 0] = undefined;
  }

  /** Puts a descriptor in the place of another one. */
  move(fd: number, to: number): void {
    if (fd >>> 0 === to >>> 0) return;
    this.#all[to >>> 0] = this.get(fd);
    this.remove(fd);
  }
}

/** Whether a descriptor stands for a node of this kind. */
export function is<K extends Node["kind"]>(
  descriptor: Descriptor,
  kind: K,
): descriptor is Descriptor<Extract<Node, { kind: K }>> {
  return descriptor.node.kind === kind;
}

// What the calls of one program share.

/** A program, as its calls see it. */
export interface ProgramState {
  /** Its memory. */
  readonly memory: GuestMemory;
  /** The files of the host. */
  readonly files: ByteFiles;
  /** The times that it has set. */
  readonly times: SetTimes;
  /** What it has open. */
  readonly descriptors: Descriptors;
  /** Its arguments, the name of the program first, as bytes that end with 0. */
  readonly args: readonly Uint8Array[];
  /** Its environment, `NAME=value`, as bytes that end with 0. */
  readonly env: readonly Uint8Array[];
  /** Throws if the program was told to stop; also the sign of life. */
  look(): void;
}

/** A function that programs import: it returns an error number, 0 for success. */
export type WasiCall = (...args: never[]) => number;

// The files of a program: names and bytes, without cursors. Who serves them is somebody else's matter.

/** Bytes of one read or write, scattered over the memory of a program; none of them is empty. */
export type IoVectors = readonly Uint8Array[];

/** Files by name and in bytes. A number below zero is a negative status, in place of any result. */
export interface ByteFiles {
  /** Opens a file, never a directory: a number above zero that names it in the other calls. */
  open(name: string, mode: ModeName): number;
  /** Fills the pieces from byte `position` on; the bytes read, fewer at the end of the file. */
  read(file: number, pieces: IoVectors, position: number): number;
  /** Writes the pieces at byte `position`, or at the end if it was opened to append; the bytes written. */
  write(file: number, pieces: IoVectors, position: number): number;
  /** Closes a file. */
  close(file: number): number;
  /** Bytes of a file; `Infinity` for a device without end. */
  size(file: number): number;
  /** Sets the length of a file. */
  truncate(file: number, bytes: number): number;
  /** Makes sure that what was written survives a loss of power, as far as the platform can. */
  flush(file: number): number;
  /** What a name stands for; its last link is followed by default. */
  stat(name: string, follow?: boolean): NodeFacts | number;
  /** Sets the times of a name. */
  setTimes(name: string, times: NodeTimes, follow: boolean): number;
  /** The names in a directory. */
  list(name: string): readonly string[] | number;
  /** Removes a file or an empty directory. */
  remove(name: string): number;
  /** Makes a directory. */
  mkdir(name: string): number;
  /** Gives a file or directory another name; one that is there is replaced as POSIX says. */
  rename(from: string, to: string): number;
  /** Adds a second name to a file. */
  link(from: string, to: string): number;
  /** Makes a link that leads to `text`. */
  symlink(text: string, name: string): number;
  /** Where a link leads. */
  readLink(name: string): string | number;
  /** Closes all files that are open. */
  closeAll(): void;
}

// The times that a program has set, and reads again.

/**
 * The times that one program has set. Runtimes set times less finely than programs ask for them (Deno by milliseconds, Node by
 * microseconds). A program that sets a time and reads it finds what it has set, as long as the file keeps what became of it.
 */
export class SetTimes {
  readonly #set = new Map<bigint, { readonly asked: NodeTimes; readonly found: NodeTimes }>();

  /** What a name stands for, with the times that the program has set. */
  factsOf(files: ByteFiles, name: string, follow = true): NodeFacts | number {
    const facts = files.stat(name, follow);
    const set = typeof facts === "number" ? undefined : this.#set.get(facts.number);
    if (typeof facts === "number" || !set) return facts;
    const { times } = facts, { asked, found } = set;
    const accessed = times.accessed === found.accessed ? asked.accessed : times.accessed;
    const modified = times.modified === found.modified ? asked.modified : times.modified;
    return { ...facts, times: { ...times, accessed, modified } };
  }

  /** Notes what a program has set. */
  note({ number, times }: NodeFacts, asked: NodeTimes): void {
    if (number !== 0n) this.#set.set(number, { asked, found: times });
  }
}
