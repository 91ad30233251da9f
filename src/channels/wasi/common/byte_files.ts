/**
 * The files of a program: names and bytes, without cursors. Who serves them is somebody else's matter.
 *
 * @module
 */

import type { NodeFacts, NodeTimes } from "../../backends/back_end.ts";
import type { ModeName } from "../../files/modes.ts";

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
