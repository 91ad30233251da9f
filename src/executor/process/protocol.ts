/**
 * The messages between a process executor and its processes: those of a pool, followed by bytes of the memory of a run.
 *
 * @module
 */

import type { WireError } from "../../errors.ts";
import type { Activity } from "../../activity.ts";
import type { Death } from "../failure.ts";
import type { BareJob, Done, End, RunMessage, Task } from "../protocol.ts";
import type { Stretch } from "../task.ts";

/** Version of the protocol; it must be the same at both ends. */
export const PROTOCOL = 1;

/** Makes the handler of a run; followed by the bytes that its tasks read. */
export interface OpenProcess {
  /** Tells messages apart. */
  readonly kind: "open";
  /** The run. */
  readonly run: number;
  /** What it runs. */
  readonly job: BareJob;
  /** Identifies the memory: runs of one context have the same. */
  readonly memory: number;
  /** How large that is. */
  readonly pages: number;
  /** Where the bytes belong. */
  readonly reads: readonly Stretch[];
}

/** Runs a task; followed by the bytes that it reads. */
export interface TaskProcess extends Task {
  /** Where the bytes belong. */
  readonly reads: readonly Stretch[];
  /** The bytes to send back when it is done. */
  readonly writes: readonly Stretch[];
}

/** To a process. */
export type ToProcess = OpenProcess | TaskProcess | End;

/** The first message of a process. */
export interface Greeting {
  /** Tells messages apart. */
  readonly kind: "hello";
  /** Its version of the protocol. */
  readonly protocol: number;
  /** The version of Tilewise that it runs. */
  readonly version: string;
}

/** Signs of life. */
export interface Beat {
  /** Tells messages apart. */
  readonly kind: "beat";
  /** Per run: its number, beat and units. */
  readonly runs: readonly (readonly [run: number, beat: number, units: number])[];
  /** The beat of code that tasks call. */
  readonly board: number;
  /** What it does. */
  readonly activity?: Activity;
}

/** The thread of the process is dead, and the process will end. */
export interface Died {
  /** Tells messages apart. */
  readonly kind: "died";
  /** How. */
  readonly how: Death["how"];
  /** Whether it died because of the work that it was doing. */
  readonly busy: boolean;
  /** Why. */
  readonly cause?: WireError;
  /** What it was doing, by its own last note. */
  readonly activity?: Activity;
}

/** `ready`: its thread can be given work. `strayed`: code of users on it has sent a message. */
export interface Plain {
  /** Tells messages apart. */
  readonly kind: "ready" | "strayed";
}

/** From a process. `done` is followed by the bytes that the task has written. */
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

/** Whether a message is a valid message of a process. */
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

/** Whether a message is about a run. */
export function isOfRun(message: FromProcess): message is RunMessage {
  return "run" in message;
}

/** Whether it is about a task that is done. */
export function isDone(message: FromProcess): message is Done {
  return message.kind === "done";
}
