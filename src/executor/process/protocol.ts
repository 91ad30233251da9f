/**
 * The messages between a process executor and its processes: those of a pool, followed by bytes of the memory of a run.
 *
 * @module
 */

import type { WireError } from "../../errors.ts";
import type { Activity } from "../../activity.ts";
import type { Death } from "../failure.ts";
import type { Beat } from "../copies.ts";
import type { RunMessage } from "../protocol.ts";

/** Version of the protocol; it must be the same at both ends. */
export const PROTOCOL = 1;

/** The first message of a process. */
interface Greeting {
  /** Tells messages apart. */
  readonly kind: "hello";
  /** Its version of the protocol. */
  readonly protocol: number;
  /** The version of Tilewise that it runs. */
  readonly version: string;
}

/** The thread of the process is dead, and the process will end. */
interface Died {
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
interface Plain {
  /** Tells messages apart. */
  readonly kind: "ready" | "strayed";
}

/** From a process. `done` is followed by the bytes that the task has written. */
export type FromProcess = Greeting | Beat | Died | Plain | RunMessage;

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
