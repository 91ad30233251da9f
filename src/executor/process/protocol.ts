/**
 * The messages between a process executor and its processes: those of a pool, with what lies in memory behind them.
 *
 * @module
 */

import type { WireError } from "../../errors.ts";
import type { Activity } from "../../activity.ts";
import type { Death } from "../failure.ts";
import type { BareJob, Done, End, RunMessage, Task } from "../protocol.ts";
import type { Stretch } from "../task.ts";

/** Both ends must speak the same. */
export const PROTOCOL = 1;

/** Makes the handler of a run; behind it lies what its tasks read. */
export interface OpenProcess {
  /** Tells messages apart. */
  readonly kind: "open";
  /** The run. */
  readonly run: number;
  /** What it runs. */
  readonly job: BareJob;
  /** Tells memories apart: runs of one context have the same. */
  readonly memory: number;
  /** How large that is. */
  readonly pages: number;
  /** Where the bytes belong. */
  readonly reads: readonly Stretch[];
}

/** Runs a task; behind it lies what it reads. */
export interface TaskProcess extends Task {
  /** Where the bytes belong. */
  readonly reads: readonly Stretch[];
  /** What is to be sent back when it is done. */
  readonly writes: readonly Stretch[];
}

/** To a process. */
export type ToProcess = OpenProcess | TaskProcess | End;

/** The first message of a process. */
export interface Greeting {
  /** Tells messages apart. */
  readonly kind: "hello";
  /** What it speaks. */
  readonly protocol: number;
  /** The version of Tilewise that it runs. */
  readonly version: string;
}

/** Signs of life. */
export interface Beat {
  /** Tells messages apart. */
  readonly kind: "beat";
  /** Of runs: number, beat, units. */
  readonly runs: readonly (readonly [run: number, beat: number, units: number])[];
  /** Of code that tasks call. */
  readonly board: number;
  /** What it does. */
  readonly activity?: Activity;
}

/** Its thread is dead, and so is the process, presently. */
export interface Died {
  /** Tells messages apart. */
  readonly kind: "died";
  /** How. */
  readonly how: Death["how"];
  /** Whether what it was doing is to blame. */
  readonly busy: boolean;
  /** Why. */
  readonly cause?: WireError;
  /** What it had said to be doing. */
  readonly activity?: Activity;
}

/** Its thread can be given work; or code on it has sent a message that is none of ours. */
export interface Plain {
  /** Tells messages apart. */
  readonly kind: "ready" | "strayed";
}

/** From a process. Behind `done` lies what the task has written. */
export type FromProcess = Greeting | Beat | Died | Plain | RunMessage;

/** The bytes of `stretches` as a worker has them in its memory, in order. */
export function ownViews(memory: WebAssembly.Memory, stretches: readonly Stretch[]): Uint8Array[] {
  return viewsOf(
    memory,
    stretches.map((stretch) => ({ ...stretch, offset: stretch.from ?? stretch.offset })),
  );
}

/** The bytes of `stretches` in a memory, in order. */
export function viewsOf(memory: WebAssembly.Memory, stretches: readonly Stretch[]): Uint8Array[] {
  return stretches.flatMap(({ offset, bytes, rows = 1, stride = bytes }) =>
    Array.from({ length: rows }, (_, row) => new Uint8Array(memory.buffer, offset + row * stride, bytes))
  );
}

/** How many bytes `stretches` have. */
export function bytesIn(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { bytes, rows = 1 }) => sum + bytes * rows, 0);
}

/** Whether a message is what a process may say. */
export function isFromProcess(message: unknown): message is FromProcess {
  const { kind, run, index, units, error, runs } = (message ?? {}) as Record<string, unknown>;
  const ofRun = Number.isInteger(run);
  switch (kind) {
    case "hello":
    case "ready":
    case "strayed":
    case "died":
      return true;
    case "beat":
      return Array.isArray(runs) && runs.every((row) => Array.isArray(row) && row.every(Number.isInteger));
    case "opened":
      return ofRun;
    case "closed":
      return ofRun && (error === undefined || isWire(error));
    case "done":
      return ofRun && Number.isInteger(index) && Number.isInteger(units);
    case "failed":
      return ofRun && (index === undefined || Number.isInteger(index)) && isWire(error);
  }
  return false;
}

function isWire(error: unknown): error is WireError {
  return typeof (error as WireError | null)?.message === "string";
}

/** Whether a message says something of a run. */
export function isOfRun(message: FromProcess): message is RunMessage {
  return "run" in message;
}

/** Whether it is about a task that is done. */
export function isDone(message: FromProcess): message is Done {
  return message.kind === "done";
}
