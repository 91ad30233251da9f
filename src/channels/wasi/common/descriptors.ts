/**
 * The descriptors of a program: small numbers for streams, files and directories, and what each of them allows.
 *
 * @module
 */

import type { ByteFiles, IoVectors, SetTimes } from "./byte_files.ts";
import { ERRNO, refuse } from "./codes.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { WasiName } from "./names.ts";

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

/** Functions by the names of the WASI document. */
export type WasiCalls<N extends WasiName> = Readonly<Record<N, WasiCall>>;
