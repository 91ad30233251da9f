/**
 * A source that is open in the page: what it holds, its frames, and answers to questions about it.
 *
 * @module
 */

import type { Dataset, NDArray, TilewiseError } from "@tilewise/tilewise";
import type { Made, Values } from "../../src/analyses/mod.ts";
import type { Disk } from "../draw/bright_disk.ts";
import type { ShownImage, ShownVectors } from "../draw/image.ts";
import type { AnalysisChoice, Position, Region } from "../state/state.ts";

/** An open source; results of an older question never arrive after those of a newer one. */
export interface Session {
  /** What is computed on. */
  readonly dataset: Dataset;
  /** All arrays of the source. */
  readonly datasets: readonly Dataset[];
  /** Whether the samples are kept in memory, and how many bytes of them there are. */
  readonly keeping: Keeping;
  /** Files of the user that values such as `@gain.npy` name, by name. */
  readonly files: Map<string, Blob>;
  /** The sum of all frames, once it has been computed. */
  readonly sum: ShownImage | undefined;
  /** The bright disk in that sum, if there is one. */
  readonly disk: Disk | undefined;
  /** The frame at a position of the scan; `undefined`: the sum of all frames, which is computed once. */
  frame(position: Position | undefined, signal?: AbortSignal): Promise<ShownImage>;
  /** Starts `question` and ends the one before it; calls `heard` for parts of the answer and at its end. */
  ask(question: Question, heard: (answer: Answer) => void): void;
  /** What is wrong with an analysis before anything is read; nothing: it can be asked. */
  check(analysis: AnalysisChoice): Promise<TilewiseError | undefined>;
  /**
   * What an analysis would show, on a few frames that are in memory: nothing is read for it. None where the scan is not kept in
   * memory; waits until it is.
   */
  sketch(analysis: AnalysisChoice, signal: AbortSignal): Promise<readonly NamedResult[]>;
  /** The UDF that a question means; first passes that were made for it are not made again. */
  made(question: Question): Promise<MadeQuestion>;
  /** Ends everything and gives all memory back. */
  close(): Promise<void>;
}

/** The UDF of a question, for code that computes it again. */
export interface MadeQuestion {
  /** The UDF. */
  readonly ref: Made["ref"];
  /** The values of the analysis, with files read. */
  readonly values: Values;
  /** Names of the files that values were read from. */
  readonly files: ReadonlyMap<object, string>;
}

/** How far the samples are in memory. */
export interface Keeping {
  /** `no`: they do not fit, or cannot be kept; `busy`: they are being read; `yes`: all are in memory. */
  readonly state: "no" | "busy" | "yes";
  /** Bytes in memory. */
  readonly bytes: number;
  /** Bytes of all samples. */
  readonly total: number;
  /** Resolves when the state will not change any more. */
  readonly settled: Promise<void>;
}

/** What is asked. */
export interface Question {
  /** The analysis, as it is written. */
  readonly analysis: AnalysisChoice;
  /** Positions of the scan that are looked at; absent: all. */
  readonly roi?: Region;
}

/** How far a run is. */
export interface AnswerProgress {
  /** Frames that are done. */
  readonly done: number;
  /** Frames in total. */
  readonly frames: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Stored bytes per second. */
  readonly bytesPerSecond: number;
  /** Seconds that are left at this rate; infinite before the first frame. */
  readonly etaSeconds: number;
  /** What is being done, if it is not the analysis itself: `first pass`. */
  readonly stage?: string;
}

/** What an analysis has found before its run. */
export interface Found {
  /** The lattice of its disks. */
  readonly lattice?: Readonly<Record<"zero" | "a" | "b", readonly [number, number]>>;
  /** Corrections of centres of mass. */
  readonly guess?: Readonly<Record<string, number | boolean>>;
}

/** An answer, or a part of it. */
export interface Answer {
  /** What it answers. */
  readonly question: Question;
  /** The results so far. */
  readonly results: readonly NamedResult[];
  /** How far it is. */
  readonly progress: AnswerProgress;
  /** `cancelled`: a newer question has ended it. */
  readonly state: "running" | "done" | "failed" | "cancelled";
  /** Why it failed. */
  readonly error?: TilewiseError;
  /** What was found on the way, such as a lattice, and warnings. */
  readonly notes: readonly string[];
  /** The same as data. */
  readonly found: Found;
  /** Milliseconds from the question to this answer. */
  readonly milliseconds: number;
}

/** One result. */
export interface NamedResult {
  /** Its name in the run. */
  readonly name: string;
  /** What it is. */
  readonly title: string;
  /** Its images: one, or one per channel. They are made when they are first looked at. */
  readonly images: readonly (ShownImage | ShownVectors)[];
  /** What its images run along. */
  readonly kind: "scan" | "frame" | "other";
  /** All its numbers, as the run gives them. */
  readonly array: NDArray;
}
