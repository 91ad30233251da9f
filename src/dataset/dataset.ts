/**
 * A data set: frames on a scan grid, with all known facts about them; it holds no samples. Users see a {@link Dataset}.
 *
 * @module
 */

import type { SourceSpec } from "../io/source/source.ts";
import { type AxisFacts, usualValues, type ValueFacts } from "../space/axes.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { formatBytes } from "../space/size.ts";
import { axesOf, type Axis, type Backend, type Detection, type Instrument, type Level } from "./facts.ts";
import { type FrameLayout, imageCount } from "./layout/layout.ts";
import { kindOf } from "./storage/kinds.ts";
import type { SuppliedCorrections } from "./supplied.ts";

/** Files of a series that are listed by name. */
const MOST_FILES = 8;

/** What is shown of a data set. */
type Shown = Pick<
  StoredDataset,
  | "source"
  | "array"
  | "detection"
  | "navShape"
  | "sigShape"
  | "dtype"
  | "byteOrder"
  | "layout"
  | "byteLength"
  | "axes"
  | "values"
  | "warnings"
>;

/** A data set as a table, and as one line. */
function datasetBundle(dataset: Shown): Readonly<Record<string, string>> {
  const rows = factsOf(dataset).map(([name, value]) =>
    `<tr><th style="text-align:left">${escape(name)}</th><td style="text-align:left">${
      escape(value)
    }</td></tr>`
  );
  return { "text/plain": String(dataset), "text/html": `<table>${rows.join("")}</table>` };
}

/** A data set in words, one line per fact. */
function datasetText(dataset: Shown): string {
  const facts = factsOf(dataset);
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function factsOf(dataset: Shown): [name: string, value: string][] {
  const { source, array, detection, navShape, sigShape, dtype, byteOrder, layout, warnings } = dataset;
  const files = layout.files.slice(0, MOST_FILES).map(({ source, start, end }) =>
    `${"path" in source ? source.path : "url" in source ? source.url : source.kind} (images ${start} to ${
      end - 1
    })`
  );
  const more = layout.files.length - files.length;
  return [
    ["source", array ? `${source}, ${array}` : source],
    ["format", `${detection.format}: ${detection.why.join("; ")}`],
    ["scan", `${showShape(navShape)} positions`],
    ["frame", `${showShape(sigShape)} ${dtype}, ${byteOrder} endian`],
    [
      "size",
      `${formatBytes(dataset.byteLength)}; ${
        kindOf(layout).pitch(layout)
      } bytes from frame to frame in the file`,
    ],
    ["files", [...files, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")],
    ...dataset.axes.filter(({ scale }) => scale !== undefined).map(({ name, size, scale, unit }) =>
      [`axis ${name}`, `${size} × ${scale} ${unit ?? ""}`] as [string, string]
    ),
    ["values", Object.values(dataset.values).join(", ")],
    ...warnings.map((warning) => ["warning", warning] as [string, string]),
  ];
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

export type { Axis, Instrument, Level } from "./facts.ts";
export type { AxisFacts } from "../space/axes.ts";

/** What a {@link StoredDataset} is made from. */
export interface DatasetInit {
  /** Path, URL or name of what was opened. */
  readonly source: string;
  /** Name of this array inside the source; empty when there is only one. */
  readonly array?: string | undefined;
  /** Which format, and why. */
  readonly detection: Detection;
  /** Shape of the scan. May have more positions than there are images (the rest is blank) or fewer. */
  readonly navShape: Shape;
  /** Where the frames lie. */
  readonly layout: FrameLayout;
  /** Images skipped at the start (positive) or blank positions before the first image (negative). Default 0. */
  readonly syncOffset?: number | undefined;
  /** Files that describe the frames and hold none: headers, lists, descriptions. */
  readonly beside?: readonly SourceSpec[] | undefined;
  /** What the user should know. */
  readonly warnings?: readonly string[] | undefined;
  /** Dark frame, gain map and dead pixels that lie with the data. */
  readonly corrections?: SuppliedCorrections | undefined;
  /** Known facts about the axes, navigation before signal dimensions; missing axes are filled in. */
  readonly axes?: readonly (AxisFacts | undefined)[] | undefined;
  /** What the samples mean. Default: what follows from their type. */
  readonly values?: ValueFacts | undefined;
  /** Known facts about the microscope and the detector. */
  readonly instrument?: Instrument | undefined;
  /** Facts from headers, as plain JSON, as the file has them. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Which level of its pyramid it is. Default: 0. */
  readonly level?: number | undefined;
  /** All levels of its pyramid, the largest first. Default: it belongs to none. */
  readonly levels?: readonly Level[] | undefined;
  /** Whether it only describes other arrays of the source. Default: no. */
  readonly auxiliary?: boolean | undefined;
  /** Which images are valid, one byte each; absent: all. */
  readonly valid?: Uint8Array | undefined;
  /** Paths of the files that were read to open it; absent: none. */
  readonly filesRead?: readonly string[] | undefined;
  /** The same array in the order of storage. Default: it is in that order. */
  readonly stored?: StoredDataset | undefined;
}

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
  /**
   * Paths of the files that were read to open it: those that were given, and files beside them, such as a `.hdr`, a dark
   * frame or other files of a series. No output may replace them.
   */
  readonly filesRead: readonly string[];
  /** A description in words, one line per fact. */
  explain(): string;
  /** One line: shape, dtype, format. */
  toString(): string;
}

/** A data set with the place of its frames, and what else runs need; calls that take a {@link Dataset} check that it is one. */
export class StoredDataset implements Dataset {
  readonly source: string;
  readonly array: string;
  readonly detection: Detection;
  readonly navShape: Shape;
  readonly sigShape: Shape;
  readonly dtype: DType;
  readonly byteOrder: ByteOrder;
  /** Where the frames lie. */
  readonly layout: FrameLayout;
  readonly syncOffset: number;
  /** Files that describe the frames and hold none: when one of them changes, the data set has changed. */
  readonly beside: readonly SourceSpec[];
  readonly warnings: readonly string[];
  /** Dark frame, gain map and dead pixels that lie with the data: runs apply them unless they are told otherwise. */
  readonly corrections?: SuppliedCorrections;
  readonly axes: readonly Axis[];
  /** What the samples mean. */
  readonly values: ValueFacts;
  readonly instrument: Instrument;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly level: number;
  readonly levels: readonly Level[];
  readonly auxiliary: boolean;
  /** Which images are valid, one byte each; no run selects positions that show an invalid image. Absent: all. */
  readonly valid?: Uint8Array;
  readonly filesRead: readonly string[];
  /** The same array in the order of storage, where its axes have another order than in the file; absent: it is in that order. */
  readonly stored?: StoredDataset;

  /** The data set that `init` describes; `open` has already checked it. */
  constructor(init: DatasetInit) {
    this.source = init.source;
    this.array = init.array ?? "";
    this.detection = init.detection;
    this.navShape = init.navShape;
    this.sigShape = init.layout.sigShape;
    this.dtype = init.layout.dtype;
    this.byteOrder = init.layout.byteOrder;
    this.layout = init.layout;
    this.syncOffset = init.syncOffset ?? 0;
    this.beside = init.beside ?? [];
    this.warnings = init.warnings ?? [];
    if (init.corrections) this.corrections = init.corrections;
    this.axes = axesOf(init.navShape, init.layout.sigShape, init.axes ?? []);
    this.values = init.values ?? usualValues(this.dtype);
    this.instrument = init.instrument ?? {};
    this.metadata = init.metadata ?? {};
    this.level = init.level ?? 0;
    this.levels = init.levels ?? [];
    this.auxiliary = init.auxiliary ?? false;
    if (init.valid) this.valid = init.valid;
    this.filesRead = init.filesRead ?? [];
    if (init.stored) this.stored = init.stored;
  }

  get shape(): Shape {
    return [...this.navShape, ...this.sigShape];
  }

  get frames(): number {
    return sizeOf(this.navShape);
  }

  get pixels(): number {
    return sizeOf(this.sigShape);
  }

  get images(): number {
    return imageCount(this.layout);
  }

  get byteLength(): number {
    return this.frames * this.pixels * dtypeInfo(this.dtype).itemSize;
  }

  get backends(): readonly Backend[] {
    return [kindOf(this.layout).form];
  }

  explain(): string {
    return datasetText(this);
  }

  /** How a notebook shows it: a table of facts. */
  [Symbol.for("Jupyter.display")](): Readonly<Record<string, string>> {
    return datasetBundle(this);
  }

  /** How the console shows it: one line. */
  [Symbol.for("Deno.customInspect")](): string {
    return String(this);
  }

  toString(): string {
    return `(${this.navShape.join(", ")} | ${
      this.sigShape.join(", ")
    }) ${this.dtype}, ${this.detection.format}`;
  }
}

/** The same data set with one more warning. */
export function withWarning(dataset: StoredDataset, warning: string): StoredDataset {
  return new StoredDataset({ ...dataset, warnings: [...dataset.warnings, warning] });
}
