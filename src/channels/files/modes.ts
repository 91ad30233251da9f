/**
 * The modes in which a kernel opens a file, and where an offset counts from; both are numbers for kernels.
 *
 * | mode | missing file | existing file | read | write |
 * |---|---|---|---|---|
 * | `read_only` | fails | kept | yes | no |
 * | `write_only` | created | emptied | no | yes |
 * | `append_only` | created | kept | no | at the end |
 * | `read_write` | fails | kept | yes | yes |
 * | `erase_read_write` | created | emptied | yes | yes |
 * | `append_read` | created | kept | yes | at the end |
 *
 * @module
 */

import type { OpenFlags } from "../backends/back_end.ts";

/** What a file opened in a mode can do. */
export interface FileMode {
  /** The mode as `fopen` and `node:fs` write it. */
  readonly flags: OpenFlags;
  /** Whether it can be read. */
  readonly read: boolean;
  /** Whether it can be written. */
  readonly write: boolean;
  /** Whether every write goes to the end. */
  readonly append: boolean;
}

/**
 * The name of a mode; see the table of this module.
 * @category Channels
 */
export type ModeName =
  | "read_only"
  | "write_only"
  | "append_only"
  | "read_write"
  | "erase_read_write"
  | "append_read";

/** The names of the modes in the order of their numbers, from 0. */
export const MODE_NAMES = [
  "read_only",
  "write_only",
  "append_only",
  "read_write",
  "erase_read_write",
  "append_read",
] as const satisfies readonly ModeName[];

const FLAGS = ["r", "w", "a", "r+", "w+", "a+"] as const;

/** The modes by their numbers. */
export const MODES: readonly FileMode[] = FLAGS.map((flags) => ({
  flags,
  read: flags === "r" || flags.endsWith("+"),
  write: flags !== "r",
  append: flags.startsWith("a"),
}));

/**
 * The number of a mode, as kernels pass it to `fs_open`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(modeNumber("read_write"), 3);
 * ```
 */
export function modeNumber(name: ModeName): number {
  return MODE_NAMES.indexOf(name);
}

/** Where an offset counts from: the start of the file, its end, or the cursor of the handle. */
export const WHENCE = { begin: 0, end: 1, current: 2 } as const;
