/**
 * What users see of a data set: facts. The place of its bytes and their corrections are in `dataset.ts`; calls that take a data
 * set check it and then use that object.
 *
 * @module
 */

import type { ByteOrder, DType } from "../space/dtype.ts";
import type { Shape } from "../space/shape.ts";
import type { Backend } from "./backend.ts";
import type { Axis, Detection, Instrument, Level } from "./facts.ts";
import type { ValueFacts } from "../space/axes.ts";

/**
 * Frames on a scan grid: shape, dtype, and known facts about them; it holds no samples.
 *
 * Position `n` of the flattened scan shows image `n + syncOffset`, where there is one; the other positions are blank.
 * @category Data sets
 */
export interface Dataset {
  /** Path, URL or name of what was opened. */
  readonly source: string;
  /** Name of this array inside the source; empty when there is only one. */
  readonly array: string;
  /** Which format, and why. */
  readonly detection: Detection;
  /** Navigation, then signal dimensions. */
  readonly shape: Shape;
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of one frame. */
  readonly sigShape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Byte order in the file. */
  readonly byteOrder: ByteOrder;
  /** Positions of the scan. */
  readonly frames: number;
  /** Samples of one frame. */
  readonly pixels: number;
  /** Images in the files; some may not be shown by any position. */
  readonly images: number;
  /** Bytes of all frames as samples. */
  readonly byteLength: number;
  /** The forms in which its tiles can be read without a conversion, the best first. */
  readonly backends: readonly Backend[];
  /** Images skipped at the start (positive) or blank positions before the first image (negative). */
  readonly syncOffset: number;
  /** What the user should know. */
  readonly warnings: readonly string[];
  /** One for each dimension, navigation before signal. */
  readonly axes: readonly Axis[];
  /** What the samples mean: amounts, labels, a mask. */
  readonly values: ValueFacts;
  /** Known facts about the microscope and the detector, in SI units. */
  readonly instrument: Instrument;
  /** Facts from headers, as the file has them. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Which level of its pyramid it is; 0 has the full resolution. */
  readonly level: number;
  /** The levels of its pyramid, the largest first; none if there is only one resolution. */
  readonly levels: readonly Level[];
  /** Whether it only describes other arrays of the source, as axes, masks and metadata do; it is opened only by its name. */
  readonly auxiliary: boolean;
  /** Paths of the files that were read to open it. No output may replace them. */
  readonly filesRead: readonly string[];
  /** A description in words, one line per fact. */
  explain(): string;
  /** One line: shape, dtype, format. */
  toString(): string;
}
