/**
 * The seam of formats: how one is recognised, and how it turns a source into data sets.
 *
 * To add a format: write a file with a {@link Format} and give it a line in `registry.ts`.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import type { Detection } from "../../dataset/facts.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { OpenOptions } from "./options.ts";

/** Bytes that a {@link Probe} shows at most. */
export const PROBE_BYTES = 4096;

/** What a format may look at to recognise a source. */
export interface Probe {
  /** File name without its folder, or what a URL ends in. */
  readonly name: string;
  /** Bytes in the source. */
  readonly size: number;
  /** Its first bytes, {@link PROBE_BYTES} of them or all there are. */
  readonly head: Uint8Array;
  /** Up to `most` bytes from byte `at` on: for formats whose first bytes may lie behind something else. */
  bytesAt(at: number, most: number): Promise<Uint8Array>;
  /**
   * Names of the files beside it, its own among them: those given together with it, else those in its folder.
   * Only its own where there is no folder to look into.
   */
  siblings(): Promise<readonly string[]>;
}

/** Whether a format recognises a source. */
export interface Match {
  /** `yes`: it is this. `needs options`: it may be, but somebody must say more. `no`: it is not. */
  readonly claim: "yes" | "no" | "needs options";
  /** What decided, as half a sentence; with `needs options`: which ones. */
  readonly why: string;
}

/** A source to open. */
export interface FormatInput extends Probe {
  /** The source that was recognised; do not keep it, keep what it describes. */
  readonly source: ByteSource;
  /** Everything that was given, in order; usually just `source`. */
  readonly given: readonly ByteSource[];
  /** Why this format was chosen; formats add their own reasons to it. */
  readonly detection: Detection;
  /** Opens a file by one of the names in {@link Probe.siblings}; it is closed when the opening has ended. */
  openSibling(name: string): Promise<ByteSource>;
  /**
   * Opens a file that the source names: one that was given under that name, else the one at this path, which is relative
   * to the folder (or URL) of the source and stays inside. It is closed when the opening has ended.
   */
  openBeside(path: string): Promise<ByteSource>;
}

/** A file format. */
export interface Format {
  /** Short name, as in the option `format`. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Usual endings of file names, lower case, without the dot. They never decide, contents do. */
  readonly extensions: readonly string[];
  /** Whether the source is of this format. Reads nothing but the probe; fails only if looking at siblings does. */
  detect(probe: Probe, options: OpenOptions): Match | Promise<Match>;
  /** The arrays in the source, described: headers are read and checked, samples are not. */
  open(input: FormatInput, options: OpenOptions): Promise<Dataset[]>;
  /** As {@link open}, but only what is wanted: for formats whose sources may have thousands of arrays. */
  openSome?(input: FormatInput, options: OpenOptions, wanted: Wanted): Promise<Some>;
}

/** Which arrays of a source are wanted; without a word: all. */
export interface Wanted {
  /** The largest, of those that do not describe others. */
  readonly largest?: boolean;
  /** At most so many, the first by name. */
  readonly most?: number;
}

/** An array that was found, but not opened. */
export interface Listed {
  /** Its name. */
  readonly array: string;
  /** Bytes of its samples. */
  readonly byteLength: number;
}

/** Some arrays of a source. */
export interface Some {
  /** Those that were wanted. */
  readonly arrays: Dataset[];
  /** The others. */
  readonly left: readonly Listed[];
}

/** Ending of a file name, lower case, without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** File name without its last ending. */
export function stemOf(name: string): string {
  return name.replace(/\.[^./\\]*$/, "");
}
