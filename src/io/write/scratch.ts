/**
 * Reads back what this process or an earlier one has written, while the file still changes.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { writeError } from "./calls.ts";

/** Fills `into` from byte `position` of a file; returns the bytes that were there. */
export type ReadAt = (into: Uint8Array, position: number) => number;

/** Reads of the file `path`, which is opened for each call; errors name `target`. */
export async function readerAt(path: string, target: string): Promise<ReadAt> {
  const { closeSync, openSync, readSync } = await import("node:fs");
  return (into, position) => {
    try {
      const file = openSync(path, "r");
      try {
        let at = 0;
        while (at < into.length) {
          const read = readSync(file, into, at, into.length - at, position + at);
          if (read === 0) break;
          at += read;
        }
        return at;
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw writeError(target, error);
    }
  };
}

/** The error for a file of this run that has become shorter. */
export function cutOff(path: string, target: string): TilewiseError {
  const text = `Cannot write ${target}: ${path}, which this run has written, was changed by someone else`;
  return new TilewiseError("changed", text, { file: path });
}

/** Whether there is nothing at `path`, or an empty folder, or a folder with one of the files `marks`. */
export async function mayReplace(path: string, marks: readonly string[]): Promise<boolean> {
  const { readdir } = await import("node:fs/promises");
  try {
    const names = await readdir(path);
    return names.length === 0 || marks.some((mark) => names.includes(mark));
  } catch (error) {
    return (error as { code?: string }).code !== "ENOTDIR";
  }
}
