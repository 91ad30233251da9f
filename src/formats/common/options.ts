/**
 * The options of `open`: facts about a source that are not in its bytes.
 *
 * @module
 */

import type { AxisName, Selection } from "../../dataset/split_axes.ts";
import { HTTP_OPTIONS, type HttpOptions } from "../../io/http/options.ts";
import type { SourceInput } from "../../io/open.ts";
import { isNamed, type OptionNames } from "../../options.ts";
import { inner, must, oneOf, signal, text, truth, whole } from "../../options/rules.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import { bytesOrNone, shapeFrom } from "../../space/rules.ts";
import type { Shape } from "../../space/shape.ts";

/**
 * Facts about a source, given by the user. An option may be left out if the bytes of the source have the fact.
 * @category Data sets
 */
export interface OpenOptions {
  /** Read it as this format, such as `mib`, `npy` or `raw`. Default: recognised by its contents. */
  readonly format?: string;
  /** The array of that name, where a source has several. */
  readonly array?: string;
  /** Resolution level, 0 is full; formats with pyramids only. Whole, at least 0. */
  readonly level?: number;
  /**
   * Shape of the scan. If it has more positions than there are images, the last positions stay blank; if it has fewer, the
   * last images are not shown. Both give a warning.
   */
  readonly nav?: Shape;
  /** Shape of a frame. Raw data need it; in other formats it reshapes frames and must keep their number of samples. */
  readonly sig?: Shape;
  /**
   * How many of the last dimensions are the frame, for files with one shape for all dimensions. Whole, at least 0.
   * Default 2.
   */
  readonly sigDims?: number;
  /**
   * Which axes are the scan, by name or number, the slowest first; the others are the frame. For arrays in chunks, and plain
   * samples in one file.
   */
  readonly navAxes?: readonly AxisName[];
  /** Which axes are the frame, by name or number, the slowest first; the others are the scan. */
  readonly sigAxes?: readonly AxisName[];
  /**
   * One place of some axes, which the data set is without then, such as `{ channel: "DAPI", z: 3 }`: axes by name or kind, places
   * by number, or by name where samples have names.
   */
  readonly select?: Selection;
  /** Images to skip at the start (positive) or blank positions before the first image (negative). Whole. Default 0. */
  readonly syncOffset?: number;
  /** Raw: type of the samples, such as `uint16`, `f4` or `>u2`. */
  readonly dtype?: DType | string;
  /** Raw: byte order of the samples. Default: what `dtype` says, else little. */
  readonly byteOrder?: ByteOrder;
  /** Raw: bytes before the first frame of every file, as a number or in text such as `4KiB`. Default 0. */
  readonly headerBytes?: number | string;
  /** Raw: bytes before every frame. Default 0. */
  readonly frameHeaderBytes?: number | string;
  /** Raw: bytes after every frame. Default 0. */
  readonly frameFooterBytes?: number | string;
  /**
   * Raw: bits of a sample, when samples are packed without gaps; frames begin at whole bytes. Whole, 1 to
   * 32.
   */
  readonly bits?: number;
  /** Raw: which bit of a byte comes first in packed samples. Default `lsb`, the lowest. */
  readonly bitOrder?: "lsb" | "msb";
  /** Read the complete frames of a file that ends inside a frame, with a warning. Default: an error. */
  readonly allowTruncated?: boolean;
  /**
   * HDF5: samples of virtual data sets and external files that are missing, or lie outside of the folder and of `root`,
   * read as the fill value, with a warning that names them. Default: an error.
   */
  readonly allowMissing?: boolean;
  /**
   * Further folder (or URL) below which files that a source names may lie. Default: only the folder of the source. Symbolic
   * links and `..` are followed before this is checked.
   */
  readonly root?: string;
  /** Read only this file, although its name and contents show that it belongs to a numbered series. */
  readonly noSeries?: boolean;
  /** DM: show the dimensions in the order of storage, even if the scan is stored fastest. Default: detector frames. */
  readonly forceCOrder?: boolean;
  /**
   * FRMS6: the gain map of the camera, which becomes a correction that runs apply: a MATLAB file with the variable
   * `GainMap`, or a table with semicolons, one line per column of the frame.
   */
  readonly gainMap?: SourceInput;
  /** Options for HTTP servers. */
  readonly http?: HttpOptions;
  /** Cancels the opening. */
  readonly signal?: AbortSignal;
}

const axisNames = must<readonly AxisName[]>(
  'a list of axes, by name or number, such as ["y", "x"]',
  (value) =>
    Array.isArray(value) && value.every((axis) => typeof axis === "string" || Number.isInteger(axis)),
);

const selection = must<Selection>(
  'an object such as { channel: "DAPI", z: 3 }',
  (value) =>
    isNamed(value) &&
    Object.values(value).every((one) => typeof one === "string" || Number.isSafeInteger(one)),
);

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const OPEN_OPTIONS: OptionNames<OpenOptions> = {
  format: text, array: text, level: whole(0), nav: shapeFrom(1, "[256, 256]"),
  sig: shapeFrom(1, "[128, 128]"), sigDims: whole(0), navAxes: axisNames, sigAxes: axisNames,
  select: selection, syncOffset: whole(-Infinity), dtype: text, byteOrder: oneOf("little", "big"),
  headerBytes: bytesOrNone, frameHeaderBytes: bytesOrNone, frameFooterBytes: bytesOrNone, bits: whole(1, 32),
  bitOrder: oneOf("lsb", "msb"), allowTruncated: truth, allowMissing: truth, root: text, noSeries: truth,
  forceCOrder: truth, gainMap: true, http: inner(HTTP_OPTIONS), signal,
};
