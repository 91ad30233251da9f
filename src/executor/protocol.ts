/**
 * The messages between the pool and its workers. All but the first go through a channel that code of users cannot reach.
 *
 * A worker handles `open`, `task` and `close` strictly one after another; `cancel` reaches it in between
 * when its code is asynchronous. Every `task` is answered by `done` or `failed`, every `close` by `closed`.
 *
 * @module
 */

import type { PackageAddresses } from "../packages.ts";
import type { WireError } from "../errors.ts";
import { fencing } from "../memory/fencing.ts";
import { defined } from "../options.ts";
import type { Job } from "./task.ts";

/** The first message: the number of the worker, and its channel for all other messages. */
export interface Hello {
  /** Number of the worker. */
  readonly index: number;
  /** Number of the thread, see `thread_number.ts`. */
  readonly thread: number;
  /** The worker's end of the channel. */
  readonly port: MessagePort;
  /** Where it writes what it is doing; absent: it has its own memory, and sends what it is doing. */
  readonly board?: ArrayBufferLike;
  /** Whether its heap is limited. */
  readonly limited: boolean;
  /** Where packages are that it may need. */
  readonly packages: PackageAddresses;
  /** The lock to hold for as long as the thread lives, where the platform has locks. */
  readonly lock?: string;
}

/** The part of a job that is sent. */
export interface BareJob extends Pick<Job<unknown>, "module" | "name" | "export" | "shared"> {
  /** In tests: the module of the fences that the sender knows. */
  readonly fencing?: string;
}

/** Makes the handler of a run, as the owner of a worker has it: with the parts of the job that are not sent. */
export interface Opening extends Omit<Open, "job"> {
  /** What it runs. */
  readonly job: Job<unknown>;
}

/** Makes the handler of a run. */
export interface Open {
  /** Tells messages apart. */
  readonly kind: "open";
  /** The run. */
  readonly run: number;
  /** What it runs. */
  readonly job: BareJob;
  /** Its memory. */
  readonly memory: WebAssembly.Memory;
  /** The buffer of the control block of this worker in this run. */
  readonly control: ArrayBufferLike;
}

/** The part of a job that is sent. */
export function bare({ name, module, export: exported, shared }: Job<unknown>): BareJob {
  return { ...defined({ name, fencing: fencing()?.module }), module, export: exported, shared };
}

/** Runs one task. */
export interface Task {
  /** Tells messages apart. */
  readonly kind: "task";
  /** The run. */
  readonly run: number;
  /** Position of the task. */
  readonly index: number;
  /** What to do. */
  readonly task: unknown;
  /** Whether it has lost a worker before. */
  readonly again?: boolean;
}

/** Closes the handler of a run, or tells its async code that the run is over. */
export interface End {
  /** Tells messages apart. */
  readonly kind: "close" | "cancel";
  /** The run. */
  readonly run: number;
}

/** From the pool to a worker. */
export type ToWorker = Open | Task | End;

/** The worker can be used. */
export interface Ready {
  /** Tells messages apart. */
  readonly kind: "ready";
  /** What the operating system calls the thread, where it tells. */
  readonly system?: string;
}

/** The handler of a run exists. */
interface Opened {
  /** Tells messages apart. */
  readonly kind: "opened";
  /** The run. */
  readonly run: number;
}

/** A task is done. */
export interface Done {
  /** Tells messages apart. */
  readonly kind: "done";
  /** The run. */
  readonly run: number;
  /** Position of the task. */
  readonly index: number;
  /** What the handler returned. */
  readonly value: unknown;
  /** Units that this worker has counted in this run so far. */
  readonly units: number;
}

/** A task has thrown; or, without `index`, its handler could not be made. */
export interface Failed {
  /** Tells messages apart. */
  readonly kind: "failed";
  /** The run. */
  readonly run: number;
  /** Position of the task. */
  readonly index?: number;
  /** What was thrown. */
  readonly error: WireError;
}

/** The handler of a run has been closed. */
export interface Closed {
  /** Tells messages apart. */
  readonly kind: "closed";
  /** The run. */
  readonly run: number;
  /** What its `close` has thrown. */
  readonly error?: WireError;
}

/** Something was thrown outside of every task: the worker cannot be trusted any more. */
interface Crashed {
  /** Tells messages apart. */
  readonly kind: "crashed";
  /** Whether it was at work on something at that time. */
  readonly busy: boolean;
  /** What was thrown. */
  readonly error: WireError;
}

/** The work of the worker was broken off, as its heap is full. */
interface Full {
  /** Tells messages apart. */
  readonly kind: "full";
}

/** Messages of a worker about one run. */
export type RunMessage = Opened | Done | Failed | Closed;

/** From a worker to the pool. */
export type FromWorker = Ready | Crashed | Full | RunMessage;
