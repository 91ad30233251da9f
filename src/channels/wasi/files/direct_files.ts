/**
 * Files that the thread of the program reads and writes itself: bytes land in the memory of the program without a copy.
 *
 * @module
 */

import type { NodeFacts, OpenFlags, SynchronousBackEnd } from "../../backends/back_end.ts";
import { type ModeName, modeNumber, MODES } from "../../files/modes.ts";
import { lookAt } from "../../files/nodes.ts";
import { failure, STATUS } from "../../protocol/status.ts";
import type { ByteFiles, IoVectors } from "../common/descriptors.ts";

/** Calls that some back ends do not have. */
type Optional = "rename" | "setTimes" | "link" | "symlink";

/** The files of a back end that answers at once. */
export class DirectFiles implements ByteFiles {
  readonly #open = new Map<number, OpenFlags>();

  readonly size = (file: number): number => attempt(() => this.backEnd.size(file - 1));
  readonly truncate = (file: number, bytes: number): number =>
    attempt(() => this.backEnd.truncate(file - 1, bytes));
  readonly flush = (file: number): number => attempt(() => this.backEnd.flush(file - 1));
  readonly list = (name: string): readonly string[] | number => attempt(() => this.backEnd.list(name));
  readonly remove = (name: string): number => attempt(() => this.backEnd.remove(name));
  readonly mkdir = (name: string): number => attempt(() => this.backEnd.mkdir(name));
  readonly setTimes = this.#optional("setTimes");
  readonly rename = this.#optional("rename");
  readonly link = this.#optional("link");
  readonly symlink = this.#optional("symlink");

  /** Files of `backEnd`. */
  constructor(private readonly backEnd: SynchronousBackEnd) {}

  /** See {@link ByteFiles.open}. */
  open(name: string, mode: ModeName): number {
    const { flags } = MODES[modeNumber(mode)]!;
    return attempt(() => {
      const file = this.backEnd.open(name, flags) + 1; // a back end counts from 0
      this.#open.set(file, flags);
      return file;
    });
  }

  /** See {@link ByteFiles.read}. */
  read(file: number, pieces: IoVectors, position: number): number {
    let done = 0;
    try {
      for (const piece of pieces) {
        const got = this.backEnd.read(file - 1, piece, 0, piece.length, position + done);
        done += got;
        if (got < piece.length) break;
      }
    } catch (error) {
      return done || failure(error); // the next read gets the error again
    }
    return done;
  }

  /** See {@link ByteFiles.write}. */
  write(file: number, pieces: IoVectors, position: number): number {
    const append = this.#open.get(file)?.startsWith("a") ?? false;
    let done = 0;
    try {
      for (const piece of pieces) {
        const put = this.backEnd.write(file - 1, piece, 0, piece.length, append ? null : position + done);
        done += put;
        if (put < piece.length) break;
      }
    } catch (error) {
      return done || failure(error);
    }
    return done;
  }

  /** See {@link ByteFiles.close}. */
  close(file: number): number {
    if (!this.#open.delete(file)) return -STATUS["bad-handle"];
    return attempt(() => this.backEnd.close(file - 1));
  }

  /** See {@link ByteFiles.stat}. */
  stat(name: string, follow = true): NodeFacts | number {
    return attempt(() => lookAt(this.backEnd, name, follow) as NodeFacts);
  }

  /** See {@link ByteFiles.readLink}. */
  readLink(name: string): string | number {
    return this.backEnd.readLink ? attempt(() => this.backEnd.readLink!(name)) : -STATUS.invalid;
  }

  #optional<K extends Optional>(call: K) {
    return (...args: Parameters<Required<SynchronousBackEnd>[K]>): number => {
      const act = this.backEnd[call] as ((...args: unknown[]) => void) | undefined;
      return act ? attempt(() => act.apply(this.backEnd, args)) : -STATUS.unsupported;
    };
  }

  /** See {@link ByteFiles.closeAll}. */
  closeAll(): void {
    for (const file of this.#open.keys()) this.close(file);
  }
}

/** What a function of a back end returns, 0 for nothing; a negative status if it throws. */
function attempt(work: () => void): number;
function attempt<T>(work: () => T): T | number;
function attempt<T>(work: () => T): T | number {
  try {
    return work() ?? 0;
  } catch (error) {
    return failure(error);
  }
}
