/**
 * The interface of files and folders that results are stored in, in chunks: which chunks an array has there, and how these lie in
 * them. What makes chunks need not know the kind of the file.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { ArrayToWrite } from "../array.ts";
import type { Keeps } from "../losses.ts";
import type { ChunkTarget } from "./target.ts";

/** An array in chunks, in the order in which these are written. */
export interface ChunkedArray extends Pick<ArrayToWrite, "shape" | "dtype"> {
  /** Samples per chunk. */
  readonly chunk: Shape;
  /** Chunks that lie in a file row-major, per dimension; those of the array if absent. */
  readonly perFile?: Shape;
}

/** An array that is stored, without its samples. */
export interface ArrayToStore extends ArrayToWrite {
  /** Samples per chunk. */
  readonly chunk: Shape;
  /** Type of the samples of the source: the range of its values is that of the usual contrast. */
  readonly source?: DType;
  /** Whether it has no dimensions; `shape` has one of one sample then. */
  readonly isScalar?: true;
}

/** A file or folder for a result. */
export interface ChunkFile {
  /** Its path. */
  readonly path: string;
  /** Whether to go on with an earlier run, and to keep what is complete if this one fails. */
  readonly resume: boolean;
  /** Whether chunks have any size, and none was asked for. */
  readonly takesAnyChunk: boolean;
  /** The chunks that an array has in it. */
  chunked(array: Pick<ArrayToWrite, "shape" | "dtype" | "axes">): ChunkedArray;
  /** How an array lies in it. */
  target(array: ArrayToStore): ChunkTarget;
  /** Refuses to replace what is at the path, if it is something else. Absent: any file is replaced. */
  mayReplace?(): Promise<void>;
}

/** A kind of such files. */
export interface ChunkKind<Options> {
  /** Names of its options. */
  readonly options: readonly string[];
  /** What it keeps of the description of an array. */
  readonly keeps: Keeps;
  /** The file at `path`; `invalid` for options that it does not have. */
  file(path: string, options: Options): ChunkFile;
}

/** The last part of a path, without the ending of its kind. */
export function stemOfResult(path: string): string {
  const name = path.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "");
  return name.replace(/((\.ome)?\.(zarr(\.zip)?|tiff?)|\.zspy)$/i, "");
}
