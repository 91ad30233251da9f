/**
 * The interface of formats: how a format is recognised, and how it turns a source into data sets.
 *
 * To add a format: write a file with a {@link Format} and add a line in `registry.ts`; write a module that is a
 * {@link Reader}, such as `reader.ts` beside it, which `deno task build` finds. Everything in `registry.ts` is loaded to
 * recognise any source, so what a reader needs belongs into a file of its own.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import type { Detection } from "../../dataset/facts.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { OpenOptions } from "./options.ts";
import type { StoreInput } from "./store_input.ts";

/** Bytes that a {@link Probe} shows at most. */
export const PROBE_BYTES = 4096;

/** What a format may use to recognise a source. */
export interface Probe {
  /** File name without its folder, or the last part of a URL. */
  readonly name: string;
  /** Bytes in the source. */
  readonly size: number;
  /** Its first bytes, {@link PROBE_BYTES} of them or all there are. */
  readonly head: Uint8Array;
  /** The store that was given: a folder, a URL that entries are below, a list of files; absent for files. */
  readonly store?: StoreInput | undefined;
  /** Up to `most` bytes from byte `at` on: for formats that may not begin at byte 0. */
  bytesAt(at: number, most: number): Promise<Uint8Array>;
  /**
   * Names of the files beside it, including its own: those given together with it, otherwise those in its folder.
   * Only its own if there is no folder to list.
   */
  siblings(): Promise<readonly string[]>;
}

/** Whether a format recognises a source. */
export interface Match {
  /** `yes`: it has this format. `needs options`: it may have it, but options are missing. `no`: it has another format. */
  readonly claim: "yes" | "no" | "needs options";
  /** The reason, as half a sentence; with `needs options`: which options. */
  readonly why: string;
}

/** Whether these are the first bytes of a gzip file. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** What the first bytes match, or, of a gzip file, the first `bytes` inside. */
export async function matchInside(
  head: Uint8Array,
  bytes: number,
  matches: (head: Uint8Array) => Match,
): Promise<Match> {
  if (!isGzip(head)) return matches(head);
  const { gunzipStart } = await import("./gzip.ts"); // it brings kernels with it
  const { claim, why } = matches(await gunzipStart(head, bytes));
  return claim === "yes" ? { claim, why: `is compressed with gzip; inside it ${why}` } : { claim, why };
}

/** A source to open. */
export interface FormatInput extends Probe {
  /** The source that was recognised; do not keep it, keep its description. */
  readonly source: ByteSource;
  /** Everything that was given, in order; usually just `source`. */
  readonly given: readonly ByteSource[];
  /** Why this format was chosen; formats add their own reasons to it. */
  readonly detection: Detection;
  /** Opens a file by one of the names in {@link Probe.siblings}; it is closed when the opening has ended. */
  openSibling(name: string): Promise<ByteSource>;
  /**
   * Opens a file that the source names: a given file of that name, otherwise the file at this path, which is relative to
   * the folder (or URL) of the source and must stay inside. It is closed when the opening has ended.
   */
  openBeside(path: string): Promise<ByteSource>;
}

/** A file format, and how it is recognised. */
export interface Format {
  /** Short name, as in the option `format`. */
  readonly id: string;
  /** Full name, for users. */
  readonly title: string;
  /** Usual endings of file names, lower case, without the dot. They never decide, contents do. */
  readonly extensions: readonly string[];
  /** Whether the source has this format. Reads only the probe; fails only if listing the siblings fails. */
  detect(probe: Probe, options: OpenOptions): Match | Promise<Match>;
}

/** A module that opens sources of one format. */
export type Reader = {
  /** The arrays in the source, described: headers are read and checked, samples are not. */
  open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]>;
} | {
  /** The same, but only the wanted arrays: for formats whose sources may have thousands of them. */
  openSome(input: FormatInput, options: OpenOptions, wanted: Wanted): Promise<Some>;
};

/** Which arrays of a source are wanted; default: all. */
export interface Wanted {
  /** The largest of the arrays that do not describe other arrays. */
  readonly largest?: boolean;
  /** At most this number of arrays: those that a file is about, or the first by name. */
  readonly most?: number;
  /** Series that images make are arrays too, and come first. */
  readonly asSeries?: boolean;
}

/** An array that was found, but not opened. */
export interface Listed {
  /** Its name. */
  readonly array: string;
  /** Bytes of its samples. */
  readonly byteLength: number;
  /** Whether it only describes other arrays. */
  readonly auxiliary?: boolean;
}

/** Some arrays of a source. */
export interface Some {
  /** Those that were wanted. */
  readonly arrays: StoredDataset[];
  /** The others. */
  readonly left: readonly Listed[];
  /** What was taken where there are others, such as `the first image`. Default: the largest array. */
  readonly taken?: string;
  /** The name of the array that is taken where none is chosen. Absent: the largest one that does not describe others. */
  readonly main?: string;
}

/** The part of a path or URL after the last slash, without query; escapes of URLs are decoded, as in file names. */
export function baseName(name: string): string {
  const isUrl = /^https?:\/\//i.test(name);
  const base = (isUrl ? name.replace(/[?#].*$/, "") : name).replace(/^.*[/\\](?=[^/\\])/, "");
  if (!isUrl) return base;
  try {
    return decodeURIComponent(base);
  } catch {
    return base; // a lone %
  }
}
