/**
 * The caller's side of a worker that has its own memory: which bytes go with its messages, and where those that come back belong.
 *
 * The bytes that tasks read are sent with their messages, only once if they do not change. The bytes that tasks have written
 * come back with their results. Their addresses are known on this side: no message of a worker decides on them.
 *
 * @module
 */

import type { Activity } from "../activity.ts";
import { TilewiseError } from "../errors.ts";
import { canShare } from "../sharing.ts";
import { Control } from "./control.ts";
import {
  bare,
  type BareJob,
  type Done,
  type End,
  type Opening,
  type Task,
  type ToWorker,
} from "./protocol.ts";
import { bytesIn, viewsOf } from "./memory_rows.ts";
import type { MemoryRows, Traffic } from "./task.ts";

/** Makes the handler of a run; the bytes that its tasks read follow. */
export interface OpenCopy {
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
  /** Whether it is of the kind that threads can share, as kernels are made for either kind. */
  readonly shared: boolean;
  /** Where the bytes belong. */
  readonly reads: readonly MemoryRows[];
}

/** Runs a task; the bytes that it reads follow. */
export interface TaskCopy extends Task {
  /** Where the bytes belong. */
  readonly reads: readonly MemoryRows[];
  /** The bytes to send back when it is done. */
  readonly writes: readonly MemoryRows[];
}

/** To a worker with its own memory. */
export type ToCopy = OpenCopy | TaskCopy | End;

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

/** A message, and the bytes that follow it: they must be copied, or sent, before the memory of the run changes. */
interface Parcel {
  /** The message. */
  readonly message: ToCopy;
  /** The bytes. */
  readonly views: readonly Uint8Array[];
}

/** A run that the worker knows. */
interface OpenRun {
  readonly memory: WebAssembly.Memory;
  readonly control: Control;
  readonly traffic: Traffic | undefined;
  /** The bytes that unfinished tasks write. */
  readonly writes: Map<number, readonly MemoryRows[]>;
  /** Addresses of the constant bytes that have been sent, and their versions. */
  readonly sent: Map<number, number>;
}

/** What a worker has copies of. */
export class Copies {
  readonly #runs = new Map<number, OpenRun>();
  #activity: Activity | undefined;
  #beat = 0;

  /** Signs of life of code that tasks call. */
  get beat(): number {
    return this.#beat;
  }

  /** What the worker was doing, by its last sign of life. */
  get activity(): Activity | undefined {
    return this.#activity;
  }

  /** What to send. */
  pack(message: Opening | ToWorker): Parcel {
    if (message.kind === "open") return this.#open(message as Opening);
    const run = this.#runs.get(message.run);
    if (message.kind !== "task") return { message, views: [] };
    const { reads, writes } = run?.traffic?.of(message.task as never) ?? { reads: [], writes: [] };
    const fresh = reads.filter((read) => !run || isFresh(read, run.sent));
    return { message: { ...message, reads: fresh, writes }, views: run ? viewsOf(run.memory, fresh) : [] };
  }

  /** A parcel has been sent: notes what the worker knows now. */
  sent({ message }: Parcel): void {
    if (message.kind !== "task") return;
    const run = this.#runs.get(message.run);
    for (const { offset, version } of message.reads) {
      if (version !== undefined) run?.sent.set(offset, version);
    }
    run?.writes.set(message.index, message.writes);
  }

  /** Where the `bytes` bytes that follow a result belong. Errors: `worker` if the task was not given, or has other bytes. */
  placesOf({ run: number, index }: Done, bytes: number): readonly Uint8Array[] {
    const run = this.#runs.get(number);
    const writes = run?.writes.get(index);
    if (!run || !writes) {
      throw nonsense(`that task ${index} of run ${number} is done, which it has not been given`);
    }
    if (bytes !== bytesIn(writes)) {
      throw nonsense(`${bytes} bytes as the result of task ${index}, which has ${bytesIn(writes)}`);
    }
    return viewsOf(run.memory, writes);
  }

  /** The bytes of a result are in their place. */
  done({ run: number, index, units }: Done): void {
    const run = this.#runs.get(number);
    run?.writes.delete(index);
    run?.control.mirror(units);
  }

  /** Notes signs of life. */
  alive({ runs, board, activity }: Beat): void {
    this.#beat = board;
    this.#activity = activity;
    for (const [run, beat, units] of runs) this.#runs.get(run)?.control.mirror(units, beat);
  }

  /** A run is over on the worker. */
  closed(run: number): void {
    this.#runs.delete(run);
  }

  #open({ run, job, memory, control }: Opening): Parcel {
    const { traffic } = job;
    const reads = traffic?.reads ?? [];
    const { buffer } = memory;
    const shared = canShare() && buffer instanceof SharedArrayBuffer;
    this.#runs.set(run, {
      memory,
      control: new Control(control),
      traffic,
      writes: new Map(),
      sent: new Map(),
    });
    const room = { memory: numberOf(memory), pages: buffer.byteLength / 65536, shared };
    const message = { kind: "open", run, job: bare(job), ...room, reads } as const;
    return { message, views: viewsOf(memory, reads) };
  }
}

/** The error for an invalid message of a worker. */
export function nonsense(found: string): TilewiseError {
  return new TilewiseError("worker", `A worker has said ${found}`, { found });
}

function isFresh({ offset, version }: MemoryRows, sent: ReadonlyMap<number, number>): boolean {
  return version === undefined || sent.get(offset) !== version;
}

const numbers = new WeakMap<WebAssembly.Memory, number>();
let last = 0;

/** The number that identifies a memory to workers. */
function numberOf(memory: WebAssembly.Memory): number {
  const number = numbers.get(memory) ?? ++last;
  numbers.set(memory, number);
  return number;
}
