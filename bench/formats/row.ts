/**
 * What a file of the bench of formats is: how it is made, and how we and the peer open it.
 *
 * @module
 */

import type { OpenOptions } from "@tilewise/tilewise/formats";
import type { DType } from "../../src/space/dtype.ts";

/** A scan of counts, as it goes into a file. */
export interface Scan {
  /** Rows and columns of the scan. */
  readonly nav: readonly [number, number];
  /** Rows and columns of a frame. */
  readonly sig: readonly [number, number];
  /** Type of the samples that come out. */
  readonly dtype: DType;
}

/** Puts bytes at the end of a file. */
export type Put = (bytes: Uint8Array) => void;

/** Fills a frame of the scan. */
export type Fill = (index: number, out: Uint16Array) => void;

/** Writes the files of a row: the bytes of each go to `put[file]`, frames come from `fill`. */
export type Write = (scan: Scan, put: readonly Put[], fill: Fill) => void;

/** How LiberTEM opens it. */
export interface PeerLoad {
  /** The type of the data set, as `Context.load` has it. */
  readonly type: string;
  /** What it is told besides the path. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A row of the table of formats. */
export interface FormatRow {
  /** The name of the row. */
  readonly name: string;
  /** The scan that the file holds. */
  readonly scan: Scan;
  /** The files by their endings (`_1.bin`); the first one is opened. */
  readonly files: readonly string[];
  /** Writes the files; without it, `bench/peers/hdf5_files.py` does. */
  readonly write?: Write;
  /** The stem of the files. Default: the name of the row. */
  readonly stem?: string;
  /** The largest sample that fits. Default 4095: all counts do. */
  readonly most?: number;
  /** What we are told besides the path. */
  readonly open?: OpenOptions;
  /** Whether corrections that come with the file are left away. */
  readonly uncorrected?: boolean;
  /** How the peer opens it. */
  readonly load: PeerLoad;
}

/** A row whose files are there; the Python peers take it as JSON, as they do `BenchData`. */
export interface FormatData {
  /** The name of the row. */
  readonly kind: string;
  /** What is opened. */
  readonly path: string;
  /** Rows and columns of the scan. */
  readonly nav: readonly [number, number];
  /** Rows and columns of a frame. */
  readonly sig: readonly [number, number];
  /** The type of the samples that come out. */
  readonly dtype: DType;
  /** Of no use to formats, which know it. */
  readonly byteOrder: "little";
  /** Of no use to formats, which know it. */
  readonly frameHeaderBytes: 0;
  /** Bytes of samples: what GB/s counts. */
  readonly bytes: number;
  /** How LiberTEM opens it. */
  readonly load: PeerLoad;
}
