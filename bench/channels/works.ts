/**
 * The works of the bench of channels: their names, how much each does, and the bar that it must meet.
 *
 * @module
 */

/** Names of the works, as rows have them. */
export const WORKS = {
  wake: "wake a thread and be woken",
  walk: "dependent reads of 8 bytes",
  blocks: "reads of 1 MiB, page cache",
  small: "reads of 16 bytes",
  copy: "copies of 1 MiB",
  sleep: "10 host calls that sleep 1 s",
  files: "files of 2 MiB, written and read back",
} as const;

/** How much each work does. */
export interface Sizes {
  /** Wake-ups. */
  readonly wakes: number;
  /** Dependent reads. */
  readonly walk: number;
  /** Reads of 1 MiB. */
  readonly blocks: number;
  /** Reads of 16 bytes. */
  readonly small: number;
  /** Files. */
  readonly files: number;
}

/** What is timed for the record. */
export const FULL: Sizes = { wakes: 20_000, walk: 50_000, blocks: 256, small: 250_000, files: 24 };

/** A bar: the most microseconds per call, or the least part of the speed of the limit. */
export interface Bar {
  /** The work. */
  readonly name: string;
  /** Who must meet it. */
  readonly by: string;
  /** The most seconds per call. */
  readonly seconds?: number;
  /** The most seconds for all calls. */
  readonly total?: number;
  /** The least part of the speed of the row `limit`. */
  readonly share?: number;
}

/** What is promised. */
export const BARS: readonly Bar[] = [
  { name: WORKS.walk, by: "tilewise rpc", seconds: 5e-6 },
  { name: WORKS.walk, by: "tilewise pinned", seconds: 5e-6 },
  { name: WORKS.walk, by: "tilewise direct", seconds: 1e-6 },
  { name: WORKS.blocks, by: "tilewise rpc", share: 0.9 },
  { name: WORKS.blocks, by: "tilewise pinned", share: 0.9 },
  { name: WORKS.blocks, by: "tilewise direct", share: 0.9 },
  { name: WORKS.small, by: "tilewise rpc", total: 2 },
  { name: WORKS.small, by: "tilewise direct", total: 2 },
  { name: WORKS.sleep, by: "tilewise", total: 1.5 },
];
